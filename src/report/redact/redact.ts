import { isDeepStrictEqual } from 'node:util';
import { asBytes, type Decoded, decoded } from './decoded.ts';

/**
 * Removes secrets from text, however they are written: a text and the secrets are compared as bytes without escapes. Enough
 * of a secret to reveal it is removed too: its middle, which every such part contains, is looked for, and from there its
 * two ends.
 */

const REPLACEMENT = '[redacted]';

/** A secret shorter than this could be part of any word, and is replaced only where it is a word of its own. */
const SHORT = 4;

/** A form of a secret. */
interface Needle {
  /** The bytes of each character. */
  readonly units: readonly string[];
  /** How many of them reveal the secret: more than half. */
  readonly least: number;
  readonly isBase64: boolean;
  /** Whether the character of base64 before it has bits of the secret too; the one after it always has. */
  readonly before?: boolean;
  /** Whether it counts only as a word of its own. */
  readonly isWord?: boolean;
}

type Redactor = (text: string) => string;

/** Making one takes a while, and several parts of a program need that of the same secrets. */
let latest: { readonly secrets: ReadonlySet<string>; readonly redact: Redactor } | undefined;

/**
 * Creates the function that replaces every secret in a text with `[redacted]`.
 *
 * It finds the secret in any letter case, percent-encoded, escaped for JSON, HTML, XML or a shell, in base64 and
 * base64url of itself or of a longer text, in hexadecimal, and parts of at least six characters and 60 % of it in each
 * of these forms. A secret of fewer than four characters is replaced only where it is a word of its own. Never throws.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const distinct = new Set(
    secrets.flatMap((secret) => [secret, secret.trim()]).filter((secret) => secret.trim() !== ''),
  );
  if (distinct.size === 0) return (text) => text;
  if (latest === undefined || !isDeepStrictEqual(latest.secrets, distinct)) {
    latest = { secrets: distinct, redact: redactorOf([...distinct].flatMap(needlesOf)) };
  }
  return latest.redact;
}

/** Letters of ASCII in lower case: no other has one length in both cases. */
const lowerCase = (bytes: string): string => bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const standardBase64 = (bytes: string): string => bytes.replaceAll('-', '+').replaceAll('_', '/');

/** How many characters of a secret reveal it. */
const leastOf = (length: number): number => Math.min(length, Math.max(6, Math.ceil(length * 0.6)));

function needlesOf(secret: string): readonly Needle[] {
  const characters = [...secret];
  const cases = [secret, secret.toLowerCase(), secret.toUpperCase()];
  const plain = [...cases, secret.replaceAll(' ', '+')].map((text) => [...text].map((one) => asBytes(one).bytes));
  // Of a secret that is nothing but escapes, too little may be left to look for.
  const bare = cases
    .flatMap((text) => decoded(asBytes(text)).slice(1))
    .map(({ bytes }) => [...bytes])
    .filter(({ length }) => length >= Math.min(SHORT, characters.length));
  const inLatin1 = [...Buffer.from(secret, 'latin1').toString('latin1')];
  const written = [...plain, ...bare, inLatin1].map((units) => units.map(lowerCase));
  if (characters.length < SHORT) {
    const encoded = [secret, `:${secret}`, `Bearer ${secret}`, `bearer ${secret}`].map((text) => [
      ...Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, ''),
    ]);
    const whole = (isBase64: boolean) => (units: readonly string[]) => {
      return { units, least: units.length, isBase64, isWord: true };
    };
    return [...written.map(whole(false)), ...encoded.map(whole(true))];
  }
  const hexadecimal = cases.map((text) => [...text].map((one) => Buffer.from(one, 'utf8').toString('hex')));
  return [
    ...[...written, ...hexadecimal].map((units) => ({ units, least: leastOf(units.length), isBase64: false })),
    ...cases.flatMap(base64Needles),
  ];
}

/**
 * The secret inside base64 of anything longer (`user:secret`, `Bearer secret`): one form for each place in a group of
 * three bytes at which it can begin, of the characters that bytes before and after it cannot change.
 */
