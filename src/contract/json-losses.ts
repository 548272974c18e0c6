import { isDeepStrictEqual } from 'node:util';
import { parse as parseLossless } from 'lossless-json';
import { readNumberLiteral } from './exact-integer.ts';
import { childPointer } from './json-pointer.ts';

/** What `JSON.parse` loses of a text that it accepts. */
export interface JsonLosses {
  /** The integers beyond ±(2^53 - 1) by their JSON pointer. One outside the range of a double is left out. */
  readonly exact: ReadonlyMap<string, bigint>;
  /** Pointers of numbers that are written with a fraction although the double nearest to them has none. */
  readonly fractions: ReadonlySet<string>;
  /** Whether an object has a member more than once. */
  readonly repeatsMembers: boolean;
  /** The first member that an object has again with a different value, and its position (0-based). */
  readonly contradiction: { readonly member: string; readonly position: number } | undefined;
}

/** An array or object whose end has not been reached. */
interface Container {
  /** The index or name of the current value. */
  key: number | string;
  /** Where the name of the current member begins. */
  memberStart: number;
  /** Where the current value begins; undefined in an object while a name is expected. */
  valueStart: number | undefined;
  /** The members of an object so far, as written; undefined for an array. */
  readonly members: Map<string, string> | undefined;
}

/** No member that is looked at is deeper than this, so pointers of what is deeper are not needed. */
const DEEPEST = 100;

/** Only a number with 16 digits or more, or with an exponent, may be one that a double does not hold. */
const MAY_EXCEED_A_DOUBLE = /[\d.]{16}|\d[eE]/;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Reads a text once, without recursion, so that no depth of nesting overflows the stack.
 *
 * @param text JSON that `JSON.parse` accepts
 */
export function jsonLosses(text: string): JsonLosses {
  const exact = new Map<string, bigint>();
  const fractions = new Set<string>();
  let repeatsMembers = false;
  let contradiction: JsonLosses['contradiction'];
  const path: Container[] = [];

  const readNumber = (literal: string): void => {
    const lost = MAY_EXCEED_A_DOUBLE.test(literal) && path.length <= DEEPEST ? lostIn(literal) : undefined;
    if (lost === undefined) return;
    const pointer = path.reduce((parent, { key }) => childPointer(parent, `${key}`), '');
    if (lost === 'fraction') fractions.add(pointer);
    else exact.set(pointer, lost);
  };
  const endMember = (at: number): void => {
    const container = path.at(-1);
    if (container?.members === undefined || typeof container.key !== 'string') return;
    const { members, key, memberStart, valueStart } = container;
    const value = text.slice(valueStart, at);
    const earlier = members.get(key);
    members.set(key, value);
    if (earlier === undefined) return;
    repeatsMembers = true;
    if (contradiction === undefined && !isTheSame(earlier, value))
      contradiction = { member: key, position: memberStart };
  };

  for (let at = 0; at < text.length; at += 1) {
    const container = path.at(-1);
    switch (text[at]) {
      case '{':
        path.push({ key: '', memberStart: at, valueStart: undefined, members: new Map() });
        break;
      case '[':
        path.push({ key: 0, memberStart: at, valueStart: at, members: undefined });
        break;
      case '"': {
        const end = endOfString(text, at);
        if (container !== undefined && container.valueStart === undefined) {
          container.key = nameOf(text.slice(at, end));
          container.memberStart = at;
        }
        at = end - 1;
        break;
      }
      case ':':
        if (container !== undefined) container.valueStart = at + 1;
        break;
      case ',':
        endMember(at);
        if (typeof container?.key === 'number') container.key += 1;
        else if (container !== undefined) container.valueStart = undefined;
        break;
      case '}':
        if (container?.valueStart !== undefined) endMember(at);
        path.pop();
        break;
      case ']':
        path.pop();
        break;
      default: {
        NUMBER.lastIndex = at;
        const literal = NUMBER.exec(text)?.[0];
        if (literal === undefined) break;
        readNumber(literal);
        at += literal.length - 1;
      }
    }
  }
  return { exact, fractions, repeatsMembers, contradiction };
}

/** The position after the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
}

/** The name of a member as written in quotes. */
const nameOf = (written: string): string =>
  written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);

/** What a double loses of a number: the exact integer, or that it has a fraction; undefined for nothing. */
function lostIn(literal: string): bigint | 'fraction' | undefined {
  const double = Number(literal);
  if (!Number.isInteger(double)) return undefined;
  const exact = readNumberLiteral(literal);
  if (typeof exact !== 'bigint') return 'fraction';
  return Number.isSafeInteger(double) ? undefined : exact;
}

function isTheSame(one: string, other: string): boolean {
  const parseNumber = (literal: string): unknown => lostIn(literal) ?? Number(literal);
  return (
    one === other ||
    isDeepStrictEqual(parseLossless(one, null, { parseNumber }), parseLossless(other, null, { parseNumber }))
  );
}
