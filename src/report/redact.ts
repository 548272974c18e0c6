/**
 * Secrets, removed from text in every form that could carry them.
 *
 * One regular expression finds where the first characters of any form begin; from there a walk over the remaining
 * characters tells how far the form goes, so that a cut-off secret goes too. The pattern stays small however long
 * the secret is.
 */

const REPLACEMENT = '[redacted]';

/** Below this length a secret is a word like any other, and is replaced only where it stands alone. */
const SHORT = 4;

/** How many characters of a form the regular expression looks for. */
const HEAD = 24;

const TOKEN_START = '(?<![\\p{L}\\p{N}_])';
const TOKEN_END = '(?![\\p{L}\\p{N}_])';

/** One character of a form: every way to write it, each a pattern of its own. */
type Unit = readonly string[];

interface Form {
  readonly units: readonly Unit[];
  /** How many units must be there for it to count. */
  readonly least: number;
  /** Base64 only: the characters beside the form that also carry bits of the secret. */
  readonly before: number;
  readonly after: number;
}

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['&', ['amp', 'AMP']],
  ['<', ['lt', 'LT']],
  ['>', ['gt', 'GT']],
  ['"', ['quot', 'QUOT']],
  ["'", ['apos']],
]);

const BACKSLASHED: ReadonlyMap<string, string> = new Map([
  ['\b', 'b'],
  ['\t', 't'],
  ['\n', 'n'],
  ['\f', 'f'],
  ['\r', 'r'],
  ['"', '"'],
  ['/', '/'],
]);

function literal(text: string): string {
  return [...text].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
}

/** Hexadecimal digits in either letter case. */
function hexadecimal(digits: string): string {
  return [...digits].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join('');
}

/** `%` and two digits for each byte, the percent sign itself encoded up to twice more. */
function percentEncoded(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%(?:25){0,2}${hexadecimal(byte.toString(16).padStart(2, '0'))}`).join('');
}

/** `\u` and four digits for each UTF-16 unit, the backslash itself escaped up to twice more. */
function unicodeEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\\\{1,4}[uU]${hexadecimal(unit.toString(16).padStart(4, '0'))}`)
    .join('');
}

/** Every way to write one code point: plain, and as URLs, JSON, HTML, XML and shells escape it. */
function spellings(character: string): Unit {
  const codePoint = character.codePointAt(0) ?? 0;
  const references = [
    `&#0{0,6}${codePoint};?`,
    `&#[xX]0{0,6}${hexadecimal(codePoint.toString(16))};?`,
    ...(NAMED.get(character) ?? []).map((name) => `&${name};`),
  ];
  const backslashed = BACKSLASHED.get(character);
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
    ...(codePoint > 0xffff ? [`\\\\{1,4}u\\{0{0,2}${hexadecimal(codePoint.toString(16))}\\}`] : []),
    ...references,
    ...(backslashed === undefined ? [] : [`\\\\{1,3}${literal(backslashed)}`]),
    ...(character === "'" ? [literal("'\\''"), literal(`'"'"'`)] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

/** The spellings of a character in any letter case. */
function anyCase(character: string): Unit {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...cases].flatMap((variant) => ([...variant].length === 1 ? spellings(variant) : [literal(variant)]));
}

function base64Unit(character: string): Unit {
  if (character === '+' || character === '-') return [...spellings('+'), '-'];
  if (character === '/' || character === '_') return [...spellings('/'), '_'];
  return [literal(character)];
}

/** How many characters of a secret give it away. */
function leastOf(length: number): number {
  return Math.min(length, Math.max(6, Math.ceil(length * 0.6)));
}

/** Characters of base64 that bytes before and after the text cannot change, from `skip` bytes into a group of three. */
function steady(skip: number, text: string): { readonly first: number; readonly last: number } {
  const bytes = Buffer.byteLength(text, 'utf8');
  return {
    first: Math.ceil((skip * 8) / 6),
    last: Math.floor(((skip + bytes) * 8) / 6),
  };
}

/**
 * The secret inside base64 or base64url of anything longer (`user:secret`, `Bearer secret`): one form for each place
 * in a group of three bytes at which it can begin.
 */
function base64Forms(secret: string): readonly Form[] {
  const characters = [...secret];
  const prefix = characters.slice(0, leastOf(characters.length)).join('');
  return [0, 1, 2].map((skip) => {
    const encoded = Buffer.concat([Buffer.alloc(skip), Buffer.from(secret, 'utf8')]).toString('base64');
    const { first, last } = steady(skip, secret);
    return {
      units: [...encoded.slice(first, last)].map(base64Unit),
      least: steady(skip, prefix).last - first,
      before: skip === 0 ? 0 : 1,
      after: 1,
    };
  });
}

/** The bytes of the secret in hexadecimal. */
function hexadecimalForm(secret: string): Form {
  const prefix = [...secret].slice(0, leastOf([...secret].length)).join('');
  return {
    units: [...Buffer.from(secret, 'utf8')].map((byte) => [hexadecimal(byte.toString(16).padStart(2, '0'))]),
    least: Buffer.byteLength(prefix, 'utf8'),
    before: 0,
    after: 0,
  };
}

function longForms(secret: string): readonly Form[] {
  const characters = [...secret];
  const plain = {
    units: characters.map(anyCase),
    least: leastOf(characters.length),
    before: 0,
    after: 0,
  };
  const cases = new Set([secret, secret.toLowerCase(), secret.toUpperCase()]);
  return [plain, ...[...cases].flatMap((variant) => [...base64Forms(variant), hexadecimalForm(variant)])];
}

function standingAlone(units: readonly Unit[]): Form {
  const all: readonly Unit[] = [[TOKEN_START], ...units, [TOKEN_END]];
  return { units: all, least: all.length, before: 0, after: 0 };
}

function shortForms(secret: string): readonly Form[] {
  const plain = standingAlone([...secret].map(anyCase));
  const encoded = [secret, `:${secret}`, `Bearer ${secret}`, `bearer ${secret}`].map((text) =>
    standingAlone([...Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '')].map(base64Unit)),
  );
  return [plain, ...encoded];
}

