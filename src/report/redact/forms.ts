/** The forms in which a secret could be written, and how much of each reveals it. */

/** A secret shorter than this could be part of any word, and is replaced only where it is a word of its own. */
const SHORT = 4;

const TOKEN_START = '(?<![\\p{L}\\p{N}_])';
const TOKEN_END = '(?![\\p{L}\\p{N}_])';

/** One character of a form. */
export interface Unit {
  /** Every way to write it, each a pattern of its own. */
  readonly sources: readonly string[];
  /** Its plain spelling in lower case, where that is ASCII. */
  readonly plain?: string;
  /** The ways to write it that are not that spelling, in either letter case. */
  readonly escapes?: readonly string[];
}

export interface Form {
  readonly units: readonly Unit[];
  /** How many units reveal the secret. */
  readonly least: number;
  /** Base64 only: whether the character before or after the form also has bits of the secret. */
  readonly before?: boolean;
  readonly after?: boolean;
}

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['amp', 'AMP']],
  ['<', ['lt', 'LT']],
  ['>', ['gt', 'GT']],
  ['"', ['quot', 'QUOT']],
  ["'", ['apos']],
]);

function literal(text: string): string {
  return [...text].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
}

/** The hexadecimal digits of a number in either letter case. */
function hexadecimal(number: number, width = 1): string {
  const digits = number.toString(16).padStart(width, '0');
  return [...digits].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('');
}

/** `%` and two digits for each byte, the percent sign itself encoded up to twice more. */
function percentEncoded(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%(?:25){0,2}${hexadecimal(byte, 2)}`).join('');
}

/** `\u` and four digits for each UTF-16 unit, the backslash itself escaped up to twice more. */
function unicodeEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\\\{1,4}[uU]${hexadecimal(unit, 4)}`)
    .join('');
}

