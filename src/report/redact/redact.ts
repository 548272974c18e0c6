import { isDeepStrictEqual } from 'node:util';
import { coreBeginningOf, coreOf, corePatternOf, type Form, formsOf, type Unit } from './forms.ts';

/**
 * Removes secrets from text, in every form in which they could be written.
 *
 * A regular expression finds the middle of a form, which is contained in every part of it that is large enough to
 * reveal the secret; from there a walk over the characters to both sides finds its ends, so that a truncated secret is
 * removed too. The pattern stays small however long the secret is.
 */

const REPLACEMENT = '[redacted]';

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
    const next = new Set([...places].flatMap((at) => unit.sources.flatMap((source) => step(at, source) ?? [])));
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
    latest = { secrets: distinct, redact: redactorOf([...distinct].flatMap(formsOf)) };
  }
  return latest.redact;
}

type Redactor = (text: string) => string;

/** Making one takes a while, and several parts of a program need that of the same secrets. */
let latest: { readonly secrets: ReadonlySet<string>; readonly redact: Redactor } | undefined;

function redactorOf(forms: readonly Form[]): Redactor {
  // Most texts hold no form, and are searched once.
  const anyBeginning = new RegExp([...new Set(forms.map(coreBeginningOf))].join('|'), 'u');
  const matchers = new Map<string, RegExp>();
  const matcher: Matcher = (source) => {
    const pattern = matchers.get(source) ?? new RegExp(source, 'uy');
    matchers.set(source, pattern);
    return pattern;
  };
  // Each is compiled for the first text that may hold its form: most runs have none.
  const finders = new Map<Form, RegExp>();
  const finderOf = (form: Form): RegExp => {
    const finder = finders.get(form) ?? new RegExp(corePatternOf(form), 'gu');
    finders.set(form, finder);
    return finder;
  };
  return (text) => {
    if (!anyBeginning.test(text)) return text;
    return without(
      text,
      forms.flatMap((form) => spansOf(form, text, finderOf(form), matcher)),
    );
  };
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
