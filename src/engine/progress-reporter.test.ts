import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunProgress } from '../report/model/progress.ts';
import { PaceMeter } from './pace-meter.ts';
import { ProgressReporter, type ProgressReporterParts } from './progress-reporter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const client = { requests: 0, slowedDown: 0, heldUp: undefined };

function tellerOf(change: Partial<ProgressReporterParts> = {}) {
  const told: RunProgress[] = [];
  const reporter = new ProgressReporter({
    onProgress: (progress) => told.push(progress),
    total: 3,
    client,
    rateLimit: { kind: 'none' },
    meter: new PaceMeter({ latencyMs: 1, perSecond: Number.POSITIVE_INFINITY, concurrency: 1 }),
    forecast: () => undefined,
    ...change,
  });
  return { reporter, last: () => told.at(-1), told };
}

test('tells the phase, what runs and how much is done; a check that does something special comes first', async () => {
  const { reporter, last } = tellerOf();
  reporter.enter('growing');
  reporter.begin('A-1');
  reporter.begin('A-2');
  let shrunk = (): void => {};
  const work = reporter.during('A-2', 'shrinking', new Promise<void>((resolve) => (shrunk = resolve)));
  reporter.report();
  expect(last()).toMatchObject({ phase: 'main', done: 0, total: 3, running: ['A-2 (shrinking)', 'A-1'] });
  shrunk();
  await work;
  reporter.end('A-1');
  vi.advanceTimersByTime(250);
  expect(last()).toMatchObject({ done: 1, total: 3, running: ['A-2'] });
  reporter.close();
});

test('tells four times a second, however many checks begin and end, and how it ended', () => {
  const { reporter, told } = tellerOf({ total: 100 });
  reporter.enter('growing');
  for (let check = 0; check < 100; check += 1) {
    reporter.begin(`A-${check}`);
    vi.advanceTimersByTime(10);
    reporter.end(`A-${check}`);
  }
  expect(told).toHaveLength(1 + 4);
  expect(told[0]).toMatchObject({ phase: 'main', done: 0, running: ['A-0'] });
  reporter.close();
  expect(told.at(-1)).toMatchObject({ done: 100 });
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveLength(1 + 4 + 1);
});

test('tells the share and the time left by the forecast', () => {
  const forecast = () => ({ outlook: { requests: 200, left: 50, leftMs: 4_000 } });
  const { reporter, last } = tellerOf({ forecast });
  reporter.report('Takes about 2 min');
  expect(last()).toMatchObject({ share: 0.75, leftMs: 4_000, news: 'Takes about 2 min' });
  reporter.close();
});

test('more requests than were foreseen are no finished run', () => {
  const { reporter, last } = tellerOf({ forecast: () => ({ outlook: { requests: 200, left: 0, leftMs: 0 } }) });
  reporter.report();
  expect(last()?.share).toBe(0.99);
  reporter.close();
});

test('where the service refuses, tells the pace, the pause, and the time left at that pace, once it is known', () => {
  const heldUp = { milliseconds: 3_000, of: ['listPets', 'createPet'] };
  const limited = { requests: 10, slowedDown: 1, heldUp };
  const forecast = () => ({ outlook: { requests: 200, left: 100, leftMs: 4_000 } });
  const meter = new PaceMeter({ latencyMs: 1, perSecond: Number.POSITIVE_INFINITY, concurrency: 1 });
  const { reporter, last } = tellerOf({ client: limited, forecast, meter });
  reporter.report();
  expect(last()).toMatchObject({ heldBack: { by: 'service', perSecond: undefined, pauseMs: 3_000 } });
  expect(last()?.leftMs).toBeUndefined();
  for (let answers = 0; answers < 10; answers += 1) {
    meter.note(1, performance.now(), limited.slowedDown);
    vi.advanceTimersByTime(500);
  }
  expect(last()).toMatchObject({ heldBack: { by: 'service', perSecond: 2 }, leftMs: 50_000 });
  reporter.close();
});

test('where one kind of request waits alone, and nothing else is left to send, tells which', () => {
  const heldUp = { milliseconds: 3_000, of: ['createPet without the right key'] };
  const { reporter, last } = tellerOf({ client: { requests: 10, slowedDown: 0, heldUp } });
  reporter.report();
  const what = 'createPet without the right key';
  expect(last()?.heldBack).toEqual({ by: 'service', perSecond: undefined, pauseMs: 3_000, what });
  reporter.close();
});

test('where the user bounds the rate, tells that', () => {
  const { reporter, last } = tellerOf({ rateLimit: { kind: 'fixed', perSecond: 5 } });
  reporter.report();
  expect(last()?.heldBack).toEqual({ by: 'user', perSecond: 5, pauseMs: 0 });
  reporter.close();
});
