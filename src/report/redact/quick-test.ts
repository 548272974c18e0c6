import { type Form, looselyPatternOf, uncounted } from './forms.ts';

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
  const all = forms.map((form) => ({ form, texts: plainTextsOf(form) }));
  // What many forms have in common is looked for once.
  const frequency = new Map<string, number>();
  for (const { texts } of all) {
    for (const text of texts) if (text !== undefined) frequency.set(text, (frequency.get(text) ?? 0) + 1);
  }
  const chosen = new Set<string>();
  const patterns = new Set<string>();
  const escapes = new Set<string>();
  const weightOf = (text: string | undefined): number => {
    if (text === undefined) return 0;
    return chosen.has(text) ? Number.POSITIVE_INFINITY : (frequency.get(text) ?? 0);
  };
  const untested: Form[] = [];
  for (const { form, texts } of all) {
    const { units, least } = form;
    const length = lengthOf(form);
    let last = -1;
    for (let start = 0; start + least <= units.length; start += 1) {
      if (last >= start) continue;
      let best = start;
      for (let place = start; place <= start + least - length; place += 1) {
        if (weightOf(texts[place]) >= weightOf(texts[best])) best = place;
      }
      const text = texts[best];
      if (text === undefined) {
        untested.push(form);
        break;
      }
      chosen.add(text);
      const some = units.slice(best, best + length);
      // Also where the text was chosen before: in another form, its characters may be written in other ways.
      patterns.add(some.map(looselyPatternOf).join(''));
      for (const source of some.flatMap((unit) => unit.escapes ?? [])) escapes.add(uncounted(source));
      last = best;
    }
  }
  const plain = new RegExp([...chosen].map(quoted).join('|') || NOWHERE);
  const escaped = new RegExp([...escapes].join('|') || NOWHERE, 'u');
  // Slower, but nearly exact: in many texts something is escaped.
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

/** How many consecutive units of a form are looked for. */
const lengthOf = ({ least }: Form): number => Math.min(UNITS, least);

/**
 * The plain spelling in lower case of so many consecutive units, by the place at which they begin; undefined where one
 * of them has none.
 */
function plainTextsOf(form: Form): readonly (string | undefined)[] {
  const { units } = form;
  const texts: (string | undefined)[] = [];
  for (let start = 0; start + lengthOf(form) <= units.length; start += 1) {
    let text: string | undefined = '';
    for (let at = start; at < start + lengthOf(form) && text !== undefined; at += 1) {
      const plain: string | undefined = units[at]?.plain;
      text = plain === undefined ? undefined : text + plain;
    }
    texts.push(text);
  }
  return texts;
}

const quoted = (text: string): string => text.replace(/[^a-z0-9]/g, (character) => `\\x${hex(character)}`);
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');
