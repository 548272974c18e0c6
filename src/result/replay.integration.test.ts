import { expect, test } from 'vitest';
import { findFault, startReference } from '../reference/index.ts';
import { KEY, optionsFor, type ReceivedRequest, serve } from '../run/service.fixture.ts';
import type { ConformanceOptions } from './builders.ts';
import { conformance } from './conformance.ts';
import type { RunResult } from './result.ts';

/** A run against the reference service with faults. */
async function onService(faults: readonly string[], more: Partial<ConformanceOptions> = {}): Promise<RunResult> {
  const all = faults.flatMap((name) => findFault(name) ?? []);
  const { baseUrl, stop } = await startReference({ token: KEY, faults: all });
  return conformance(optionsFor(baseUrl, { profile: 'standard', settleMs: 500, ...more })).finally(stop);
}

const endsOf = ({ replay = [] }: RunResult) => replay.map(({ end }) => end);

test.each(['trailing-comma-accepted', 'created-says-sent-name', 'name-trimmed', 'limit-7-gives-8'])(
  '%s still fails on the service that has it, which ends the run; and passes on one that has not',
  async (fault) => {
    const replay = await onService([fault]);
    const still = await onService([fault], { replay });
    expect([still.exitCode, new Set(endsOf(still))]).toEqual([1, new Set(['still fails'])]);
    expect(still.summary.requests).toBeLessThan(replay.summary.requests);
    const passes = await onService([], { replay });
    expect([passes.exitCode, new Set(endsOf(passes))]).toEqual([0, new Set(['passes'])]);
  },
);

test('one that was mended beside one that was not, and one that came anew', async () => {
  const replay = await onService(['trailing-comma-accepted', 'limit-7-gives-8']);
  const { replay: ends = [], exitCode, conclusion } = await onService(['limit-7-gives-8', 'name-trimmed'], { replay });
  expect(ends.map(({ end }) => end)).toEqual(['still fails', 'new', 'passes']);
  expect([exitCode, conclusion]).toEqual([
    1,
    '1 of 2 recorded findings still fails; 1 of 2 recorded findings passes; 1 new finding.',
  ]);
});

test('what cannot be tested does not pass; of a result without a finding nothing is sent', async () => {
  const replay = await onService(['created-says-sent-name']);
  const rejected = await onService(['always-401'], { replay });
  expect([rejected.exitCode, new Set(endsOf(rejected))]).toEqual([3, new Set(['not tested'])]);
  const safe = await onService(['created-says-sent-name'], { replay, readOnly: true });
  expect([safe.exitCode, new Set(endsOf(safe)), safe.summary.creations]).toEqual([3, new Set(['not tested']), 0]);
  const requests: ReceivedRequest[] = [];
  const { baseUrl } = await serve((request, right) => {
    requests.push(request);
    return right();
  });
  const nothing = await conformance(optionsFor(baseUrl, { replay: { ...replay, findings: [] } }));
  expect([nothing.exitCode, nothing.conclusion, requests]).toEqual([
    3,
    'No verdict: the recorded result has no finding, so nothing was sent.',
    [],
  ]);
});
