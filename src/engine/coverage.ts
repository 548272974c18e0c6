import type { SpaceCoverage } from '../report/model/result.ts';
import type { SpaceRow, Strength } from './request-space.ts';
import type { CoverageNotes } from './samples.ts';

const WORDS = { 1: 'levels', 2: 'pairs', 3: 'triples' } as const;

/** How far a run has covered its request spaces. */
export class Coverage implements CoverageNotes {
  readonly #spaces = new Map<string, { strength: Strength; possible: Set<string>; covered: Set<string> }>();

  note(name: string, strength: Strength, rows: readonly SpaceRow[], sent: readonly SpaceRow[]): void {
    const known = this.#spaces.get(name);
    // Where a run is narrowed half-way, what is sent from then on counts by the strength that it began with.
    const space = known ?? { strength, possible: new Set(tuplesOf(rows, strength)), covered: new Set() };
    this.#spaces.set(name, space);
    for (const tuple of tuplesOf(sent, space.strength)) if (space.possible.has(tuple)) space.covered.add(tuple);
  }

  figures(): readonly SpaceCoverage[] {
    return [...this.#spaces].map(([space, { strength, possible, covered }]) => ({
      space,
      tuples: WORDS[strength],
      covered: covered.size,
      possible: possible.size,
    }));
  }
}

const tuplesOf = (rows: readonly SpaceRow[], strength: Strength): readonly string[] =>
  rows.flatMap((row) => row.tuples(strength));
