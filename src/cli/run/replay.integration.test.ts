import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import type { RunOptions } from '../run-options.ts';
import { type EndedHere, mainHere, quickOptions, resultIn, runHere, serviceWith } from './run-in-process.fixture.ts';

const FAULT = 'limit-plus-one';

const urlWith = async (...faults: readonly string[]): Promise<string> => (await serviceWith(faults)).baseUrl;

/** A service that fails a check, one that does not, and the file with which the failure is replayed. */
let faulty = '';
let sound = '';
let file = '';
beforeAll(async () => {
  [faulty, sound] = await Promise.all([urlWith(FAULT), urlWith()]);
  const { dir, code } = await runHere(quickOptions(faulty, { only: ['LIST-2'] }));
  expect(code).toBe(1);
  file = join(dir, 'failures', 'LIST-2.json');
});

const replay = (baseUrl: string, file: string, changes: Partial<RunOptions> = {}): Promise<EndedHere> =>
  runHere(quickOptions(baseUrl, { replay: file, output: 'normal', maxTimeMs: 120_000, ...changes }));

test('a failure that is still there is told so, with a fresh proof and what showed it', async () => {
  const { code, stdout, dir } = await replay(faulty, file);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Still fails: LIST-2, .* \(shown by the (\d )?recorded exchanges?\)\./);
  expect(stdout).not.toContain('Covered:');
  const result = resultIn(dir);
  expect(result).toMatchObject({
    exitCode: 1,
    coverage: [],
    replay: { check: 'LIST-2', end: 'still so', attempts: [{ end: 'shown' }] },
    checks: [{ id: 'LIST-2', outcome: { kind: 'failed', violations: [{ code: 'page-too-long' }] } }],
  });
  expect(readFileSync(join(dir, 'junit.xml'), 'utf8')).toContain('Still fails: LIST-2');
  // It can be replayed again from here.
  expect(JSON.parse(readFileSync(join(dir, 'failures', 'LIST-2.json'), 'utf8'))).toEqual(
    JSON.parse(readFileSync(file, 'utf8')),
  );
});

test('a secret that is a word of the format does not break the record of a failure', async () => {
  const token = 'petstore';
  const headers = [
    { name: 'X-Operation', value: 'listPets' },
    { name: 'X-Member', value: 'profile' },
  ];
  const { baseUrl } = await serviceWith([FAULT], { token });
  const { dir } = await runHere(quickOptions(baseUrl, { token, headers, only: ['LIST-2'] }));
  const again = await replay(baseUrl, join(dir, 'failures', 'LIST-2.json'), { token, headers });
  expect(again.stdout).toContain('Still fails: ');
});

test('a failure that is gone is told so, with what was sent', async () => {
  const { code, stdout, dir } = await replay(sound, file);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Fixed: LIST-2, .* \(sent again: the (\d )?recorded exchange.*; the whole run with its seed\)\./s,
  );
  expect(stdout).not.toContain('Conforms');
  expect(resultIn(dir)).toMatchObject({ exitCode: 0, coverage: [], replay: { end: 'no longer so' } });
});

test('where it cannot be judged, the reason is told and nothing is concluded', async () => {
  const refused = await replay(faulty, file, { token: 'Another-Key-Than-The-Recorded-1' });
  expect([refused.code, refused.stdout]).toEqual([3, expect.stringContaining('refuses the key')]);
  const budget = await replay(sound, file, { maxCreates: 2 });
  expect([budget.code, budget.stdout]).toEqual([
    3,
    expect.stringMatching(/LIST-2 could not be judged again: .*budget/s),
  ]);
});

test('what shows only in what the service held before the run is gone once it holds that again', async () => {
  const filled = await urlWith('older-animals-in-no-index');
  const { dir } = await runHere(quickOptions(filled, { only: ['LIST-7', 'SERV-1'] }));
  const record = join(dir, 'failures', 'LIST-7.json');
  const hidden = await replay(filled, record);
  expect([hidden.code, hidden.stdout]).toEqual([3, expect.stringMatching(/LIST-7 could not be judged.*restart/s)]);
  const restarted = await replay(await urlWith('older-animals-in-no-index'), record);
  expect([restarted.code, restarted.stdout]).toEqual([1, expect.stringContaining('Still fails: LIST-7')]);
  const mended = await replay(await urlWith(), record);
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining('Fixed: LIST-7')]);
});

test('a replay leaves the reports that it was copied from as they are', async () => {
  const dir = dirname(dirname(file));
  const before = readFileSync(join(dir, 'conformance.json'), 'utf8');
  const { code, printed } = await mainHere('--base-url', faulty, '--replay', file, '--report-dir', dir);
  expect([code, printed]).toEqual([1, expect.stringContaining(`Reports in ${join(dir, 'replay')}/`)]);
  expect(readFileSync(join(dir, 'conformance.json'), 'utf8')).toBe(before);
  expect(resultIn(join(dir, 'replay')).replay).toMatchObject({ check: 'LIST-2', end: 'still so' });
});

test('a dry run tells what a replay may take, and sends nothing', async () => {
  const target = await serviceWith();
  const { code, stdout } = await replay(target.baseUrl, file, { dryRun: true });
  expect([code, target.requests]).toEqual([0, []]);
  expect(stdout).toMatch(/the (\d )?recorded exchange.*\n.*the check alone.*\n(.*\n)*.*the whole run with its seed/);
});

test('a record holds no key, and one of another format is refused', async () => {
  const record: object = JSON.parse(readFileSync(file, 'utf8'));
  expect(JSON.stringify(record)).not.toContain(KEY);
  const later = join(dirname(file), 'later.json');
  writeFileSync(later, JSON.stringify({ ...record, format: 'petstore-conformance-replay/9' }));
  await expect(replay(faulty, later)).rejects.toThrow('is not a recorded failure');
});
