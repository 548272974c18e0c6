/**
 * Text that a service sent, made safe to look at: whatever could move the cursor, colour the screen, turn the reading
 * direction or hide itself is written out as a visible escape.
 */

/** Line feeds and tabs are kept only where the place that shows the text can hold several lines. */
export interface PrintableOptions {
  readonly lines: 'keep' | 'escape';
}

// Controls (C0, DEL, C1), soft hyphen, bidi marks, embeddings and isolates, zero-width characters, line and paragraph
// separators, invisible operators, byte order marks, interlinear marks, tags, noncharacters and lone surrogates.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}\ud800-\udfff]|\p{Noncharacter_Code_Point}/gu;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeVisibly(character: string): string {
  const short = SHORT.get(character);
  if (short !== undefined) return short;
  const codePoint = character.codePointAt(0) ?? 0;
  const hex = codePoint.toString(16);
  return codePoint > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/**
 * The same text with every character that a reader could not see, or that a terminal would obey, written as `\u….`.
 * The outcome is valid in XML, in UTF-8 and on a terminal.
 */
export function printable(text: string, options: PrintableOptions = { lines: 'escape' }): string {
  const keep = options.lines === 'keep';
  return text.replace(UNSAFE, (character) =>
    keep && (character === '\n' || character === '\t') ? character : escapeVisibly(character),
  );
}
