import { describe, expect, test } from 'vitest';
import { Lane } from './lane.ts';

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

/** Sends so many requests by some lanes in turn, on a clock of our own; answers take 2 ms, a refused request waits. */
function simulate(lanes: readonly Lane[], accepts: Accepts, requests: number, retryAfterMs?: number) {
  const waiting = Array.from({ length: requests }, (_, at) => ({ lane: lanes[at % lanes.length], notBefore: 0 }));
  let now = 0;
  let refused = 0;
  while (waiting.length > 0) {
    const earliest = waiting.map(({ lane, notBefore }) => Math.max(lane?.earliest ?? 0, notBefore));
    const first = Math.min(...earliest);
    const [one] = waiting.splice(earliest.indexOf(first), 1);
    if (one?.lane === undefined) break;
    now = Math.max(now, first);
    one.lane.sent(now);
    now += 2;
    if (accepts(now)) one.lane.accepted(now);
    else {
      refused += 1;
      waiting.push({ ...one, notBefore: one.lane.refused(now, retryAfterMs, now - 2) });
    }
  }
  return { seconds: now / 1_000, refused };
}

const lane = (): Lane => new Lane('listPets', true);

test.each([
  [50, 60],
  [20, 20],
  [100, 10],
  [200, 1],
])('comes near %i a second with bursts of %i', (perSecond, burst) => {
  const requests = perSecond * 20;
  for (const retryAfterMs of [1_000, undefined]) {
    const { seconds, refused } = simulate([lane()], bucket(perSecond, burst), requests, retryAfterMs);
    expect(seconds).toBeLessThan(burst === 1 ? 70 : 40);
    expect(refused).toBeLessThan(requests / 10);
  }
});

test('lanes that share a limit come near it together', () => {
  const { seconds, refused } = simulate([lane(), lane(), lane()], bucket(50, 20), 1_000, 1_000);
  expect(seconds).toBeLessThan(30);
  expect(refused).toBeLessThan(200);
});

test('a lane that is refused holds up no other', () => {
  const [refused, other] = [lane(), lane()];
  refused.refused(0, 60_000, 0);
  expect([refused.earliest, other.earliest]).toEqual([60_000, 0]);
});

test.each([5, 7, 10])('where every %i-th request is refused at any rate, only that one waits', (nth) => {
  let place = 0;
  const { seconds, refused } = simulate([lane()], () => ++place % nth !== 0, 1_000, 1_000);
  expect(refused).toBeLessThan(1_000 / (nth - 1) + 1);
  expect(seconds).toBeLessThan(10);
});

describe('a refusal', () => {
  test('again and again, without a hint: waits much longer', () => {
    const rate = lane();
    for (let turn = 0; turn < 8; turn += 1) rate.refused(rate.earliest + 2, undefined, rate.earliest);
    const from = rate.earliest;
    rate.refused(from + 2, undefined, from);
    expect(rate.earliest - from).toBeGreaterThan(4_000);
    expect(rate.earliest - from).toBeLessThan(10_000);
  });

  test('of the wrong key alone is unlike the right one, until that is refused as well', () => {
    const [right, wrong] = [lane(), new Lane('listPets', false)];
    right.accepted(1, 0);
    wrong.refused(10, 60_000, 5);
    expect(wrong.isRefusedUnlike(right)).toBe(true);
    right.refused(20, 60_000, 15);
    expect(wrong.isRefusedUnlike(right)).toBe(false);
    right.accepted(60_100, 60_090);
    expect(wrong.isRefusedUnlike(right)).toBe(true);
  });
});
