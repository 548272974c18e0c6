/** A text as its UTF-8 bytes, one character each. */
export interface Decoded {
  readonly bytes: string;
  /** Where in the text a byte began; after the last one, its end. */
  readonly at: (index: number) => number;
}

/**
 * Everything that stands for another character in a URL, in JSON, HTML or XML, or for a shell: percent signs, backslashes,
 * references, and what closes and opens quotes again.
 */
const ESCAPE =
  /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|&#x0*([0-9a-f]{1,6});?|&#0*(\d{1,7});?|&(amp|lt|gt|quot|apos);|\\(?!'\\'')(["'\\/bfnrt])|'\\''|'"'"'/gi;

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
);

/** An escape may be escaped, as JSON within JSON is. */
const MOST_TIMES = 4;

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** The bytes that an escape stands for. */
function meant(groups: readonly (string | undefined)[]): string {
  const [, percent, byte, high, low, unit, point, hexadecimal, decimal, name, letter] = groups;
  const code = (digits: string, base = 16): number => Number.parseInt(digits, base);
  if (percent !== undefined || byte !== undefined) return String.fromCharCode(code(percent ?? byte ?? ''));
  if (high !== undefined && low !== undefined) return utf8(String.fromCharCode(code(high), code(low)));
  const digits = unit ?? point ?? hexadecimal;
  const number = digits === undefined ? code(decimal ?? '', 10) : code(digits);
  if (!Number.isNaN(number)) return number > 0x10ffff ? '?' : utf8(String.fromCodePoint(number));
  const short = name ?? letter ?? "'";
  return NAMED.get(short.toLowerCase()) ?? short;
}

/** Replaces what a pattern finds, and remembers where in the text everything was. */
function replaced(text: Decoded, pattern: RegExp, by: (match: RegExpExecArray) => string): Decoded {
  const { bytes, at } = text;
  const pieces: { readonly start: number; readonly from: number; readonly isMade: boolean }[] = [];
  let made = '';
  let copied = 0;
  for (const match of bytes.matchAll(pattern)) {
    pieces.push({ start: made.length, from: copied, isMade: false });
    made += bytes.slice(copied, match.index);
    pieces.push({ start: made.length, from: match.index, isMade: true });
    made += by(match);
    copied = match.index + match[0].length;
  }
  if (copied === 0) return text;
  pieces.push({ start: made.length, from: copied, isMade: false });
  const placeOf = (index: number): number => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((pieces[middle]?.start ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    const { start = 0, from = 0, isMade = false } = pieces[low] ?? {};
    return isMade ? from : from + index - start;
  };
  return { bytes: made + bytes.slice(copied), at: (index) => at(placeOf(index)) };
}

/** A text as bytes, with its escapes. */
export const asBytes = (text: string): Decoded =>
  replaced({ bytes: text, at: (index) => index }, /[^\x00-\x7f]/gu, ([found]) => utf8(found));

/** The same, and what is left each time that its escapes are decoded. */
export function decoded(text: Decoded): readonly [Decoded, ...Decoded[]] {
  const views: [Decoded, ...Decoded[]] = [text];
  while (views.length <= MOST_TIMES) {
    const last = views.at(-1) ?? text;
    const next = replaced(last, ESCAPE, meant);
    if (next === last) break;
    views.push(next);
  }
  return views;
}
