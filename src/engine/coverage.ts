import type { SpaceCoverage } from '../report/model/result.ts';
import type { SpaceRow, Strength } from './request-space.ts';
import type { CoverageNotes } from './samples.ts';

const WORDS = { 1: 'levels', 2: 'pairs', 3: 'triples' } as const;

/** How far a run has covered its request spaces. */
export class Coverage implements CoverageNotes {
  readonly #spaces = new Map<string, { strength: Strength; possible: Set<string>; covered: Set<string> }>();

  note(name: string, strength: Strength, rows: readonly SpaceRow[], sent: readonly SpaceRow[]): void {
    const tuples = (some: readonly SpaceRow[]): readonly string[] => some.flatMap((row) => row.tuples(strength));
    const space = this.#spaces.get(name) ?? { strength, possible: new Set(tuples(rows)), covered: new Set() };
    this.#spaces.set(name, space);
    for (const tuple of tuples(sent)) space.covered.add(tuple);
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
