import { expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { fillerOf, fillers } from './fillers.ts';
import { SENTINELS } from './int64.ts';
import { nameFrom } from './name-template.ts';
import { LONGEST_CERTAIN_NAME, MORE_NAMES, NAMES } from './names.ts';
import { namesakes } from './new-pets.ts';

const PLAIN = { name: 'conformance 9ix-abcd shared 1', categoryId: 1n, status: 'sold' } as const;
const ANY = { tag: 'conformance 9ix-abcd shared', categories: [] };
/** About as many as a run adds. */
const OF_A_RUN = 80;

const namesOf = (seed: number): readonly string[] => fillers(seed).map(({ name }) => nameFrom(name, PLAIN.name));

test('a seed always draws the same fillers, and each of their names once', () => {
  expect(namesOf(7)).toEqual(namesOf(7));
  expect(new Set(namesOf(7)).size).toBe(namesOf(7).length);
  expect(namesOf(7).slice(0, OF_A_RUN)).not.toEqual(namesOf(8).slice(0, OF_A_RUN));
});

test('what the request space does not send of each kind of name is drawn, unless it is long', () => {
  const all = new Set(namesOf(1));
  const others = [...Object.values(NAMES).map((names) => names.slice(2)), ...Object.values(MORE_NAMES)].flat();
  for (const name of others.map((template) => nameFrom(template, PLAIN.name)))
    expect(all.has(name) || name.length > 200).toBe(true);
});

test('where the request space is not sent whole, they stand in for it: long names and the ends of int64, too', () => {
  const drawn = fillers(1, false);
  const names = drawn.slice(0, OF_A_RUN).map(({ name }) => nameFrom(name, PLAIN.name));
  expect(new Set(names).size).toBe(OF_A_RUN);
  expect(names.some(({ length }) => length === LONGEST_CERTAIN_NAME)).toBe(true);
  expect(drawn.slice(0, 2).map(({ categoryId }) => categoryId)).toEqual([INT64_MAX, INT64_MIN]);
  const kinds = new Set(drawn.slice(0, OF_A_RUN).map(({ kind }) => kind));
  for (const kind of Object.keys(NAMES)) expect(kinds).toContain(kind);
  // The space may send the first of a kind: without the plain name in it, it would be there twice.
  expect(names).not.toContain('null');
});

test('every run names something of each kind that is not long, and 40 runs nearly all', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 40; seed += 1) {
    const drawn = fillers(seed).slice(0, OF_A_RUN);
    const kinds = new Set(drawn.map(({ kind }) => kind));
    for (const kind of Object.keys(MORE_NAMES)) expect(kinds).toContain(kind);
    for (const { name } of drawn) seen.add(nameFrom(name, PLAIN.name));
  }
  expect(seen.size).toBeGreaterThan(0.9 * namesOf(1).length);
});

test('sentinels are int64s of every number of digits and in both signs', () => {
  for (const value of SENTINELS) expect(value >= INT64_MIN && value <= INT64_MAX).toBe(true);
  const digits = new Set(SENTINELS.map((value) => `${value}`.length));
  for (let count = 1; count <= 20; count += 1) expect(digits, `${count}`).toContain(count);
  for (const value of [-1n, -999n, 0n, 9_999n, 99_999n, 2n ** 31n, -(10n ** 9n)]) expect(SENTINELS).toContain(value);
});

test('a filler is in a known category where there are any', () => {
  const [filler] = fillers(1);
  if (filler === undefined) throw new Error('there are no fillers');
  expect(fillerOf(filler, PLAIN, { ...ANY, categories: [1n, 5n] }).categoryId).toBe(1n);
  expect(fillerOf(filler, PLAIN, ANY)).toEqual({
    name: nameFrom(filler.name, PLAIN.name),
    categoryId: filler.categoryId,
    status: 'sold',
  });
});

test('namesakes share some of their values with others', () => {
  const pets = namesakes({ ...PLAIN, status: 'pending' }, ANY);
  const texts = (of: (pet: (typeof pets)[number]) => string): number => new Set(pets.map(of)).size;
  expect(pets).toHaveLength(10);
  expect(texts(({ name, categoryId, status }) => JSON.stringify([name, `${categoryId}`, status]))).toBe(8);
  expect(texts(({ name }) => name)).toBe(6);
  expect(texts(({ name, categoryId }) => `${name}${categoryId}`)).toBeLessThan(
    texts(({ name, categoryId }) => `${name} ${categoryId}`),
  );
  expect(namesakes(PLAIN, { ...ANY, categories: [1n, 5n] }).map(({ categoryId }) => categoryId)).not.toContain(23n);
});
