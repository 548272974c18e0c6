import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { override } from '../reference/changes.ts';
import { ApiError } from '../reference/errors.ts';
import { startReference } from '../reference/index.ts';
import type { Call } from '../reference/steps.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** Judges a service that refuses the right key where this says so, told how often it was sent so far. */
async function judged(refuses: (call: Call, sent: number) => boolean) {
  let sent = 0;
  const change = override('authenticate', (original) => (call) => {
    original(call);
    sent += 1;
    if (refuses(call, sent)) throw new ApiError(401, 'unauthorized', 'The API key has expired.');
  });
  const service = await startReference({ token: KEY, faults: [{ name: 'expires', breaks: '', says: '', change }] });
  try {
    return await judge(CHECKS, testPlan(service.baseUrl));
  } finally {
    await service.stop();
  }
}

test('a key that is refused from some moment on ends the run, and violates nothing', async () => {
  const { checks, telemetry } = await judged((_, sent) => sent > 400);
  const outcomes = checks.map(({ result }) => result.outcome);
  expect(outcomes.filter(({ kind }) => kind === 'failed')).toEqual([]);
  const reasons = outcomes.flatMap((one) => (one.kind === 'inconclusive' ? [`${one.code}: ${one.reason}`] : []));
  expect(new Set(reasons.filter((reason) => reason.startsWith('key-lost')))).toEqual(
    new Set([expect.stringMatching(/the key was refused from .* on, after \d+ responses had accepted it; use a key/)]),
  );
  expect(telemetry.stopped).toBe('key-lost');
});

test('an operation that refuses the key which the others accept violates the specification', async () => {
  const { checks, telemetry } = await judged(({ operation }, sent) => operation === 'getPet' && sent > 400);
  const failed = checks
    .filter(({ result }) => result.outcome.kind === 'failed')
    .map(({ result }) => result.requirement);
  expect(failed).toContain('AUTH-1');
  expect(telemetry.stopped).toBeUndefined();
});
