import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quickOptions, resultIn, runHere } from '../cli/run/run-in-process.fixture.ts';
import { changeResponse, errorResponse, everyNth } from '../reference/changes.ts';
import type { Change } from '../reference/index.ts';
import type { Violation } from '../report/model/result.ts';
import { recordingReference } from './rig.fixture.ts';

/** For machines that are busy with something else. */
const PATIENT = { maxTimeMs: 110_000, requestTimeoutMs: 30_000 };

async function violationsOf(
  requirement: string,
  change: Change['change'],
): Promise<{ readonly violations: readonly Violation[]; readonly stdout: string; readonly junit: string }> {
  const service = await recordingReference({}, change);
  const options = quickOptions(service.baseUrl, { output: 'normal', settleMs: 100, ...PATIENT });
  const { code, stdout, dir } = await runHere(options);
  await service.stop();
  expect(code).toBe(1);
  const violations = resultIn(dir).checks.flatMap((check) =>
    check.requirement === requirement && check.outcome.kind === 'failed' ? check.outcome.violations : [],
  );
  return { violations, stdout, junit: readFileSync(join(dir, 'junit.xml'), 'utf8') };
}

test('one answer in 50 that is a 500 is reported as intermittent, with its rate', async () => {
  const { violations, stdout, junit } = await violationsOf('SERV-4', (steps) => {
    const isDue = everyNth(50);
    return changeResponse(
      () => isDue(),
      () => errorResponse(500),
    )(steps);
  });
  const { frequency } = violations[0] ?? {};
  expect(frequency?.intermittent).toBe(true);
  expect((frequency?.judged ?? 0) / (frequency?.violated ?? 1)).toBeGreaterThan(40);
  expect((frequency?.judged ?? 0) / (frequency?.violated ?? 1)).toBeLessThan(60);
  for (const text of [stdout, junit]) expect(text).toMatch(/intermittent: in [\d,]+ of the [\d,]+ answers/);
});

test('a fault that some requests always meet is not', async () => {
  const { violations, stdout } = await violationsOf('SERV-4', (steps) =>
    changeResponse(
      (_answer, call) => call.operation === 'listPets' && call.query.get('limit') === '100',
      () => errorResponse(500),
    )(steps),
  );
  expect(violations[0]?.frequency?.violated).toBeGreaterThan(0);
  expect(violations[0]?.frequency?.intermittent).toBeUndefined();
  expect(stdout).not.toContain('intermittent');
});

test('nor is one that begins as the collection grows', async () => {
  const { violations, stdout } = await violationsOf('LIST-3', (steps) => ({
    ...steps,
    readLimit: (call) => (call.query.has('limit') ? steps.readLimit(call) : 30),
  }));
  expect(violations.length).toBeGreaterThan(0);
  expect(stdout).not.toContain('intermittent');
});
