import { isUtf8 } from 'node:buffer';
import { parse as parseLossless } from 'lossless-json';
import { readNumberLiteral } from './exact-integer.ts';
import { childPointer, valueAt } from './json-pointer.ts';
import { outline } from './outline.ts';

export { INT64_MAX, INT64_MIN, isInt64 } from './exact-integer.ts';

/** Why bytes are not strict JSON. */
export type NotJsonCode = 'empty-body' | 'not-utf8' | 'byte-order-mark' | 'not-json';

/** Bytes that were strict JSON in UTF-8, with the numbers that a double cannot tell. */
export interface ReadJson {
  readonly kind: 'json';
  /** As `JSON.parse` gives it; of a large text the {@link outline}. */
  readonly value: unknown;
  /** How many entries the array has that the text is, where `value` holds fewer. */
  readonly entries?: number;
  /** The integers beyond ±(2^53 - 1) by their JSON pointer. One outside the range of a double is left out. */
  readonly exact: ReadonlyMap<string, bigint>;
  /** Pointers of numbers that are written with a fraction although the double nearest to them has none. */
  readonly fractions?: ReadonlySet<string>;
}

/** Bytes that were not, with a stable code and a sentence that says where. */
export interface UnreadableJson {
  readonly kind: 'not json';
  readonly code: NotJsonCode;
  readonly sentence: string;
}

export type JsonReading = ReadJson | UnreadableJson;

/**
 * Numbers that a double may not hold have 16 digits or more, or an exponent. Only where something looks like one is
 * the slower exact reader needed; a look-alike inside a string costs a little time and nothing else.
 */
const MAY_EXCEED_A_DOUBLE = /[\d.]{16}|\d[eE][+-]?\d/;

const NO_INTEGERS: ReadonlyMap<string, bigint> = new Map();

/**
 * Reads bytes as strict JSON in UTF-8 (RFC 8259; parts 1 and 2 of the specification): no byte order mark, nothing
 * before or after the text, every integer exact to the last digit. Never throws.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  if (bytes.length === 0) return notJson('empty-body', 'The body is empty; JSON was expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return notJson('byte-order-mark', 'The body starts with a byte order mark (EF BB BF), which JSON must not have.');
  }
  if (holdsTooMany(bytes)) return notJson('not-json', TOO_MANY);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return notJson('not-utf8', describeBadUtf8(bytes));
  }
  let kept: Kept;
  try {
    kept = keep(JSON.parse(text), text.length);
  } catch (error) {
    return notJson('not-json', error instanceof RangeError ? TOO_DEEP : describeBadSyntax(text));
  }
  if (!MAY_EXCEED_A_DOUBLE.test(text)) return { kind: 'json', ...kept, exact: NO_INTEGERS };
  return readExactNumbers(text, kept);
}

type Kept = Pick<ReadJson, 'value' | 'entries'>;

function keep(whole: unknown, length: number): Kept {
  const value = outline(whole, length);
  const isCut = Array.isArray(whole) && Array.isArray(value) && value.length < whole.length;
  return isCut ? { value, entries: whole.length } : { value };
}

/**
 * The exact integer at a JSON pointer, whether it is beyond a double or a plain one (`1.0` counts as 1).
 * Undefined where there is no number, where it has a fraction, and where it is out of the range of a double.
 */
export function integerAt(reading: ReadJson, pointer: string): bigint | undefined {
  const exact = reading.exact.get(pointer);
  if (exact !== undefined) return exact;
  if (reading.fractions?.has(pointer) === true) return undefined;
  const value = valueAt(reading.value, pointer);
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** Most arrays, objects, entries and members of a text that is read: each takes far more memory than its bytes. */
const MOST_VALUES = 100_000;
const TOO_MANY = `The body holds over ${MOST_VALUES.toLocaleString('en')} values, more than can be read.`;
const [OPENS_ARRAY, OPENS_OBJECT, SEPARATES, QUOTES, ESCAPES] = [0x5b, 0x7b, 0x2c, 0x22, 0x5c];

function holdsTooMany(bytes: Uint8Array): boolean {
  if (bytes.length <= MOST_VALUES) return false;
  let values = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === ESCAPES) at += 1;
    else if (byte === QUOTES) inString = !inString;
    else if (!inString && (byte === SEPARATES || byte === OPENS_ARRAY || byte === OPENS_OBJECT)) values += 1;
  }
  return values > MOST_VALUES;
}

const TOO_DEEP = 'The body is nested too deeply to be read.';

/** Stands in the exact tree for a number whose fraction the nearest double has lost. */
const LOST_FRACTION = Symbol('lost fraction');

