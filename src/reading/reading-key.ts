import type { WireRequest } from '../http/message.ts';
import { KEY_FORMS } from './key-forms.ts';
import { type OpenPoint, POINTS } from './points.ts';
import { decoded } from './reading-target.ts';

/** Part 5: how the request sends its key. */
export interface KeyReading {
  /** The right key as it must be sent; no valid key; or the right key in an open spelling (AUTH-8). */
  readonly kind: 'right' | 'bad' | 'open';
  /** The requirement that says how to respond, unless it is the right key. */
  readonly requirement?: string | undefined;
  readonly points: readonly OpenPoint[];
  readonly unusual: readonly string[];
  /** What was sent in place of the right key, such as "no key". */
  readonly wrongKey?: string | undefined;
  /** The query contains the key, in a parameter that a service may reject as unknown. */
  readonly isInQuery: boolean;
}

export function readKey(request: WireRequest, key: string): KeyReading {
  const { headers, target, body } = request;
  const authorizations = headers.filter(([name]) => name.toLowerCase() === 'authorization');
  const [value = ''] = authorizations.map(([, one]) => one);
  const query = target.split('?')[1] ?? '';
  const isInQuery = hasKey(decoded(query) ?? query, key);
  const bad = (requirement: string, wrongKey: string, unusual: readonly string[] = []): KeyReading => ({
    kind: 'bad',
    requirement,
    points: [],
    unusual,
    wrongKey,
    isInQuery,
  });
  const right = `Bearer ${Buffer.from(key).toString('latin1')}`;
  if (authorizations.length === 1 && value === right) return { kind: 'right', points: [], unusual: [], isInQuery };
  const elsewhere =
    isInQuery ||
    headers.some(
      ([name, one]) =>
        name.toLowerCase() !== 'authorization' && name.toLowerCase() !== 'user-agent' && hasKey(one, key),
    ) ||
    (body !== undefined && body.length < 100_000 && hasKey(Buffer.from(body).toString('latin1'), key));
  const [, scheme = '', blanks = '', token = ''] = /^(\S*)([ \t]*)([\s\S]*)$/.exec(value) ?? [];
  const isBearer = scheme.toLowerCase() === 'bearer';
  if (isBearer && token.trimEnd() === right.slice('Bearer '.length) && blanks !== '') {
    const point = scheme === 'Bearer' ? POINTS.keyBlanks : POINTS.schemeCase;
    return {
      kind: 'open',
      requirement: 'AUTH-8',
      points: [point],
      unusual: [point.text],
      isInQuery,
    };
  }
  const odd = [
    ...(/[^\x21-\x7e]/.test(token) ? ['a key with blanks or odd bytes'] : []),
    ...(isBearer || value === '' ? [] : ['another scheme']),
  ];
  if (elsewhere) return bad('AUTH-5', 'the key in another place', ['the key in another place']);
  if (value === '' || (isBearer && token === ''))
    return authorizations.length === 0
      ? bad('AUTH-2', 'a request without a key')
      : bad('AUTH-2', 'an empty key', ['an empty Authorization']);
  if (!isBearer && hasKey(value, key))
    return token === ''
      ? bad('AUTH-5', 'the key without the scheme Bearer')
      : bad('AUTH-5', 'the key with another scheme', odd);
  if (!isBearer) return bad('AUTH-3', 'a wrong key with another scheme', odd);
  return isNearMiss(token, key)
    ? bad('AUTH-4', 'a key that differs a little from the right one', odd)
    : bad('AUTH-3', 'a wrong key', odd);
}

/** Whether a token is a near miss of the key. */
const isNearMiss = (token: string, key: string): boolean => {
  const bare = token.trim();
  return hasKey(token, key) || (bare.length > 2 && key.startsWith(bare)) || nearMisses(key).has(bare);
};

const cache = new Map<string, ReadonlySet<string>>();

/** Every near miss of a key in the tables, as bytes in Latin-1. */
export function nearMisses(key: string): ReadonlySet<string> {
  const before = cache.get(key);
  if (before !== undefined) return before;
  const all = Object.values(KEY_FORMS).flatMap((form) => form(key) ?? []);
  const made = new Set(all.map((one) => Buffer.from(one).toString('latin1').trim()));
  cache.set(key, made);
  return made;
}

/** A shorter key may be part of any word. */
const SHORT_KEY = 8;

/** Whether a text contains the key, plain or in Base64, alone or with a user or password. */
function hasKey(text: string, key: string): boolean {
  const words = text.split(/[\s,;="&]+/);
  if (key.length < SHORT_KEY ? words.includes(key) : text.includes(key)) return true;
  return words.some((word) => {
    if (word.length < 4 || !/^[\w+/=-]+$/.test(word)) return false;
    const plain = Buffer.from(word, 'base64').toString('latin1');
    return key.length < SHORT_KEY ? plain.split(':').includes(key) : plain.includes(key);
  });
}
