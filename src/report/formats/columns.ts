import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** How many columns of a terminal a text takes: colours take none, many characters of Asia and most emoji take two. */
export const columnsOf = (text: string): number => stringWidth(text);

/** A text filled up with blanks. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** A text without colours that takes no more columns than that; what is left out is an ellipsis. */
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

/** Text is not wrapped to less than this. */
const NARROWEST = 20;

interface Wrapping {
  /** Whether a word that is too long is broken; where it is not, it can be copied. */
  readonly hard: boolean;
}

function linesOf(text: string, columns: number, { hard }: Wrapping): readonly string[] {
  if (columnsOf(text) <= columns) return [text];
  return wrapAnsi(text, Math.max(NARROWEST, columns), { hard }).split('\n');
}

/** Sentences wrapped at blanks; further lines are indented. @param width Infinity for one line */
export function paragraph(text: string, width: number, indent = 2): string {
  if (columnsOf(text) <= width) return text;
  return linesOf(text, width - indent, { hard: false }).join(`\n${' '.repeat(indent)}`);
}

/** A text after its lead, wrapped where it must be; further lines begin below the text. @param width Infinity for one line */
export function hanging(lead: string, text: string, width: number): string {
  const indent = columnsOf(lead);
  // Below a long lead, a narrow terminal has no room.
  if (indent + columnsOf(text) > width && width - indent < NARROWEST) return paragraph(lead + text, width, 4);
  return lead + linesOf(text, width - indent, { hard: true }).join(`\n${' '.repeat(indent)}`);
}

/** Pieces side by side after `lead`, as many to a line as fit; further lines are indented. */
export function fill(lead: string, pieces: readonly string[], gap: string, width: number, indent = 2): string {
  const lines: string[][] = [[]];
  let columns = columnsOf(lead);
  for (const piece of pieces) {
    const longer = columns + columnsOf(gap + piece);
    const line = lines.at(-1) ?? [];
    if (line.length === 0 || longer <= width) {
      line.push(piece);
      columns = line.length === 1 ? columns + columnsOf(piece) : longer;
    } else {
      lines.push([piece]);
      columns = indent + columnsOf(piece);
    }
  }
  const texts = lines.map((line, at) => paragraph(line.join(gap), width - (at === 0 ? columnsOf(lead) : indent), 0));
  return lead + texts.join('\n').replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Cells in columns of one width, as many side by side as fit; every line begins with two blanks. */
export function grid(cells: readonly string[], width: number, gap = 5): string {
  const widest = Math.max(...cells.map(columnsOf));
  const perLine = Math.max(1, Math.floor((width - 2 + gap) / (widest + gap)));
  const lines = Array.from({ length: Math.ceil(cells.length / perLine) }, (_, line) =>
    cells.slice(line * perLine, (line + 1) * perLine).map((cell) => padded(cell, widest + gap)),
  );
  return lines.map((line) => `  ${line.join('')}`.trimEnd()).join('\n');
}
