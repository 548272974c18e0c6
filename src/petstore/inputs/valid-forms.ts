import type { LevelTable } from '../../engine/request-space.ts';
import { JSON_TYPE, membersOf, type NewPet } from './body.ts';
import { VERY_LONG } from './sizes.ts';

type Member = keyof NewPet;

/** White space where JSON allows it. */
export interface Spacing {
  /** Before and after the whole text. */
  readonly outside?: string;
  /** After the opening brace and after each comma. */
  readonly beforeName?: string;
  /** Around each colon. */
  readonly aroundColon?: string;
  /** Before each comma and the closing brace. */
  readonly afterValue?: string;
}

/** How letters are written; as they are where nothing is said. */
export interface Escapes {
  readonly name?: (json: string) => string;
  readonly memberNames?: (json: string) => string;
  readonly status?: (json: string) => string;
}

/** How a body is written: all of it means the same. */
export interface Writing {
  readonly order: readonly Member[];
  readonly spacing: Spacing;
  readonly escapes: Escapes;
  readonly contentType: string;
}

const unit = (letter: string, hex: (digits: string) => string): string =>
  `\\u${hex(letter.charCodeAt(0).toString(16).padStart(4, '0'))}`;
const lower = (digits: string): string => digits;
const upper = (digits: string): string => digits.toUpperCase();

/** Every UTF-16 unit of a string in its escape. */
const everyLetter = (hex: (digits: string) => string) => (json: string) => {
  const text: string = JSON.parse(json);
  return `"${text.split('').map((letter) => unit(letter, hex)).join('')}"`; // biome-ignore format: one line
};

const firstLetter = (json: string): string =>
  json.replace(/^"([A-Za-z])/, (_, letter: string) => `"${unit(letter, lower)}`);
const beyondAscii = (json: string): string => json.replace(/[^\x20-\x7e]/g, (letter) => unit(letter, lower));
const shortEscapes = (json: string): string =>
  json.replaceAll('/', '\\/').replaceAll('\\\\', '\\u005c').replaceAll('\\"', '\\u0022');
const someLetters = (json: string): string => json.replace(/[aeiou]/g, (letter) => unit(letter, upper));

export const ORDERS: LevelTable<readonly Member[]> = {
  'as usual': { examples: [['name', 'categoryId', 'status']] },
  'the categoryId first': { examples: [['categoryId', 'name', 'status'], ['categoryId', 'status', 'name']] },
  'the status first': { examples: [['status', 'categoryId', 'name'], ['status', 'name', 'categoryId']] },
  'the categoryId last': { examples: [['name', 'status', 'categoryId']] },
}; // biome-ignore format: one table

export const SPACING: LevelTable<Spacing> = {
  'no white space': { examples: [{}] },
  'blanks between the parts': { examples: [{ beforeName: ' ', aroundColon: ' ', afterValue: ' ' }] },
  'spread over lines': {
    examples: [
      { outside: '\n', beforeName: '\n  ', afterValue: '\n' },
      { outside: '\r\n', beforeName: '\r\n\t', aroundColon: ' ' },
      { outside: '\r', beforeName: '\r', afterValue: '\r' },
    ],
  },
  'white space around everything': {
    examples: [{ outside: ' \r\n\t ', beforeName: '\t', aroundColon: ' \n ', afterValue: '\r\n' }],
  },
  'white space before and after': { examples: [{ outside: '\n\n' }, { outside: ' ' }, { outside: '\t' }] },
  'much white space': {
    examples: [
      { outside: ' '.repeat(20_000) },
      { beforeName: '\n'.repeat(5_000) },
      { aroundColon: '\t '.repeat(2_500) },
      { outside: '\r\n'.repeat(VERY_LONG / 4), beforeName: ' '.repeat(VERY_LONG / 2) },
    ],
  },
};

export const ESCAPES: LevelTable<Escapes> = {
  'no escapes': { examples: [{}] },
  'the name written in escapes': { examples: [{ name: everyLetter(lower) }, { name: everyLetter(upper) }, { name: someLetters }] },
  'the member names written in escapes': { examples: [{ memberNames: everyLetter(lower) }, { memberNames: firstLetter }] },
  'the status written in escapes': { examples: [{ status: everyLetter(lower) }, { status: firstLetter }] },
  'what is not ASCII written in escapes': { examples: [{ name: beyondAscii }] },
  'slashes and quotes written in escapes': { examples: [{ name: shortEscapes }] },
  'everything written in escapes': {
    examples: [{ name: everyLetter(upper), memberNames: everyLetter(upper), status: everyLetter(upper) }],
  },
}; // biome-ignore format: one table

/** The media type of JSON, with a charset parameter in every permitted form. */
export const MEDIA_TYPES: LevelTable<string> = {
  'no charset parameter': { examples: [JSON_TYPE] },
  'a charset parameter': { examples: [`${JSON_TYPE}; charset=utf-8`] },
  'a charset parameter without a blank': { examples: [`${JSON_TYPE};charset=utf-8`, `${JSON_TYPE};charset="utf-8"`] },
  'a charset parameter in upper case': { examples: [`${JSON_TYPE}; charset=UTF-8`, `${JSON_TYPE};charset=UTF-8`] },
  'a charset parameter with capitals': { examples: [`${JSON_TYPE}; Charset=Utf-8`, `${JSON_TYPE}; CHARSET=UTF-8`] },
  'a charset parameter in quotes': { examples: [`${JSON_TYPE}; charset="utf-8"`, `${JSON_TYPE}; charset="UTF-8"`] },
  'a charset parameter between blanks': { examples: [`${JSON_TYPE} ; charset=utf-8`, `${JSON_TYPE};  charset=utf-8`] },
};

/** The body that adds `pet`, written like this. */
export function writtenAs(pet: NewPet, { order, spacing, escapes }: Writing): string {
  const { outside = '', beforeName = '', aroundColon = '', afterValue = '' } = spacing;
  const { memberNames = (json) => json, name = (json) => json, status = (json) => json } = escapes;
  const members = membersOf(pet);
  const values = { ...members, name: name(members.name), status: members.status && status(members.status) };
  const parts = order.flatMap((member) => {
    const value = values[member];
    const written = `${beforeName}${memberNames(JSON.stringify(member))}${aroundColon}:${aroundColon}${value}${afterValue}`;
    return value === undefined ? [] : [written];
  });
  return `${outside}{${parts.join(',')}}${outside}`;
}
