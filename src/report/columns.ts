import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** How many columns of a terminal a text takes: colours take none, many East Asian characters and most emoji two. */
export const columnsOf = (text: string): number => stringWidth(text);

/** A text without colours, cut to a number of columns, with an ellipsis if something was left out. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let beginning = '';
  let taken = 1;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    taken += columnsOf(segment);
    if (taken > columns) break;
    beginning += segment;
  }
  return columns < 1 ? '' : `${beginning}…`;
}

/** Text is never wrapped to fewer columns than this. */
const NARROWEST = 20;

/** A text after its lead, wrapped at blanks; further lines begin below the text. @param width Infinity for one line */
export function hanging(lead: string, text: string, width: number, indent = columnsOf(lead)): string {
  if (columnsOf(lead) + columnsOf(text) <= width) return lead + text;
  // The lead wraps with the text, so that a short further indent does not widen the first line.
  const filler = '\u00a0'.repeat(Math.max(0, columnsOf(lead) - indent));
  const lines = wrapAnsi(filler + text, Math.max(NARROWEST, width - indent), { hard: true, trim: false }).split('\n');
  const [first = '', ...rest] = lines.map((line) => line.trimEnd());
  return [lead + first.slice(filler.length), ...rest.map((line) => ' '.repeat(indent) + line.trimStart())].join('\n');
}

/** Two texts at both ends of a line, or one below the other if they do not fit. */
export function apart(left: string, right: string, width: number, indent: number): string {
  if (right === '') return hanging('', left, width, indent);
  const gap = Math.min(width, 120) - columnsOf(left) - columnsOf(right);
  if (gap >= 2) return `${left}${' '.repeat(gap)}${right}`;
  return `${hanging('', left, width, indent)}\n${hanging(' '.repeat(indent), right, width)}`;
}
