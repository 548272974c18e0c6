import { tokensOf } from './json-pointer.ts';

/** Where a value of a JSON text stands, letter by letter as it was sent. */
export interface JsonSpan {
  /** The first UTF-16 unit of the value, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** What an array or object contains; undefined for other values. */
  readonly parts?: readonly JsonPart[];
}

interface JsonPart {
  /** The name of a member, or the index of an entry. */
  readonly key: string;
  /** Where the member begins, with its name; the value of an entry. */
  readonly from: number;
  readonly value: JsonSpan;
}

/** An array or object whose end has not been reached. */
interface Open {
  readonly from: number;
  readonly end: '}' | ']';
  readonly parts: JsonPart[];
  /** The name of the member that is read, and where it begins. */
  name: string;
  nameFrom: number;
}

const SPACE = /[ \t\n\r]*/y;
/** A string without its closing quote. */
const STRING = /"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*/y;
const OTHER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * The spans of a strict JSON text (RFC 8259), or the position where it stops being one. Without recursion, so that no depth
 * of nesting overflows the stack.
 */
export function scanJson(text: string): JsonSpan | number {
  let at = 0;
  const reads = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isFound = pattern.test(text);
    if (isFound) at = pattern.lastIndex;
    return isFound;
  };
  const readsSign = (sign: string): boolean => {
    reads(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const readsString = (): boolean => {
    const isString = reads(STRING) && text[at] === '"';
    if (isString) at += 1;
    return isString;
  };
  const readsName = (open: Open): boolean => {
    reads(SPACE);
    const from = at;
    if (!readsString()) return false;
    open.name = stringIn(text.slice(from, at)) ?? '';
    open.nameFrom = from;
    return readsSign(':');
  };
  const path: Open[] = [];
  for (;;) {
    reads(SPACE);
    const from = at;
    let ended: JsonSpan | undefined;
    if (text[at] === '{' || text[at] === '[') {
      const open: Open = { from, end: text[at] === '{' ? '}' : ']', parts: [], name: '', nameFrom: from };
      at += 1;
      path.push(open);
      if (readsSign(open.end)) ended = path.pop() && { from, to: at, parts: open.parts };
      else if (open.end === '}' && !readsName(open)) return at;
    } else if (text[at] === '"' ? readsString() : reads(OTHER)) ended = { from, to: at };
    else return at;
    while (ended !== undefined) {
      const open = path.at(-1);
      if (open === undefined) {
        reads(SPACE);
        return at === text.length ? ended : at;
      }
      const { end, parts, name, nameFrom } = open;
      const isMember = end === '}';
      parts.push({ key: isMember ? name : `${parts.length}`, from: isMember ? nameFrom : ended.from, value: ended });
      if (readsSign(end)) ended = path.pop() && { from: open.from, to: at, parts };
      else if (!readsSign(',') || (isMember && !readsName(open))) return at;
      else ended = undefined;
    }
  }
}

/** The string that a written value stands for; undefined for any other value. */
export function stringIn(written: string): string | undefined {
  if (!written.startsWith('"')) return undefined;
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
}

/** The value at a JSON pointer, or what would contain it if it is missing. */
export function spanAt(span: JsonSpan, pointer: string): JsonSpan {
  return tokensOf(pointer).reduce((here, key) => here.parts?.find((part) => part.key === key)?.value ?? here, span);
}
