/** Bodies that are missing (CREATE-3), or not JSON (CREATE-4). */
import { described, type Row, type Rows } from './defects.ts';
import { DEEP_ARRAY, LONG_EXPONENT, MANY_DIGITS, MANY_MEMBERS, nested, VERY_DEEP, VERY_LONG } from './sizes.ts';
import { inside } from './template.ts';

export const NO_BODY: Readonly<Record<string, Rows>> = {
  'no body': {
    sendsAll: true,
    rows: [
      ['no body', undefined],
      ['an empty body', ''],
    ],
  },
};

/** Each of the texts, which are not JSON, as the categoryId. */
const asCategory = (...texts: readonly string[]): readonly Row[] =>
  texts.map((text) => [`the categoryId written ${text}`, '{%members%}', { categoryId: text }]);

/** Each of the texts, which are not JSON, as the value of a member that NewPet does not have. */
const asUnknown = (...texts: readonly string[]): readonly Row[] =>
  texts.map((text) => [`an unknown member written ${described(text)}`, '{%members%}', { x: text }]);

/** Inside of the object, before its members. */
const spaces = (...spaces: readonly string[]): readonly Row[] =>
  spaces.map((space) => [`U+${hex(space)} for white space`, `{${space}%members%}`]);

const hex = (letter: string): string => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/**
 * In another order, so that what is always sent as the categoryId and what is always sent in an unknown member have only
 * the first in common.
 */
const othersFirst = (texts: readonly string[]): readonly string[] => [
  ...texts.slice(0, 1),
  ...texts.slice(4),
  ...texts.slice(1, 4),
];

const NUMBERS = ['01', '+1', '1.', '.5', '-01', '1e', '--1', '00', '1.e2', '1.2.3', '1e+', '-', '1e2.5', '+0']; // biome-ignore format: one list
const FOREIGN_NUMBERS = ['0x1', '1_000', '1n', '1L', '0b1', '١', '1,5', '1 000', '１', '1f'];
const WORDS = [
  'NaN', 'True', 'undefined', 'Infinity', 'None', 'nil', 'Null', 'NULL', '-Infinity', 'TRUE', 'False', 'yes', 'nan', 'sold', 'void 0', 'new Date()', '$1', 'tru',
]; // biome-ignore format: one list
const STRINGS = [
  '"\\u00g1"', '"\n"', '"\\x52"', '"\\u12"', '"\u0000"', '"\\\'"', '"\\u{52}"', '"a', "'a'", '"\\a"', '"\t"', '"\\0"', '"\\U0041"', '"a""b"', '`a`', '"\u001f"', '"\\v"', '"\\u00zz"',
]; // biome-ignore format: one list

