import { type Form, patternOf, type Unit } from './forms.ts';

/** How many units of a form are looked for. */
const UNITS = 5;

interface QuickTest {
  /** True of every text in which one of the forms is, but for those that are left untested. */
  readonly test: (text: string) => boolean;
  /** Forms with too few characters that have a plain spelling in ASCII. */
  readonly untested: readonly Form[];
}

/**
 * Creates a quick test for texts that need not be searched for each form of each secret: most hold none.
 *
 * Whatever reveals a secret has a run of so many consecutive units of a form. Of every such run, a few units are chosen.
 * A text with the run holds these in their plain spelling, or at least one of them as an escape.
 */
export function quickTestFor(forms: readonly Form[]): QuickTest {
  const all = forms.map((form) => ({ form, candidates: candidatesOf(form) }));
  // What many forms have in common is looked for once.
  const frequency = new Map<string, number>();
  for (const { text } of all.flatMap(({ candidates }) => candidates)) {
    if (text !== undefined) frequency.set(text, (frequency.get(text) ?? 0) + 1);
  }
  const chosen = new Set<string>();
  const patterns = new Set<string>();
  const escapes = new Set<string>();
  const weightOf = ({ text }: Candidate): number => {
    if (text === undefined) return 0;
    return chosen.has(text) ? Number.POSITIVE_INFINITY : (frequency.get(text) ?? 0);
  };
  const untested: Form[] = [];
  for (const { form, candidates } of all) {
    const { units, least } = form;
    let last = -1;
    for (let start = 0; start + least <= units.length; start += 1) {
      if (last >= start) continue;
      const within = candidates.filter((one) => one.start >= start && one.start + one.units.length <= start + least);
      const best = within.reduce((one, other) => (weightOf(other) >= weightOf(one) ? other : one), NO_CANDIDATE);
      if (best.text === undefined) {
        untested.push(form);
        break;
      }
      chosen.add(best.text);
      // Also where the text was chosen before: in another form, its characters may be written in other ways.
      patterns.add(best.units.map(patternOf).join(''));
      for (const source of best.units.flatMap((unit) => unit.escapes ?? [])) escapes.add(source);
      last = best.start;
    }
  }
  const plain = new RegExp([...chosen].map(quoted).join('|') || NOWHERE);
  const escaped = new RegExp([...escapes].join('|') || NOWHERE, 'u');
  // Slower, but exact: in many texts something is escaped.
  const units = new RegExp([...patterns].join('|') || NOWHERE, 'u');
  return { test: (text) => (testLowerCase(plain, text) || escaped.test(text)) && units.test(text), untested };
}

/** How many characters are tested at a time: a copy of a whole report in lower case would be large. */
const WINDOW = 65_536;

/** Whether the text in lower case matches a pattern of at most `UNITS` characters. */
function testLowerCase(pattern: RegExp, text: string): boolean {
  for (let start = 0; start === 0 || start < text.length; start += WINDOW) {
    if (pattern.test(text.slice(start, start + WINDOW + UNITS).toLowerCase())) return true;
  }
  return false;
}

/** A pattern that is in no text. */
const NOWHERE = '(?!)';

/** A few consecutive units of a form. */
interface Candidate {
  readonly start: number;
  readonly units: readonly Unit[];
  /** Their plain spelling in lower case; undefined where one of them has none. */
  readonly text: string | undefined;
}

const NO_CANDIDATE: Candidate = { start: -1, units: [], text: undefined };

/** By the place at which they begin. */
function candidatesOf({ units, least }: Form): readonly Candidate[] {
  const length = Math.min(UNITS, least);
  return Array.from({ length: units.length - length + 1 }, (_, start) => {
    const some = units.slice(start, start + length);
    const text = some.every(({ plain }) => plain !== undefined) ? some.map(({ plain }) => plain).join('') : undefined;
    return { start, units: some, text };
  });
}

const quoted = (text: string): string => text.replace(/[^a-z0-9]/g, (character) => `\\x${hex(character)}`);
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');
