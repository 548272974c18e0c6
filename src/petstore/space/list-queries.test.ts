import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../engine/request-space.ts';
import { isMalformed, type ListCall, listPets } from '../calls.ts';
import { PET_STATUSES } from '../contract-facts.ts';
import { rightKey } from '../inputs/credential.ts';
import { LIST_QUERIES, limitFor, MALFORMED } from './list-queries.ts';

const KEY = rightKey('key');

/** So many animals match, whatever is asked for. */
const MATCHING = 7;

const drawn = rowsOf(LIST_QUERIES, 'standard', 7).map((row, seed) => {
  const [request] = fc.sample(LIST_QUERIES.sample(row), { seed, numRuns: 1 });
  if (request === undefined) throw new Error('nothing was drawn');
  const { fitting, form } = request;
  const query = fitting === undefined ? request.query : { ...request.query, limit: limitFor(fitting, MATCHING) };
  return { row, fitting, query, call: listPets(query, KEY, form) };
});

/** The levels of listPets that ask for what must be honoured. */
const VALID_LIMITS = ['a bound', 'inside', 'as many as match', 'one fewer than match'];

function expectedKind(level: string, valid: readonly string[], others: Readonly<Record<string, string>>, rest: string) {
  if (level === 'absent') return 'absent';
  return valid.includes(level) ? 'valid' : (others[level] ?? rest);
}

test('every query asks for what its levels say', () => {
  for (const { row, call } of drawn) {
    const { limit, status } = call.asked;
    const shown = `${call.request.path} ${JSON.stringify(row.levels)}`;
    expect(limit.kind, shown).toBe(expectedKind(row.level('limit'), VALID_LIMITS, {}, 'open'));
    // Of two, an empty one may be as good as none.
    const hasAnEmptyOne = new URL(call.request.path, 'http://x').searchParams.getAll('status').includes('');
    const several = { empty: 'empty', twice: hasAnEmptyOne ? 'empty' : 'several' };
    expect(status.kind, shown).toBe(expectedKind(row.level('status'), PET_STATUSES, several, 'unknown'));
  }
});

test.each([
  [0, 1, 1],
  [1, 1, 1],
  [2, 2, 1],
  [57, 57, 56],
  [100, 100, 99],
])('where %d animals match, the limits beside that are %d and %d', (matching, asMany, oneFewer) => {
  const limitsOf = (level: string): readonly unknown[] =>
    drawn
      .filter(({ row }) => row.level('limit') === level)
      .map(({ fitting }) => fitting && limitFor(fitting, matching));
  expect(new Set(limitsOf('as many as match'))).toEqual(new Set([asMany]));
  expect(new Set(limitsOf('one fewer than match'))).toEqual(new Set([oneFewer]));
  expect(new Set(limitsOf('inside'))).toEqual(new Set([undefined]));
});

test('however a query is encoded, it says the same', () => {
  const parameters = ({ request: { path } }: ListCall): readonly (readonly [string, string])[] =>
    path
      .replace(/^[^?]*\??/, '')
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        // What comes behind the first of them is part of the value.
        const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
        // As forms are read; a plus sign itself is percent-encoded.
        return [decodeURIComponent(name), decodeURIComponent(value.replaceAll('+', ' '))];
      });
  for (const { row, query, call } of drawn) {
    const plain = listPets({ ...query, values: undefined, names: undefined }, KEY);
    expect(parameters(call), JSON.stringify(row.levels)).toEqual(parameters(plain));
    expect(call.asked).toEqual(plain.asked);
  }
});

test('a malformed query asks for nothing that must be honoured', () => {
  for (const query of Object.values(MALFORMED).flat()) {
    const call = listPets(query, KEY);
    expect(isMalformed(call)).toBe(true);
    const kinds = Object.values(call.asked).map(({ kind }) => kind);
    expect(
      kinds.some((kind) => kind !== 'valid' && kind !== 'absent'),
      call.request.path,
    ).toBe(true);
  }
});

describe('each row', () => {
  test('is a path that is sent verbatim', () => {
    for (const row of rowsOf(LIST_QUERIES, 'standard', 7)) {
      for (const { query, form } of fc.sample(LIST_QUERIES.sample(row), { seed: 7, numRuns: 20 })) {
        expect(listPets(query, KEY, form).request.path).toMatch(/^\/pets(\?[!"$-~]*)?$/);
      }
    }
  });
});
