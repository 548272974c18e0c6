import { hash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from './errors.ts';
import type { Call } from './steps.ts';

/** The credentials after the scheme `Bearer`, which is case-insensitive like every scheme; undefined if there are none. */
export function bearerToken(call: Call): string | undefined {
  return /^bearer +(\S+)$/i.exec(call.header('authorization') ?? '')?.[1];
}

/** Compares keys in a time that does not depend on where they differ. */
export function sameKey(given: string, right: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', right, 'buffer'));
}

/** Part 5: the key is the bearer token, exactly as it was issued. */
export function authenticate(call: Call): void {
  const key = bearerToken(call);
  if (key === undefined) throw unauthorized('Send your API key as "Authorization: Bearer <API_KEY>".');
  if (!sameKey(key, call.service.token)) throw unauthorized('The API key is not valid.');
}
