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

/**
 * A name made around a plain one that no other animal of the run has. A bare name, which would lose its point beside
 * others, leaves it out: no other request of the run sends it.
 */
export type NameOf = (plain: string) => string;

const bare = (...names: readonly string[]): readonly NameOf[] => names.map((name) => () => name);
const after = (...starts: readonly string[]): readonly NameOf[] => starts.map((start) => (plain) => start + plain);
const before = (...ends: readonly string[]): readonly NameOf[] => ends.map((end) => (plain) => plain + end);
const around = (...pairs: readonly (readonly [string, string])[]): readonly NameOf[] =>
  pairs.map(
    ([start, end]) =>
      (plain) =>
        start + plain + end,
  );

/** The plain name, or where it is too long the end of it, filled up to a length in UTF-16 code units. */
function filled(plain: string, length: number, filling: string): string {
  const kept = plain.length <= length ? plain : plain.slice(-length).replace(/^ /, '-');
  const missing = length - kept.length;
  const text = filling.repeat(Math.ceil(missing / filling.length));
  // A filling of pairs leaves one unit over where the rest is odd.
  const isCut = text.length > missing && filling.length > 1;
  return kept + (isCut ? `x${filling.repeat(Math.floor((missing - 1) / filling.length))}` : text.slice(0, missing));
}

const long = (...lengths: readonly (readonly [length: number, filling: string])[]): readonly NameOf[] =>
  lengths.map(
    ([length, filling]) =>
      (plain) =>
        filled(plain, length, filling),
  );

/**
 * Names that implementations are known to damage, by kind. Each must be accepted and come back unchanged. The first two
 * of a kind are sent in every standard run, so what is most telling comes first, and several fragments share a name.
 */
