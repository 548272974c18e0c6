import fc from 'fast-check';

/** The longest name (in UTF-16 code units) that must be accepted; the specification does not say for longer ones. */
export const LONGEST_CERTAIN_NAME = 1_000;

const SPECIAL = '"\'\\/<>&%${}[];:,`~#?=+*^|\u200b\u200d\ufeff\u202e\u2028\u2029\ufffd\ufffe';

/** A code point that must be accepted in a name: all of Unicode but control characters and lone surrogates. */
function codePoint(): fc.Arbitrary<string> {
  const within = (min: number, max: number): fc.Arbitrary<string> =>
    fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
  return fc.oneof(
    { weight: 4, arbitrary: within(0x20, 0x7e) },
    { weight: 2, arbitrary: within(0xa0, 0x24f) },
    { weight: 1, arbitrary: within(0x300, 0x36f) },
    { weight: 2, arbitrary: within(0x250, 0xd7ff) },
    { weight: 1, arbitrary: within(0xe000, 0xffff) },
    { weight: 2, arbitrary: within(0x1f300, 0x1faff) },
    { weight: 2, arbitrary: within(0x10000, 0x10ffff) },
    { weight: 1, arbitrary: fc.constantFrom(...SPECIAL) },
  );
}

/** Short text of any characters that a name must be able to hold. */
export function texts(): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint(), minLength: 0, maxLength: 24, size: 'max' });
}

/** Names that implementations are known to get wrong; each must be accepted and come back unchanged. */
export const TRICKY_NAMES: readonly string[] = [
  ' leading space', 'trailing space ', '  inner   spaces  ', ' ', 'null', 'true', '0', '-1', '007', '1e3', '1', '42',
  '3.14', '-0', 'false', '12345678901234567890', '1,000', '2030-12-05', 'NaN', 'undefined', '[]', '{}', '"quoted"',
  "O'Brien", "Robert'); DROP TABLE pets;--", 'back\\slash \\n \\u0041 \\', '<b>bold</b> &amp; &#39;', '%20 %s %n %%',
  '${name} {{name}} #{name} $1', '../../etc/passwd', 'a/b?c=d&e=f#g', '__proto__', 'constructor', 'MiXeD CaSe',
  'line\u2028separator\u2029', 'no\u00a0break ideographic\u3000space\u3000', '\ufeffbyte order mark',
  'zero\u200bwidth\u200djoiner\u2060', '\u202eright to left\u202c', 'composed \u00e9 decomposed e\u0301',
  '\ufb01 ligature \u212b angstrom \u00c5', 'İıŞş ß ẞ ſ',
  '\u201ccurly\u201d \u2018quotes\u2019 \u2013 \u2014 \u2026 \u00ab\u00bb',
  'soft\u00adhyphen a\u034fb \u180e \u2066isolate\u2069', '\u1112\u1161\u11ab jamo \ud55c',
  '\u2126 ohm \u00b5 micro \u03bc x\u00b2 \u2460 \u00bd \u2116 \u2122', '\u0661\u0662\u0663 \u0967\u0968',
  'a\u0323\u0307 a\u0307\u0323', 'tag \u{e0041}\u{e007f} variation \u2764\ufe0e \u2764\ufe0f',
  'http://example.com/?q=a+b&c=%41#x', "it''s; -- /* */ $$ \\'", '@name #1 !important =1+1 +1 -1',
  'Ωmega Ж 日本語 한국어 עברית العربية हिन्दी ไทย', 'ｆｕｌｌｗｉｄｔｈ', '😀', '👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽',
  '\u{10000}\u{1d11e}\u{10fffd}\u{10ffff}', '\ue000 private \uf8ff', '\ufffd replacement \ufffe \uffff',
  'x'.repeat(65), 'y'.repeat(256), 'z'.repeat(LONGEST_CERTAIN_NAME), 'é'.repeat(LONGEST_CERTAIN_NAME / 2),
  '🐾'.repeat(LONGEST_CERTAIN_NAME / 2),
  // Characters that straddle every border between blocks of bytes.
  '日'.repeat(LONGEST_CERTAIN_NAME / 2), `x${'🐾'.repeat(LONGEST_CERTAIN_NAME / 2 - 1)}`,
]; // biome-ignore format: one table

/** A name of which the specification does not say whether it is accepted. */
export interface OpenName {
  readonly label: string;
  readonly name: string;
  /** Whether it holds a lone surrogate, which UTF-8 cannot encode: it may come back changed. */
  readonly lossy: boolean;
}

/** The names of that kind that are sent. */
export const OPEN_NAMES: readonly OpenName[] = Object.entries({
  'an empty name': '',
  'a NUL in the name': 'a\u0000b',
  'a line feed in the name': 'a\nb',
  'a carriage return and a line feed in the name': 'a\r\nb',
  'a tab in the name': 'a\tb',
  'a carriage return at the end of the name': 'ab\r',
  'an escape character in the name': '\u001b[31mred',
  'a DEL in the name': 'a\u007fb',
  'a C1 control character in the name': 'a\u0085b',
  'a name of 1,001 characters': 'n'.repeat(1_001),
  'a name of 5,000 characters': 'n'.repeat(5_000),
  'a name of 20,000 characters': 'n'.repeat(20_000),
  'a lone high surrogate in the name': 'a\ud83db',
  'a lone low surrogate in the name': 'a\ude00b',
  'surrogates in the wrong order in the name': '\ude00\ud83d',
}).map(([label, name]) => ({ label, name, lossy: /\p{Cs}/u.test(name) }));
