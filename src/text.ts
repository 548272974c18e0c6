/** Numbers, times and texts as reports show them. */

/** A number with thousands separators, such as `2,000`. (`toLocaleString` takes 20 ms to load.) */
export function grouped(number: number): string {
  const [whole = '', ...fraction] = String(Math.round(number * 1_000) / 1_000).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** A number and its noun: `1 request`, `2,000 requests`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** A time in milliseconds: `840 ms`, `3.1 s`, `4 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 99_950) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A text cut to `limit` UTF-16 units, never within a surrogate pair, with an ellipsis if something was left out. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)}…`;
}

const isInPair = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));

/** A part of a text with what stands from `from` to `to` in its middle, at most `limit` UTF-16 units; and where it starts. */
export function cutAround(text: string, { from, to }: { readonly from: number; readonly to: number }, limit: number) {
  if (text.length <= limit) return { text, start: 0 };
  const room = Math.max(0, limit - (to - from));
  const first = Math.max(0, Math.min(from - Math.ceil(room / 2), text.length - limit));
  const start = isInPair(text, first) ? first + 1 : first;
  const end = isInPair(text, first + limit) ? first + limit - 1 : first + limit;
  return { text: text.slice(start, end), start };
}

/** How much of two long texts is quoted before and after the first character that differs. */
const AROUND = 25;

/** Quotes two texts that differ; of long ones only what is around the first difference. */
export function quoteDifference(one: string, other: string): readonly [string, string] {
  if (Math.max(one.length, other.length) <= 2 * AROUND) return [quote(one), quote(other)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const part = (text: string): string => {
    const { text: shown, start } = cutAround(text, { from: same, to: same }, 2 * AROUND);
    const isCut = start + shown.length < text.length;
    return quote(`${start > 0 ? '…' : ''}${shown}${isCut ? '…' : ''}`);
  };
  return [part(one), part(other)];
}

/**
 * Quotes what a service said, for a sentence of ours: in double quotes, where secrets are removed, cut to the limit,
 * with invisible characters as escapes, and also marks that could be part of a letter. Every sentence that quotes a
 * service uses this function.
 */
export function quote(text: string, limit = 60): string {
  const shown = printable(JSON.stringify(excerpt(text, limit)));
  return shown === shown.normalize('NFC') ? shown : shown.replace(/\p{M}/gu, visibleEscape);
}

export const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

/** The first few names of a list, and how many more there are. */
export function named(names: readonly string[], most = 6): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

// Controls (C0, DEL, C1), soft hyphen, bidi marks, embeddings and isolates, zero-width characters, line and paragraph
// separators, invisible operators, byte order marks, interlinear marks, tags, noncharacters and lone surrogates.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\u{e0000}-\u{e007f}\ud800-\udfff]|\p{Noncharacter_Code_Point}/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visibleEscape(character: string): string {
  const units = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return SHORT_ESCAPES[character] ?? units.join('');
}

/**
 * A text with every character that is invisible, or that a terminal would obey, written as an escape such as
 * `\u001b`. The result is valid in XML, in UTF-8 and on a terminal. `lines: 'keep'` keeps line feeds and tabs.
 */
export function printable(text: string, { lines = 'escape' }: { readonly lines?: 'keep' | 'escape' } = {}): string {
  return text.replace(UNSAFE, (character) =>
    lines === 'keep' && (character === '\n' || character === '\t') ? character : visibleEscape(character),
  );
}

/** A word as a shell reads it, quoted only if it must be. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A time as reports show it: `2026-03-04 10:20:30 UTC`. */
export const dateOf = (iso: string): string => iso.replace(/^(.{10})T(.{8}).*$/, '$1 $2 UTC');

/** A moment of the monotonic clock as a time of day in UTC, such as `12:00:31`. */
export const timeOf = (moment: number): string => new Date(performance.timeOrigin + moment).toISOString().slice(11, 19);
