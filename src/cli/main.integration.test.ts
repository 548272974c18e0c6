import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { PARTS } from '../petstore/description.ts';
import { findFault, startReference } from '../reference/index.ts';
import { greenResult, redResult } from '../report/sample.fixture.ts';
import { main } from './main.ts';
import { runIn } from './run/program.fixture.ts';

const PROGRAM = fileURLToPath(new URL('./petstore-conformance.mjs', import.meta.url));

/** Nothing of what the test runner or npm has in the environment. */
const CLEAN = { PATH: process.env['PATH'] };

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  return spawn(process.execPath, [PROGRAM, ...argv], {
    env: { ...CLEAN, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(argv: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = start(argv, environment);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, stdout, stderr };
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-main-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('npm --prefix: paths are those of the folder that the user is in, and messages can be copied there', async () => {
  const root = fileURLToPath(PACKAGE_ROOT).replace(/\/$/, '');
  const npm = (...argv: readonly string[]) => runIn(folder, 'npm', '--prefix', root, 'test', '--silent', '--', ...argv);
  writeFileSync(join(folder, 'red.json'), JSON.stringify(redResult()));
  expect(await npm('baseline', 'red.json', '--output', 'known.yaml')).toEqual({
    code: 0,
    printed: expect.stringMatching(/^Wrote known\.yaml: /),
  });
  expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toContain('requirement: ');
  expect((await npm('list', '--only', 'NOPE-*')).printed).toContain(`npm --prefix ${root} test -- list`);
});

describe.concurrent('the program', () => {
  test('refuses an unknown option with 2, one line on stderr and nothing on stdout', async () => {
    const { code, stdout, stderr } = await run(['--limit-time', '3']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('--limit-time: unknown option; did you mean --max-time? (--help-all lists them all)\n');
  });

  test('in a job of GitHub Actions, a mistake is an annotation', async () => {
    const mistake = await run(['--limit-time', '3'], { GITHUB_ACTIONS: 'true' });
    expect(mistake).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit-time: unknown option') });
    expect(mistake.stdout).toMatch(/^::error title=petstore-conformance::--limit-time: unknown option;[^\n]*\n$/);
  });

  test('ends quietly when its reader has seen enough', async () => {
    const child = start(['list']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    await once(child, 'close');
    expect([child.exitCode, stderr]).toEqual([0, '']);
  });

  test('judges to the end where its reader has seen enough, with every report and the true exit code', async () => {
    const fault = findFault('limit-plus-one');
    const service = await startReference({ token: 'Sesame-1', faults: fault === undefined ? [] : [fault] });
    const dir = join(folder, 'unread');
    const target = ['--base-url', service.baseUrl, '--only', 'LIST-2', '--profile', 'smoke', '--report-dir', dir];
    // In a job of GitHub Actions something is written before anything is judged.
    const child = start(target, { PETSTORE_API_KEY: 'Sesame-1', GITHUB_ACTIONS: 'true' });
    child.stdout.destroy();
    child.stderr.destroy();
    await once(child, 'close');
    await service.stop();
    expect(child.exitCode).toBe(1);
    expect(readdirSync(dir)).toEqual(expect.arrayContaining(['conformance.json', 'junit.xml', 'report.html']));
  });
});

describe.concurrent('serve', () => {
  /** The first line that the program prints. */
  async function announced(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
    const [line] = await once(createInterface(child.stdout), 'line');
    return String(line);
  }

  interface Case {
    readonly signal: NodeJS.Signals;
    readonly given: NodeJS.ProcessEnv;
    readonly key: string;
    readonly shown: string;
  }
  test.each<Case>([
    { signal: 'SIGTERM', given: {}, key: 'petstore-demo-key', shown: 'petstore-demo-key' },
    { signal: 'SIGINT', given: { PETSTORE_API_KEY: 'Sesame-1' }, key: 'Sesame-1', shown: 'as given, not shown' },
  ])('answers with its key ($key) until $signal', async ({ signal, given, key, shown }) => {
    const child = start(['serve', '--port', '0', '--animals', '3'], given);
    const line = await announced(child);
    expect(line).toMatch(/^Reference service at http:\/\/127\.0\.0\.1:\d+\/v1 \(API key: /);
    expect(line).toContain(`(API key: ${shown}; `);
    if (shown !== key) expect(line).not.toContain(key);
    const baseUrl = /http\S+/.exec(line)?.[0];
    const answer = await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      [expect.anything(), expect.anything(), expect.anything()],
    ]);
    expect((await fetch(`${baseUrl}/pets`)).status).toBe(401);
    child.kill(signal);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });
});

describe('main', () => {
  class Memory extends Writable {
    text = '';
    override _write(chunk: unknown, _encoding: string, done: () => void): void {
      this.text += String(chunk);
      done();
    }
  }

  async function inside(argv: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    const streams = { stdout: new Memory(), stderr: new Memory() };
    const code = await main(argv, environment, streams);
    return { code, stdout: streams.stdout.text, stderr: streams.stderr.text };
  }

  test('prints its help', async () => {
    expect(await inside(['--help'])).toEqual({ code: 0, stdout: expect.stringContaining('Exit codes:'), stderr: '' });
  });

  test('notices the options that npm kept', async () => {
    const { code, stdout, stderr } = await inside(['http://a.example/v1'], { npm_config_base_url: 'true' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('write `npm test -- --base-url http://a.example/v1`');
  });

  test('serve refuses a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await inside(['serve', '--port', String(port)]);
    other.close();
    expect([code, stderr]).toEqual([
      2,
      `--port: ${port} is already in use on 127.0.0.1; choose another, or 0 for any free one\n`,
    ]);
  });

  const refused: readonly (readonly [line: string, says: string])[] = [
    ['-u https://a.example', 'does not end in /v1'],
    ['-u http://a.example/v1', 'PETSTORE_API_KEY'],
    ['http://a.example/v1', '`npm test -- --base-url http://a.example/v1`'],
    ['--only LSIT-2', 'did you mean LIST-2?'],
    ['serve --fault no-such-thing', 'npm test -- faults'],
    ['serve --variant no-such-thing', 'npm test -- faults'],
  ];
  test.each(refused)('refuses %s with 2, one line on stderr and nothing on stdout', async (line, says) => {
    const { code, stdout, stderr } = await inside(line.split(' '));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(says);
  });

  test('list prints a row for every requirement', async () => {
    const { code, stdout } = await inside(['list']);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ', 1)[0]);
    expect([code, ids]).toEqual([0, ['id', ...loadCatalogue(PARTS).requirements.map(({ id }) => id)]]);
  });

  test('list prints JSON, and only what was asked for', async () => {
    const { stdout } = await inside(['list', '--json', '--only', 'LIST-2,GET-*']);
    const rows: unknown = JSON.parse(stdout);
    const { requirements } = loadCatalogue(PARTS);
    expect(rows).toEqual(requirements.filter(({ id }) => id === 'LIST-2' || id.startsWith('GET-')));
  });

  test('faults names what can be broken and chosen', async () => {
    const { code, stdout } = await inside(['faults']);
    const listed: unknown = JSON.parse((await inside(['faults', '--json'])).stdout);
    expect(code).toBe(0);
    expect(listed).toEqual({
      faults: expect.arrayContaining([
        { name: expect.any(String), breaks: expect.any(String), says: expect.any(String) },
      ]),
      variants: expect.any(Array),
    });
    expect(stdout).toMatch(/^fault +breaks +the service\n/);
  });

  describe('with results', () => {
    const file = (name: string): string => join(folder, name);
    beforeAll(() => {
      writeFileSync(file('good.json'), JSON.stringify(greenResult()));
      writeFileSync(file('bad.json'), JSON.stringify(redResult()));
      writeFileSync(file('broken.json'), '{"format":');
    });

    test('compare answers 0 where nothing got worse and 1 where something did', async () => {
      expect(await inside(['compare', file('good.json'), file('good.json')])).toMatchObject({ code: 0, stderr: '' });
      expect(await inside(['compare', file('good.json'), file('bad.json')])).toMatchObject({ code: 1, stderr: '' });
    });

    test.each([
      [
        'compare GOOD NONE',
        'compare: There is no result at NONE. Give the path of a conformance.json written by a run.',
      ],
      ['baseline NONE', 'baseline: There is no result at NONE. Give the path of a conformance.json written by a run.'],
      ['compare --history NONE', 'a run with --history NONE begins one (history-not-found)'],
      [
        'compare --history FOLDER',
        '--history: The history FOLDER cannot be read: EISDIR; name a file that you may read',
      ],
    ])('%s says what to do about a file that is not there', async (line, says) => {
      const named = (text: string): string =>
        text.replaceAll('GOOD', file('good.json')).replaceAll('NONE', file('none.json')).replaceAll('FOLDER', folder);
      const { code, stdout, stderr } = await inside(named(line).split(' '));
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(named(says));
    });

    test('a baseline that cannot be written is told as one', async () => {
      const output = join(folder, '.yaml', 'b'.repeat(250));
      mkdirSync(join(folder, '.yaml'));
      const { code, stderr } = await inside(['baseline', file('bad.json'), '--output', output]);
      expect(code).toBe(2);
      expect(stderr).toBe(
        `--output: The baseline ${output} cannot be written: writing failed (ENAMETOOLONG). Choose another file.\n`,
      );
    });

    test('compare refuses what is no result', async () => {
      const { code, stdout, stderr } = await inside(['compare', file('good.json'), file('broken.json')]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^[^\n]*broken\.json[^\n]*\n$/);
    });
  });

  test('an internal error is told in one line, without secrets, and with the stack only on request', async () => {
    vi.doMock('./commands/serve.ts', () => ({
      serve: async () => {
        throw new Error(`lost\nSesame-1 on the way, ${Buffer.from('user:Sesame-1').toString('base64')}`);
      },
    }));
    const argv = ['serve', '--token', 'Sesame-1'];
    const plain = await inside(argv);
    const full = await inside(argv, { DEBUG: '1' });
    vi.doUnmock('./commands/serve.ts');
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toMatch(
      /^petstore-conformance: internal error \(not your service's fault\): lost \[redacted\] on the way, \S*\[redacted\]\S* \([^\n]*DEBUG=1[^\n]*\)\n$/,
    );
    expect(full).toMatchObject({ code: 2, stdout: '' });
    expect(full.stderr).toMatch(/\n +at .*main\.integration\.test\.ts/);
    for (const { stderr } of [plain, full]) {
      expect(stderr).not.toContain('Sesame');
      expect(stderr).not.toContain(Buffer.from('user:Sesame-1').toString('base64').slice(8, -2));
    }
  });
});

test('a full disk on standard output: 2, said on the other stream, and the reports are written', async () => {
  const full = openSync('/dev/full', 'w');
  const argv = ['--only', 'LIST-1', '--report', 'json', '--report-dir', join(folder, 'full')];
  const child = spawn(process.execPath, [PROGRAM, ...argv], { env: CLEAN, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  await once(child, 'close');
  expect([child.exitCode, told]).toEqual([2, expect.stringContaining('The output could not be written: ENOSPC')]);
  expect(readdirSync(join(folder, 'full'))).toContain('conformance.json');
});
