import { expect, test } from 'vitest';
import { End } from './stop.ts';
import { Throttle } from './throttle.ts';

const answer = (status: number, retryAfter: string) => {
  const headers = [['Retry-After', retryAfter]] as const;
  return { kind: 'answer', status, headers, body: new Uint8Array() } as const;
};

test('lanes are held up separately, but as one once each of them got a 429', () => {
  const throttle = new Throttle(new End(new AbortController().signal), undefined, Number.POSITIVE_INFINITY);
  throttle.learn('listPets', answer(429, '60'), performance.now());
  expect(['listPets', 'getPet', 'createPet'].map((lane) => throttle.isPaused(lane))).toEqual([true, false, false]);
  throttle.learn('getPet', answer(429, '1'), performance.now());
  throttle.learn('createPet', answer(201, ''), performance.now());
  expect(['listPets', 'getPet', 'createPet'].map((lane) => throttle.isPaused(lane))).toEqual([true, true, false]);
  expect(throttle.throttled).toBe(2);
});
