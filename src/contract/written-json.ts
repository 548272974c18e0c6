import { isDeepStrictEqual } from 'node:util';
import { readNumberLiteral } from './exact-integer.ts';
import { childPointer } from './json-pointer.ts';
import { type JsonSpan, scanJson } from './json-scanner.ts';

/** What a JSON text says that the value from `JSON.parse` does not. */
export interface WrittenJson {
  /**
   * The numbers that a double cannot represent, by their JSON pointer: the exact integer, or undefined for a number with
   * a fraction although the nearest double has none. Numbers outside the range of a double are left out.
   */
  readonly exact: ReadonlyMap<string, bigint | undefined>;
  /**
   * The members of the outermost object, each with its value as written, or all values if it is given more than once;
   * undefined if the text is not an object.
   */
  readonly members: ReadonlyMap<string, readonly string[]> | undefined;
  /** Whether an object has a member more than once. */
  readonly repeatsMembers: boolean;
  /** The first member that an object has again with a different value, and its position (0-based). */
  readonly contradiction: { readonly member: string; readonly position: number } | undefined;
}

/** A value, and what contains it. */
interface Place {
  readonly span: JsonSpan;
  readonly key: string;
  readonly within: Place | undefined;
  readonly depth: number;
}

/** No member that is checked is deeper than this, so deeper pointers are not needed. */
const DEEPEST = 100;

/** Only a number with 16 digits or more, or with an exponent, may not fit into a double. */
const MAY_EXCEED_A_DOUBLE = /[\d.]{16}|\d[eE]/;

/** @param text JSON @throws SyntaxError if it is not */
export function readWritten(text: string): WrittenJson {
  const span = scanJson(text);
  if (typeof span === 'number') throw new SyntaxError(`no JSON, from ${span} on`);
  const exact = new Map<string, bigint | undefined>();
  let repeatsMembers = false;
  let contradiction: WrittenJson['contradiction'];
  const waiting: Place[] = [{ span, key: '', within: undefined, depth: 0 }];
  for (const place of waiting) {
    const { from, to, parts } = place.span;
    if (parts === undefined) {
      const literal = text[from] === '"' ? '' : text.slice(from, to);
      if (place.depth <= DEEPEST && isInexact(literal)) exact.set(pointerOf(place), readNumberLiteral(literal));
      continue;
    }
    const before = new Map<string, JsonSpan>();
    for (const { key, from: position, value } of parts) {
      waiting.push({ span: value, key, within: place, depth: place.depth + 1 });
      const earlier = text[from] === '{' ? before.get(key) : undefined;
      if (text[from] === '{' && earlier === undefined) before.set(key, value);
      if (earlier === undefined) continue;
      repeatsMembers = true;
      const isFirst = contradiction === undefined || position < contradiction.position;
      if (isFirst && !areEqual(written(text, earlier), written(text, value))) contradiction = { member: key, position };
    }
  }
  return { exact, members: membersOf(text, span), repeatsMembers, contradiction };
}

const written = (text: string, { from, to }: JsonSpan): string => text.slice(from, to);

function membersOf(text: string, { from, parts = [] }: JsonSpan): WrittenJson['members'] {
  if (text[from] !== '{') return undefined;
  const members = new Map<string, string[]>();
  for (const { key, value } of parts) members.set(key, [...(members.get(key) ?? []), written(text, value)]);
  return members;
}

function pointerOf(place: Place): string {
  const keys: string[] = [];
  for (let { key, within } = place; within !== undefined; { key, within } = within) keys.unshift(key);
  return keys.reduce(childPointer, '');
}

/** Whether the double nearest to a number is an integer, but the number has a fraction, or other integers share it. */
function isInexact(literal: string): boolean {
  if (!MAY_EXCEED_A_DOUBLE.test(literal)) return false;
  const double = Number(literal);
  return Number.isInteger(double) && (!Number.isSafeInteger(double) || readNumberLiteral(literal) === undefined);
}

function areEqual(a: string, b: string): boolean {
  const read = (text: string): unknown => [JSON.parse(text), readWritten(text).exact];
  return a === b || isDeepStrictEqual(read(a), read(b));
}

/** What may not be the same in the value: a number that a double does not hold, and a name in another spelling. */
const NEEDS_CARE = /[\d.]{16}|\d[eE]|\\/;
const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * Whether `JSON.parse` lost nothing of a text, as a look shows that takes a fraction of the time of reading it: each of its
 * colons follows a quote, and there are as many as members in the value.
 */
export function isAllIn(value: unknown, text: string): boolean {
  if (NEEDS_CARE.test(text)) return false;
  const colons = countOf(text, ':');
  if (colons !== countOf(text, '":')) return false;
  let members = 0;
  const waiting: unknown[] = [value];
  for (const one of waiting) {
    if (typeof one !== 'object' || one === null) continue;
    const values: readonly unknown[] = Object.values(one);
    if (!Array.isArray(one)) members += values.length;
    for (const each of values) if (typeof each === 'object') waiting.push(each);
  }
  return members === colons;
}
