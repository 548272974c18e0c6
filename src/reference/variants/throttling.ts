import { choosing, override } from '../changes.ts';
import type { ApiResponse, Steps, Variant } from '../steps.ts';
import { always, limiting, tooMany, withoutBody } from './builders.ts';

/** Within the given time (s), `most` wrong keys are refused with 401, further ones with 429; never the right one. */
const lockingOut = (most: number, seconds: number) => (steps: Steps) => {
  let refused: readonly number[] = [];
  let lockedUntil = 0;
  return override('serve', (original) => async (call) => {
    const response = await original(call);
    if (response.status !== 401) return response;
    const now = performance.now();
    refused = [...refused.filter((at) => at > now - seconds * 1_000), now];
    if (refused.length > most && now >= lockedUntil) lockedUntil = now + seconds * 1_000;
    return now < lockedUntil ? tooMany({ 'Retry-After': `${Math.ceil((lockedUntil - now) / 1_000)}` }) : response;
  })(steps);
};

/** Every nth request is answered with 429, however few there are. */
const refusingEvery = (nth: number) => (steps: Steps) => {
  let place = 0;
  return override('serve', (original) => async (call) => {
    place += 1;
    return place % nth === 0 ? tooMany({ 'Retry-After': '1' }) : original(call);
  })(steps);
};

/** At most so many requests a second, and as many at once after a second without any. */
const upTo = (most: number, answer: ApiResponse) => limiting(most, most, always, () => answer);

const AFTER_A_SECOND = { 'Retry-After': '1' };

const bareTooMany = (headers: Readonly<Record<string, string>> = {}): ApiResponse => ({ ...withoutBody(429), headers });

/** Services that take few requests a second, or answer 429 for another reason than their rate. */
// biome-ignore format: one table
export const throttlingVariants: readonly Variant[] = [
  ...choosing('LIM-3', {
    'locks-out-wrong-keys': [
      'After 20 wrong keys in five seconds, others are answered with 429 for five seconds, and the right key as before.',
      lockingOut(20, 5)],
    'throttled-every-seventh': ['Every seventh request is answered with 429, and is to be sent again after a second.',
      refusingEvery(7)],
    'throttled-to-20-for-a-second': ['At most 20 requests a second; a 429 says to retry in a second.',
      upTo(20, tooMany(AFTER_A_SECOND))],
    'throttled-to-20-without-word': ['At most 20 requests a second; a 429 does not say when to retry.',
      upTo(20, tooMany({}))],
    'throttled-to-30-for-a-second': ['At most 30 requests a second; a 429 says to retry in a second, and has no body.',
      upTo(30, bareTooMany(AFTER_A_SECOND))],
    'throttled-to-30-without-word': ['At most 30 requests a second; a 429 has no body and does not say when to retry.',
      upTo(30, bareTooMany())],
    'throttled-to-40-for-a-second': ['At most 40 requests a second; a 429 says to retry in a second.',
      upTo(40, tooMany(AFTER_A_SECOND))],
    'throttled-to-40-without-word': ['At most 40 requests a second; a 429 does not say when to retry.',
      upTo(40, tooMany({}))],
    'throttled-to-60-for-a-second': ['At most 60 requests a second; a 429 says to retry in a second.',
      upTo(60, tooMany(AFTER_A_SECOND))],
    'throttled-to-60-without-word': ['At most 60 requests a second; a 429 has no body and does not say when to retry.',
      upTo(60, bareTooMany())],
  }),
];
