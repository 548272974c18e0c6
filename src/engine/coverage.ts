import type { SpaceCoverage } from '../report/model/result.ts';
import type { SpaceRow, Strength } from './request-space.ts';
import type { CoverageNotes } from './samples.ts';

const WORDS = { 1: 'levels', 2: 'pairs', 3: 'triples' } as const;

/** How far a run has covered its request spaces. */
export class Coverage implements CoverageNotes {
  readonly #isPart: boolean;
  readonly #spaces = new Map<string, { strength: Strength; possible: Set<string>; covered: Set<string> }>();

  /** @param isPart whether the run is one of several, so that it must be told what was covered */
  constructor(isPart = false) {
    this.#isPart = isPart;
  }

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
      ...(this.#isPart ? { which: bitmap([...possible].toSorted(), covered) } : {}),
    }));
  }
}

const tuplesOf = (rows: readonly SpaceRow[], strength: Strength): readonly string[] =>
  rows.flatMap((row) => row.tuples(strength));

/** A bit for each of the items, set where it is among those chosen, the first item in the lowest bit of the first byte. */
function bitmap(items: readonly string[], chosen: ReadonlySet<string>): string {
  const bytes = Buffer.alloc(Math.ceil(items.length / 8));
  for (const [at, item] of items.entries()) {
    const byte = Math.floor(at / 8);
    if (chosen.has(item)) bytes[byte] = (bytes[byte] ?? 0) + 2 ** (at % 8);
  }
  return bytes.toString('base64');
}
