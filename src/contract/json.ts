import { isUtf8 } from 'node:buffer';
import { parse as parseLossless } from 'lossless-json';
import { grouped } from '../report/model/text.ts';
import { boundJson, isKeptWhole } from './bounded-json.ts';
import { readNumberLiteral } from './exact-integer.ts';
import { childPointer, valueAt } from './json-pointer.ts';

export type NotJsonCode = 'empty-body' | 'not-utf8' | 'byte-order-mark' | 'not-json';

/** Parsed JSON, with the numbers that a double cannot hold. */
export interface Json {
  readonly kind: 'json';
  /** As `JSON.parse` returns it; of a large text what `boundJson` keeps. */
  readonly value: unknown;
  /** How many entries the array has, where `value` holds fewer. */
  readonly entries?: number;
  /** The integers beyond ±(2^53 - 1) by their JSON pointer. One outside the range of a double is left out. */
  readonly exact: ReadonlyMap<string, bigint>;
  /** Pointers of numbers that are written with a fraction although the double nearest to them has none. */
  readonly fractions?: ReadonlySet<string>;
}

/** Bytes that are not strict JSON, with a sentence that says where. */
export interface NotJson {
  readonly kind: 'not json';
  readonly code: NotJsonCode;
  readonly sentence: string;
}

/** Bytes beyond the bounds up to which they are read: neither JSON nor not JSON, with a sentence that says the bound. */
export interface UnreadJson {
  readonly kind: 'unread';
  readonly sentence: string;
}

export type ParsedJson = Json | NotJson | UnreadJson;

/**
 * Numbers that a double may not hold have 16 digits or more, or an exponent. Only text that seems to have one goes
 * through the slower lossless parser; a look-alike inside a string costs a little time.
 */
const MAY_EXCEED_A_DOUBLE = /[\d.]{16}|\d[eE][+-]?\d/;

const NO_INTEGERS: ReadonlyMap<string, bigint> = new Map();

/** As {@link NotJson}; finding out what is wrong with a text takes many times as long as that something is. */
interface UndescribedNotJson extends Pick<NotJson, 'kind' | 'code'> {
  readonly describe: () => string;
}

type ReadJson = Json | UndescribedNotJson | UnreadJson;

/** What was made of bytes: bodies are looked at by many, and parsed once. */
const known = new WeakMap<Uint8Array, { readonly json: ReadJson; readonly keptMembers: unknown }>();

/**
 * Parses bytes, which must not change from then on, as strict JSON in UTF-8 (RFC 8259): no byte order mark, nothing
 * before or after the text, every integer exact to the last digit. Never throws.
 *
 * @param keptMembers the members of objects that are kept of a large text; the first few of each where not given
 */
export function parseJson(bytes: Uint8Array, keptMembers?: ReadonlySet<string>): ParsedJson {
  const json = readJson(bytes, keptMembers);
  return json.kind === 'not json' ? { kind: json.kind, code: json.code, sentence: json.describe() } : json;
}

/** As {@link parseJson}, for who need not know what is wrong with bytes that are not JSON. */
export function readJson(bytes: Uint8Array, keptMembers?: ReadonlySet<string>): ReadJson {
  const before = known.get(bytes);
  if (before !== undefined && (before.keptMembers === keptMembers || isKeptWhole(bytes.length))) return before.json;
  const json = parse(bytes, keptMembers);
  known.set(bytes, { json, keptMembers });
  return json;
}

