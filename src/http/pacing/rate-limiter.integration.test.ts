import { expect, test } from 'vitest';
import { against, answer, LIST, response } from '../rig.fixture.ts';
import { RateLimiter } from './rate-limiter.ts';

/** A bucket with tokens: so many requests at once, and so many a second. */
function bucket(perSecond: number, burst: number, startedAt = 0) {
  let tokens = burst;
  let filledAt = startedAt;
  return (now: number): boolean => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** How long so many requests take at least by a rate (s), on a clock of our own; answers take 2 ms. */
function secondsFor(rate: RateLimiter, requests: number): number {
  let now = 0;
  for (let sent = 0; sent < requests; sent += 1) {
    now = Math.max(now, rate.earliest);
    rate.sent(now);
    now += 2;
    rate.accepted(now);
  }
  return now / 1_000;
}

test('no bound is none', () => {
  expect(secondsFor(new RateLimiter({ kind: 'none' }), 1_000)).toBeLessThan(2.1);
});

test('a rate that is to be found out starts carefully, and speeds up', () => {
  const seconds = secondsFor(new RateLimiter({ kind: 'auto' }), 1_000);
  expect(seconds).toBeGreaterThan(3);
  expect(seconds).toBeLessThan(12);
});

test('a fixed rate is kept', () => {
  const seconds = secondsFor(new RateLimiter({ kind: 'fixed', perSecond: 50 }), 101);
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThan(2.1);
});

test('a service that allows 50 a second with bursts of 60: everything is answered, no 429 is returned', async () => {
  const accepts = bucket(50, 60, performance.now());
  let accepted = 0;
  await against(
    (socket) => {
      if (accepts(performance.now())) {
        accepted += 1;
        socket.write(answer(200));
      } else socket.write(answer(429, '{}', ['retry-after: 1']));
    },
    async (client) => {
      const all = await Promise.all(Array.from({ length: 120 }, () => client.send(LIST)));
      expect(new Set(all.map((one) => response(one.answer).status))).toEqual(new Set([200]));
      expect(client.requests).toBe(120 + client.throttled);
      // The slower the machine, the fewer.
      expect(client.throttled).toBeLessThan(60);
    },
    { concurrency: 32 },
  );
  expect(accepted).toBe(120);
});
