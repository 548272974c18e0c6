import fc from 'fast-check';
import { type NameTemplate, nameFrom } from './name-template.ts';

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

/**
 * What firewalls look for, and what other languages and formats would run, read or put something else in the place of:
 * as part of a name it is text like any other.
 */
export const SUSPICIOUS = [
  'UNION SELECT', 'union all select 1,2', '${jndi:ldap://x/a}', '../../etc/passwd', '<script>', "' OR 1=1", '" or ""="', ';cat /etc/passwd', '{{7*7}}', '%0d%0aSet-Cookie', 'eval(',
  'base64_decode', 'xp_cmdshell', 'php://input', 'file:///etc/hosts', 'AND SLEEP(5)', '<?php', '<!ENTITY', '<![CDATA[', 'javascript:alert(1)', 'onerror=', '<svg/onload=', '<iframe', 'document.cookie',
  'WAITFOR DELAY', 'DROP TABLE', 'INSERT INTO', 'DELETE FROM', 'information_schema', 'benchmark(', 'load_file(', 'INTO OUTFILE', '/bin/sh', 'cmd.exe', 'powershell -enc', '|id', '`whoami`', '$(id)',
  '() { :;};', '.htaccess', 'web.config', 'wp-admin', '/proc/self/environ', '..%2f..%2f', '%00', '%c0%ae', '%2527', '\\x00', '\\u0000', 'data:text/html', 'gopher://', 'http://169.254.169.254', '169.254.169.254', 'localhost:22',
  '${T(java.lang.Runtime)}', '#{1+1}', '<%= 1 %>', '{% if x %}', '${env:HOME}', '%{(#a)}', '__import__', 'System.exit', 'Runtime.getRuntime', 'process.env', 'require(', 'new Function', 'rO0AB', 'O:8:"stdClass"', '!!python/object',
  '$where', '{"$gt":""}', '*)(uid=*', '||1==1', "'--", '/**/', '#', '--', '@@version', 'char(65)', '0x41', 'CONCAT(', 'CAST(', 'sleep 5', 'ping -c', 'wget http', 'curl http', 'nc -e', 'chmod 777', '%s%n', '%08x', 'AAAA', 'alert`1`',
  'Content-Length: 0', 'HTTP/1.1', 'Host:', 'GET /', '=cmd|', '=HYPERLINK(', '@SUM(', '+1+1', 'root', 'admin', 'select', 'script', 'exec', 'null', 'viagra', 'test',
]; // biome-ignore format: one list

/** Short text of any characters that a name must be able to hold, and of what looks like an attack. */
export function texts(): fc.Arbitrary<string> {
  const any = fc.string({ unit: codePoint(), minLength: 0, maxLength: 24, size: 'max' });
  const suspicious = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...SUSPICIOUS) }, { weight: 1, arbitrary: fc.string({ maxLength: 4 }) }), { maxLength: 3 }); // biome-ignore format: one line
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: any },
    { weight: 1, arbitrary: suspicious.map((parts) => parts.join(' ')) },
  );
}

