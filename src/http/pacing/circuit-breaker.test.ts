import { expect, test } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

/** Sends as a client does: the moments at which a dead service is asked, one request waiting all the time. */
function attempts(breaker: CircuitBreaker, until: number): readonly number[] {
  const at: number[] = [];
  for (let now = 0; now <= until; now += 10) {
    if (!breaker.claim('listPets', now)) continue;
    at.push(now);
    breaker.record('listPets', 'unanswered', now);
  }
  return at;
}

/** One whose operation has answered before. */
function answering(): CircuitBreaker {
  const breaker = new CircuitBreaker();
  breaker.record('listPets', 'answered', 0);
  return breaker;
}

test('an operation that has answered before is given up after twenty requests, and tried again less and less often', () => {
  expect(attempts(answering(), 120_000).slice(19)).toEqual([
    190, 440, 940, 1_940, 3_940, 7_940, 15_940, 31_940, 61_940, 91_940,
  ]);
});

test('one request tries, and the others wait for it: not for ever, though it hangs', () => {
  const breaker = answering();
  attempts(breaker, 200);
  expect(breaker.claim('listPets', 440)).toBe(true);
  expect(breaker.claim('listPets', 441)).toBe(false);
  expect(breaker.ask('listPets', 5_100)).toEqual({ kind: 'wait', milliseconds: 90 });
  expect(breaker.ask('listPets', 5_190)).toEqual({ kind: 'refused' });
});

test('an operation is not given up for failures with answers between them', () => {
  const breaker = answering();
  for (let now = 0; now < 1_000; now += 1) breaker.record('listPets', now % 20 === 19 ? 'answered' : 'unanswered', now);
  expect(breaker.ask('listPets', 1_000)).toEqual({ kind: 'go' });
});

test('an operation that cannot be connected to is waited for, though it never answered', () => {
  const breaker = new CircuitBreaker();
  for (let now = 0; now < 6; now += 1) breaker.record('listPets', 'unconnected', now);
  expect(breaker.ask('listPets', 10)).toEqual({ kind: 'wait', milliseconds: 100 });
  expect(breaker.ask('listPets', 255)).toEqual({ kind: 'go' });
});
