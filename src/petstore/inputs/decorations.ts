import fc from 'fast-check';

/** Texts that look like a valid one and are not it: what a lenient reader takes for the valid one shows. */

const QUOTES = [['`', '`'], ['“', '”'], ['‘', '’'], ['«', '»'], ['""', '""'], ["''", "''"], ['\\"', '\\"'], ['"', ''], ['', "'"]] as const; // biome-ignore format: one table
const BRACKETS = [['[', ']'], ['{', '}'], ['(', ')'], ['<', '>'], ['["', '"]'], ['${', '}'], ['{{', '}}'], ['/', '/'], ['[[', ']]'], ['%', '%']] as const; // biome-ignore format: one table

/** Everything in ASCII that is neither a letter nor a digit, visible. */
export const MARKS: readonly string[] = [...'!"#$%&\'()*,/:;<=>?@[\\]^_`{|}~'];

const BLANKS: readonly string[] = [' ', '\t', '\u00a0', '\u2003', '\u2009', '\u3000', '\u202f', '\u1680', '\ufeff'];
const CONTROLS: readonly string[] = [
  '\n', '\r', '\r\n', '\0', '\v', '\f', '\u0085', '\u2028', '\u2029', '\b', '\u001b', '\u0001', '\u001f', '\u007f',
]; // biome-ignore format: one table
/** Nothing of these is seen. */
const UNSEEN: readonly string[] = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\u200e',
  '\u202e',
  '\ufe0f',
  '\u034f',
  '\u0301',
];

type Texts = fc.Arbitrary<string>;

const oneOf = (...texts: readonly string[]): Texts => fc.constantFrom(...texts);

const between = (text: Texts, pairs: readonly (readonly [string, string])[]): Texts =>
  fc.tuple(text, fc.constantFrom(...pairs)).map(([inner, [before, after]]) => `${before}${inner}${after}`);

export const before = (text: Texts, marks: Texts): Texts => fc.tuple(marks, text).map(([mark, inner]) => mark + inner);
export const behind = (text: Texts, marks: Texts): Texts => fc.tuple(text, marks).map(([inner, mark]) => inner + mark);
export const beside = (text: Texts, marks: Texts): Texts =>
  fc.oneof(before(text, marks), behind(text, marks), onBothSides(text, marks));

const onBothSides = (text: Texts, marks: Texts): Texts =>
  fc.tuple(marks, text).map(([mark, inner]) => `${mark}${inner}${mark}`);

/** With a mark at some place between two of its characters; behind a single one. */
export const inside = (text: Texts, marks: Texts): Texts =>
  fc.tuple(text, marks, fc.nat()).map(([inner, mark, place]) => {
    const at = 1 + (place % Math.max(1, inner.length - 1));
    return inner.slice(0, at) + mark + inner.slice(at);
  });

/** With one of its characters, at some place, made into something else. */
export const changed = (text: Texts, change: (character: string) => string): Texts =>
  fc.tuple(text, fc.nat()).map(([inner, place]) => {
    const at = place % inner.length;
    return inner.slice(0, at) + change(inner[at] ?? '') + inner.slice(at + 1);
  });

/** With one of the marks before, behind, on both sides or inside of it. */
export const decorated = (text: Texts, marks: readonly string[]): Texts =>
  fc.oneof(beside(text, oneOf(...marks)), inside(text, oneOf(...marks)));

export const inDoubleQuotes = (text: Texts): Texts => between(text, [['"', '"']]);
export const inSingleQuotes = (text: Texts): Texts => between(text, [["'", "'"]]);
export const inOtherQuotes = (text: Texts): Texts => between(text, QUOTES);
export const inBrackets = (text: Texts): Texts => between(text, BRACKETS);
export const besideAMark = (text: Texts): Texts => beside(text, oneOf(...MARKS));
export const besideABlank = (text: Texts): Texts => beside(text, oneOf(...BLANKS));
export const besideAControl = (text: Texts): Texts =>
  fc.oneof(beside(text, oneOf(...CONTROLS)), inside(text, oneOf(...CONTROLS)));
export const withSomethingUnseen = (text: Texts): Texts =>
  fc.oneof(beside(text, oneOf(...UNSEEN)), inside(text, oneOf(...UNSEEN)));
export const withAMarkInside = (text: Texts): Texts => inside(text, oneOf(...MARKS, '-', '+', '.', ' ', '\u00a0'));

/** After what query languages put before a value. */
export const afterAnOperator = (text: Texts, name: string): Texts =>
  before(
    text,
    oneOf(
      '=', '==', '!', '!=', '~', '-', 'eq:', 'eq.', 'in:', 'is:', 'is ', 'not ', 'ne:', 'like:', '>', '<', '>=', 'gt:', 'lt:', '^', '@', '#', ':',
      `${name}:`, `${name}=`, `${name}.`, '$eq:', 'eq ', '*', '%', '.', '$',
    ),
  ); // biome-ignore format: one table

/** Powers of two, their neighbours and the same below zero: where integers of some width end. */
export const edgesOf = (...exponents: readonly bigint[]): readonly bigint[] =>
  exponents.flatMap((exponent) => [-1n, 0n, 1n].map((step) => 2n ** exponent + step)).flatMap((edge) => [edge, -edge]);
