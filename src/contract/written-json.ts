import { isDeepStrictEqual } from 'node:util';
import { readNumberLiteral } from './exact-integer.ts';
import { childPointer } from './json-pointer.ts';

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

/** An array or object whose end has not been reached. */
interface Container {
  /** The members of an object so far, each with its values; undefined for an array. */
  readonly members: Map<string, string[]> | undefined;
  /** The index or name of the current value. */
  key: number | string;
  /** Where the name of the current member begins. */
  memberStart: number;
  /** Where the value of the current member begins; undefined while its name is expected. */
  valueStart: number | undefined;
}

/** No member that is checked is deeper than this, so deeper pointers are not needed. */
const DEEPEST = 100;

/** Only a number with 16 digits or more, or with an exponent, may not fit into a double. */
const MAY_EXCEED_A_DOUBLE = /[\d.]{16}|\d[eE]/;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Reads a text once, without recursion, so that no depth of nesting overflows the stack.
 *
 * @param text JSON that `JSON.parse` accepts
 */
export function readWritten(text: string): WrittenJson {
  const exact = new Map<string, bigint | undefined>();
  let repeatsMembers = false;
  let contradiction: WrittenJson['contradiction'];
  let outermost: Container | undefined;
  const path: Container[] = [];

  const begin = (container: Container): void => {
    outermost ??= container;
    path.push(container);
  };
  const endMember = ({ members, key, memberStart, valueStart }: Container, at: number): void => {
    if (members === undefined || valueStart === undefined) return;
    const value = text.slice(valueStart, at).trim();
    const [earlier, ...others] = members.get(`${key}`) ?? [];
    members.set(`${key}`, earlier === undefined ? [value] : [earlier, ...others, value]);
    if (earlier === undefined) return;
    repeatsMembers = true;
    if (contradiction === undefined && !areEqual(earlier, value))
      contradiction = { member: `${key}`, position: memberStart };
  };

  for (let at = 0; at < text.length; at += 1) {
    const container = path.at(-1);
    switch (text[at]) {
      case '{':
        begin({ members: new Map(), key: '', memberStart: at, valueStart: undefined });
        break;
      case '[':
        begin({ members: undefined, key: 0, memberStart: at, valueStart: undefined });
        break;
      case '"': {
        const end = endOfString(text, at);
        if (container?.members !== undefined && container.valueStart === undefined) {
          container.key = stringIn(text.slice(at, end)) ?? '';
          container.memberStart = at;
        }
        at = end - 1;
        break;
      }
      case ':':
        if (container !== undefined) container.valueStart = at + 1;
        break;
      case ',':
        if (container === undefined) break;
        endMember(container, at);
        if (typeof container.key === 'number') container.key += 1;
        container.valueStart = undefined;
        break;
      case '}':
      case ']':
        if (container !== undefined) endMember(container, at);
        path.pop();
        break;
      default: {
        NUMBER.lastIndex = at;
        const literal = NUMBER.exec(text)?.[0];
        if (literal === undefined) break;
        at += literal.length - 1;
        if (path.length > DEEPEST || !isInexact(literal)) break;
        const pointer = path.reduce((parent, { key }) => childPointer(parent, `${key}`), '');
        exact.set(pointer, readNumberLiteral(literal));
      }
    }
  }
  return { exact, members: outermost?.members, repeatsMembers, contradiction };
}

/** The string that a written value stands for; undefined for any other value. */
export function stringIn(written: string): string | undefined {
  if (!written.startsWith('"')) return undefined;
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
}

/** The position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
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
