import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { against, answer, LIST, response } from './rig.fixture.ts';

// How the concurrency follows the service's speed is tested with a simulated clock in pacing/limiter.test.ts.
test('a service that answers one request at a time is sent few at once, and none is sent again', async () => {
  const queue: Socket[] = [];
  let longest = 0;
  const next = (): void => {
    if (queue.length === 0) return;
    setTimeout(() => {
      queue.shift()?.write(answer(200));
      next();
    }, 100);
  };
  await against(
    (socket) => {
      queue.push(socket);
      longest = Math.max(longest, queue.length);
      if (queue.length === 1) next();
    },
    async (client) => {
      const all = await Promise.all(Array.from({ length: 30 }, () => client.send(LIST)));
      expect(all.map((one) => response(one.answer).status)).toEqual(Array(30).fill(200));
      expect(all.filter(({ resent }) => resent)).toEqual([]);
    },
    { concurrency: 32 },
  );
  // Answers of 1.5 s are slow, which is a queue of 15.
  expect(longest).toBeLessThan(20);
});