export const MALFORMED: Readonly<Record<string, Rows>> = {
  'a brace too few or too many': {
    rows: [
      ['the closing brace is missing', '{%members%'],
      ['a bracket for the closing brace', '{%members%]'],
      ['the opening brace is missing', '%members%}'],
      ['an extra closing brace', '{%members%}}'],
      ['an extra opening brace', '{{%members%}'],
      ['only an opening brace', '{'],
      ['parentheses for braces', '(%members%)'],
    ],
  },
  'cut off': {
    rows: [
      ['cut in the middle', '%half an object%'],
      ['cut before the last brace and its value', '{%members to the last colon%'],
      ['cut inside the name', '{"categoryId":1,"name":"%letters but three%'],
      ['cut after a comma', '{%members%,'],
      ['cut after a member name', '{%members%,"x"'],
      ['cut inside true', '{%members%,"x":tru'],
    ],
  },
  'misplaced commas': {
    rows: [
      ['a comma after the last member', '{%members%,}'],
      ['a comma before the first member', '{,%members%}'],
      ['two commas between members', '{%members name:value joined by ,,%}'],
      ['no comma between members', '{%members name:value joined by  %}'],
      ['semicolons for commas', '{%members name:value joined by ;%}'],
      ['a comma after the object', '{%members%},'],
      ['a comma in an empty array', '{%members%}', { x: '[,]' }],
      ['a comma at the end of an array', '{%members%}', { x: '[1,]' }],
      ['no comma in an array', '{%members%}', { x: '["a" "b"]' }],
    ],
  },
  'misplaced colons': {
    rows: [
      ['no colon after a name', '{%members name value joined by ,%}'],
      ['an equals sign for a colon', '{%members name=value joined by ,%}'],
      ['an arrow for a colon', '{%members name => value joined by ,%}'],
      ['two colons', '{%members name::value joined by ,%}'],
      ['a member without a value', '{%members%,"x":}'],
      ['a member without a name', '{%members%,:1}'],
      ['a name without a value', '{%members%,"x"}'],
      ['a number for a member name', '{%members%,1:1}'],
    ],
  },
  'misplaced quotes': {
    rows: [
      ['names without quotes', '{%members bare:value joined by ,%}'],
      ['single quotes', "{%members 'bare':value joined by ,%}"],
      ['a string that is not closed', '{"categoryId":1,"name":"%letters%}'],
      ['typographic quotes', '{%members “bare”:value joined by ,%}'],
      ['a name without quotes', '{%members%}', { name: 'Rex%letters%' }],
      ['a name in single quotes', '{%members%}', { name: "'Rex'" }],
      ['quotes inside a string', '{%members%}', { name: '"%letters%"x"' }],
      ['backticks', '{%members `bare`:value joined by ,%}'],
    ],
  },
  'a comment': {
    rows: [
      ['a comment', '{/* a pet */%members%}'],
      ['a line comment', '{%members%}// a pet'],
      ['a line comment inside', '{// a pet\n%members%}'],
      ['a comment with a hash', '# a pet\n{%members%}'],
      ['a comment at the end', '{%members%} /* a pet */'],
      ['a comment before a value', '{%members%}', { categoryId: '/**/1' }],
      ['a comment of HTML', '<!-- -->{%members%}'],
    ],
  },
  'more than one value': {
    rows: [
      ['two values one after the other', '{%members%}{%members%}'],
      ['two values on two lines', '{%members%}\n{%members%}\n'],
      ['a number after the value', '{%members%} 1'],
      ['an empty object after the value', '{%members%}{}'],
      ['null after the value', '{%members%} null'],
      ['an array after the value', '{%members%}[]'],
      ['a value before the object', '1 {%members%}'],
    ],
  },
  'text before or after': {
    rows: [
      ['text after the value and 2,000 blanks', `{%members%}${' '.repeat(2_000)}x`],
      ['a NUL after the value', '{%members%}\u0000'],
      ['text before the value', 'x{%members%}'],
      ['a guard before the value', ")]}',\n{%members%}"],
      ['a call of a function', 'callback({%members%});'],
      ['a semicolon after the value', '{%members%};'],
      ['a record separator before the value', '\u001e{%members%}'],
      ['an equals sign before the value', 'pet={%members%}'],
    ],
  },
  'a raw control character in a string': {
    rows: [
      ['a raw tab in a string', '{%members%}', { name: '"%letters%\t"' }],
      ['a raw control character in a string', '{%members%}', { name: '"%letters%\u0001"' }],
      ['a raw line feed in a string', '{%members%}', { name: '"%letters%\n"' }],
      ['a raw NUL in a string', '{%members%}', { name: '"%letters%\u0000"' }],
      ['a raw carriage return in a string', '{%members%}', { name: '"%letters%\r"' }],
      ['a raw U+001F in a string', '{%members%}', { name: '"%letters%\u001f"' }],
      ['a raw backspace in a string', '{%members%}', { name: '"%letters%\b"' }],
      ['a raw line feed in the status', '{%members%}', { status: '"sold\n"' }],
      ['a raw tab in a member name', '{%members%,"x\t":1}'],
    ],
  },
  'an escape that JSON does not have': {
    rows: [
      ['an escaped single quote', '{%members%}', { name: `"%letters%\\'"` }],
      ['an escape that JSON does not have', '{%members%}', { name: '"%letters%\\x52"' }],
      ['an incomplete unicode escape', '{%members%}', { name: '"%letters% \\u12"' }],
      ['an escape in braces', '{%members%}', { name: '"%letters%\\u{52}"' }],
      ['an octal escape', '{%members%}', { name: '"%letters%\\0"' }],
      ['an escape of eight digits', '{%members%}', { name: '"%letters%\\U00000052"' }],
      ['an escape that is not hexadecimal', '{%members%}', { name: '"%letters%\\u00g1"' }],
      ['an escaped line end', '{%members%}', { name: '"%letters%\\\n"' }],
      ['an escaped letter', '{%members%}', { name: '"%letters%\\a"' }],
      ['an escaped vertical tab', '{%members%}', { name: '"%letters%\\v"' }],
      ['an escape that JSON does not have in a member name', '{%members%,"\\x78":1}'],
    ],
  },
  'a malformed number': { rows: asCategory(...NUMBERS) },
  'a number as other languages write it': { rows: asCategory(...FOREIGN_NUMBERS) },
  'a word that JSON does not have': { rows: asCategory(...WORDS) },
  'a malformed number in an unknown member': { rows: asUnknown(...othersFirst(NUMBERS)) },
  'a number as other languages write it in an unknown member': { rows: asUnknown(...othersFirst(FOREIGN_NUMBERS)) },
  'a word that JSON does not have in an unknown member': { rows: asUnknown(...othersFirst(WORDS)) },
  'a literal in other letter case in an unknown member': { rows: asUnknown('True', 'NULL', 'FALSE', 'Null', 'TRUE', 'False', 'nUll') },
  'a malformed string in an unknown member': { rows: asUnknown(...STRINGS) },
  'malformed deep inside an unknown member': {
    rows: [
      ['a malformed number in an array', '{%members%}', { x: '[1,01]' }],
      ['a malformed number in an object', '{%members%}', { x: '{"a":{"b":+1}}' }],
      ['NaN in an array', '{%members%}', { x: '[[NaN]]' }],
      ['a raw line feed in a name inside', '{%members%}', { x: '{"a\n":1}' }],
      ['a comma too many inside', '{%members%}', { x: '{"a":[{"b":1,}]}' }],
      ['an object closed by a bracket', '{%members%}', { x: '{"a":1]' }],
      ['a comment inside', '{%members%}', { x: '[/* none */]' }],
      ['a name without quotes inside', '{%members%}', { x: '{a:1}' }],
    ],
  },
  'white space that JSON does not have': {
    rows: [
      ...spaces('\u00a0'),
      ['U+000B around the value', '\u000b{%members%}\u000b'],
      ...spaces('\u000b', '\f', '\u2028', '\u3000', '\u0085', '\u200b', '\u2003'),
      ['a byte order mark between members', '{\ufeff%members%}'],
      ['a no-break space after the value', '{%members%}\u00a0'],
    ],
  },
  'another format': {
    rows: [
      ['a form instead of JSON', 'name=%text in a form%&categoryId=1'],
      ['XML instead of JSON', '<pet><name>%text%</name><categoryId>1</categoryId></pet>'],
      ['YAML instead of JSON', 'name: "%letters%"\ncategoryId: 1\n'],
      ['YAML in one line instead of JSON', '{name: "%letters%", categoryId: 1}'],
      ['plain text', 'Rex %text%'],
      ['TOML instead of JSON', 'name = "%letters%"\ncategoryId = 1\n'],
      ['CSV instead of JSON', 'name,categoryId\n"%letters%",1\n'],
      ['a literal of Python', `{'name': "%letters%", 'categoryId': 1, 'status': None}`],
      ['parts of a form', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n%text%\r\n--x--\r\n'],
    ],
  },
  'white space or a mark alone': {
    rows: [
      ['only white space', ' \n\t '],
      ['only a comma', ','],
      ['only a quote', '"'],
      ['only a bracket', '['],
      ['only a NUL', '\u0000'],
      ['only closing brackets', '}]'],
      ['only a minus sign', '-'],
    ],
  },
  'deep and unfinished': {
    sendsAll: true,
    rows: [
      ['100,000 brackets that are not closed', '['.repeat(VERY_LONG)],
      ['10,000 objects that are not closed', '{"a":'.repeat(VERY_DEEP)],
      ['an unknown member 10,000 deep and not closed', `{%members%,"x":${'['.repeat(VERY_DEEP)}}`],
      ['10,000 closing braces too many', `{%members%}${'}'.repeat(VERY_DEEP)}`],
      ['a name 10,000 deep and one bracket short', '{%members%}', { name: DEEP_ARRAY.slice(1) }],
    ],
  },
  'long and malformed': {
    sendsAll: true,
    rows: [
      ['100,000 blanks alone', ' '.repeat(VERY_LONG)],
      ['a number of 5,000 digits that begins with zero', '{%members%}', { categoryId: `0${MANY_DIGITS}` }],
      ['a malformed end after 100,000 blanks', `{%members%${' '.repeat(VERY_LONG)},}`],
      ['a comma too many after 1,000 unknown members', `{%members%,${inside(MANY_MEMBERS)},}`],
      ['1 MiB that is not closed', '{%members%%blanks up to 1 MiB%'],
    ],
  },
  'long and malformed in an unknown member': {
    sendsAll: true,
    rows: [
      ['an unknown member with 5,000 digits and two points', '{%members%}', { x: `1.${MANY_DIGITS}.1` }],
      ['an unknown member with an exponent of five digits and a point', '{%members%}', { x: `${LONG_EXPONENT}.5` }],
      ['a raw line feed after 100,000 characters of an unknown member', '{%members%}', { x: `"${'x'.repeat(VERY_LONG)}\n"` }],
      ['an unknown member 500 deep and one bracket short', '{%members%}', { x: nested(500).slice(1) }],
      ['a word that JSON does not have 500 deep', '{%members%}', { x: nested(500, '[', ']', 'NaN') }],
    ],
  },
}; // biome-ignore format: one table
