import { expect, test } from 'vitest';
import { RUN_OPTIONS } from './options.ts';
import { reachingOptions, runDefaults, shownOptions } from './run-options.ts';
import { secretValues } from './shown-options.ts';

test('a report shows the options in force as a user would type them', () => {
  const usual = [
    '--profile standard',
    '--seed 1',
    '--today 2027-01-01',
    '--concurrency 64',
    '--request-timeout 10',
    '--settle 5',
  ];
  expect(shownOptions(runDefaults({ today: '2027-01-01' }))).toEqual(usual);
  const all = runDefaults({
    baseUrl: 'http://a.example/v1',
    token: 'Sesame-1',
    headers: [{ name: 'X-Team', value: 'Sesame-2' }],
    failFast: true,
    dryRun: true,
    readOnly: true,
    maxCreates: 0,
    categoryIds: [-7n, 8n],
    only: ['LIST-*', 'GET-1'],
    replay: 'a.json',
    rateLimit: { kind: 'fixed', perSecond: 0.5 },
    requestTimeoutMs: 250,
    waitForMs: 1_000,
    minJudged: 75,
    today: '2027-01-01',
    caFile: 'ca.pem',
    insecure: true,
    certFile: "Rex's.pem",
    unixSocket: '/run/a.sock',
    output: 'verbose',
  });
  const reaching = [
    "--ca 'ca.pem'",
    '--insecure',
    "--cert 'Rex'\\''s.pem'",
    "--unix-socket '/run/a.sock'",
    "-H 'X-Team: …'",
  ];
  expect(reachingOptions(all)).toEqual(reaching);
  expect(shownOptions(all)).toEqual([
    '--base-url http://a.example/v1',
    ...reaching,
    '--profile standard',
    '--fail-fast',
    '--read-only',
    '--max-creates 0',
    '--category-id -7',
    '--category-id 8',
    "--only 'LIST-*'",
    "--only 'GET-1'",
    '--seed 1',
    '--replay a.json',
    '--min-judged 75',
    '--today 2027-01-01',
    '--concurrency 64',
    '--rate-limit 0.5/s',
    '--request-timeout 0.25',
    '--settle 5',
  ]);
  expect(shownOptions(runDefaults({ rateLimit: { kind: 'auto' } }))).toContain('--rate-limit auto');
  expect(secretValues(RUN_OPTIONS, all)).toEqual(['Sesame-1', 'Sesame-2']);
});
