import { describe, expect, test } from 'vitest';
import { Lane } from './lane.ts';
import { RateLimiter } from './rate-limiter.ts';

/** Whether a service accepts a request that comes at this moment (ms). */
type Accepts = (now: number) => boolean;

/** A bucket with tokens: so many requests at once, and so many a second. */
function bucket(perSecond: number, burst: number): Accepts {
  let tokens = burst;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Sends so many requests by some lanes in turn, as a limiter does, on a clock of our own; answers take 2 ms. */
function simulate(lanes: readonly Lane[], accepts: Accepts, requests: number, retryAfterMs?: number) {
  const rate = new RateLimiter({ kind: 'none' });
  const waiting = Array.from({ length: requests }, (_, at) => ({ lane: lanes[at % lanes.length], notBefore: 0 }));
  let now = 0;
  let refused = 0;
  while (waiting.length > 0) {
    const earliest = waiting.map(({ lane, notBefore }) => Math.max(lane?.pausedUntil ?? 0, notBefore));
    const first = Math.min(...earliest);
    const [one] = waiting.splice(earliest.indexOf(first), 1);
    if (one?.lane === undefined) break;
    now = Math.max(now, first, rate.earliest);
    rate.sent(now);
    now += 2;
    if (accepts(now)) {
      rate.accepted(now);
      one.lane.accepted(now - 2);
      continue;
    }
    refused += 1;
    const wasOnTrial = one.lane.isOnTrial;
    waiting.push({ ...one, notBefore: one.lane.refused(now, retryAfterMs, now - 2) });
    if (!one.lane.isOnTrial) rate.refused(now, now - 2);
    else if (!wasOnTrial) rate.forget();
  }
  return { seconds: now / 1_000, refused };
}

const lane = (): Lane => new Lane('listPets', true);

test.each([
  [50, 60, 40],
  [20, 20, 40],
  [100, 10, 60],
  [200, 1, 80],
  [10, 1, 120],
])('of 20 s of requests at %i a second, with bursts of %i, all are accepted in %i s', (perSecond, burst, seconds) => {
  const requests = perSecond * 20;
  for (const retryAfterMs of [1_000, undefined]) {
    for (const lanes of [[lane()], [lane(), lane(), lane()]]) {
      const took = simulate(lanes, bucket(perSecond, burst), requests, retryAfterMs);
      expect(took.seconds).toBeLessThan(seconds);
      expect(took.refused).toBeLessThan(burst === 1 ? requests : requests / 10);
    }
  }
});

test.each([5, 7, 10])('where every %i-th request is refused at any rate, only that one waits', (nth) => {
  let place = 0;
  const { seconds, refused } = simulate([lane(), lane()], () => ++place % nth !== 0, 1_000, 1_000);
  expect(refused).toBeLessThan(1_000 / (nth - 1) + 1);
  expect(seconds).toBeLessThan(10);
});

describe('a refusal', () => {
  test('of one lane is no pause of another', () => {
    const [refused, other] = [lane(), lane()];
    expect(refused.refused(0, 60_000, 0)).toBe(60_000);
    expect([refused.pausedUntil, other.pausedUntil]).toEqual([60_000, 0]);
  });

  test('again and again, without a hint, waits longer and longer, for seconds in the end', () => {
    const one = lane();
    const pauses = Array.from({ length: 8 }, () => {
      const from = one.pausedUntil;
      return one.refused(from, undefined, from) - from;
    });
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test('of the wrong key alone is unlike the right one, until that is refused as well', () => {
    const [right, wrong] = [lane(), new Lane('listPets', false)];
    right.accepted(0);
    wrong.refused(10, 60_000, 5);
    expect(wrong.isRefusedUnlike(right)).toBe(true);
    right.refused(20, 60_000, 15);
    expect(wrong.isRefusedUnlike(right)).toBe(false);
    right.accepted(60_090);
    expect(wrong.isRefusedUnlike(right)).toBe(true);
  });
});
