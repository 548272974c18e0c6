import { choosing, override } from '../changes.ts';
import type { Steps, Variant } from '../steps.ts';
import { tooMany } from './builders.ts';

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

/** Services that answer 429 for another reason than the rate of all requests. */
// biome-ignore format: one table
export const throttlingVariants: readonly Variant[] = [
  ...choosing('LIM-3', {
    'locks-out-wrong-keys': [
      'After 20 wrong keys in a minute, others are answered with 429 for a minute, and the right key as before.',
      lockingOut(20, 60)],
    'throttled-every-seventh': ['Every seventh request is answered with 429, and is to be sent again after a second.',
      refusingEvery(7)],
  }),
];
