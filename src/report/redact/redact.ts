/**
 * Removes secrets from text, in every form in which they could be written.
 *
 * A regular expression finds the middle of a form, which is contained in every part of it that is large enough to
 * reveal the secret; from there a walk over the characters to both sides finds its ends, so that a truncated secret is
 * removed too. The pattern stays small however long the secret is.
 */

const REPLACEMENT = '[redacted]';

/** A secret shorter than this could be part of any word, and is replaced only where it is a word of its own. */
const SHORT = 4;

/** How many characters of a core the regular expression looks for. */
const HEAD = 24;

const TOKEN_START = '(?<![\\p{L}\\p{N}_])';
const TOKEN_END = '(?![\\p{L}\\p{N}_])';

/** One character of a form: every way to write it, each a pattern of its own. */
type Unit = readonly string[];

interface Form {
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
function spellings(character: string): Unit {
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
    units: [...bytes].map((byte) => [hexadecimal(byte, 2)]),
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
  return { units: [[TOKEN_START], ...units, [TOKEN_END]], least: units.length + 2 };
}

function shortForms(secret: string): readonly Form[] {
  const plain = asWord([...secret].map(anyCase));
  const encoded = [secret, `:${secret}`, `Bearer ${secret}`, `bearer ${secret}`].map((text) =>
    asWord([...Buffer.from(text, 'utf8').toString('base64').replace(/=+$/, '')].map(base64Unit)),
  );
  return [plain, ...encoded];
}

/** Compiles the pattern of a unit, sticky. */
type Matcher = (source: string) => RegExp;

/** How many of the units follow in the text from `place`, and where they can end. */
function walk(
  place: number,
  units: readonly Unit[],
  step: (place: number, source: string) => number | undefined,
): { readonly places: ReadonlySet<number>; readonly units: number } {
  let places: ReadonlySet<number> = new Set([place]);
  for (const [index, unit] of units.entries()) {
    const next = new Set([...places].flatMap((at) => unit.flatMap((source) => step(at, source) ?? [])));
    if (next.size === 0) return { places, units: index };
    places = next;
  }
  return { places, units: units.length };
}

/** The longest run of consecutive units of a form with its core at `core`. */
function runAround(text: string, core: number, form: Form, matcher: Matcher) {
  const first = coreOf(form).start;
  const onward = walk(core, form.units.slice(first), (place, source) => {
    const pattern = matcher(source);
    pattern.lastIndex = place;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  });
  const back = walk(core, form.units.slice(0, first).reverse(), (place, source) => {
    const pattern = matcher(`(?<=(${source}))`);
    pattern.lastIndex = place;
    const found = pattern.exec(text)?.[1];
    return found === undefined ? undefined : place - found.length;
  });
  return { start: Math.min(...back.places), end: Math.max(...onward.places), units: back.units + onward.units };
}

/** The units that every run of enough units contains. */
function coreOf({ units, least }: Form): { readonly start: number; readonly end: number } {
  return { start: units.length - least, end: least };
}

/**
 * Creates the function that replaces every secret in a text with `[redacted]`.
 *
 * It finds the secret in any letter case, percent-encoded, escaped for JSON, HTML, XML or a shell, in base64 and
 * base64url of itself or of a longer text, in hexadecimal, and parts of at least six characters and 60 % of it in each
 * of these forms. A secret of fewer than four characters is replaced only where it is a word of its own. Never throws.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const distinct = new Set(
    secrets.flatMap((secret) => [secret, secret.trim()]).filter((secret) => secret.trim() !== ''),
  );
  if (distinct.size === 0) return (text) => text;
  const forms = [...distinct].flatMap((secret) =>
    [...secret].length < SHORT ? shortForms(secret) : longForms(secret),
  );
  const finders = forms.map((form) => ({ form, finder: new RegExp(patternOf(form), 'gu') }));
  const any = new RegExp([...new Set(forms.map(patternOf))].join('|'), 'u');
  const matchers = new Map<string, RegExp>();
  const matcher: Matcher = (source) => {
    const pattern = matchers.get(source) ?? new RegExp(source, 'uy');
    matchers.set(source, pattern);
    return pattern;
  };
  return (text) => {
    if (!any.test(text)) return text;
    return without(
      text,
      finders.flatMap(({ form, finder }) => spansOf(form, text, finder, matcher)),
    );
  };
}

/** Finds the beginning of a form's core. */
function patternOf(form: Form): string {
  const { start, end } = coreOf(form);
  return form.units
    .slice(start, Math.min(end, start + HEAD))
    .map((unit) => (unit.length === 1 ? unit.join('') : `(?:${unit.join('|')})`))
    .join('');
}

type Span = readonly [start: number, end: number];

/** Where in a text a form is, or enough of it. */
function spansOf(form: Form, text: string, finder: RegExp, matcher: Matcher): readonly Span[] {
  const spans: Span[] = [];
  const isBase64 = (character = ''): boolean => /^[A-Za-z0-9+/_-]$/.test(character);
  finder.lastIndex = 0;
  for (let found = finder.exec(text); found !== null; found = finder.exec(text)) {
    const { start, end, units } = runAround(text, found.index, form, matcher);
    // Only a core: continue one code point later. In the middle of a surrogate pair, it would be found again forever.
    const next = found.index + String.fromCodePoint(text.codePointAt(found.index) ?? 0).length;
    finder.lastIndex = next;
    if (units < form.least) continue;
    const before = form.before === true && isBase64(text[start - 1]) ? 1 : 0;
    const after = form.after === true && isBase64(text[end]) ? 1 : 0;
    spans.push([start - before, end + after]);
    finder.lastIndex = Math.max(end, next);
  }
  return spans;
}

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