export const NAMES: Readonly<Record<string, readonly NameOf[]>> = {
  'SQL and HTML': around(
    ["Robert'); DROP TABLE pets;-- ", " <b>bold</b> &amp; &#39; O'Brien <br/>"], ['<script>alert("', "\")</script> '; -- /* */ $$ ''"],
    ["' OR '1'='1", ' &nbsp; AT&T <3'],
  ),
  'shells, paths and templates': around(
    ['../../etc/passwd ', ' ${7*7} {{7*7}} #{7*7} <%= 7*7 %> $(id) `id`'], ['{0} %s %d %n ', ' C:\\dir\\..\\x && ls; ~ > /dev/null %(name)s $1'],
  ),
  'percent signs, queries and quotes': around(
    ['%20%41%00 "quoted" ', " %% a=b&c=d+e#f 'single'"], ['http://example.com/?q=a+b&c=%41# ', ' back\\slash \\n \\u0041 \\\\ \\" \\'], ['\\', '\\'],
  ),
  'formulas and other marks': around(['=1+1 ', ' [x] {y} (z) ^~|#@!?*,;:'], ['@name #1 ', ' !important --- ... ///'], ['+1 ', ' -1']),
  'writing from the right and its marks': around(
    ['\u202e right to left \u202c ', ' \u2066שלום\u2069 العربية'], ['مرحبا\u200f ', ' עברית \u200e\u061c'], ['\u202d', '\u202b'],
  ),
  'letters, digits and marks of the world': around(
    ['naïve Łódź Ωmega Ж ', ' हिन्दी ไทย \u201ccurly\u201d \u2019 \u2013 \u2026'], ['日本語 한국어 𠮷野家 ', ' বাংলা \u0661\u0662 १२ \u2212 × Ⅷ'],
  ),
  emoji: around(['😀 🐾 👨‍👩‍👧‍👦 ', ' 🏳️‍🌈 🇩🇪 👍🏽'], ['🐶', ' ☺ ❤ 0️⃣ ❤️ ❤︎ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🐱']),
  'other planes and odd characters': around(
    ['\u{10000} \u{1d11e} \ue000 ', ' \u{20000} \u{10ffff}'], ['\ufdd0 \ufffd \ufff9 ', ' \ufffe \uffff \u{e0041}\u{e007f} \u0378 \u{f0000}'],
  ),
  'null in words': bare('null', 'undefined', 'NULL', 'Null'),
  'none in words': bare('None', 'nil', 'N/A', '#N/A', 'NA', '-'),
  'true and false': bare('true', 'false', 'TRUE', 'True', 'FALSE'),
  'yes and no': bare('no', 'yes', 'off', 'on', 'y', 'N', '~'),
  'not numbers': bare('NaN', 'Infinity', '-Infinity', '.nan', 'inf'),
  integers: bare('42', '0', '-1', '1', '+1'),
  'integers in other words': bare('007', '-0', '0x1F', '1_000', '1,000', '0b1', '0o17'),
  'long integers': bare('12345678901234567890', '9223372036854775808', '9007199254740993', '1'.repeat(40)),
  'other numbers': bare('1e3', '3.14', '1.0', '1E400', '.5', '5.', '1.10'),
  dates: bare('2030-12-05', '2026-01-01T00:00:00Z', '12:30:45', '1/2', '05.12.2030', '12/05/2030', 'MAR1', '1:30'),
  JSON: bare('{}', '"Rex"', '[]', '{"name":"Rex"}', '""', '["Rex"]', '[1,2]', ',', '{'),
  'words of languages': bare('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf', 'length'),
  'words of this service': bare('sold', 'name', 'available', 'pending', 'id', 'categoryId', 'pets', 'status'),
  'one character': bare('x', '.', '0️⃣', '/', '%', '*', '?', '\\', '"', "'", '<', '&', '_', '#', ';'),
  'few characters': bare('..', '🐾', '--', '//', '\\\\', "''", '%00', 'é', '日'),
  'a blank alone': bare(' ', '\u00a0', '\u3000', '\u2003', '  '),
  'blanks at the ends': [...after(' '), ...before(' '), ...around(['  ', '  '])],
  'blanks inside': around(['two  blanks   ', '    x'], ['-   ', ' -']),
  'other blanks at the ends': around(['\u00a0', '\u00a0'], ['\u3000\u2003', '\u2009\u3000'], ['\u2028', '\u2029'], ['\u1680', '\u205f']),
  'marks without width at the ends': around(['\u200b', '\u200b'], ['\ufeff', '\ufeff'], ['\u2060', '\u200d'], ['\u00ad', '\u00ad']),
  'dots at the ends': around(['', '.'], ['...', '...'], ['.', ' .'], ['', '\u2026']),
  'other separators': around(['no\u00a0break ideo\u3000graphic ', ' line\u2028 paragraph\u2029 x'], ['thin\u2009hair\u200a ', ' \u202f\u180e x']),
  'letter case': around(['MiXeD ', ' CaSe ÀÉ ΣΑΣ'], ['İıŞş ß ẞ ſ ', ' ǅ ﬁ ŉ ΐ'], ['ALL CAPITALS ', ' X']),
  'composed and decomposed': around(['\u00e9 e\u0301 ', ' \u1112\u1161\u11ab \ud55c'], ['\u212b \u00c5 A\u030a ', ' \u2126 \u03a9 \u212a'], ['a\u0323\u0307 a\u0307\u0323 ', ' \u0958 \ufb2a']),
  'compatibility characters': around(['\ufb01 \u00b5 x\u00b2 \u2460 \u00bd \u2116 ', ' ｆｕｌｌ \u2122'], ['ｶﾞ ㍿ ㌀ ', ' \u3300 \u2474 \u2000']),
  'combining marks': around(['\u0301', ' a\u034fb Z̷a̷l̷g̷o̷'], ['e\u0301\u0302\u0303\u0304\u0305 ', '\u20dd'], ['\u0327', ' क\u094d\u200dष']),
  'what is nearly an escape': around(['\\u0000 \\r\\n ', ' \\x00 &#0; %0A'], ['Ã© â‚¬ ', ' Â£ Ã\u00a0'], ['\\t ', ' \\b ï»¿']),
  'of 16 or 32': long([16, 'n'], [32, 'é'], [17, 'n'], [33, 'n'], [15, '🐾'], [31, '🐾']),
  'of 50 or 64': long([64, 'n'], [50, '日'], [65, '🐾'], [51, 'é'], [63, 'n'], [49, 'n']),
  'of 100 or 128': long([100, 'n'], [128, '🐾'], [101, 'é'], [129, '日'], [99, 'n'], [127, 'n']),
  'of 255': long([255, 'n'], [255, '🐾'], [254, 'é'], [255, '日']),
  'of 256': long([256, 'n'], [257, 'é'], [256, '日'], [256, '🐾']),
  'of 512': long([512, 'n'], [513, '日'], [511, '🐾'], [512, 'é']),
  'of 1,000': long([LONGEST_CERTAIN_NAME, 'n'], [LONGEST_CERTAIN_NAME, '🐾'], [LONGEST_CERTAIN_NAME, 'é'], [999, '日']),
  'of 1,000 bytes': long([500, 'é'], [370, '日'], [LONGEST_CERTAIN_NAME, '日'], [750, 'x🐾']),
}; // biome-ignore format: one table

