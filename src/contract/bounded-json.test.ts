import { describe, expect, test } from 'vitest';
import { boundJson, boundText } from './bounded-json.ts';
import { integerAt, readJson } from './json.ts';

const LARGE = 1_000_000;
const KEPT = new Set(['id', 'name', 'size', 'notes']);

describe('bounded JSON', () => {
  test('a small text is kept whole', () => {
    const value = { id: 1, notes: { deep: [1, 2] } };
    expect(boundJson(value, 100, KEPT)).toBe(value);
  });

  test('of a large text, the named members are kept', () => {
    const item = { id: 1, name: 'Rex', size: 2 };
    expect(boundJson({ ...item, trace: 'x'.repeat(LARGE) }, LARGE, KEPT)).toEqual(item);
    expect(boundJson([{ ...item, trace: {} }], LARGE, KEPT)).toEqual([item]);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`further${at}`, at]));
    expect(boundJson({ ...many, ...item }, LARGE, KEPT)).toEqual(item);
  });

  test('an absent member stays absent and null stays null', () => {
    expect(boundJson({ id: 1, size: null }, LARGE, KEPT)).toStrictEqual({ id: 1, size: null });
  });

  test('a long string becomes its beginning and its digest', () => {
    const long = 'x'.repeat(LARGE);
    expect(boundJson([{ name: long }], LARGE, KEPT)).toEqual([{ name: boundText(long) }]);
  });

  test('a value of the wrong type keeps its type', () => {
    const entries = [1, 'text', null, true, [1, 2], { name: [1], size: { a: 1 } }];
    expect(boundJson(entries, LARGE, KEPT)).toEqual([1, 'text', null, true, [], { name: [], size: {} }]);
    expect(boundJson('text', LARGE, KEPT)).toBe('text');
  });
});

describe('bounded text', () => {
  test('a short string is kept whole', () => {
    expect(boundText('x'.repeat(8_192))).toBe('x'.repeat(8_192));
  });

  test('is equal for equal strings and for no others', () => {
    const long = 'n'.repeat(20_000);
    expect(boundText(long)).toBe(boundText(`${long}`));
    expect(boundText(long)).not.toBe(boundText(`${long.slice(0, -1)}m`));
    expect(boundText(long).length).toBeLessThan(1_200);
  });
});

describe('parsing a large text', () => {
  test('counts all entries, and keeps exact integers', () => {
    const entries = Array.from({ length: 5_000 }, (_, at) => `{"id":${9_007_199_254_740_993n + BigInt(at)}}`);
    const json = readJson(Buffer.from(`[${entries.join(',')}]`));
    if (json.kind !== 'json') throw new Error(json.sentence);
    expect(json.entries).toBe(5_000);
    expect(json.value).toHaveLength(1_000);
    expect(integerAt(json, '/999/id')).toBe(9_007_199_254_740_993n + 999n);
    expect(json.exact.size).toBe(1_000);
  });

  test('accepts many commas and braces in strings', () => {
    const name = ',[{\\"'.repeat(100_000);
    const json = readJson(Buffer.from(`{"id":1,"name":"${name}"}`));
    expect(json).toMatchObject({ kind: 'json', value: { id: 1 } });
  });

  test('does not read too many values', () => {
    expect(readJson(Buffer.from(`[${'{},'.repeat(200_000)}{}]`))).toEqual({
      kind: 'unread',
      sentence: 'the body has over 320,000 values, which is too many to read',
    });
  });
});
