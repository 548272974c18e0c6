import { describe, expect, test } from 'vitest';
import { against, answer, LIST, response } from '../rig.fixture.ts';
import { RateLimiter, retryAfterMs } from './rate-limiter.ts';

describe('Retry-After', () => {
  const now = Date.parse('2027-01-01T00:00:00Z');
  test.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Fri, 01 Jan 2027 00:00:07 GMT', 7_000],
    ['Thu, 31 Dec 2026 23:59:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    [undefined, undefined],
  ])('%s is %s ms', (value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected);
  });
});

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

/** Sends so many requests one after the other by a rate, on a clock of our own; answers take 2 ms. */
function simulate(rate: RateLimiter, accepts: (now: number) => boolean, requests: number, retryAfter?: number) {
  let now = 0;
  let refused = 0;
  let worstInARow = 0;
  let inARow = 0;
  for (let answered = 0; answered < requests; ) {
    now = Math.max(now, rate.earliest);
    rate.sent(now);
    now += 2;
    if (accepts(now)) {
      rate.accepted(now);
      answered += 1;
      inARow = 0;
    } else {
      rate.refused(now, retryAfter, now - 2);
      refused += 1;
      inARow += 1;
      worstInARow = Math.max(worstInARow, inARow);
    }
  }
  return { seconds: now / 1_000, refused, worstInARow };
}

describe('a rate that is felt out', () => {
  test.each([
    [50, 60],
    [20, 20],
    [100, 10],
    [200, 1],
  ])('comes near %i a second with bursts of %i', (perSecond, burst) => {
    const requests = perSecond * 20;
    const { seconds, refused, worstInARow } = simulate(
      new RateLimiter({ kind: 'none' }),
      bucket(perSecond, burst),
      requests,
      1_000,
    );
    expect(seconds).toBeLessThan(burst === 1 ? 60 : 40);
    expect(refused).toBeLessThan(requests / 10);
    expect(worstInARow).toBeLessThan(10);
  });

  test('has no bound where nothing is refused', () => {
    const { seconds } = simulate(new RateLimiter({ kind: 'none' }), () => true, 1_000);
    expect(seconds).toBeLessThan(2.1);
  });

  test('starts carefully when asked to, and speeds up', () => {
    const { seconds, refused } = simulate(new RateLimiter({ kind: 'auto' }), () => true, 1_000);
    expect(refused).toBe(0);
    expect(seconds).toBeLessThan(12);
  });

  test('waits much longer where it is refused again and again without a hint', () => {
    const rate = new RateLimiter({ kind: 'none' });
    for (let turn = 0; turn < 8; turn += 1) rate.refused(rate.earliest + 2, undefined, rate.earliest);
    const from = rate.earliest;
    rate.refused(from + 2, undefined, from);
    expect(rate.earliest - from).toBeGreaterThan(4_000);
    expect(rate.earliest - from).toBeLessThan(10_000);
  });

  test('waits for an hour where it is told to', () => {
    const rate = new RateLimiter({ kind: 'none' });
    rate.refused(0, 3_600_000, 0);
    expect(rate.earliest).toBe(3_600_000);
  });
});

test('a fixed rate is kept', () => {
  const { seconds } = simulate(new RateLimiter({ kind: 'fixed', perSecond: 50 }), () => true, 101);
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
      const all = await Promise.all(Array.from({ length: 180 }, () => client.send(LIST)));
      expect(new Set(all.map((one) => response(one.answer).status))).toEqual(new Set([200]));
      expect(client.requests).toBe(180 + client.throttled);
      // The slower the machine, the fewer.
      expect(client.throttled).toBeLessThan(80);
    },
    { concurrency: 32 },
  );
  expect(accepted).toBe(180);
});
