import type { LevelTable } from '../../engine/request-space.ts';
import { JSON_TYPE, membersOf, type NewPet } from './body.ts';
import { VERY_LONG } from './sizes.ts';
import { type Members, nameIn, objectOf } from './template.ts';

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

/** Which letters of a text are written in escapes. */
type Escape =
  | 'every letter'
  | 'every letter, in capitals'
  | 'the first letter'
  | 'small letters'
  | 'vowels, in capitals'
  | 'beyond ASCII'
  | 'slashes and quotes';

/** How letters are written; as they are where nothing is said. */
type Escapes = Readonly<Partial<Record<'name' | 'memberNames' | 'status', Escape>>>;

/** How a body is written: all of it means the same. */
export interface Writing {
  readonly order: readonly Member[];
  readonly spacing: Spacing;
  readonly escapes: Escapes;
  readonly contentType: string;
}

const unit = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const capitals = (letter: string): string => `\\u${unit(letter).slice(2).toUpperCase()}`;
/** Every UTF-16 unit of a string. */
const everyUnit = (json: string, write: (letter: string) => string): string =>
  `"${nameIn(json).split('').map(write).join('')}"`;

const ESCAPED: Readonly<Record<Escape, (json: string) => string>> = {
  'every letter': (json) => everyUnit(json, unit),
  'every letter, in capitals': (json) => everyUnit(json, capitals),
  'the first letter': (json) => json.replace(/(?<=^")[A-Za-z]/, unit),
  'small letters': (json) => json.replace(/[a-z]/g, unit),
  'vowels, in capitals': (json) => json.replace(/[aeiou]/g, capitals),
  'beyond ASCII': (json) => json.replace(/[^\x20-\x7e]/g, unit),
  'slashes and quotes': (json) => json.replaceAll('/', '\\/').replaceAll('\\\\', '\\u005c').replaceAll('\\"', '\\u0022'),
}; // biome-ignore format: one table

const USUAL_ORDER: readonly Member[] = ['name', 'categoryId', 'status'];

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
  'the name written in escapes': { examples: [{ name: 'every letter' }, { name: 'every letter, in capitals' }, { name: 'vowels, in capitals' }] },
  'the member names written in escapes': { examples: [{ memberNames: 'every letter' }, { memberNames: 'the first letter' }] },
  'the status written in escapes': { examples: [{ status: 'every letter' }, { status: 'the first letter' }] },
  'what is not ASCII written in escapes': { examples: [{ name: 'beyond ASCII' }] },
  'slashes and quotes written in escapes': { examples: [{ name: 'slashes and quotes' }] },
  'everything written in escapes': {
    examples: [{ name: 'every letter, in capitals', memberNames: 'every letter, in capitals', status: 'every letter, in capitals' }],
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
  'a charset parameter after blanks': { examples: [`${JSON_TYPE};  charset=utf-8`] },
};

/** The members of the body that adds `pet`, written like this; in the usual way where nothing is said. */
export function writtenMembers(pet: NewPet, { order, spacing = {}, escapes = {} }: Partial<Writing> = {}): Members {
  const { beforeName = '', aroundColon = '', afterValue = '' } = spacing;
  const escaped = (json: string, how: Escape | undefined): string => (how === undefined ? json : ESCAPED[how](json));
  const { name, categoryId, status } = membersOf(pet);
  const values = { name: escaped(name, escapes.name), categoryId, status: status && escaped(status, escapes.status) };
  return (order ?? USUAL_ORDER).flatMap((member) => {
    const [key, value] = [escaped(JSON.stringify(member), escapes.memberNames), values[member]];
    if (value === undefined) return [];
    return [[`${beforeName}${key}${aroundColon}`, `${aroundColon}${value}${afterValue}`] as const];
  });
}

/** The body that adds `pet`, written like this. */
export function writtenAs(pet: NewPet, writing: Writing): string {
  const { outside = '' } = writing.spacing;
  return `${outside}${objectOf(writtenMembers(pet, writing))}${outside}`;
}
