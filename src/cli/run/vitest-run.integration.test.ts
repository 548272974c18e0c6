import { expect, test } from 'vitest';
import { runDefaults } from '../run-options.ts';
import { prepareVitest } from './vitest-run.ts';

const portsOpen = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;

test('where vitest cannot be started, nothing is left that keeps the process from ending', async () => {
  const before = { node: process.env['NODE_ENV'], ports: portsOpen(), listeners: process.listenerCount('SIGTERM') };
  const createVitest = async () => {
    process.env['NODE_ENV'] = 'changed';
    process.on('SIGTERM', () => {});
    throw new Error('no vitest');
  };
  const prepared = prepareVitest(async () => ({ createVitest }));
  const plan = {
    ...runDefaults(),
    runId: 'run',
    baseUrl: 'http://127.0.0.1:1/v1',
    userAgent: 'test',
    maxCreates: 0,
    maxTimeMs: 1_000,
    checks: [],
    shard: undefined,
    replay: undefined,
    recordTraffic: false,
    ledgerFile: undefined,
    expectedViolations: [],
  };
  const { signal } = new AbortController();
  const running = prepared.run(
    { plan, petStore: { categoryIds: [] } },
    { onEnd: async () => {}, onProgress: () => {}, stop: signal },
  );
  await expect(running).rejects.toThrow('no vitest');
  await prepared.close();
  const after = { node: process.env['NODE_ENV'], ports: portsOpen(), listeners: process.listenerCount('SIGTERM') };
  expect(after).toEqual(before);
});
