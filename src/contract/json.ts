import { isUtf8 } from 'node:buffer';
import { quote } from '../text.ts';
import { boundJson } from './bounded-json.ts';
import { MEMBER_NAMES } from './document.ts';
import { valueAt } from './json-pointer.ts';
import { scanJson } from './json-scanner.ts';
import { isAllIn, readWritten, type WrittenJson } from './written-json.ts';

/** Parsed JSON, with the numbers that a double cannot represent. */
export interface Json extends Pick<WrittenJson, 'exact'> {
  readonly kind: 'json';
  /** As `JSON.parse` returns it; of a large text, what `boundJson` keeps. */
  readonly value: unknown;
  /** How many entries the array has, if `value` has fewer. */
  readonly entries?: number;
}

/** Bytes that are not strict JSON. */
export interface NotJson {
  readonly kind: 'not json';
  readonly code: 'empty-body' | 'not-utf8' | 'byte-order-mark' | 'not-json' | 'repeated-member';
  /** What is wrong, and where; computed on first use, as this takes many times as long as reading. */
  readonly sentence: string;
}

/** Bytes that exceed the bounds of this reader, and so are neither JSON nor not JSON; the sentence names the bound. */
interface UnreadJson {
  readonly kind: 'unread';
  readonly sentence: string;
}

type ReadJson = Json | NotJson | UnreadJson;

const ALL_IN_VALUE: Pick<WrittenJson, 'exact' | 'contradiction'> = { exact: new Map(), contradiction: undefined };

/** The results by body, as many rules read a body that is parsed once. */
const known = new WeakMap<Uint8Array, ReadJson>();

/**
 * Parses bytes, which must not change from then on, as strict JSON in UTF-8 (RFC 8259): no byte order mark, nothing
 * before or after the text, every integer exact to the last digit. Never throws.
 */
export function readJson(bytes: Uint8Array): ReadJson {
  const json = known.get(bytes) ?? parse(bytes);
  known.set(bytes, json);
  return json;
}

function parse(bytes: Uint8Array): ReadJson {
  if (bytes.length === 0) return notJson('empty-body', () => 'The body is empty; JSON was expected.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const sentence = 'The body starts with a byte order mark (EF BB BF), which JSON must not have.';
    return notJson('byte-order-mark', () => sentence);
  }
  if (holdsMoreThan(MOST_VALUES, bytes)) return { kind: 'unread', sentence: TOO_MANY };
  if (!isUtf8(bytes)) return notJson('not-utf8', () => describeBadUtf8(bytes));
  const text = textOf(bytes);
  try {
    const whole: unknown = JSON.parse(text);
    const value = boundJson(whole, text.length, MEMBER_NAMES);
    const isCut = Array.isArray(whole) && Array.isArray(value) && value.length < whole.length;
    const { exact, contradiction } = isAllIn(whole, text) ? ALL_IN_VALUE : readWritten(text);
    if (contradiction !== undefined) return contradicting(contradiction);
    const isKept = ([pointer]: readonly [string, unknown]): boolean => typeof valueAt(value, pointer) === 'number';
    return {
      kind: 'json',
      value,
      ...(isCut && { entries: whole.length }),
      exact: new Map([...exact].filter(isKept)),
    };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unread', sentence: TOO_DEEP };
    // Keeps the bytes, not the text, which would need as much memory again.
    return notJson('not-json', () => describeBadSyntax(textOf(bytes)));
  }
}

/**
 * The exact integer at a JSON pointer, even if a double cannot represent it (`1.0` counts as 1). Undefined if there is
 * no number, if it has a fraction, and if it is out of the range of a double.
 */
export function integerAt(json: Json, pointer: string): bigint | undefined {
  return integerOf(json, pointer, valueAt(json.value, pointer));
}

/** As {@link integerAt}, if the value at the pointer is known. */
export function integerOf({ exact }: Json, pointer: string, value: unknown): bigint | undefined {
  if (exact.has(pointer)) return exact.get(pointer);
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** The most arrays, objects, entries and members of a text, as each takes far more memory than its bytes. */
const MOST_VALUES = 320_000;
const TOO_MANY = 'the body has over 320,000 values, which is too many to read';
const TOO_DEEP = 'the body is nested too deeply to be read';
const [OPENS_ARRAY, OPENS_OBJECT, SEPARATES, QUOTES, ESCAPES] = [0x5b, 0x7b, 0x2c, 0x22, 0x5c];

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

function contradicting({ member, position }: NonNullable<WrittenJson['contradiction']>): NotJson {
  const what = `The member ${quote(member)} is given twice with different values`;
  return notJson('repeated-member', () => `${what}, at character ${position + 1}.`);
}

function notJson(code: NotJson['code'], describe: () => string): NotJson {
  let described: string | undefined;
  return {
    kind: 'not json',
    code,
    get sentence() {
      described ??= describe();
      return described;
    },
  };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

const REPLACEMENT = Buffer.from('\ufffd');

/** Names the first byte that is not UTF-8. */
function describeBadUtf8(bytes: Uint8Array): string {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return `The body is not UTF-8: it ends inside a character, after byte ${bytes.length}.`;
  } catch {
    // What cannot be decoded becomes U+FFFD; the first one that is not in the bytes themselves shows where.
    let bad = 0;
    for (const readable of textOf(bytes).split('\ufffd')) {
      bad += Buffer.byteLength(readable);
      if (!REPLACEMENT.equals(bytes.subarray(bad, bad + REPLACEMENT.length))) break;
      bad += REPLACEMENT.length;
    }
    const byte = (bytes[bad] ?? 0).toString(16).toUpperCase().padStart(2, '0');
    return `The body is not UTF-8: byte ${bad + 1} (${byte}) begins no character.`;
  }
}

/** Says where a text stops being JSON, as messages of `JSON.parse` do not always, and differ between versions of Node. */
function describeBadSyntax(text: string): string {
  if (text.trim() === '') return 'The body is only white space; JSON was expected.';
  const position = scanJson(text);
  if (typeof position !== 'number' || position === 0) return `The body is not JSON: it begins with ${quote(text)}.`;
  if (position >= text.length) return `The body is not JSON: it is cut off after character ${text.length}.`;
  const unexpected = String.fromCodePoint(text.codePointAt(position) ?? 0);
  return `The body is not JSON: unexpected ${quote(unexpected)} at character ${position + 1}.`;
}