/** The first of each list, then the second of each, and so on. */
const inRounds = (...lists: readonly (readonly NameTemplate[])[]): readonly NameTemplate[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();

const bare = (...names: readonly string[]): readonly string[] => names;
const after = (...starts: readonly string[]): readonly string[] => starts.map((start) => `${start}%plain%`);
const before = (...ends: readonly string[]): readonly string[] => ends.map((end) => `%plain%${end}`);
const around = (...pairs: readonly (readonly [string, string])[]): readonly string[] =>
  pairs.map(([start, end]) => `${start}%plain%${end}`);
const long = (...lengths: readonly (readonly [length: number, filling: string])[]): readonly NameTemplate[] =>
  lengths.map(([length, filling]) => ({ length, filling }));

/**
 * Names that implementations are known to damage, by kind. Each must be accepted and come back unchanged. The first two
 * of a kind are sent in every standard run, so the most revealing come first, and several fragments share a name.
 */
export const NAMES: Readonly<Record<string, readonly NameTemplate[]>> = {
  'text that resembles an attack': inRounds(
    around(
      ['"Robert\'); DROP TABLE pets;-- UNION ALL SELECT 1, ', ' <b>bold</b> &amp; &#39; O\'Brien <br/> AND SLEEP(5) xp_cmdshell @@version"'],
      ['<script>alert("', "\")</script> '; -- /* */ $$ '' union select information_schema INTO OUTFILE <svg/onload=x> javascript:x <iframe <!ENTITY x> <![CDATA["],
      ["' OR '1'='1", " &nbsp; AT&T <3 ' OR 1=1 WAITFOR DELAY benchmark( DELETE FROM onerror= document.cookie"],
    ),
    around(
      ['../../etc/passwd ', ' ${7*7} {{7*7}} #{7*7} <%= 7*7 %> $(id) `id` ${jndi:ldap://x/a} ;cat /etc/passwd eval(x) /bin/sh php://input file:///etc/hosts'],
      ['{0} %s %d %n ', ' C:\\dir\\..\\x && ls; ~ > /dev/null %(name)s $1 base64_decode cmd.exe powershell () { :;}; <?php ${env:HOME} http://169.254.169.254 {% x %} wp-admin .htaccess'],
    ),
  ),
  'marks of queries, quotes and formulas': inRounds(
    around(
      ["'%20%41%00 \"quoted\" ", " %% a=b&c=d+e#f %0d%0aSet-Cookie: a=b ..%2f %2527 <% 'single'"], ['http://example.com/?q=a+b&c=%41# ', ' back\\slash \\n \\u0041 \\\\ \\" \\'], ['\\', '\\'],
    ),
    around(['=1+1 ', ' [x] {y} (z) ^~|#@!?*,;: =cmd|x $where {"$gt":""} *)(uid=*'], ['@name #1 ', ' !important --- ... /// __import__ process.env Runtime.getRuntime rO0AB O:8:"x"'], ['+1 ', ' -1']),
  ),
  'right-to-left text': around(
    ['\u202e right to left \u202c ', ' \u2066שלום\u2069 العربية'], ['مرحبا\u200f ', ' עברית \u200e\u061c'], ['\u202d', '\u202b'],
  ),
  'letters, digits and marks of many scripts': around(
    ['naïve Łódź Ωmega Ж ', ' हिन्दी ไทย \u201ccurly\u201d \u2019 \u2013 \u2026'], ['日本語 ひらがな カタカナ 〜 한국어 𠮷野家 ', ' বাংলা \u0661\u0662 १२ \u2212 × Ⅷ'],
  ),
  'emoji and other planes': inRounds(
    around(['😀 :dog: 🐾 👨‍👩‍👧‍👦 ', ' 🏳️‍🌈 🇩🇪 👍🏽 :paw_prints: :)'], ['🐶', ' ☺ ❤ 0️⃣ ❤️ ❤︎ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🐱']),
    around(
      ['\u{10000} \u{1d11e} \ue000 ', ' \u{20000} \u{10ffff}'], ['\ufdd0 \ufffd \ufff9 ', ' \ufffe \uffff \u{e0041}\u{e007f} \u0378 \u{f0000}'],
    ),
  ),
  'words for null': bare('null', 'None', '\\N', 'undefined', 'nil', 'NULL', 'N/A', 'Null', '#N/A', 'NA', '-'),
  'true, false, yes and no': bare('true', 'no', 'false', 'yes', 'TRUE', 'off', 'True', 'on', 'FALSE', 'y', 'N', '~'),
  'numbers and dates': inRounds(
    bare(
      '42', '007', '12345678901234567890', '0', '-0', '9223372036854775808', '-1', '0x1F', '9007199254740993', '1', '1_000', '1'.repeat(40), '+1',
      '1,000', '0b1', '0o17',
    ),
    bare('2030-12-05', '2026-01-01T00:00:00Z', '12:30:45', '1/2', '05.12.2030', '12/05/2030', 'MAR1', '1:30'),
    bare('NaN', '1e3', 'Infinity', '3.14', '-Infinity', '1.0', '.nan', '1E400', 'inf', '.5', '5.', '1.10'),
  ),
  'keywords of formats, languages and this service': bare(
    '"Rex"', 'status', '__proto__', '{}', 'sold', 'constructor', 'name', '[]', 'available', 'toString', 'pending', '{"name":"Rex"}', 'id', 'hasOwnProperty',
    'categoryId', '""', 'pets', 'prototype', '["Rex"]', 'valueOf', '[1,2]', 'length', ',', '{',
  ),
  'few characters, or a blank alone': inRounds(
    bare(
      'x', '..', '.', '🐾', '0️⃣', '--', '/', '//', '%', '\\\\', '*', "''", '?', '%00', '\\', 'é', '"', '日', "'", '<', '&', '_', '#', ';',
    ),
    bare(' ', '\u00a0', '\u3000', '\u2003', '  '),
  ),
  'blanks at the ends or inside': inRounds(
    [...after(' '), ...before(' '), ...around(['  ', '  '])],
    around(['two  blanks   ', '    x'], ['-   ', ' -']),
  ),
  'other blanks and marks at the ends': around(
    ['\u00a0', '\u00a0'], ['\u200b', '\u200b'], ['\u3000\u2003', '\u2009\u3000'], ['\ufeff', '\ufeff'], ['\u2028', '\u2029'], ['\u2060', '\u200d'],
    ['\u1680', '\u205f'], ['\u00ad', '\u00ad'],
  ),
  'dots at the ends, and other separators': inRounds(
    around(['', '.'], ['...', '...'], ['.', ' .'], ['', '\u2026']),
    around(['no\u00a0break ideo\u3000graphic ', ' line\u2028 paragraph\u2029 x'], ['thin\u2009hair\u200a ', ' \u202f\u180e x']),
  ),
  'letter case': around(['MiXeD ', ' CaSe ÀÉ ΣΑΣ'], ['İıŞş ß ẞ ſ ', ' ǅ ﬁ ŉ ΐ'], ['ALL CAPITALS ', ' X']),
  'composed, decomposed and combined': inRounds(
    around(
      ['\u00e9 e\u0301 \u212b \u2126 ', ' \u1112\u1161\u11ab \ud55c \u212a \uf900 \u0340'], ['\ufb01 \u00b5 x\u00b2 \u2460 \u00bd \u2116 ', ' ｆｕｌｌ \u2122'],
      ['\u212b \u00c5 A\u030a ', ' \u2126 \u03a9 \u212a'], ['ｶﾞ ㍿ ㌀ ', ' \u3300 \u2474 \u2000'],
      ['a\u0323\u0307 a\u0307\u0323 ', ' \u0958 \ufb2a'],
    ),
    around(['\u0301', ' a\u034fb Z̷a̷l̷g̷o̷ o\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0328'], ['e\u0301\u0302\u0303\u0304\u0305 ', '\u20dd'], ['\u0327', ' क\u094d\u200dष']),
  ),
  'text like an escape': around(['\\u0000 \\r\\n ', ' \\x00 &#0; %0A'], ['Ã© â‚¬ ', ' Â£ Ã\u00a0'], ['\\t ', ' \\b ï»¿']),
}; // biome-ignore format: one table

/** Names whose length is the point, by their length. */
export const NAMES_OF_LENGTH: Readonly<Record<string, readonly NameTemplate[]>> = {
  'of 16 to 128': inRounds(
    long(
      [16, 'n'], [64, 'n'], [32, 'é'], [50, '日'], [17, 'n'], [65, '🐾'], [33, 'n'], [51, 'é'], [15, '🐾'], [63, 'n'], [31, '🐾'], [49, 'n'],
    ),
    long([100, 'n'], [128, '🐾'], [101, 'é'], [129, '日'], [99, 'n'], [127, 'n']),
  ),
  'of 255 to 512': inRounds(
    long([255, 'é'], [256, 'n'], [255, '🐾'], [257, 'é'], [255, 'n'], [254, 'é'], [256, '日'], [255, '日'], [256, '🐾']),
    long([512, 'n'], [513, '日'], [511, '🐾'], [512, 'é']),
  ),
  'of 1,000, or as many bytes': long(
    [LONGEST_CERTAIN_NAME, '日'], [LONGEST_CERTAIN_NAME, 'n"\\'], [LONGEST_CERTAIN_NAME, '🐾'], [LONGEST_CERTAIN_NAME, 'n'], [500, 'é'], [LONGEST_CERTAIN_NAME, 'é'], [370, '日'],
    [999, '日'], [750, 'x🐾'],
  ),
}; // biome-ignore format: one table

/** The same mark at the start, in the middle of a word, and at the end. */
const throughout = (...marks: readonly string[]): readonly string[] =>
  marks.map((mark) => `re${mark}x ${mark}${mark} %plain% so${mark}ft`);

/**
 * More names of that kind, too many for a request each in every run: the most revealing come first. None of them is
 * long, so that pages stay as they would be.
 */
export const MORE_NAMES: Readonly<Record<string, readonly NameTemplate[]>> = {
  'a word for nothing': bare('nan', 'n/a', 'none', 'Nil', 'void', 'NONE', 'na', 'N.A.', '#NULL!', '#REF!', 'NIL', 'NAN', '<NA>', '(null)', 'empty', 'unknown', 'nUlL', 'Undefined', '--'.repeat(2), 'missing'),
  'a word for yes or no': bare('Yes', 'NO', 'On', 'OFF', 'Y', 'n', 'YES', 'No', 'ON', 'Off', 't', 'f', 'T', 'F', 'tRuE', 'fALSE', 'ja', 'oui'),
  'a number in words': bare('1e5', '-inf', '+Infinity', '1E5', '1.', '-.5', '1,5', '1.000,00', "1'000", '0X1f', '0755', '0o755', '0b101', '1_0', '1e-7', '٣', '１２', '½', '1n', '5L', '1f', '$1', '100%', '1 000', 'INF', '١٢٣', 'IV', '-1e3', '00', '0.0', '-0.0', '1/3'),
  'a date or a time in words': bare('2030-12-05T10:00:00+02:00', '2030-12-05 12:00', '20301205', '12/5/30', '5 Dec 2030', 'Dec-5', '1-2', '2030-W49', '2030-12', 'SEPT2', '12:30', '12:30 PM', 'noon', 'today', 'now', 'Monday', 'May', 'P1D', '1970-01-01', '0000-00-00', '2030-02-30', '1-Jan', '10:20:30.5', '1733356800'),
  'a version, a telephone number or an address': bare('1.0.0', 'v2.0', '+49 30 123456', '10.0.0.1', '::1', '1.2.3.4.5', '007-123', '555-0100', 'a@example.com', '@rex', '#rex', '1.10.0-rc.1', 'localhost', '12345-6789', 'http://', 'x:y', '{}'.repeat(2)),
  'an id of a database, or as long as one': bare('507f1f77bcf86cd799439011', 'Mr. Whiskers', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'UGV0OjM=', 'pet_1', 'pets/1'),
  'what editors and filters replace': around(['', ' (c) (r) (tm) -> => +- 1/2 << >> --- "q"'], ['', ' a@example.com +49 30 1234567 4111 1111 1111 1111'], ['', ` e${'\u0301'.repeat(40)}`], ['', ' https://example.com www.example.com *b* _i_ ~~s~~ # h'], ['', ' 12:00 01/02/2030 $5 10 km 5\' 6"']),
  'a reserved file name': bare('con', 'NUL', 'prn', 'aux', 'com1', 'lpt1', 'CON.txt', 'nul.json', 'COM9', 'desktop.ini', '.git', '.env', 'index.html', 'rex.exe', 'thumbs.db', 'a/', './', 'rex.json', 'pet.php'),
  'an innocent word that filters find something in': around(['Scunthorpe ', ''], ['', ' the cock, the ass, a tit, a booby and a bitch'], ['', ' Dick Cockburn'], ['Essex Sussex Middlesex ', ' analyst'], ['Penistone Cumming Shitake ', ' Titus grape therapist cocktail'], ['assassin class Hancock ', ' Lightwater specialist Cialis free'], ['kill die bomb hell damn ', ''], ['', ' bitch pussy cock ass tit booby']),
  'a word of administrators': bare('demo', 'system', 'deleted', 'hidden', 'all', 'any', 'Test', 'ADMIN', 'everyone', 'anonymous', 'guest', 'default', 'new', 'none.', 'example', 'sample', 'dummy', 'tmp', 'me', 'self', 'search', 'count', 'first', 'last', 'latest', 'temp', 'private', 'archived', 'self.', 'public', 'limit', 'offset'),
  'a mark that is not seen': throughout('\u00ad\u200c', '\u2060\ufeff\u034f', '\u180e\u115f\u3164', '\u2061\u2063\ufe0f', '\u200e\u061c\u206a', '\u17b4\uffa0\u2800', '\u{e0100}\u{e0020}\u{1d173}\u{1bca0}\ufff9'),
  'a mark alone that is not seen': bare('\u00ad', '\u200b', '\ufeff', '\u2060', '\u200d', '\u3164', '\u2800', '\u200e', '\u180e', '\ufe0f', '\u115f', '\u034f', '\u{e0020}', '\u2028', '\u2003\u2003', '\u0301'),
  'one letter of a script': bare('ß', 'Ω', 'Ж', 'ש', 'ع', 'अ', 'ก', 'あ', '한', '𠮷', 'İ', 'ı', 'ა', 'Ա', 'অ', 'த', 'አ', 'Ꭰ', 'ᠠ', 'ꦲ', '𐤀', '𓀀', 'ﷺ', 'ĳ', 'ﬃ', 'ẞ', 'ſ', '😀', '\ufffd', '\ue000', '\ufdd0', '\u{10ffff}'),
  'a number behind it': around(['', ' (2)'], ['', ' #2'], ['', ' - copy'], ['', ' [3]'], ['', ' 2'], ['', ', Jr.'], ['', ' (1) (2)']),
  'many words': around(['a b '.repeat(35), ''], ['one two three. ', '. Four! Five? '.repeat(10)], ['x\u00a0y '.repeat(35), 'z']),
  'digits alone': bare('2', '10', '99', '404', '12345', '00000', '4111111111111111', '2147483648', '18446744073709551616', '9'.repeat(100)),
  'punctuation alone': bare('!', '???', '...', '$', '@', '()', '[ ]', '|', '^', '`', '+', '=', ':', '::', '<>', '&&', '||', '!=', '/*', '*/', '--;', '{{}}', '%%', '$$', '<!--', '\\0', '“”', '…', '—', '¿', '†', '。', '-'.repeat(20), '**'),
  'a letter at either end': around(['x', 'x'], ['(', ')'], ['#', '#'], ['&', ';'], ['<', '>'], ['"', ''], ['', "'"], ['\\', ''], ['', '\\'], ['$', '$'], ['%', '%'], ['-', '-'], ['/', '/'], [':', ':'], [',', ','], [';', ';'], ['@', '@'], ['!', '!'], ['|', '|'], ['~', '~'], ['`', '`'], ['{', '}'], ['[', ']'], ['_', '_'], ['*', '*'], ['?', '?'], ['=', '='], ['+', '+'], ['^', '^'], ['0', '0']),
}; // biome-ignore format: one table

/** Names of which each differs from the first in one thing that some stacks overlook. */
export const NEARLY_EQUAL_NAMES: readonly {
  readonly first: NameTemplate;
  /** By that thing. */
  readonly others: Readonly<Record<string, NameTemplate>>;
}[] = [
  {
    first: '%plain% caf\u00e9 rex か🐶',
    others: {
      'letter case': '%plain% caf\u00e9 REX か🐶',
      'an accent': '%plain% cafe rex か🐶',
      normalisation: '%plain% cafe\u0301 rex か🐶',
      'a blank at the end': '%plain% caf\u00e9 rex か🐶 ',
      'a mark without width': '%plain% caf\u00e9 r\u200bex か🐶',
      'another emoji': '%plain% caf\u00e9 rex か🐱',
      'another kana': '%plain% caf\u00e9 rex カ🐶',
    },
  },
  {
    // Only all of their letters distinguish them, wherever a service cuts a name to look it up.
    first: { length: LONGEST_CERTAIN_NAME, filling: 'n', end: 'a' },
    others: { 'the last of 1,000 characters': { length: LONGEST_CERTAIN_NAME, filling: 'n', end: 'b' } },
  },
];

/** A name of which the specification does not say whether it is accepted. */
export interface OpenName {
  readonly label: string;
  readonly name: NameTemplate;
  /** Whether it holds a lone surrogate, which UTF-8 cannot encode: it may come back changed. */
  readonly lossy: boolean;
}

const opened = (names: Readonly<Record<string, NameTemplate>>): readonly OpenName[] =>
  Object.entries(names).map(([label, name]) => ({ label, name, lossy: /\p{Cs}/u.test(nameFrom(name, 'x')) }));

/** Very long names of that kind. */
export const LONG_NAMES = opened({
  'a name of 20,000 characters': { length: 20_000, filling: '日' },
  'a name of 100,000 characters': { length: 100_000, filling: 'n' },
});

/** The others that are sent. */
export const OPEN_NAMES = opened({
  'an empty name': '',
  'a NUL in the name': '%plain%\u0000b',
  'a NUL at the end of the name': '%plain%\u0000',
  'line ends in the name': '%plain%\nb\r\nc',
  'a tab before the name, a line end after it': '\t%plain%\n',
  'other control characters in the name': '\u0001%plain%\u0007\u000b\u001b[31mred \b\f\u001f \u007f\u0085b',
  'a name of 1,001 characters': { length: 1_001, filling: 'n' },
  'a lone high surrogate in the name': '%plain%\ud83db',
  'surrogates in the wrong order in the name': '%plain%\ude00\ud83d',
});
