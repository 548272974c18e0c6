/** `--fail-fast`: a run that ends at its first violation, with the proof that a whole run would have given. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordingReference } from '../../petstore/rig.fixture.ts';
import { FIRST_VIOLATION } from '../../report/model/first-violation.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { RunOptions } from '../run-options.ts';
import {
  type EndedHere,
  mainHere,
  newFolder,
  quickOptions,
  resultIn,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

const FAULTY = ['limit-plus-one'];
const SOUND: readonly string[] = [];
/** Few checks, of which the fault violates LIST-2 first. */
const FEW = { only: ['LIST-*'], skip: ['LIST-9'] };

/** A run with `--fail-fast` in this process. */
async function quickRun(
  faults: readonly string[],
  changes: Partial<RunOptions> = {},
): Promise<EndedHere & { readonly result: RunResult; readonly service: RecordingReference }> {
  const service = await serviceWith(faults);
  const ended = await runHere(
    quickOptions(service.baseUrl, { failFast: true, output: 'normal', maxTimeMs: 110_000, ...FEW, ...changes }),
  );
  return { ...ended, result: resultIn(ended.dir), service };
}

const codesIn = ({ checks }: RunResult): readonly string[] =>
  checks.map(({ outcome }) => (outcome.kind === 'inconclusive' ? outcome.code : outcome.kind));

test('ends at the first violation, with its full proof, and says what was left out because of it', async () => {
  const { result, code, stdout, stderr, dir, service } = await quickRun(FAULTY);
  expect(code).toBe(1);
  const whole = await quickRun(FAULTY, { failFast: false });
  expect(service.requests.length).toBeLessThan(whole.service.requests.length);

  expect(result).toMatchObject({
    verdict: 'violations',
    firstViolation: { check: 'LIST-2', requirement: 'LIST-2' },
  });
  const leftOut = result.firstViolation?.leftOut ?? 0;
  expect(leftOut).toBeGreaterThan(2);
  expect(leftOut).toBe(result.requirements.filter(({ status }) => status === 'not judged').length);
  // By the option, and not through a fault of the service.
  const unjudged = result.checks.flatMap(({ outcome }) => (outcome.kind === 'inconclusive' ? outcome : []));
  expect(unjudged.filter(({ code: why }) => why === FIRST_VIOLATION).every(({ byOption }) => byOption)).toBe(true);
  expect(codesIn(result)).not.toContain('harness error');

  const sentence = `The run ended at the first violation (--fail-fast); ${leftOut} requirements were not judged.`;
  expect(result.conclusion).toMatch(/^Does not conform: .*LIST-2/);
  for (const told of [stdout, result.conclusion, read(dir, 'report.html'), read(dir, 'junit.xml')]) {
    expect(told).toContain(sentence);
  }
  expect(read(dir, 'summary.md')).toContain('ended at the first violation');
  expect(stdout).toContain('curl -i');
  expect(existsSync(join(dir, 'failures', 'LIST-2.json'))).toBe(true);
  expect(result.causes[0]?.requirements).toContain('LIST-2');
  expect(stderr).toBe('LIST-2 is violated, so the run ends here (--fail-fast)\n');

  // What the whole run proves, the short one proves too.
  const provenIn = ({ checks }: RunResult) =>
    checks.flatMap(({ id, outcome }) =>
      id === 'LIST-2' && outcome.kind === 'failed' ? outcome.violations.map((one) => one.code) : [],
    );
  expect(provenIn(result)).toEqual(provenIn(whole.result));
});

test('a failure that it recorded can be replayed', async () => {
  const { dir } = await quickRun(FAULTY);
  const replay = join(dir, 'failures', 'LIST-2.json');
  // An option of the whole run says nothing of a replay.
  const { code, stdout, result } = await quickRun(FAULTY, { replay });
  expect([code, stdout]).toEqual([1, expect.stringContaining('Still fails: LIST-2')]);
  expect(result.firstViolation).toBeUndefined();
});

test('runs to its end on a sound service', async () => {
  const { result, code, stdout, service } = await quickRun(SOUND);
  const whole = await quickRun(SOUND, { failFast: false });
  expect([code, result.firstViolation]).toEqual([0, undefined]);
  expect(stdout).not.toContain('fail-fast');
  expect(codesIn(result)).toEqual(codesIn(whole.result));
  expect(Math.abs(service.requests.length - whole.service.requests.length)).toBeLessThan(20);
});

test('an expected failure does not end the run; another one does', async () => {
  const baseline = join(newFolder(), 'baseline');
  writeFileSync(baseline, 'LIST-2\n');
  const tolerated = await quickRun(FAULTY, { baseline, only: ['LIST-2', 'LIST-3'] });
  expect([tolerated.code, tolerated.result.firstViolation]).toEqual([0, undefined]);
  expect(codesIn(tolerated.result)).not.toContain(FIRST_VIOLATION);
  writeFileSync(baseline, 'LIST-3\n');
  const other = await quickRun(FAULTY, { baseline, only: ['LIST-2', 'LIST-3'] });
  expect([other.code, other.result.firstViolation?.check]).toEqual([1, 'LIST-2']);
});

test('the program, against two targets: each ends by itself', async () => {
  const [faulty, sound] = await Promise.all([serviceWith(FAULTY), serviceWith(SOUND)]);
  const dir = newFolder();
  const { code, printed } = await mainHere(
    ...['-u', faulty.baseUrl, '-u', sound.baseUrl, '--profile', 'smoke', '--fail-fast'],
    ...['--report-dir', dir, '--settle', '0.3', '--only', 'LIST-*', '--skip', 'LIST-9'],
  );
  expect(code).toBe(1);
  const [first, second] = [faulty, sound].map(({ baseUrl }) =>
    resultIn(join(dir, baseUrl.replace('http://', '').replace(/[^A-Za-z0-9.-]+/g, '_'))),
  );
  expect([first?.firstViolation?.check, second?.firstViolation]).toEqual(['LIST-2', undefined]);
  expect([first?.verdict, second?.verdict]).toEqual(['violations', 'conforms']);
  expect(printed).toContain('LIST-2 is violated, so the run ends here (--fail-fast)');
  expect(faulty.requests.length).toBeLessThan(sound.requests.length);
});

const read = (dir: string, name: string): string => readFileSync(join(dir, name), 'utf8');
