import { expect, expectTypeOf, test } from 'vitest';
import type { RunSettings as EngineOptions } from '../engine/plan.ts';
import { RUN_OPTIONS } from './options.ts';
import { type RunOptions, reachingOptions, runDefaults, shownOptions } from './run-options.ts';
import { secretValues } from './shown-options.ts';

test('the type that follows from the table is what the engine takes', () => {
  expectTypeOf<RunOptions>().toExtend<EngineOptions>();
  expectTypeOf<keyof EngineOptions>().toExtend<keyof RunOptions>();
  expectTypeOf<RunOptions['profile']>().toEqualTypeOf<'smoke' | 'standard' | 'thorough'>();
  expectTypeOf<RunOptions['categoryIds']>().toEqualTypeOf<readonly bigint[]>();
  expectTypeOf<RunOptions['maxTimeMs']>().toEqualTypeOf<number | undefined>();
});

test('the defaults are those of a run without options', () => {
  expect(runDefaults()).toMatchObject({ baseUrl: undefined, token: '', seed: 1, concurrency: 64, mayAsk: false });
  expect(runDefaults({ concurrency: 4, baseUrl: 'http://a.example/v1' })).toEqual({
    ...runDefaults(),
    concurrency: 4,
    baseUrl: 'http://a.example/v1',
  });
});

test('a report shows the options in force as a user would type them', () => {
  expect(shownOptions(runDefaults({ today: '2027-01-01' }))).toEqual([
    '--profile standard',
    '--seed 1',
    '--today 2027-01-01',
    '--concurrency 64',
    '--request-timeout 10',
    '--settle 5',
  ]);
  const all = runDefaults({
    baseUrl: 'http://a.example/v1',
    token: 'Sesame-1',
    headers: [{ name: 'X-Team', value: 'Sesame-2' }],
    profile: 'smoke',
    failFast: true,
    dryRun: true,
    readOnly: true,
    maxCreates: 0,
    categoryIds: [-7n, 8n],
    only: ['LIST-*', 'GET-1'],
    skip: ['LIST-2'],
    replay: 'a.json',
    concurrency: 4,
    rateLimit: { kind: 'fixed', perSecond: 0.5 },
    requestTimeoutMs: 250,
    maxTimeMs: 90_000,
    settleMs: 0,
    waitForMs: 1_000,
    baseline: 'known.json',
    minJudged: 75,
    strict: true,
    today: '2027-01-01',
    caFile: 'ca.pem',
    insecure: true,
    certFile: "Rex's.pem",
    keyFile: 'client.key',
    unixSocket: '/run/a.sock',
    output: 'verbose',
  });
  expect(reachingOptions(all)).toEqual(shownOptions(all).slice(1, 7));
  expect(shownOptions(all)).toEqual([
    '--base-url http://a.example/v1',
    "--ca 'ca.pem'",
    '--insecure',
    "--cert 'Rex'\\''s.pem'",
    "--key 'client.key'",
    "--unix-socket '/run/a.sock'",
    "-H 'X-Team: …'",
    '--profile smoke',
    '--fail-fast',
    '--read-only',
    '--max-creates 0',
    '--category-id -7',
    '--category-id 8',
    "--only 'LIST-*'",
    "--only 'GET-1'",
    "--skip 'LIST-2'",
    '--seed 1',
    '--replay a.json',
    '--baseline known.json',
    '--strict',
    '--min-judged 75',
    '--today 2027-01-01',
    '--concurrency 4',
    '--rate-limit 0.5/s',
    '--request-timeout 0.25',
    '--settle 0',
  ]);
  expect(shownOptions(runDefaults({ rateLimit: { kind: 'auto' } }))).toContain('--rate-limit auto');
  expect(secretValues(RUN_OPTIONS, all)).toEqual(['Sesame-1', 'Sesame-2']);
});
