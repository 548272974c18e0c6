/** What is wrong with an invalid body, in the words of a headline, such as "a `categoryId` that is a string". */

import { scanJson, spanAt } from '../contract/json-scanner.ts';
import { readWritten } from '../contract/written-json.ts';
import { REQUIRED } from './members.ts';
import type { PartReading } from './reading-part.ts';

interface Defect {
  readonly says: string;
  /** Where it stands in the text of the body: its first UTF-16 unit, and the one after its last. */
  readonly at?: { readonly from: number; readonly to: number } | undefined;
}

/** By the requirement that a body violates. */
const DEFECTS: Readonly<Record<string, (text: string) => Defect>> = {
  'CREATE-2': missingDefect,
  'CREATE-3': () => ({ says: 'an empty body' }),
  'CREATE-4': syntaxDefect,
  'CREATE-5': (text) => memberDefect(text, 'name', 'a string'),
  'CREATE-6': (text) => memberDefect(text, 'categoryId', 'an integer'),
  'CREATE-7': (text) => memberDefect(text, 'status', 'a string'),
  'CREATE-8': (text) => ({ says: `${typeOf(text.trim())} in place of an object` }),
};

/** What is wrong with a body; undefined if nothing is. Only what is shown is read for this, as it takes longer than all the rest. */
export const defectIn = (body: Uint8Array | undefined, reading: PartReading | undefined): Defect | undefined =>
  reading?.kind === 'invalid' ? DEFECTS[reading.requirement]?.(Buffer.from(body ?? []).toString('utf8')) : undefined;

/** By what stands before the place where a text stops being JSON, and there. */
// biome-ignore format: one table
const SYNTAX: readonly (readonly [before: RegExp, there: RegExp, says: string])[] = [
  [/^\s*$/, /^$/, 'a body of blanks'],
  [/(?:)/, /^$/, 'JSON that is cut off'],
  [/(?:)/, /^\/[/*]/, 'a comment in JSON'],
  [/,\s*$/, /^[}\]]/, 'a trailing comma in JSON'],
  [/[,[{:]\s*$/, /^,/, 'a comma too many in JSON'],
  [/(?:)/, /^'/, 'single quotes in JSON'],
  [/(?:^|[^\d.])-?0$/, /^\d/, 'a number with a leading zero'],
  [/(?:)/, /^0x/i, 'a hexadecimal number'],
  [/0$/, /^x/i, 'a hexadecimal number'],
  [/[{,]\s*$/, /^[\w$]+\s*:/, 'a name without quotes in JSON'],
  [/(?:)/, /^[+.]/, 'a number that JSON does not have'],
  [/\d$/, /^[._e]/i, 'a number that JSON does not have'],
  [/(?:)/, /^\\/, 'an escape that JSON does not have'],
  [/(?:)/, /^[\x00-\x1f]/, 'a control character in JSON'],
];

/** What other languages write, and JSON does not have. */
const FOREIGN = /^-?(?:NaN|nan|Infinity|undefined|True|False|None|TRUE|FALSE|NULL|nil)\b/;

/** @param text not JSON */
export function syntaxDefect(text: string): Defect {
  const from = scanJson(text);
  if (typeof from !== 'number') return { says: 'a body that is not JSON' };
  const [before, there] = [text.slice(0, from), text.slice(from)];
  const [, , says] = SYNTAX.find(([left, right]) => left.test(before) && right.test(there)) ?? [];
  const [word] = FOREIGN.exec(there) ?? [];
  const isAfter = there !== '' && typeof scanJson(before) !== 'number';
  const at = there === '' ? undefined : { from, to: isAfter ? text.length : from + (word?.length ?? 1) };
  if (isAfter) return { says: 'text after the JSON body', at };
  return { says: says ?? (word === undefined ? 'a body that is not JSON' : `\`${word}\`, which is not JSON`), at };
}

const TYPES: readonly (readonly [begins: RegExp, says: string])[] = [
  [/^"/, 'a string'],
  [/^\{/, 'an object'],
  [/^\[/, 'an array'],
  [/^[tf]/, 'a boolean'],
  [/^n/, 'null'],
  [/^-?\d+$/, 'an integer'],
  [/^-?\d/, 'a number'],
];

/** The type of a value, as it is written. */
const typeOf = (written: string): string => TYPES.find(([begins]) => begins.test(written))?.[1] ?? 'no value';

function missingDefect(text: string): Defect {
  const given = [...(readWritten(text).members?.keys() ?? [])];
  const missing = REQUIRED.filter((name) => !given.includes(name));
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' and ');
  const similar = given.filter((one) => missing.some((name) => name.toLowerCase() === one.toLowerCase()));
  return {
    says:
      similar.length > 0 ? `${quoted(similar)} in place of ${quoted(missing)}` : `a body without ${quoted(missing)}`,
  };
}

/** @param text JSON with a member that is wrong @param wanted the type that it has to be of */
function memberDefect(text: string, name: string, wanted: 'a string' | 'an integer'): Defect {
  const span = scanJson(text);
  const at = typeof span === 'number' ? undefined : spanAt(span, `/${name}`);
  const written = text.slice(at?.from, at?.to);
  const says =
    written === '""' && wanted === 'a string' ? `an empty \`${name}\`` : sentenceOf(name, typeOf(written), wanted);
  return { says, at };
}

function sentenceOf(name: string, type: string, wanted: 'a string' | 'an integer'): string {
  if (type === wanted) return wanted === 'an integer' ? `a \`${name}\` beyond int64` : `an unknown \`${name}\``;
  const isNumber = type === 'an integer' || type === 'a number';
  if (!isNumber) return `a \`${name}\` that is ${type}`;
  return `a \`${name}\` that is ${wanted === 'an integer' ? 'no integer' : 'a number'}`;
}
