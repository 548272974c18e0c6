/** The results that the other tests of reports read: of real runs, one request after the other, with a fixed seed. */
import { beforeAll, expect, test, vi } from 'vitest';
import { RunAbortedError, type RunConformanceOptions, runConformance } from '../cli/api/run-conformance.ts';
import { changeResponse, combine, override, responsesOf } from '../reference/changes.ts';
import { FAULTS, type Fault, startReference } from '../reference/index.ts';
import type { ExchangeEvidence, RunResult } from '../result/result.ts';
import { jsonText } from './write.ts';

const TOKEN = 'Pet-1Store_Key';
const SAME_EACH_TIME = { token: TOKEN, seed: 7, today: '2026-01-01', profile: 'smoke', concurrency: 1 } as const;

/** What a service may send to harm a reader: markup, controls, a change of direction, and commands of CIs. */
const HOSTILE =
  '</pre><script>alert(1)</script> \u001b[31m\u202e ::error::x ##vso[task] ##[group] ##teamcity[x] section_start:1:x 猫';

const hostile: Fault = {
  name: 'hostile-texts',
  breaks: 'CREATE-11',
  says: 'getPet shows another name, and createPet fails with a page of HTML; both try to harm who reads them.',
  change: combine(
    override('describePet', (original) => (pet, call) => {
      const shown = original(pet, call);
      return call.operation === 'getPet' ? { ...shown, name: HOSTILE } : shown;
    }),
    changeResponse(responsesOf('createPet', 500), (response) => ({
      ...response,
      headers: { 'Content-Type': 'text/html' },
      body: HOSTILE,
    })),
  ),
};

const NAMES = ['limit-plus-one', 'null-body-makes-500', 'browser-accept-makes-500', 'bare-key-accepted'];
const faults = [...FAULTS.filter(({ name }) => NAMES.includes(name)), hostile];

const run = (options: RunConformanceOptions): Promise<RunResult> => runConformance({ ...SAME_EACH_TIME, ...options });

async function runOfFaults(): Promise<RunResult> {
  const { baseUrl, stop } = await startReference({ token: TOKEN, faults });
  const only = ['SERV-4', 'LIST-2', 'LIST-10', 'CREATE-1', 'CREATE-8', 'CREATE-11', 'AUTH-2', 'AUTH-5', 'LIM-2'];
  return run({ baseUrl, only, headers: [['X-Team', 'a']], settleMs: 0 }).finally(stop);
}

async function runThatIsCut(): Promise<RunResult | undefined> {
  const end = new AbortController();
  const ended = await run({
    embedded: true,
    signal: end.signal,
    onEvent: (event) => {
      if (event.type === 'progress' && event.phase === 'Adding animals one by one') end.abort();
    },
  }).catch((error: unknown) => error);
  return ended instanceof RunAbortedError ? ended.result : undefined;
}

const AT = '2026-01-01T00:00:00.000Z';
const steadyExchange = (one: ExchangeEvidence): ExchangeEvidence => ({ ...one, sentAt: AT, milliseconds: 3.4 });

/** A result without what differs from run to run and from machine to machine: times, the port, the suite's version. */
function steady(result: RunResult): string {
  const same: RunResult = {
    ...result,
    suite: { ...result.suite, version: '1.0.0' },
    run: { ...result.run, startedAt: AT, milliseconds: 3_120 },
    findings: result.findings.map((one) => ({
      ...one,
      example: steadyExchange(one.example),
      earlier: one.earlier.map(steadyExchange),
    })),
    latencies: result.latencies.map(({ operation, requests }) => ({
      ...{ operation, requests, p50: 2.1, p95: 8.4, max: 41 },
    })),
  };
  return jsonText(same)
    .replaceAll(result.target.baseUrl, 'http://localhost:3000/v1')
    .replaceAll(/("Date",\s+)"[^"]+"/g, '$1"Thu, 01 Jan 2026 00:00:00 GMT"');
}

// The names of animals, which are not derived from the seed.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0.5));

test.each([
  ['green', () => run({ embedded: true })],
  ['red', runOfFaults],
  ['cut', runThatIsCut],
])('%s', async (name, start) => {
  const result = await start();
  if (result === undefined) throw new Error('the run was not cut');
  await expect(steady(result)).toMatchFileSnapshot(`golden/${name}.conformance.json.txt`);
});
