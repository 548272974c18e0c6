/**
 * A number with its thousands set apart, such as `2,000` or `1,234.5`: at most three decimals. The same as
 * `toLocaleString('en-GB')`, of which the first call takes 20 ms.
 */
export function grouped(number: number): string {
  const [whole = '', ...fraction] = String(Math.round(number * 1_000) / 1_000).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** A number and its noun: `1 request`, `2,000 requests`; `plural` for nouns that take no plain `s`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** A time in milliseconds: `840 ms`, `3.1 s`, `4 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 99_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A time in milliseconds that is only known roughly: `50 s`, `4 min`, `1 h 10 min`. */
export function roughly(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 95) return `${Math.max(5, Math.round(seconds / 5) * 5)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A number of things a second: `0.5`, `2`, `13`. */
export function rate(perSecond: number): string {
  return perSecond < 9.95 ? perSecond.toFixed(1).replace(/\.0$/, '') : `${Math.round(perSecond)}`;
}

/** The beginning of a text: at most `limit` UTF-16 units, never half a surrogate pair. */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}

/** A text cut to `limit` UTF-16 units, with an ellipsis where something was left out. */
export function excerptText(text: string, limit: number): string {
  return text.length <= limit ? text : `${beginning(text, limit)}…`;
}

// Controls (C0, DEL, C1), soft hyphen, bidi marks, embeddings and isolates, zero-width characters, line and paragraph
// separators, invisible operators, byte order marks, interlinear marks, tags, noncharacters and lone surrogates.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}\ud800-\udfff]|\p{Noncharacter_Code_Point}/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** As JSON writes it. */
function visibleEscape(character: string): string {
  const units = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return SHORT_ESCAPES[character] ?? units.join('');
}

/**
 * A text with every character that a reader could not see, or that a terminal would obey, written as an escape such as
 * `\u001b`. The result is valid in XML, in UTF-8 and on a terminal. `lines: 'keep'` keeps line feeds and tabs, for
 * places that show several lines.
 */
export function printable(text: string, { lines = 'escape' }: { readonly lines?: 'keep' | 'escape' } = {}): string {
  return text.replace(UNSAFE, (character) =>
    lines === 'keep' && (character === '\n' || character === '\t') ? character : visibleEscape(character),
  );
}

/** A title with its lines below it, as one section; none without lines. */
export function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[title, ...lines].join('\n')];
}

/**
 * A word in quotes, as bash reads it. What {@link printable} would escape is written as the bytes of its UTF-8 in
 * `$'…'`, so that a report shows the word as it is, and it can be copied from there.
 */
export function shellQuote(word: string): string {
  if (printable(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  return `$'${word.replace(/['\\]/g, '\\$&').replace(UNSAFE, shellEscape)}'`;
}

function shellEscape(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
  return SHORT_ESCAPES[character] ?? bytes.join('');
}
