import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EvenPace } from './even-pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** When turns were given to so many callers, who ask again and again until they get none. */
async function turns(perSecond: number, until: number, callers: number): Promise<readonly number[]> {
  const from = performance.now();
  const pace = new EvenPace(perSecond, from + until, pause);
  const at: number[] = [];
  const work = async (): Promise<void> => {
    while (await pace.turn()) {
      at.push(performance.now() - from);
      await pause(1);
    }
  };
  const all = Promise.all(Array.from({ length: callers }, work));
  await vi.advanceTimersByTimeAsync(until + 1);
  await all;
  return at;
}

test('however many ask, turns come at an even pace', async () => {
  expect(await turns(10, 1_000, 4)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  expect(await turns(10, 300, 1)).toEqual([0, 100, 200]);
});

test('who gets no turn any more waits for the end, and no longer', async () => {
  expect(await turns(0.5, 1_000, 3)).toEqual([0]);
  expect(performance.now()).toBeLessThan(1_100);
});

test('a turn that was missed is not made up for', async () => {
  const pace = new EvenPace(10, performance.now() + 10_000, pause);
  await pace.turn();
  await vi.advanceTimersByTimeAsync(5_000);
  const from = performance.now();
  await pace.turn();
  expect(performance.now() - from).toBe(0);
  const next = pace.turn();
  await vi.advanceTimersByTimeAsync(100);
  await next;
  expect(performance.now() - from).toBe(100);
});

test('without a rate every caller has its turn at once', async () => {
  expect((await turns(Number.POSITIVE_INFINITY, 10, 3)).filter((at) => at === 0)).toHaveLength(3);
});
