import { describe, expect, test } from 'vitest';
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

describe('an operation that has answered before', () => {
  const answering = (): CircuitBreaker => {
    const breaker = new CircuitBreaker();
    breaker.claim('listPets', 0);
    breaker.record('listPets', 'answered', 0);
    return breaker;
  };

  test('is given up after twenty requests in a row, and tried again less and less often', () => {
    expect(attempts(answering(), 120_000).slice(19)).toEqual([
      190, 440, 940, 1_940, 3_940, 7_940, 15_940, 31_940, 61_940, 91_940,
    ]);
  });

  test('is waited for at first, and refused later', () => {
    const breaker = answering();
    attempts(breaker, 200);
    expect(breaker.ask('listPets', 210)).toEqual({ kind: 'wait', milliseconds: 100 });
    expect(breaker.ask('listPets', 430)).toEqual({ kind: 'wait', milliseconds: 10 });
    expect(breaker.ask('listPets', 440)).toEqual({ kind: 'go' });
    expect(breaker.claim('listPets', 440)).toBe(true);
    // One tries, and the others wait for it: not for ever, though it hangs.
    expect(breaker.claim('listPets', 441)).toBe(false);
    expect(breaker.ask('listPets', 5_100)).toEqual({ kind: 'wait', milliseconds: 90 });
    expect(breaker.ask('listPets', 5_190)).toEqual({ kind: 'refused' });
  });

  test('is asked freely again after one answer', () => {
    const breaker = answering();
    attempts(breaker, 300);
    expect(breaker.claim('listPets', 440)).toBe(true);
    breaker.record('listPets', 'answered', 450);
    expect([450, 451, 452].map((now) => breaker.claim('listPets', now))).toEqual([true, true, true]);
  });

  test('is not given up for failures with answers between them', () => {
    const breaker = answering();
    for (let now = 0; now < 1_000; now += 1)
      breaker.record('listPets', now % 20 === 19 ? 'answered' : 'unanswered', now);
    expect(breaker.ask('listPets', 1_000)).toEqual({ kind: 'go' });
  });
});

test('an operation that never answered is refused after six requests, and the others are not', () => {
  const breaker = new CircuitBreaker();
  attempts(breaker, 59);
  expect(breaker.ask('listPets', 60)).toEqual({ kind: 'refused' });
  expect(breaker.ask('createPet', 60)).toEqual({ kind: 'go' });
});

test('an operation that cannot be connected to is waited for, though it never answered', () => {
  const breaker = new CircuitBreaker();
  for (let now = 0; now < 6; now += 1) breaker.record('listPets', 'unconnected', now);
  expect(breaker.ask('listPets', 10)).toEqual({ kind: 'wait', milliseconds: 100 });
  expect(breaker.ask('listPets', 255)).toEqual({ kind: 'go' });
});
