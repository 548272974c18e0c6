import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { against, answer, LIST, response } from './rig.fixture.ts';

/** A service that takes one request at a time, however many come at once. */
function serial(milliseconds: number): (socket: Socket) => void {
  const queue: Socket[] = [];
  const next = (): void => {
    if (queue.length === 0) return;
    setTimeout(() => {
      queue.shift()?.write(answer(200));
      next();
    }, milliseconds);
  };
  return (socket) => {
    queue.push(socket);
    if (queue.length === 1) next();
  };
}

describe.concurrent('a service that answers one request at a time', () => {
  // The time limits stand to the answers as 10 s do to 500 and 120 ms: so much shorter that a test does not take long.
  test.each([
    [50, 1_000, 60],
    [12, 1_000, 200],
    [120, 1_000, 30],
  ])('every %i ms is not taken for one that hangs after %i ms', async (milliseconds, requestTimeoutMs, requests) => {
    await against(
      serial(milliseconds),
      async (client) => {
        const all = await Promise.all(Array.from({ length: requests }, () => client.send(LIST)));
        expect(all.map((one) => response(one.answer).status)).toEqual(Array(requests).fill(200));
        expect(all.filter(({ resent }) => resent)).toEqual([]);
        const last = all.slice(-10).map((one) => one.answer.milliseconds);
        expect(Math.max(...last)).toBeLessThan(requestTimeoutMs / 2);
      },
      { concurrency: 32, requestTimeoutMs },
    );
  });

  test.each([
    [120, 40],
    [500, 10],
  ])('every %i ms is judged in full with the usual patience', async (milliseconds, requests) => {
    await against(
      serial(milliseconds),
      async (client) => {
        const all = await Promise.all(Array.from({ length: requests }, () => client.send(LIST)));
        expect(all.every((one) => response(one.answer).status === 200 && !one.resent)).toBe(true);
      },
      { concurrency: 32, requestTimeoutMs: 10_000 },
    );
  });
});