function parse(bytes: Uint8Array, keptMembers: ReadonlySet<string> | undefined): ReadJson {
  if (bytes.length === 0) return notJson('empty-body', () => 'The body is empty; JSON was expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const sentence = 'The body starts with a byte order mark (EF BB BF), which JSON must not have.';
    return notJson('byte-order-mark', () => sentence);
  }
  if (holdsMoreThan(MOST_VALUES, bytes)) return { kind: 'unread', sentence: TOO_MANY };
  if (!isUtf8(bytes)) return notJson('not-utf8', () => describeBadUtf8(bytes));
  const text = textOf(bytes);
  const bound = (whole: unknown): unknown => boundJson(whole, text.length, keptMembers);
  try {
    const whole: unknown = JSON.parse(text);
    const value = bound(whole);
    const isCut = Array.isArray(whole) && Array.isArray(value) && value.length < whole.length;
    const json: Json = { kind: 'json', value, ...(isCut && { entries: whole.length }), exact: NO_INTEGERS };
    const isExact = !MAY_EXCEED_A_DOUBLE.test(text);
    const isUnique = !repeatsMembers(text, whole);
    if (isExact && isUnique) return json;
    if (holdsMoreThan(MOST_EXACT_VALUES, bytes)) return { kind: 'unread', sentence: TOO_MANY_EXACT };
    const repeated = isUnique ? undefined : describeRepeated(text);
    if (repeated !== undefined) return notJson('not-json', () => repeated);
    const spelledOut = isExact ? text : withLostNumbersAsText(text);
    return spelledOut === text ? json : { ...json, ...exactNumbers(value, bound(JSON.parse(spelledOut))) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unread', sentence: TOO_DEEP };
    return badSyntax(bytes);
  }
}

/**
 * The exact integer at a JSON pointer, whether beyond a double or not (`1.0` counts as 1). Undefined where there is no
 * number, where it has a fraction, and where it is out of the range of a double.
 */
export function integerAt(json: Json, pointer: string): bigint | undefined {
  return integerOf(json, pointer, valueAt(json.value, pointer));
}

/** As {@link integerAt}, where the value at the pointer is at hand. */
export function integerOf(json: Json, pointer: string, value: unknown): bigint | undefined {
  const exact = json.exact.get(pointer);
  if (exact !== undefined) return exact;
  if (json.fractions?.has(pointer) === true) return undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** Whether every number of a text is just what `JSON.parse` made of it, so that no pointer need be looked up. */
export function holdsPlainNumbers({ exact, fractions }: Json): boolean {
  return exact.size === 0 && fractions === undefined;
}

/** The most arrays, objects, entries and members of a text: each takes far more memory than its bytes. */
const MOST_VALUES = 320_000;
const TOO_MANY = `The body has over ${grouped(MOST_VALUES)} values, too many to be read.`;
/** Reading exact integers, or members that stand twice, takes several times as much. */
const MOST_EXACT_VALUES = 100_000;
const TOO_MANY_EXACT = `The body has over ${grouped(MOST_EXACT_VALUES)} values, too many to be read exactly.`;
const TOO_DEEP = 'The body is nested too deeply to be read.';
const [OPENS_ARRAY, OPENS_OBJECT, SEPARATES, QUOTES, ESCAPES, COLON] = [0x5b, 0x7b, 0x2c, 0x22, 0x5c, 0x3a];
const [ZERO, NINE, MINUS, BLANK] = [0x30, 0x39, 0x2d, 0x20];

function holdsMoreThan(most: number, bytes: Uint8Array): boolean {
  if (bytes.length <= most) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === ESCAPES) at += 1;
    else if (byte === QUOTES) inString = !inString;
    else if (!inString && (byte === SEPARATES || byte === OPENS_ARRAY || byte === OPENS_OBJECT)) values += 1;
  }
  return values > most;
}

/** Whether an object of the text has a member twice: `JSON.parse` keeps only the last of them. */
export function repeatsMembers(text: string, whole: unknown): boolean {
  let kept = 0;
  const left: unknown[] = [whole];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const entry of value) if (typeof entry === 'object') left.push(entry);
      continue;
    }
    for (const name in value) {
      kept += 1;
      const member: unknown = Reflect.get(value, name);
      if (typeof member === 'object') left.push(member);
    }
  }
  return mostMembersIn(text) > kept && membersIn(text) > kept;
}

/** How many members the objects of a JSON text have at most: the colons that may end a name. Quick, as there are few. */
function mostMembersIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTES || before <= BLANK) count += 1;
  }
  return count;
}

/** How many members the objects of a JSON text have, counted by the colons outside of strings. */
function membersIn(text: string): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === ESCAPES) at += 1;
    else if (unit === QUOTES) inString = !inString;
    else if (unit === COLON && !inString) count += 1;
  }
  return count;
}

/** Says which member is given twice with different values; undefined where none is. */
function describeRepeated(text: string): string | undefined {
  let sentence: string | undefined;
  parseLossless(shallow(text), undefined, {
    parseNumber: (literal) => lostIn(literal) ?? Number(literal),
    onDuplicateKey({ key, position, newValue }) {
      const where = `at character ${position}, near ${excerpt(text, position - 1)}`;
      sentence ??= `The member ${quote(key)} is given twice with different values, ${where}.`;
      return newValue;
    },
  });
  return sentence;
}

/** What a double does not hold of a number: the exact integer, or that it has a fraction; undefined where nothing is lost. */
function lostIn(literal: string): bigint | typeof FRACTION | undefined {
  const double = Number(literal);
  if (!Number.isInteger(double)) return undefined;
  const exact = readNumberLiteral(literal);
  if (typeof exact !== 'bigint') return FRACTION;
  return Number.isSafeInteger(double) ? undefined : exact;
}

const FRACTION = 'fraction';

/** A JSON text in which each number that `JSON.parse` cannot hold is a string instead, which says what would be lost. */
function withLostNumbersAsText(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === ESCAPES) at += 1;
    else if (unit === QUOTES) inString = !inString;
    else if (!inString && (unit === MINUS || (unit >= ZERO && unit <= NINE))) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0] ?? '';
      const lost = MAY_EXCEED_A_DOUBLE.test(literal) ? lostIn(literal) : undefined;
      if (lost !== undefined) {
        pieces.push(text.slice(copied, at), `"${lost}"`);
        copied = at + literal.length;
      }
      at += Math.max(0, literal.length - 1);
    }
  }
  return `${pieces.join('')}${text.slice(copied)}`;
}