/** Two names that differ in one thing which some stacks overlook. */
export const NEARLY_EQUAL_NAMES: Readonly<Record<string, readonly [NameOf, NameOf]>> = {
  'letter case': [(plain) => `${plain} rex`, (plain) => `${plain} REX`],
  'an accent': [(plain) => `${plain} resume`, (plain) => `${plain} résumé`],
  normalisation: [(plain) => `${plain} caf\u00e9`, (plain) => `${plain} cafe\u0301`],
  'a blank at the end': [(plain) => `${plain} x`, (plain) => `${plain} x `],
  'a mark without width': [(plain) => `${plain} ab`, (plain) => `${plain} a\u200bb`],
};

/** A name of which the specification does not say whether it is accepted. */
export interface OpenName {
  readonly label: string;
  readonly nameOf: NameOf;
  /** Whether it holds a lone surrogate, which UTF-8 cannot encode: it may come back changed. */
  readonly lossy: boolean;
}

const opened = (names: Readonly<Record<string, NameOf>>): readonly OpenName[] =>
  Object.entries(names).map(([label, nameOf]) => ({ label, nameOf, lossy: /\p{Cs}/u.test(nameOf('x')) }));

/** Very long names of that kind. */
export const LONG_NAMES = opened({
  'a name of 5,000 characters': (plain) => filled(plain, 5_000, 'n'),
  'a name of 20,000 characters': (plain) => filled(plain, 20_000, '日'),
  'a name of 100,000 characters': (plain) => filled(plain, 100_000, 'n'),
});

/** The others that are sent. */
export const OPEN_NAMES = opened({
  'an empty name': () => '',
  'a NUL in the name': (plain) => `${plain}\u0000b`,
  'a NUL at the end of the name': (plain) => `${plain}\u0000`,
  'a line feed in the name': (plain) => `${plain}\nb`,
  'a carriage return and a line feed in the name': (plain) => `${plain}\r\nb`,
  'a tab before the name': (plain) => `\t${plain}`,
  'a line end after the name': (plain) => `${plain}\n`,
  'other control characters in the name': (plain) => `\u0001${plain}\u001b[31mred \b\f\u001f`,
  'a DEL and a C1 control character in the name': (plain) => `${plain}\u007f\u0085b`,
  'a name of 1,001 characters': (plain) => filled(plain, 1_001, 'n'),
  'a lone high surrogate in the name': (plain) => `${plain}\ud83db`,
  'a lone low surrogate in the name': (plain) => `${plain}\ude00b`,
  'surrogates in the wrong order in the name': (plain) => `${plain}\ude00\ud83d`,
});
