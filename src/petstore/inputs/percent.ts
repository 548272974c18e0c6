/** How a text is written in a URI: which of its characters are percent-encoded beside those that must be. */
export type PercentEncoding =
  /** None; a semicolon may stand in a query, but some readers take it for the end of a parameter. */
  | 'as needed'
  /** A semicolon, too. */
  | 'strictly'
  /** Not even those that may stand in a query as they are, but for what forms and some readers take for something else. */
  | 'barely'
  /** None, and a blank as forms write it: read as a plus sign, it is no status either, and an unusual limit. */
  | 'blanks as plus signs'
  | 'every character'
  | 'every character in lower case'
  | 'the first character'
  | 'the last character'
  | 'all but the first character'
  /** Malformed: the first character as JavaScript once escaped it, `%u0073old`. */
  | 'the first character as once'
  /** Malformed where the end is. */
  | { readonly end: string }
  /** The character at a place, counted from 0 and beginning anew at the end. */
  | { readonly nth: number; readonly lower: boolean }
  /** Character by character, beginning anew at the end of the list. */
  | { readonly inTurn: readonly (readonly [encoded: boolean, lower: boolean])[] };

/** A text with every byte of it percent-encoded, which means the same in a URI. */
export const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

/** Whether the character at a place is percent-encoded though it need not be, and whether in lower case. */
type Choice = (place: number, length: number) => readonly [encoded: boolean, lower: boolean];

const CHOICES: Readonly<Record<string, Choice>> = {
  'every character': () => [true, false],
  'every character in lower case': () => [true, true],
  'the first character': (place) => [place === 0, false],
  'the last character': (place, length) => [place === length - 1, false],
  'all but the first character': (place) => [place > 0, false],
};

function choiceOf(encoding: PercentEncoding): Choice {
  if (typeof encoding === 'string') return CHOICES[encoding] ?? (() => [false, false]);
  if ('inTurn' in encoding) return (place) => encoding.inTurn[place % encoding.inTurn.length] ?? [true, true];
  return (place, length) => ('nth' in encoding ? [place === encoding.nth % length, encoding.lower] : [false, false]);
}

/** A text as it is written in a URI. */
export function percentEncoded(text: string, encoding: PercentEncoding = 'as needed'): string {
  const needed = encodeURIComponent(text);
  if (encoding === 'as needed') return needed.replaceAll('%3B', ';');
  if (encoding === 'barely') return needed.replace(/%(?:2C|2F|3A|3D|3F|40|24)/g, decodeURIComponent);
  if (encoding === 'blanks as plus signs') return needed.replaceAll('%20', '+');
  const characters = [...text];
  if (encoding === 'the first character as once') {
    const [first = ''] = characters;
    return `${first.replace(/./u, asOnce)}${encodeURIComponent(characters.slice(1).join(''))}`;
  }
  if (typeof encoding === 'object' && 'end' in encoding) return needed + encoding.end;
  const choice = choiceOf(encoding);
  const write = (character: string, place: number): string => {
    const [isEncoded, isLower] = choice(place, characters.length);
    const written = isEncoded ? percent(character) : encodeURIComponent(character);
    return isLower && written.startsWith('%') ? written.toLowerCase() : written;
  };
  return characters.map(write).join('');
}

const asOnce = (character: string): string => `%u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