const NUMBER = /[-\d.eE+]+/y;

/** How deep the exact parser goes: it calls itself for each level, and no member that is looked at is this deep. */
const DEEPEST = 100;

/** A JSON text with null in the place of whatever is nested too deeply for the exact parser. */
function shallow(text: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\') at += 1;
    else if (letter === '"') inString = !inString;
    else if (!inString && (letter === '[' || letter === '{')) {
      depth += 1;
      if (depth === DEEPEST) kept.push(text.slice(from, at), 'null');
    } else if (!inString && (letter === ']' || letter === '}')) {
      if (depth === DEEPEST) from = at + 1;
      depth -= 1;
    }
  }
  return kept.length === 0 ? text : `${kept.join('')}${text.slice(from)}`;
}

/**
 * Finds the numbers of a value that the same text with lost numbers as text spells out. Without recursion, so that no
 * depth overflows the stack.
 */
function exactNumbers(value: unknown, spelledOut: unknown): Pick<Json, 'exact' | 'fractions'> {
  const exact = new Map<string, bigint>();
  const fractions = new Set<string>();
  const found: [pointer: string, depth: number, value: unknown, spelledOut: unknown][] = [['', 0, value, spelledOut]];
  for (const [pointer, depth, value, spelledOut] of found) {
    if (typeof value === 'number' && typeof spelledOut === 'string') {
      if (spelledOut === FRACTION) fractions.add(pointer);
      else exact.set(pointer, BigInt(spelledOut));
    }
    if (typeof value !== 'object' || value === null || depth === DEEPEST) continue;
    for (const [name, member] of Object.entries(value)) {
      // Strings and plain numbers need no pointer.
      const text =
        typeof member === 'object' || typeof member === 'number' ? Reflect.get(Object(spelledOut), name) : member;
      if (text !== member) found.push([childPointer(pointer, name), depth + 1, member, text]);
    }
  }
  return { exact, fractions };
}

function notJson(code: NotJsonCode, describe: () => string): UndescribedNotJson {
  let sentence: string | undefined;
  return {
    kind: 'not json',
    code,
    describe: () => {
      sentence ??= describe();
      return sentence;
    },
  };
}

/** Remembers the bytes and not their text, which would take as much memory again. */
const badSyntax = (bytes: Uint8Array): UndescribedNotJson =>
  notJson('not-json', () => describeBadSyntax(textOf(bytes)));

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Says which byte is the first that is not UTF-8. */
function describeBadUtf8(bytes: Uint8Array): string {
  // Binary search for the longest start of the bytes that decodes, cut inside a character or not.
  let valid = '';
  let decodable = 0;
  let undecodable = bytes.length + 1;
  while (undecodable - decodable > 1) {
    const middle = Math.floor((decodable + undecodable) / 2);
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      valid = decoder.decode(bytes.subarray(0, middle), { stream: true });
      decodable = middle;
    } catch {
      undecodable = middle;
    }
  }
  if (decodable === bytes.length) {
    return `The body is not UTF-8: it ends inside a character, after byte ${bytes.length}.`;
  }
  const bad = Buffer.byteLength(valid);
  const byte = (bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const place = valid === '' ? 'at its start' : `after ${quote(valid.slice(-20))}`;
  return `The body is not UTF-8: byte ${bad + 1} (${byte}) begins no character, ${place}.`;
}

/**
 * Says where a text stops being JSON, with the position from the lossless parser: the message of `JSON.parse` does not
 * always have one, and its words differ between versions of Node.
 */
function describeBadSyntax(text: string): string {
  if (text.trim() === '') return 'The body is only white space; JSON was expected.';
  const position = syntaxErrorPosition(text);
  if (Number.isNaN(position)) return `The body is not JSON: it starts with ${excerpt(text, 0)}.`;
  const isCut = position >= text.length;
  const what = isCut ? `it is cut off after character ${text.length}` : `unexpected character ${position + 1}`;
  return `The body is not JSON: ${what}, near ${excerpt(text, Math.min(position, text.length))}.`;
}

/** 0-based; NaN where the parser does not say. */
function syntaxErrorPosition(text: string): number {
  try {
    parseLossless(text, undefined, { parseNumber: () => 0, onDuplicateKey: () => 0 });
    return Number.NaN;
  } catch (error) {
    return Number(/ at position (\d+)$/.exec(error instanceof SyntaxError ? error.message : '')?.[1]);
  }
}

/** A few characters on either side of a position, in quotes. */
function excerpt(text: string, position: number): string {
  const from = Math.max(0, position - 15);
  const to = Math.min(text.length, position + 15);
  return `${from > 0 ? '…' : ''}${quote(text.slice(from, to))}${to < text.length ? '…' : ''}`;
}

/** Text in typographic quotes, which keep those of JSON readable; control characters and lone surrogates escaped. */
function quote(text: string): string {
  return `‘${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}’`;
}