/** Collects what `JSON.parse` could not hold; `text` is known to be JSON. */
function readExactNumbers(text: string, kept: Kept): JsonReading {
  let lossy = false;
  let twice: { readonly name: string; readonly position: number } | undefined;
  let tree: unknown;
  try {
    tree = parseLossless(text, undefined, {
      parseNumber(literal) {
        const double = Number(literal);
        if (!Number.isInteger(double)) return double;
        const exact = readNumberLiteral(literal);
        if (exact.kind === 'integer' && Number.isSafeInteger(double)) return double;
        lossy = true;
        return exact.kind === 'integer' ? exact.integer : LOST_FRACTION;
      },
      onDuplicateKey({ key, position, newValue }) {
        twice ??= { name: key, position };
        return newValue;
      },
    });
  } catch (error) {
    if (error instanceof RangeError) return notJson('not-json', TOO_DEEP);
    // Both readers follow the same grammar; what one of them refuses is not beyond doubt JSON.
    return notJson('not-json', describeBadSyntax(text));
  }
  if (twice !== undefined) {
    const where = `at character ${twice.position}, near ${excerpt(text, twice.position - 1)}`;
    return notJson('not-json', `The member ${quoted(twice.name)} stands twice with different values, ${where}.`);
  }
  if (!lossy) return { kind: 'json', ...kept, exact: NO_INTEGERS };
  return { kind: 'json', ...kept, ...collect(outline(tree, text.length)) };
}

/** Finds the bigints and lost fractions of a tree, with a stack of its own so that no depth can overflow. */
function collect(tree: unknown): Pick<ReadJson, 'exact' | 'fractions'> {
  const exact = new Map<string, bigint>();
  const fractions = new Set<string>();
  const open: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value: tree }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { pointer, value } = next;
    if (typeof value === 'bigint') exact.set(pointer, value);
    else if (value === LOST_FRACTION) fractions.add(pointer);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isWorthALook(item)) open.push({ pointer: childPointer(pointer, index), value: item });
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (isWorthALook(member)) open.push({ pointer: childPointer(pointer, name), value: member });
      }
    }
  }
  return { exact, fractions };
}

/** Strings and plain numbers need no pointer. */
function isWorthALook(value: unknown): boolean {
  return typeof value === 'bigint' || typeof value === 'object' || typeof value === 'symbol';
}

function notJson(code: NotJsonCode, sentence: string): UnreadableJson {
  return { kind: 'not json', code, sentence };
}

/** Names the byte with which the text stops being UTF-8: the start of the first character that is none. */
function describeBadUtf8(bytes: Uint8Array): string {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (beginsAsUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  if (good === bytes.length) {
    return `The body is not UTF-8: it breaks off inside a character, after byte ${bytes.length}.`;
  }
  // Up to three bytes of the bad character looked like one that is cut.
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  const byte = (bytes[good] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  // No character takes more than four bytes.
  const before = new TextDecoder().decode(bytes.subarray(Math.max(0, good - 100), good)).slice(-20);
  const place = before === '' ? 'at its start' : `after ${quoted(before)}`;
  return `The body is not UTF-8: byte ${good + 1} (${byte}) begins no character, ${place}.`;
}

/** Whether bytes are UTF-8 but for a last character that may be cut. */
function beginsAsUtf8(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => {
    const end = Math.max(0, bytes.length - cut);
    return isUtf8(bytes.subarray(0, end)) && isCutCharacter(bytes.subarray(end));
  });
}

function isCutCharacter(bytes: Uint8Array): boolean {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }) === '';
  } catch {
    return false;
  }
}

/**
 * Says where a text stops being JSON. The engine's own message has no position for some faults and other words in
 * each version of Node, so the position is that of the exact reader.
 */
function describeBadSyntax(text: string): string {
  if (text.trim() === '') return 'The body is only white space; JSON was expected.';
  const position = syntaxErrorPosition(text);
  if (position === undefined) return `The body is not JSON: it starts with ${excerpt(text, 0)}.`;
  if (position >= text.length) {
    return `The body is not JSON: it breaks off after character ${text.length}, near ${excerpt(text, text.length)}.`;
  }
  return `The body is not JSON: character ${position + 1} cannot stand there, near ${excerpt(text, position)}.`;
}

/** Where the exact reader stops, counted from 0; undefined where it cannot say. */
function syntaxErrorPosition(text: string): number | undefined {
  try {
    parseLossless(text, undefined, {
      parseNumber: () => 0,
      onDuplicateKey: () => 0,
    });
    return undefined;
  } catch (error) {
    const position = error instanceof SyntaxError ? / at position (\d+)$/.exec(error.message)?.[1] : undefined;
    return position === undefined ? undefined : Number(position);
  }
}

/** A few characters on either side of a position, in quotes. */
function excerpt(text: string, position: number): string {
  const from = Math.max(0, position - 15);
  const to = Math.min(text.length, position + 15);
  return `${from > 0 ? '…' : ''}${quoted(text.slice(from, to))}${to < text.length ? '…' : ''}`;
}

/** Text in typographic quotes, which leave those of JSON readable; control characters and lone surrogates escaped. */
function quoted(text: string): string {
  return `‘${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}’`;
}
