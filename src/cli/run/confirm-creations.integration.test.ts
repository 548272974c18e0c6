import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../run-options.ts';
import { confirmCreations } from './confirm-creations.ts';
import { PROGRAM } from './program.fixture.ts';
import { quickOptions } from './run-in-process.fixture.ts';

/** An address that belongs to nobody (RFC 5737), and is not private. */
const SHOP = 'http://192.0.2.1/v1';

interface Asked {
  readonly question: string;
  readonly declined: unknown;
}

async function ask(targets: readonly RunOptions[], answer: string | undefined): Promise<Asked> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  if (answer === undefined) stdin.end();
  else stdin.write(answer);
  const declined: unknown = await confirmCreations(targets, { stdin, stdout, onInterrupt: () => {} }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { question: String(stdout.read() ?? ''), declined };
}

const options = (changes: Partial<RunOptions> = {}, baseUrl: string | undefined = SHOP): RunOptions =>
  quickOptions(baseUrl, { mayAsk: true, ...changes });

describe('before animals are added at an address that looks like production', () => {
  test.each(['y\n', 'yes\n', ' YES \n'])('%j goes on', async (answer) => {
    const { question, declined } = await ask([options()], answer);
    expect(question).toContain(`${SHOP} looks like production. The run may create up to 140 animals`);
    expect(declined).toBeUndefined();
  });

  test.each(['n\n', '\n', 'yesterday\n', undefined])('%j does not', async (answer) => {
    const { declined } = await ask([options()], answer);
    expect(declined).toMatchObject({
      code: 'creation-declined',
      message: expect.stringMatching(/--read-only.*--max-creates.*--yes/),
    });
  });

  test('two targets are one question', async () => {
    const { question, declined } = await ask([options(), options({}, 'http://192.0.2.2/v1')], 'y\n');
    expect(question.match(/Continue\?/g)).toHaveLength(1);
    expect(question).toContain('http://192.0.2.1/v1, http://192.0.2.2/v1 look like production');
    expect(declined).toBeUndefined();
  });

  test.each<[string, RunOptions]>([
    ['--yes, or nobody there', options({ mayAsk: false })],
    ['--read-only', options({ readOnly: true })],
    ['--max-creates 20', options({ maxCreates: 20 })],
    ['a staging host', options({}, 'https://staging.pets.example/v1')],
    ['the embedded service', quickOptions(undefined, { mayAsk: true })],
  ])('%s: no question', async (_name, target) => {
    expect(await ask([target], 'n\n')).toEqual({ question: '', declined: undefined });
  });
});

/** util-linux's `script` gives a program a terminal of its own. */
const hasScript = spawnSync('script', ['--version']).status === 0;

test.runIf(hasScript)('at a terminal, a no ends the program with 2 before anything is sent', () => {
  const command = `'${process.execPath}' '${PROGRAM}' -u ${SHOP}`;
  const environment = { PATH: process.env['PATH'], TERM: 'xterm', PETSTORE_API_KEY: 'Some-Key-1' };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    env: environment,
    input: 'n\n',
    encoding: 'utf8',
  });
  expect(stdout).toContain('Continue? [y/N]');
  expect(stdout).toContain('nothing was sent');
  expect(status).toBe(2);
});
