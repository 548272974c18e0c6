import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parseArguments } from '../arguments.ts';
import { main } from '../main.ts';

const parsed = (line: string) =>
  parseArguments(
    line.split(' '),
    {},
    { catalogue: () => Promise.reject(new Error('no catalogue is needed')), isTerminal: false, version: '1.0.0' },
  );

async function performed(...argv: readonly string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await main(argv, {}, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

test('faults --run tries all, or those named, with as many workers as are asked for', async () => {
  expect(await parsed('faults --run')).toMatchObject({
    kind: 'matrix',
    only: [],
    seed: 1,
    profile: 'standard',
    whole: false,
    reportDir: 'reports',
  });
  expect(
    await parsed('faults --run --only limit-* name-trimmed,chunked --jobs 3 --seed 7 --profile smoke --whole'),
  ).toMatchObject({
    kind: 'matrix',
    only: ['limit-*', 'name-trimmed', 'chunked'],
    jobs: 3,
    seed: 7,
    profile: 'smoke',
    whole: true,
  });
});

test('faults --run --max-time tries what that time allows, and says that it is not all', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'matrix-'));
  try {
    const few = ['--max-time', '1', '--jobs', '1', '--profile', 'smoke'];
    const { code, stdout } = await performed('faults', '--run', ...few, '--report-dir', folder);
    expect([0, 1]).toContain(code);
    expect(stdout).not.toContain('Coverage');
    const result: { complete: boolean; faults: unknown[]; variants: unknown[] } = JSON.parse(
      await readFile(join(folder, 'faults.json'), 'utf8'),
    );
    expect(result.complete).toBe(false);
    expect(result.faults.length + result.variants.length).toBeGreaterThan(0);
    expect(result.faults.length + result.variants.length).toBeLessThan(20);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['faults --max-time 9', '--max-time: has no effect without --run; write `faults --run --max-time …`'],
  ['faults --jobs 2', '--jobs: has no effect without --run; write `faults --run --jobs …`'],
  ['faults --whole', '--whole: has no effect without --run; write `faults --run --whole …`'],
  ['faults --report-dir x', '--report-dir: has no effect without --run; write `faults --run --report-dir …`'],
  ['faults --no-color', '--no-color: has no effect without --run; write `faults --run --no-color …`'],
  ['faults --run --json', '--json and --run: cannot be used together; leave out one of them'],
  ['faults --run --jobs 0', '--jobs: "0" is not a whole number from 1 to 64'],
])('%s is refused', async (line, message) => {
  await expect(parsed(line)).rejects.toThrow(message);
});

test('a name that is not known is refused with the nearest one', async () => {
  const { code, stderr } = await performed('faults', '--run', '--only', 'limit-ignord');
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean limit-ignored?');
});
