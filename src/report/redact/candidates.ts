import { corePatternOf, type Form, looselyPatternOf, uncounted } from './forms.ts';

/** How many units of a form are looked for. */
const UNITS = 5;
/** As many of a secret that is percent-encoded itself: a few are soon found where others are percent-encoded too. */
const UNITS_OF_ENCODED = 9;

/**
 * Creates the function that tells which forms may be in a text, so that it need not be searched for each form of each
 * secret: most texts hold none. Every form that is in the text is among them.
 *
 * Whatever reveals a secret has a run of so many consecutive units of a form. Of every such run, a few units are chosen.
 * A text with the run holds these in their plain spelling, or at least one of them as an escape.
 */
export function candidatesAmong(forms: readonly Form[]): (text: string) => readonly Form[] {
  const all = forms.map((form) => {
    const length = lengthOf(form);
    return { form, length, texts: plainTextsOf(form, length) };
  });
  // What many forms have in common is looked for once.
  const frequency = new Map<string, number>();
  for (const { texts } of all) {
    for (const text of texts) if (text !== undefined) frequency.set(text, (frequency.get(text) ?? 0) + 1);
  }
  const chosen = new Map<string, Form[]>();
  const patterns = new Set<string>();
  const escapes = new Set<string>();
  // Forms of which a chosen unit has escapes: in hexadecimal none has, in base64 hardly any.
  const escapable = new Set<Form>();
  const weightOf = (text: string | undefined): number => {
    if (text === undefined) return 0;
    return chosen.has(text) ? Number.POSITIVE_INFINITY : (frequency.get(text) ?? 0);
  };
  // Forms with too few characters that have a plain spelling in ASCII.
  const others: Form[] = [];
  for (const { form, length, texts } of all) {
    const { units, least } = form;
    let last = -1;
    for (let start = 0; start + least <= units.length; start += 1) {
      if (last >= start) continue;
      let best = start;
      let most = 0;
      for (let place = start; place <= start + least - length; place += 1) {
        const weight = weightOf(texts[place]);
        if (weight < most) continue;
        best = place;
        most = weight;
      }
      const text = texts[best];
      if (text === undefined) {
        others.push(form);
        break;
      }
      chosen.set(text, [...(chosen.get(text) ?? []), form]);
      const some = units.slice(best, best + length);
      // Also where the text was chosen before: in another form, its characters may be written in other ways.
      patterns.add(some.map(looselyPatternOf).join(''));
      for (const source of some.flatMap((unit) => unit.escapes ?? [])) {
        escapes.add(uncounted(source));
        escapable.add(form);
      }
      last = best;
    }
  }
  const plain = new RegExp([...chosen.keys()].map(quoted).join('|') || NOWHERE);
  const escaped = new RegExp([...escapes].join('|') || NOWHERE, 'u');
  // Slower, but nearly exact: in many texts something is escaped.
  const units = new RegExp([...patterns].join('|') || NOWHERE, 'u');
  const cores = new RegExp([...new Set(others.map(corePatternOf))].join('|') || NOWHERE, 'u');
  const alsoInPlainText = (found: Set<Form>, text: string): Set<Form> => {
    for (const part of inLowerCase(text)) {
      for (const [some, having] of chosen) if (part.includes(some)) for (const form of having) found.add(form);
    }
    return found;
  };
  return (text) => {
    const rest = others.length > 0 && cores.test(text) ? others : [];
    const isEscaped = escaped.test(text);
    if (!isEscaped && !isAnywhere(plain, text)) return rest;
    if (!units.test(text)) return rest;
    return [...alsoInPlainText(new Set(isEscaped ? escapable : []), text), ...rest];
  };
}

/** The most characters of a unit in its plain spelling: the two digits of a byte. */
const LONGEST_UNIT = 2;

/** How many characters are tested at a time: a copy of a whole report in lower case would be large. */
const WINDOW = 65_536;

/** Whether the text in lower case matches a pattern of so many characters at most. */
function isAnywhere(pattern: RegExp, text: string): boolean {
  for (const part of inLowerCase(text)) if (pattern.test(part)) return true;
  return false;
}

/** The text in lower case, in parts that have as many characters in common as are looked for. */
function* inLowerCase(text: string): Generator<string> {
  for (let start = 0; start === 0 || start < text.length; start += WINDOW) {
    yield text.slice(start, start + WINDOW + LONGEST_UNIT * UNITS_OF_ENCODED).toLowerCase();
  }
}

/** A pattern that is in no text. */
const NOWHERE = '(?!)';

/** How many consecutive units of a form are looked for. */
function lengthOf({ units, least }: Form): number {
  const isEncoded = units.filter(({ plain }) => plain === '%').length * 3 >= units.length;
  return Math.min(isEncoded ? UNITS_OF_ENCODED : UNITS, least);
}

/**
 * The plain spelling in lower case of so many consecutive units, by the place at which they begin; undefined where one
 * of them has none.
 */
function plainTextsOf({ units }: Form, length: number): readonly (string | undefined)[] {
  const texts: (string | undefined)[] = [];
  for (let start = 0; start + length <= units.length; start += 1) {
    let text: string | undefined = '';
    for (let at = start; at < start + length && text !== undefined; at += 1) {
      const plain: string | undefined = units[at]?.plain;
      text = plain === undefined ? undefined : text + plain;
    }
    texts.push(text);
  }
  return texts;
}

const quoted = (text: string): string => text.replace(/[^a-z0-9]/g, (character) => `\\x${hex(character)}`);
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');
