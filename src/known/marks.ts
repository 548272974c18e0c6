import type { Exchange } from '../reading/exchange.ts';

/** The names of a run's animals: made, and recognized again, only here. A mark is that of a row of this run. */

/** What `$NAME` and `$NUMBER` stand for in a row. @param tag five letters and digits @param number four digits */
export function markedNames(tag: string, number: string, row: number) {
  const digits = `${row % 10_000}`.padStart(4, '0');
  return { NAME: `conformance ${tag} ${digits}`, NUMBER: `9${number}${digits}` };
}

/** A tag and a number for a new run. Not derived from its seed: a second run would mistake animals of the first for its own. */
export const newMarks = () => ({
  tag: Math.floor(Math.random() * 36 ** 5)
    .toString(36)
    .padStart(5, '0'),
  number: `${Math.floor(Math.random() * 9_000) + 1_000}`,
});

/** The tag of the run that made a name. */
export const tagIn = (name: string): string | undefined => /^conformance (\S+) \d{4}$/.exec(name)?.[1];

/** The mark that `$NAME` has put into a text, in any letter case, with anything before or after it. */
export const nameMarkIn = (text: string, tag: string): string | undefined =>
  new RegExp(`${tag} ?\\d{4}`, 'i').exec(text)?.[0].toLowerCase().replace(' ', '');

/** The mark in a text: that of a name, or that of a number. */
export const markIn = (text: string, tag: string): string | undefined =>
  nameMarkIn(text, tag) ?? /\b9\d{8}\b/.exec(text)?.[0];

/** The marks in a creation, by which its animal is recognized. */
export function marksOf({ call, names }: Pick<Exchange, 'call' | 'names'>, tag: string): readonly string[] {
  const text = `${call.target} ${call.body ?? ''}`;
  return ['NAME', 'NUMBER'].flatMap((name) =>
    text.includes(`$${name}`) ? (markIn(names[name] ?? '', tag) ?? []) : [],
  );
}
