/** What is wrong with an invalid body, in the words of a headline, such as "a `categoryId` that is a string". */

import { scanJson } from '../contract/json-scanner.ts';

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
export function syntaxDefect(text: string): string {
  const at = scanJson(text);
  if (typeof at !== 'number') return 'a body that is not JSON';
  const [before, there] = [text.slice(0, at), text.slice(at)];
  if (there !== '' && typeof scanJson(before) !== 'number') return 'text after the JSON body';
  const [, , says] = SYNTAX.find(([left, right]) => left.test(before) && right.test(there)) ?? [];
  const [word] = FOREIGN.exec(there) ?? [];
  return says ?? (word === undefined ? 'a body that is not JSON' : `\`${word}\`, which is not JSON`);
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

/** @param text JSON, but no object */
export const notObjectDefect = (text: string): string => `${typeOf(text.trim())} in place of an object`;

export const missingDefect = (missing: readonly string[]): string =>
  `a body without ${missing.map((name) => `\`${name}\``).join(' and ')}`;

/** @param written the value as it is written @param wanted the type that it has to be of */
export function memberDefect(name: string, written: string, wanted: 'a string' | 'an integer'): string {
  const type = typeOf(written);
  const isNumber = type === 'an integer' || type === 'a number';
  if (type !== wanted) {
    const is = !isNumber ? type : wanted === 'an integer' ? 'no integer' : 'a number';
    return `a \`${name}\` that is ${is}`;
  }
  return wanted === 'an integer' ? `a \`${name}\` beyond int64` : `an unknown \`${name}\``;
}
