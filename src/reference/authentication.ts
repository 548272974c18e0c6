import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './errors.ts';
import type { Call } from './steps.ts';

/** The 401 of part 5, rule 2. */
export const unauthorised = (message: string): Refusal =>
  new Refusal(401, 'unauthorized', message, {
    'WWW-Authenticate': 'Bearer realm="pets"',
  });

/** The credentials after the scheme `Bearer`, which like every scheme is read in any letter case; undefined if none. */
export function bearerToken(call: Call): string | undefined {
  return /^bearer +(\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
}

/** Compares keys in a time that does not depend on where they differ. */
export function sameKey(given: string, right: string): boolean {
  const digest = (key: string) => createHash('sha256').update(key).digest();
  return timingSafeEqual(digest(given), digest(right));
}

/** Part 5: the key is the bearer token, exactly as it was issued. */
export function authenticate(call: Call): void {
  const key = bearerToken(call);
  if (key === undefined) throw unauthorised('Send your API key as "Authorization: Bearer <API_KEY>".');
  if (!sameKey(key, call.shop.token)) throw unauthorised('The API key is not valid.');
}