function base64Needles(secret: string): readonly Needle[] {
  const bytes = Buffer.from(secret, 'utf8');
  const prefix = [...secret].slice(0, leastOf([...secret].length)).join('');
  return [0, 1, 2].map((skip) => {
    const encoded = Buffer.concat([Buffer.alloc(skip), bytes]).toString('base64');
    const endOf = (length: number): number => Math.floor(((skip + length) * 8) / 6);
    const first = Math.ceil((skip * 8) / 6);
    const units = [...encoded.slice(first, endOf(bytes.length))];
    const least = endOf(Buffer.byteLength(prefix, 'utf8')) - first;
    // Only parts of more than half have a middle in common.
    const more = Math.max(least, Math.floor(units.length / 2) + 1);
    return { units, least: more, isBase64: true, before: skip > 0 };
  });
}

type Span = readonly [start: number, end: number];

/** What every part of a needle contains that reveals it. */
const middleOf = ({ units, least }: Needle): string => units.slice(units.length - least, least).join('');

/** How much of a middle says whether a text may hold it at all. */
const BEGINNING = 5;

function redactorOf(all: readonly Needle[]): Redactor {
  const needles = [...new Map(all.map((one) => [`${one.isBase64} ${one.least} ${one.units.join(' ')}`, one])).values()];
  const groups = [true, false].map((isBase64) => {
    const own = needles.filter((one) => one.isBase64 === isBase64);
    const beginnings = new Set(own.map((one) => middleOf(one).slice(0, BEGINNING)));
    const literal = (bytes: string): string => bytes.replace(/[^A-Za-z0-9]/g, (sign) => `\\x${hexOf(sign)}`);
    // Most texts hold none, and are searched once.
    return {
      own,
      any: new RegExp([...beginnings].map(literal).join('|')),
      form: isBase64 ? standardBase64 : lowerCase,
    };
  });
  return (text) => {
    const spans = decoded(asBytes(text)).flatMap((view) =>
      groups.flatMap(({ own, any, form }) => {
        const formed = { ...view, bytes: form(view.bytes) };
        return any.test(formed.bytes) ? own.flatMap((needle) => spansOf(needle, formed, text)) : [];
      }),
    );
    return without(text, spans);
  };
}

const hexOf = (byte: string): string => byte.charCodeAt(0).toString(16).padStart(2, '0');

/** Where in the text a needle is, or enough of it. */
function spansOf(needle: Needle, { bytes, at }: Decoded, text: string): readonly Span[] {
  const spans: Span[] = [];
  const { units, least } = needle;
  const middle = middleOf(needle);
  const isBase64 = (index: number): boolean => needle.isBase64 && /^[A-Za-z0-9+/]$/.test(bytes[index] ?? '');
  let found = bytes.indexOf(middle);
  while (found !== -1) {
    let [start, end] = [found, found + middle.length];
    let first = units.length - least;
    let next = least;
    for (let unit = units[first - 1]; unit !== undefined && bytes.endsWith(unit, start); unit = units[first - 1]) {
      start -= unit.length;
      first -= 1;
    }
    for (let unit = units[next]; unit !== undefined && bytes.startsWith(unit, end); unit = units[next]) {
      end += unit.length;
      next += 1;
    }
    const isEnough = next - first >= least;
    if (isEnough && needle.isWord === true) {
      const span = [at(start), at(end)] as const;
      if (isWord(text, span)) spans.push(span);
    } else if (isEnough) {
      spans.push([
        at(isBase64(start - 1) && needle.before === true ? start - 1 : start),
        at(isBase64(end) ? end + 1 : end),
      ]);
    }
    found = bytes.indexOf(middle, isEnough ? end : found + 1);
  }
  return spans;
}

const isWord = (text: string, [start, end]: Span): boolean =>
  !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2));

/** The text with each span replaced, spans that overlap as one. */
function without(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= copied) pieces.push(text.slice(copied, start), REPLACEMENT);
    copied = Math.max(copied, end);
  }
  return pieces.join('') + text.slice(copied);
}