/** Every way to write one code point: plain, and as URLs, JSON, HTML, XML and shells escape it. */
function spellings(character: string): readonly string[] {
  const codePoint = character.codePointAt(0) ?? 0;
  const references = [
    `&#0{0,6}${codePoint};?`,
    `&#[xX]0{0,6}${hexadecimal(codePoint)};?`,
    ...(NAMED.get(character) ?? []).map((name) => `&${name};`),
  ];
  // The letter behind the backslash in JSON, which may escape a slash too.
  const backslashed = character === '/' ? '/' : /^\\(.)$/.exec(JSON.stringify(character).slice(1, -1))?.[1];
  // Where a character is also part of an escape, each depth stands apart, or the longest would hide the others.
  if (character === '%')
    return [...['%', '%25', '%2525', '%252525'].map(literal), unicodeEscaped(character), ...references];
  if (character === '\\') {
    const doubled = [1, 2, 4].map((times) => literal(character.repeat(times)));
    return [...doubled, percentEncoded(Uint8Array.of(0x5c)), unicodeEscaped(character), ...references];
  }
  return [
    literal(character),
    percentEncoded(Buffer.from(character, 'utf8')),
    ...(codePoint >= 0x80 && codePoint <= 0xff ? [percentEncoded(Uint8Array.of(codePoint))] : []),
    unicodeEscaped(character),
    ...(codePoint > 0xffff ? [`\\\\{1,4}u\\{0{0,2}${hexadecimal(codePoint)}\\}`] : []),
    ...references,
    ...(backslashed === undefined ? [] : [`\\\\{1,3}${literal(backslashed)}`]),
    ...(character === "'" ? [literal("'\\''"), literal(`'"'"'`), literal("\\'")] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

/** Makes each unit once: many forms of many secrets have the same. */
function remembered<K>(make: (key: K) => Unit): (key: K) => Unit {
  const known = new Map<K, Unit>();
  return (key) => {
    const unit = known.get(key) ?? make(key);
    known.set(key, unit);
    return unit;
  };
}

/** The spellings of a character in any letter case. */
const anyCase = remembered((character: string): Unit => {
  const cases = [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  const sources = cases.flatMap((variant) => ([...variant].length === 1 ? spellings(variant) : [literal(variant)]));
  if (!cases.every((variant) => /^[\x20-\x7e]$/.test(variant))) return { sources };
  const literals = cases.map(literal);
  const escapes = sources.filter((source) => !literals.includes(source));
  return { sources, plain: character.toLowerCase(), escapes };
});

const base64Unit = remembered((character: string): Unit => {
  if (character === '+' || character === '-') return { sources: [...spellings('+'), '-'] };
  if (character === '/' || character === '_') return { sources: [...spellings('/'), '_'] };
  return { sources: [literal(character)], plain: character.toLowerCase() };
});

const hexadecimalUnit = remembered((byte: number): Unit => {
  const source = hexadecimal(byte, 2);
  return { sources: [source], plain: byte.toString(16).padStart(2, '0') };
});

/** How many characters of a secret reveal it. */
function leastOf(length: number): number {
  return Math.min(length, Math.max(6, Math.ceil(length * 0.6)));
}

/** Only parts of more than half have a core in common; where characters differ in length, 60 % can be less than that. */
function atLeastHalf(least: number, length: number): number {
  return Math.max(least, Math.floor(length / 2) + 1);
}

/** Characters of base64 that bytes before and after the text cannot change, from `skip` bytes into a group of three. */
function steady(skip: number, text: string): { readonly first: number; readonly last: number } {
  const bytes = Buffer.byteLength(text, 'utf8');
  return { first: Math.ceil((skip * 8) / 6), last: Math.floor(((skip + bytes) * 8) / 6) };
}

/**
 * The secret in hexadecimal, and inside base64 or base64url of anything longer (`user:secret`, `Bearer secret`): one
 * form for each place in a group of three bytes at which it can begin.
 */
function encodedForms(secret: string): readonly Form[] {
  const characters = [...secret];
  const prefix = characters.slice(0, leastOf(characters.length)).join('');
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((skip) => {
    const encoded = Buffer.concat([Buffer.alloc(skip), bytes]).toString('base64');
    const { first, last } = steady(skip, secret);
    return {
      units: [...encoded.slice(first, last)].map(base64Unit),
      least: atLeastHalf(steady(skip, prefix).last - first, last - first),
      before: skip > 0,
      after: true,
    };
  });
  const inHexadecimal = {
    units: [...bytes].map(hexadecimalUnit),
    least: atLeastHalf(Buffer.byteLength(prefix, 'utf8'), bytes.length),
  };
  return [...base64, inHexadecimal];
}

function longForms(secret: string): readonly Form[] {
  const characters = [...secret];
  const plain = { units: characters.map(anyCase), least: leastOf(characters.length) };
  const cases = new Set([secret, secret.toLowerCase(), secret.toUpperCase()]);
  return [plain, ...[...cases].flatMap(encodedForms)];
}

function asWord(units: readonly Unit[]): Form {
  return { units: [{ sources: [TOKEN_START] }, ...units, { sources: [TOKEN_END] }], least: units.length + 2 };
}

function shortForms(secret: string): readonly Form[] {
  const plain = asWord([...secret].map(anyCase));
  const encoded = [secret, `:${secret}`, `Bearer ${secret}`, `bearer ${secret}`].map((text) =>
    asWord([...Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '')].map(base64Unit)),
  );
  return [plain, ...encoded];
}

/** Finds a unit in any of its spellings. */
function patternOf({ sources }: Unit): string {
  return sources.length === 1 ? sources.join('') : `(?:${sources.join('|')})`;
}

/** A pattern with any number of what it counts, such as leading zeros: that takes far less time to compile. */
export const uncounted = (pattern: string): string => pattern.replaceAll(/\{\d,\d\}/g, '*');

/** As {@link patternOf}, but quick to compile. It may find more than that, and leaves nothing out. */
export const looselyPatternOf = (unit: Unit): string => uncounted(patternOf(unit));

/** Every form of a secret. */
export function formsOf(secret: string): readonly Form[] {
  return [...secret].length < SHORT ? shortForms(secret) : longForms(secret);
}

/** The units that every run of enough units contains. */
export function coreOf({ units, least }: Form): { readonly start: number; readonly end: number } {
  return { start: units.length - least, end: least };
}

/** How many characters of a core its pattern looks for, and how many say whether a text may hold it at all. */
const HEAD = 24;
const BEGINNING = 5;

/** Finds the beginning of a form's core, and what looks like it. */
export const corePatternOf = (form: Form): string => patternOfCore(form, HEAD);

/** Finds less of the beginning of a form's core: many forms have that in common. */
export const coreBeginningOf = (form: Form): string => patternOfCore(form, BEGINNING);

function patternOfCore(form: Form, most: number): string {
  const { start, end } = coreOf(form);
  return form.units
    .slice(start, Math.min(end, start + most))
    .map(looselyPatternOf)
    .join('');
}
