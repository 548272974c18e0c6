import type { SpaceCoverage } from '../report/model/result.ts';
import type { SpaceRow, Strength } from './request-space.ts';
import type { CoverageNotes } from './samples.ts';

const WORDS = { 1: 'levels', 2: 'pairs', 3: 'triples' } as const;

interface CoveredSpace {
  readonly strength: Strength;
  readonly rows: readonly SpaceRow[];
  readonly sent: Set<SpaceRow>;
}

/** How far a run has covered its request spaces. */
export class Coverage implements CoverageNotes {
  readonly #spaces = new Map<string, CoveredSpace>();

  note(name: string, strength: Strength, rows: readonly SpaceRow[], sent: readonly SpaceRow[]): void {
    // Where a run is narrowed half-way, what is sent from then on counts by the strength that it began with.
    const space = this.#spaces.get(name) ?? { strength, rows, sent: new Set() };
    this.#spaces.set(name, space);
    for (const row of sent) space.sent.add(row);
  }

  /** What was covered of each space, the largest first: which check is done first is chance. */
  figures(): readonly SpaceCoverage[] {
    const figures = [...this.#spaces].map(([space, { strength, rows, sent }]): SpaceCoverage => {
      const numbers = new LevelNumbers(rows);
      const possible = numbers.tuplesOf(rows, strength);
      const covered = numbers.tuplesOf(sent, strength);
      const counted = [...covered].filter((tuple) => possible.has(tuple));
      return { space, tuples: WORDS[strength], covered: counted.length, possible: possible.size };
    });
    return figures.toSorted((one, other) => other.possible - one.possible || (one.space < other.space ? -1 : 1));
  }
}

/** Numbers the levels of a space, so that a tuple of them is a number too: there are thousands. */
class LevelNumbers {
  readonly #numbers = new Map<string, number>();

  /** @param rows whose levels come first, in an order of their own whatever that of the rows */
  constructor(rows: readonly SpaceRow[]) {
    const texts = new Set(rows.flatMap(({ levels }) => Object.entries(levels).map(textOf)));
    for (const text of [...texts].toSorted()) this.#numbers.set(text, this.#numbers.size + 1);
  }

  /** The tuples of the levels of `strength` factors that any of the rows has. */
  tuplesOf(rows: Iterable<SpaceRow>, strength: Strength): ReadonlySet<number> {
    const tuples = new Set<number>();
    for (const { levels } of rows) addTuples(tuples, this.#of(levels), strength, 0, 0);
    return tuples;
  }

  #of(levels: Readonly<Record<string, string>>): readonly number[] {
    return Object.entries(levels).map((one) => {
      const text = textOf(one);
      const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
      this.#numbers.set(text, number);
      return number;
    });
  }
}

const textOf = ([factor, level]: readonly [factor: string, level: string]): string => `${factor}=${level}`;

/** More than a space has levels; to the power of three it is still an exact number. */
const MOST_LEVELS = 10_000;

/** Adds the tuples of `size` of the numbers from a place on, each behind the numbers of `before`. */
function addTuples(tuples: Set<number>, numbers: readonly number[], size: number, from: number, before: number): void {
  if (size === 0) {
    tuples.add(before);
    return;
  }
  for (let at = from; at + size <= numbers.length; at += 1) {
    addTuples(tuples, numbers, size - 1, at + 1, before * MOST_LEVELS + (numbers[at] ?? 0));
  }
}
