import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunProgress } from '../report/model/progress.ts';
import { PaceMeter } from './pace-meter.ts';
import { ProgressTeller, type ProgressTellerParts } from './progress-teller.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const client = { requests: 0, throttled: 0, pauseMs: 0 };

function tellerOf(change: Partial<ProgressTellerParts> = {}) {
  const told: RunProgress[] = [];
  const teller = new ProgressTeller({
    onProgress: (progress) => told.push(progress),
    total: 3,
    client,
    rateLimit: { kind: 'none' },
    meter: new PaceMeter({ latencyMs: 1, perSecond: Number.POSITIVE_INFINITY, concurrency: 1 }),
    time: () => undefined,
    ...change,
  });
  return { teller, last: () => told.at(-1), told };
}

test('tells the phase, what runs and how much is done; a check that does something special comes first', async () => {
  const { teller, last } = tellerOf();
  teller.enter('main');
  teller.begin('A-1');
  teller.begin('A-2');
  let shrunk = (): void => {};
  const work = teller.during('A-2', 'shrinking', new Promise<void>((resolve) => (shrunk = resolve)));
  teller.tell();
  expect(last()).toMatchObject({ phase: 'main', done: 0, total: 3, running: ['A-2 (shrinking)', 'A-1'] });
  shrunk();
  await work;
  teller.end('A-1');
  expect(last()).toMatchObject({ done: 1, total: 3, running: ['A-2'] });
  teller.close();
});

test('tells a few times a second, while nothing else happens, until it is closed', () => {
  const { teller, told } = tellerOf();
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(4);
  teller.close();
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(4);
});

test('tells the share and the time left by the forecast', () => {
  const time = () => ({ outlook: { requests: 200, left: 50, leftMs: 4_000 } });
  const { teller, last } = tellerOf({ time });
  teller.tell('Takes about 2 min');
  expect(last()).toMatchObject({ share: 0.75, leftMs: 4_000, news: 'Takes about 2 min' });
  teller.close();
});

test('more requests than were foreseen are no finished run', () => {
  const { teller, last } = tellerOf({ time: () => ({ outlook: { requests: 200, left: 0, leftMs: 0 } }) });
  teller.tell();
  expect(last()?.share).toBe(0.99);
  teller.close();
});

test('where the service refuses, tells the pace, the pause, and the time left at that pace, once it is known', () => {
  const limited = { requests: 10, throttled: 1, pauseMs: 3_000 };
  const time = () => ({ outlook: { requests: 200, left: 100, leftMs: 4_000 } });
  const meter = new PaceMeter({ latencyMs: 1, perSecond: Number.POSITIVE_INFINITY, concurrency: 1 });
  const { teller, last } = tellerOf({ client: limited, time, meter });
  teller.tell();
  expect(last()).toMatchObject({ heldBack: { by: 'service', perSecond: undefined, pauseMs: 3_000 } });
  expect(last()?.leftMs).toBeUndefined();
  for (let answers = 0; answers < 10; answers += 1) {
    meter.note(1, performance.now(), limited.throttled);
    vi.advanceTimersByTime(500);
  }
  expect(last()).toMatchObject({ heldBack: { by: 'service', perSecond: 2 }, leftMs: 50_000 });
  teller.close();
});

test('where the user bounds the rate, tells that', () => {
  const { teller, last } = tellerOf({ rateLimit: { kind: 'fixed', perSecond: 5 } });
  teller.tell();
  expect(last()?.heldBack).toEqual({ by: 'user', perSecond: 5, pauseMs: 0 });
  teller.close();
});