/** Where in the text the units lead from `start`: the furthest end after at least `least` of them, or undefined. */
function walk(text: string, start: number, form: Form, matcher: (source: string) => RegExp): number | undefined {
  let places: ReadonlySet<number> = new Set([start]);
  let end: number | undefined;
  for (const [index, unit] of form.units.entries()) {
    const next = new Set<number>();
    for (const place of places) {
      for (const source of unit) {
        const pattern = matcher(source);
        pattern.lastIndex = place;
        if (pattern.test(text)) next.add(pattern.lastIndex);
      }
    }
    if (next.size === 0) break;
    places = next;
    if (index + 1 >= form.least) end = Math.max(...next);
  }
  return end;
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /^[A-Za-z0-9+/_-]$/.test(character);
}

/**
 * Makes the function that takes every secret out of a text and puts `[redacted]` in its place.
 *
 * Found are the secret in any letter case, percent-encoded, escaped for JSON, HTML, XML or a shell, in base64 and
 * base64url of itself or of a longer text, in hexadecimal, and beginnings of at least six characters and 60 % of it in each of these
 * forms. A secret of fewer than four characters is replaced only where it stands alone. Never throws.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const distinct = new Set(
    secrets.flatMap((secret) => [secret, secret.trim()]).filter((secret) => secret.trim() !== ''),
  );
  if (distinct.size === 0) return (text) => text;
  const forms = [...distinct].flatMap((secret) =>
    [...secret].length < SHORT ? shortForms(secret) : longForms(secret),
  );
  const heads = forms.map((form) =>
    form.units
      .slice(0, Math.min(form.least, HEAD))
      .map((unit) => (unit.length === 1 ? unit.join('') : `(?:${unit.join('|')})`))
      .join(''),
  );
  const finder = new RegExp([...new Set(heads)].join('|'), 'gu');
  const matchers = new Map<string, RegExp>();
  const matcher = (source: string): RegExp => {
    const known = matchers.get(source);
    if (known !== undefined) return known;
    const made = new RegExp(source, 'uy');
    matchers.set(source, made);
    return made;
  };

  return (text) => {
    const pieces: string[] = [];
    let copied = 0;
    finder.lastIndex = 0;
    for (let found = finder.exec(text); found !== null; found = finder.exec(text)) {
      let start = found.index;
      let end: number | undefined;
      for (const form of forms) {
        const reached = walk(text, found.index, form, matcher);
        if (reached === undefined) continue;
        const after = form.after === 1 && isBase64(text[reached]) ? reached + 1 : reached;
        if (form.before === 1 && found.index > copied && isBase64(text[found.index - 1])) start = found.index - 1;
        end = Math.max(end ?? 0, after);
      }
      if (end === undefined) {
        // Only a head: go on one character later.
        finder.lastIndex = found.index + 1;
        continue;
      }
      pieces.push(text.slice(copied, start), REPLACEMENT);
      copied = end;
      finder.lastIndex = Math.max(end, found.index + 1);
    }
    return copied === 0 ? text : pieces.join('') + text.slice(copied);
  };
}
