import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LONGEST_CERTAIN_NAME, OPEN_NAMES, TRICKY_NAMES, texts } from './names.ts';
import { newPets } from './new-pets.ts';
import { openName } from './open-bodies.ts';

const SEED = 1729;
const CONTROL_OR_SURROGATE = /[\p{Cc}\p{Cs}]/u;

test('a name may hold any character but control characters and lone surrogates, and does', () => {
  const drawn = fc.sample(texts(), { seed: SEED, numRuns: 4_000 }).join('');
  expect(CONTROL_OR_SURROGATE.test(drawn)).toBe(false);
  const codes = new Set([...drawn].map((letter) => letter.codePointAt(0) ?? 0));
  for (let code = 0x20; code <= 0x7e; code += 1) expect(codes, code.toString(16)).toContain(code);
  // Every 4,096 of the first plane, and every other plane.
  const blocks = new Set([...codes].map((code) => (code < 0x10000 ? code >> 12 : 0x100 + (code >> 16))));
  for (let block = 0; block <= 0xf; block += 1) expect(blocks, `U+${block.toString(16)}000`).toContain(block);
  for (let plane = 1; plane <= 16; plane += 1) expect(blocks, `plane ${plane}`).toContain(0x100 + plane);
  for (const letter of '"\\\u2028\u200d\ufeff\ufffe') expect(codes).toContain(letter.codePointAt(0));
});

test('tricky names are ones that must be accepted, each of them once', () => {
  for (const name of TRICKY_NAMES) {
    expect(CONTROL_OR_SURROGATE.test(name), name).toBe(false);
    expect(name.length).toBeGreaterThan(0);
    expect(name.length).toBeLessThanOrEqual(LONGEST_CERTAIN_NAME);
  }
  expect(TRICKY_NAMES.map(({ length }) => length)).toContain(LONGEST_CERTAIN_NAME);
  expect(new Set(TRICKY_NAMES).size).toBe(TRICKY_NAMES.length);
});

test('a generated name is never longer than one that must be accepted', () => {
  const naming = { tag: `conformance ${'x'.repeat(30)} CREATE-9.all`, categories: [] };
  const longest = Math.max(...fc.sample(newPets(naming), { seed: SEED, numRuns: 500 }).map(({ name }) => name.length));
  expect(longest).toBeLessThanOrEqual(LONGEST_CERTAIN_NAME);
  expect(longest).toBeGreaterThan(60);
});

test('a name that need not be accepted is sent as it is labelled', () => {
  for (const open of OPEN_NAMES) {
    const { label, name, lossy } = open;
    const { bytes } = openName({ name: 'Rex', categoryId: 1n }, open);
    expect(JSON.parse(new TextDecoder().decode(bytes)), label).toEqual({ name, categoryId: 1 });
    expect(Buffer.from(name).toString() !== name, label).toBe(lossy);
    expect(name === '' || name.length > LONGEST_CERTAIN_NAME || CONTROL_OR_SURROGATE.test(name), label).toBe(true);
  }
});
