import { printable } from '../report/formats/printable.ts';

const LONGEST = 80;

/** What the user typed, safe to repeat in one line: quoted, escaped and cut. Never for a secret. */
export function quoted(text: string): string {
  const shown = printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  return `"${shown}"`;
}
