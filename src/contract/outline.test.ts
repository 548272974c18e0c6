import { describe, expect, test } from 'vitest';
import { integerAt, readJson } from './exact-json.ts';
import { outline, standIn } from './outline.ts';

const LARGE = 1_000_000;

describe('the outline of a large text', () => {
  test('a small text is kept as it is', () => {
    const value = { id: 1, notes: { deep: [1, 2] } };
    expect(outline(value, 100)).toBe(value);
  });

  test('holds the members that the specification names', () => {
    const pet = { id: 1, name: 'Rex', categoryId: 2, status: 'sold' };
    expect(outline({ ...pet, notes: 'x'.repeat(LARGE) }, LARGE)).toEqual(pet);
    expect(outline([{ ...pet, notes: {} }], LARGE)).toEqual([pet]);
    const error = { code: 'c', message: 'm', status: 400 };
    expect(outline({ ...error, trace: [] }, LARGE)).toEqual(error);
  });

  test('a member that is absent stays absent, and null stays null', () => {
    expect(outline({ id: 1, status: null }, LARGE)).toStrictEqual({ id: 1, status: null });
  });

  test('a value of the wrong kind stays of its kind', () => {
    const entries = [1, 'text', null, true, [1, 2], { name: [1], status: { a: 1 } }];
    expect(outline(entries, LARGE)).toEqual([1, 'text', null, true, [], { name: [], status: {} }]);
    expect(outline('text', LARGE)).toBe('text');
  });
});

describe('the stand-in of a string', () => {
  test('a short one stands for itself', () => {
    expect(standIn('x'.repeat(8_192))).toBe('x'.repeat(8_192));
  });

  test('is the same for the same string and for no other', () => {
    const long = 'n'.repeat(20_000);
    expect(standIn(long)).toBe(standIn(`${long}`));
    expect(standIn(long)).not.toBe(standIn(`${long.slice(0, -1)}m`));
    expect(standIn(long).length).toBeLessThan(1_200);
  });
});

describe('a large text that is read', () => {
  test('counts all entries of a page, and keeps exact ids', () => {
    const entries = Array.from({ length: 5_000 }, (_, at) => `{"id":${9_007_199_254_740_993n + BigInt(at)}}`);
    const reading = readJson(Buffer.from(`[${entries.join(',')}]`));
    if (reading.kind !== 'json') throw new Error(reading.sentence);
    expect(reading.entries).toBe(5_000);
    expect(reading.value).toHaveLength(1_000);
    expect(integerAt(reading, '/999/id')).toBe(9_007_199_254_740_993n + 999n);
    expect(reading.exact.size).toBe(1_000);
  });

  test('of many commas and braces in its strings is read', () => {
    const name = ',[{\\"'.repeat(100_000);
    const reading = readJson(Buffer.from(`{"id":1,"name":"${name}"}`));
    expect(reading).toMatchObject({ kind: 'json', value: { id: 1 } });
  });

  test('of too many values is not read', () => {
    expect(readJson(Buffer.from(`[${'{},'.repeat(60_000)}{}]`))).toEqual({
      kind: 'not json',
      code: 'not-json',
      sentence: 'The body holds over 100,000 values, more than can be read.',
    });
  });
});
