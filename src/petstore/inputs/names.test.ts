import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameFrom } from './name-template.ts';
import {
  LONG_NAMES,
  LONGEST_CERTAIN_NAME,
  MORE_NAMES,
  NAMES,
  NAMES_OF_LENGTH,
  NEARLY_EQUAL_NAMES,
  OPEN_NAMES,
  SUSPICIOUS,
  texts,
} from './names.ts';
import { newPets } from './new-pets.ts';
import { longNames, openNames } from './open-bodies.ts';

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

const PLAIN = 'conformance 9ix-abcd RES-6 12';
const everyName = (plain: string): readonly string[] =>
  [
    ...Object.values(NAMES).flat(),
    ...Object.values(NAMES_OF_LENGTH).flat(),
    ...Object.values(MORE_NAMES).flat(),
    ...NEARLY_EQUAL_NAMES.flatMap(({ first, others }) => [first, ...Object.values(others)]),
  ].map((name) => nameFrom(name, plain));

test.each([PLAIN, 'conformance zzzzzz-abcd CREATE-9.all 1'])('every name around %s must be accepted', (plain) => {
  for (const name of everyName(plain)) {
    expect(CONTROL_OR_SURROGATE.test(name), name).toBe(false);
    expect(name.length).toBeGreaterThan(0);
    expect(name.length).toBeLessThanOrEqual(LONGEST_CERTAIN_NAME);
  }
});

test('no two requests send the same name, whether it is bare or around a plain one', () => {
  const names = everyName(PLAIN);
  expect(new Set(names).size).toBe(names.length);
  const bare = names.filter((name) => everyName('another 7').includes(name));
  expect(bare.length).toBeGreaterThan(50);
  const others = everyName(PLAIN.replace('12', '13')).filter((name) => !bare.includes(name));
  expect(others.filter((name) => names.includes(name))).toEqual([]);
});

test('names have the lengths that stacks are known to stumble over', () => {
  const lengths = new Set(everyName(PLAIN).map(({ length }) => length));
  for (const edge of [16, 32, 50, 64, 100, 128, 255, 256, 512, LONGEST_CERTAIN_NAME]) expect(lengths).toContain(edge);
});

test.each(
  NEARLY_EQUAL_NAMES.flatMap(({ first, others }) =>
    Object.entries(others).map(([what, other]) => [what, nameFrom(first, PLAIN), nameFrom(other, PLAIN)] as const),
  ),
)('two names differ by %s and are alike otherwise', (_what, one, other) => {
  const simple = (name: string): string =>
    name
      .normalize('NFKD')
      .replace(/[\p{M}\u200b\s]/gu, '')
      .replace('カ', 'か')
      .toLowerCase();
  expect(one).not.toBe(other);
  if (one.slice(0, -1) !== other.slice(0, -1)) expect(simple(one)).toBe(simple(other));
  expect(one.length - other.length).toBeLessThanOrEqual(1);
});

test('of two long names the one that is cut anywhere but at its end is the other', () => {
  for (const length of [16, 32, 64, 100, 127, 191, 254, 255, 500, 999]) {
    const isHeld = NEARLY_EQUAL_NAMES.some(({ first, others }) =>
      Object.values(others).some(
        (other) => nameFrom(first, PLAIN).slice(0, length) === nameFrom(other, PLAIN).slice(0, length),
      ),
    );
    expect(isHeld, `${length}`).toBe(true);
  }
});

test('text that looks like an attack is drawn', () => {
  const drawn = fc.sample(texts(), { seed: SEED, numRuns: 10_000 });
  for (const text of SUSPICIOUS)
    expect(
      drawn.some((one) => one.includes(text)),
      text,
    ).toBe(true);
});

test('a generated name is never longer than one that must be accepted', () => {
  const naming = { tag: `conformance ${'x'.repeat(30)} CREATE-9.all`, categories: [] };
  const longest = Math.max(...fc.sample(newPets(naming), { seed: SEED, numRuns: 500 }).map(({ name }) => name.length));
  expect(longest).toBeLessThanOrEqual(LONGEST_CERTAIN_NAME);
  expect(longest).toBeGreaterThan(60);
});

test('a name that need not be accepted is sent as it is labelled', () => {
  const bases = () => ({ name: PLAIN, categoryId: 1n });
  const bodies = [...openNames(bases), ...longNames(bases)];
  for (const [at, { label, name: template, lossy }] of [...OPEN_NAMES, ...LONG_NAMES].entries()) {
    const { bytes, pet } = bodies[at] ?? { pet: {} };
    const name = nameFrom(template, PLAIN);
    expect(JSON.parse(new TextDecoder().decode(bytes)), label).toEqual({ name, categoryId: 1 });
    expect(Buffer.from(name).toString() !== name, label).toBe(lossy);
    expect(pet.name, label).toBe(lossy ? undefined : name);
    expect(name === '' || name.length > LONGEST_CERTAIN_NAME || CONTROL_OR_SURROGATE.test(name), label).toBe(true);
  }
});
