import { expect, test } from 'vitest';
import {
  type EndedHere,
  FakeSignals,
  ledgerIn,
  quickOptions,
  reached,
  resultIn,
  runHere,
} from '../cli/run/run-in-process.fixture.ts';
import { changeResponse, errorResponse } from '../reference/changes.ts';
import type { Change } from '../reference/index.ts';
import { recordingReference } from './rig.fixture.ts';

const SOAK_MS = 1_000;
const ONLY = ['GET-1', 'RES-5', 'SERV-4', 'LIST-2'];

async function soaked(
  change: Change['change'] = (steps) => steps,
  changes: Partial<Parameters<typeof quickOptions>[1]> = {},
): Promise<EndedHere & { readonly result: ReturnType<typeof resultIn>; readonly methods: readonly string[] }> {
  const service = await recordingReference({}, change);
  const options = quickOptions(service.baseUrl, {
    soakMs: SOAK_MS,
    maxTimeMs: 110_000,
    requestTimeoutMs: 30_000,
    only: ONLY,
    maxCreates: 150,
    output: 'normal',
    ...changes,
  });
  const ended = await runHere(options);
  await service.stop();
  return { ...ended, result: resultIn(ended.dir), methods: service.requests.map(({ method }) => method) };
}

const isOfTheSoak = (text: string): boolean => text.includes(' soak ');

/** True for every so many-th call with an animal that the soak adds. */
function nthOfTheSoak(nth: number): (text: string) => boolean {
  let seen = 0;
  return (text) => {
    if (!isOfTheSoak(text)) return false;
    seen += 1;
    return seen % nth === 0;
  };
}

test('a sound service bears the load: throughput and percentiles, nothing lost or doubled', async () => {
  const { code, result, stdout, dir } = await soaked();
  const { soak } = result;
  expect([code, result.verdict]).toEqual([0, 'conforms']);
  expect(soak).toMatchObject({ planned: SOAK_MS, unanswered: 0, lost: 0, doubled: 0, unverified: 0 });
  expect(soak?.milliseconds).toBeGreaterThanOrEqual(SOAK_MS);
  expect(soak?.creations).toBeGreaterThan(0);
  expect(soak?.throughput).toBeCloseTo(((soak?.requests ?? 0) / (soak?.milliseconds ?? 1)) * 1_000, -1);
  expect(soak?.latencies.map(({ operation }) => operation)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(soak?.latencies.reduce((sum, { requests }) => sum + requests, 0)).toBe(soak?.requests);
  expect(result.summary.creations).toBeLessThanOrEqual(150);
  expect(ledgerIn(dir)).toHaveLength(result.summary.creations);
  expect(stdout).toMatch(/Note: Soak of .* a second; [\d,]+ animals created, 0 lost, 0 doubled\./);
  expect(stdout).toContain('Under load, getPet: p50 ');
});

test('animals that get lost under load are counted, and violate GET-1', async () => {
  const isLost = nthOfTheSoak(2);
  const { code, result } = await soaked((steps) => ({
    ...steps,
    store: (pet, call) => {
      if (!isLost(pet.name)) steps.store(pet, call);
    },
  }));
  expect(result.soak?.lost).toBe(Math.floor((result.soak?.creations ?? 0) / 2));
  expect([code, result.requirements.find(({ id }) => id === 'GET-1')?.status]).toEqual([1, 'violated']);
});

test('ids that are given twice under load are counted, and violate RES-5', async () => {
  const isDoubled = nthOfTheSoak(2);
  let doubleNext = false;
  let last = 0n;
  const { code, result } = await soaked((steps) => ({
    ...steps,
    parseBody: (text, call) => {
      doubleNext = isDoubled(text);
      return steps.parseBody(text, call);
    },
    assignId: async (shop) => {
      if (!doubleNext) last = await steps.assignId(shop);
      return last;
    },
  }));
  expect(result.soak?.doubled).toBeGreaterThan(0);
  expect([code, result.requirements.find(({ id }) => id === 'RES-5')?.status]).toEqual([1, 'violated']);
});

test('--soak-rate: no more requests than asked for, and the report says both rates', async () => {
  const { code, result, stdout } = await soaked(undefined, { soakPerSecond: 20, concurrency: 8 });
  const { soak } = result;
  expect([code, soak?.perSecond]).toEqual([0, 20]);
  expect(soak?.requests).toBeGreaterThan(1);
  // One at once, and then one every 50 ms.
  expect(soak?.requests).toBeLessThanOrEqual(20);
  expect(soak?.throughput).toBeLessThanOrEqual(20.5);
  expect(soak?.milliseconds).toBeGreaterThanOrEqual(SOAK_MS);
  expect(stdout).toMatch(/Note: Soak of .* answers, [\d.]+ a second \(asked for: at most 20\); /);
  expect(result.run.options).toContain('--soak-rate 20/s');
});

test('--rate-limit bounds the soak too, where that asks for more', async () => {
  const { result } = await soaked(undefined, {
    soakPerSecond: 1_000,
    rateLimit: { kind: 'fixed', perSecond: 30 },
    only: ['GET-2'],
  });
  expect(result.soak?.perSecond).toBe(1_000);
  expect(result.soak?.requests).toBeGreaterThan(1);
  expect(result.soak?.requests).toBeLessThanOrEqual(32);
});

test('a wrong answer under load is a violation', async () => {
  let isUnderLoad = false;
  const { code, result } = await soaked((steps) => ({
    ...steps,
    parseBody: (text, call) => {
      isUnderLoad ||= isOfTheSoak(text);
      return steps.parseBody(text, call);
    },
    selectPage: (query, call) => steps.selectPage(isUnderLoad ? { ...query, limit: query.limit + 1 } : query, call),
  }));
  expect([code, result.requirements.find(({ id }) => id === 'LIST-2')?.status]).toEqual([1, 'violated']);
});

test('animals that cannot be looked for are neither found nor lost', async () => {
  const { result } = await soaked(
    (steps) =>
      changeResponse(
        (_answer, call) => call.operation === 'getPet',
        () => errorResponse(500),
      )(steps),
    { only: ['LIST-2'] },
  );
  expect(result.soak?.creations).toBeGreaterThan(0);
  expect(result.soak).toMatchObject({ lost: 0, unverified: result.soak?.creations });
});

test('with --read-only the load only reads', async () => {
  const { result, methods } = await soaked((steps) => steps, { readOnly: true });
  expect(result.soak).toMatchObject({ creations: 0, lost: 0 });
  expect(result.soak?.requests).toBeGreaterThan(0);
  expect(methods).not.toContain('POST');
});

test('Ctrl-C ends it, with what there is', async () => {
  const service = await recordingReference();
  const signals = new FakeSignals();
  const options = quickOptions(service.baseUrl, { soakMs: 60_000, maxTimeMs: 90_000, only: ONLY, maxCreates: 5_000 });
  const running = runHere(options, signals);
  await reached(service.requests, 800, running);
  signals.send('SIGINT');
  const { code, dir } = await running;
  await service.stop();
  const { soak } = resultIn(dir);
  expect(code).toBe(130);
  expect(soak?.requests).toBeGreaterThan(100);
  expect(soak?.milliseconds).toBeLessThan(60_000);
  expect(soak?.unverified).toBe(soak?.creations);
});
