import fc from 'fast-check';
import type { Profile } from '../report/model/result.ts';
import { coveringArray } from './covering-array.ts';
import { mix } from './mix.ts';

/** What requests of one kind differ in, and the names of the levels of each factor, by the factor's name. */
export type Factors = Readonly<Record<string, readonly string[]>>;

/** 1: every level; 2: every pair of levels of two factors; 3: every triple. */
export type Strength = 1 | 2 | 3;

/**
 * What stands at a level: examples and kinds, of which each is sent in turn, and then anything else of the level. Where
 * there are more of them than rows, the last of at least three rows takes any that is left, so that every run tries
 * others.
 */
export interface Level<T> {
  readonly examples: readonly T[];
  /** Each takes its turn as an example does, with something else in every run. */
  readonly kinds?: readonly fc.Arbitrary<T>[];
  readonly others?: fc.Arbitrary<T>;
}

/** The levels of one factor, by name. */
export type LevelTable<T> = Readonly<Record<string, Level<T>>>;

/** The name of a level of each factor, by the factor's name. */
type Levels = Readonly<Record<string, string>>;

/** All requests of one kind, declared as data; a run sends a covering array of them. */
export interface RequestSpace<T> {
  /** As in "pairs of list". */
  readonly name: string;
  readonly factors: Factors;
  /** How strongly each profile covers the factors. */
  readonly strength: Readonly<Record<Profile, Strength>>;
  /** How many times each profile sends every level at strength 1; once by default. */
  readonly times?: Readonly<Partial<Record<Profile, number>>>;
  /** The part of the rows that a profile sends; all by default. */
  readonly share?: Readonly<Partial<Record<Profile, number>>>;
  /**
   * Where every example is to be sent: the levels of a request that is plain but for one, whether another level of a row
   * hides what stands at a factor, and the tables that have the examples. An example that no row would show is then sent
   * by itself.
   */
  readonly everyExample?: {
    readonly plain: (factor: string, level: string) => Levels;
    readonly hides: (levels: Levels, factor: string) => boolean;
    readonly tables: Readonly<Record<string, LevelTable<unknown>>>;
  };
  /** Levels that are dear, as their requests must wait for one another, or say less than others. */
  readonly seldom?: readonly SeldomLevel[];
  /** Any request with these levels. */
  readonly sample: (row: SpaceRow) => fc.Arbitrary<T>;
}

/** The requests of a space with these levels; a factor that is not named may have any. */
export interface SpacePart {
  readonly space: Rows;
  readonly where: Readonly<Record<string, readonly string[]>>;
}

/** Where a profile has a number, so many rows keep the level, others for every seed; the rest gets its factor's first. */
export interface SeldomLevel {
  readonly factor: string;
  readonly level: string;
  readonly most: Readonly<Partial<Record<Profile, number>>>;
  /** By factor, levels that make it dearer still: rows without them come first. */
  readonly dearerWith?: Readonly<Record<string, readonly string[]>>;
}

/** One request to draw: a level of each factor. */
export class SpaceRow {
  readonly levels: Levels;
  readonly #places: Readonly<Record<string, Place>>;

  /** @param places by factor, where the row stands among those with the same level */
  constructor(levels: Levels, places: Readonly<Record<string, Place>>) {
    this.levels = levels;
    this.#places = places;
  }

  /** @throws Error where there is no such factor */
  level(factor: string): string {
    const level = this.levels[factor];
    if (level === undefined) throw new Error(`the request space has no factor ${factor}`);
    return level;
  }

  /** What to send for a factor: the level's examples in turn, row by row, and then any other of its values. */
  draw<T>(factor: string, table: LevelTable<T>): fc.Arbitrary<T> {
    const name = this.level(factor);
    const level = table[name];
    if (level === undefined) throw new Error(`the factor ${factor} has no level ${name}`);
    const { others } = level;
    const { nth, isLast } = this.#places[factor] ?? { nth: 0, isLast: false };
    const turns = turnsOf(level);
    if (others !== undefined && (nth >= turns.length || nth < -turns.length)) return others;
    if (isLast && nth >= ALWAYS_SENT && nth < turns.length - 1) {
      return fc.oneof(...turns.slice(nth), ...(others === undefined ? [] : [others]));
    }
    const turn = turns.at(nth % Math.max(1, turns.length));
    if (turn === undefined) throw new Error(`the level ${name} of ${factor} has no example`);
    return turn;
  }
}

/** So many of the examples of a level are sent wherever it has as many rows. */
const ALWAYS_SENT = 2;

/** Where a row stands among those with the same level of a factor. */
interface Place {
  /** How many come before it; below zero for the last of the examples, and so on. */
  readonly nth: number;
  readonly isLast: boolean;
}

/** What takes its turn at a level. */
function turnsOf<T>({ examples, kinds = [] }: Level<T>): readonly fc.Arbitrary<T>[] {
  return [...examples.map((example) => fc.constant(example)), ...kinds];
}

/** What the rows of a space are made of, whatever is drawn from them. */
type Rows = Omit<RequestSpace<unknown>, 'sample'>;

/** The rows of each space, by profile and seed: every check that sends some of them asks for all. */
const computed = new WeakMap<object, Map<string, readonly SpaceRow[]>>();

/** The rows that cover a space as strongly as a profile asks for; those of strength 1 depend on the seed. */
export function rowsOf(space: Rows, profile: Profile, seed: number): readonly SpaceRow[] {
  const known = computed.get(space) ?? new Map<string, readonly SpaceRow[]>();
  computed.set(space, known);
  const key = `${profile} ${seed}`;
  const rows = known.get(key) ?? computeRows(space, profile, seed);
  known.set(key, rows);
  return rows;
}

/** Those of the rows of a profile that belong to one of these parts, space by space. */
export function rowsIn(parts: readonly SpacePart[], profile: Profile, seed: number): readonly SpaceRow[] {
  return [...new Set(parts.map(({ space }) => space))].flatMap((space) => {
    const own = parts.filter((part) => part.space === space).map(({ where }) => Object.entries(where));
    const rows = rowsOf(space, profile, seed);
    return rows
      .slice(0, Math.ceil(rows.length * (space.share?.[profile] ?? 1)))
      .filter((row) => own.some((where) => where.every(([factor, levels]) => levels.includes(row.level(factor)))));
  });
}

function computeRows(space: Rows, profile: Profile, seed: number): readonly SpaceRow[] {
  const strength = space.strength[profile];
  const all = strength === 1 ? everyLevel(space, space.times?.[profile] ?? 1, seed) : everyTuple(space, strength);
  const rows = sparing(all, space, profile, seed);
  const counter = new LevelCounter(space);
  return counter.rows([...rows, ...(profile === 'smoke' ? [] : counter.missingAfter(rows))]);
}

/**
 * Counts how often each level has come up, apart for the rows that show it and for those that hide it: these begin with
 * the last of the examples.
 */
class LevelCounter {
  readonly #space: Pick<RequestSpace<unknown>, 'everyExample'>;

  constructor(space: Pick<RequestSpace<unknown>, 'everyExample'>) {
    this.#space = space;
  }

  rows(all: readonly Levels[]): readonly SpaceRow[] {
    const keyOf = (levels: Levels, factor: string): string =>
      `${this.#hides(levels, factor)} ${factor}=${levels[factor]}`;
    const totals = new Map<string, number>();
    for (const levels of all) {
      for (const factor of Object.keys(levels)) {
        const key = keyOf(levels, factor);
        totals.set(key, (totals.get(key) ?? 0) + 1);
      }
    }
    const counts = new Map<string, number>();
    return all.map((levels) => {
      const places = Object.keys(levels).map((factor): [string, Place] => {
        const key = keyOf(levels, factor);
        const count = counts.get(key) ?? 0;
        counts.set(key, count + 1);
        if (this.#hides(levels, factor)) return [factor, { nth: -count - 1, isLast: false }];
        return [factor, { nth: count, isLast: count + 1 === totals.get(key) }];
      });
      return new SpaceRow(levels, Object.fromEntries(places));
    });
  }

  #hides(levels: Levels, factor: string): boolean {
    return this.#space.everyExample?.hides(levels, factor) ?? false;
  }

  /** Plain rows but for one level, as many as there are examples of it that none of the rows shows. */
  missingAfter(rows: readonly Levels[]): readonly Levels[] {
    const { everyExample } = this.#space;
    if (everyExample === undefined) return [];
    const { plain, tables } = everyExample;
    return Object.entries(tables).flatMap(([factor, table]) =>
      Object.entries(table).flatMap(([name, level]) => {
        const shown = rows.filter((row) => row[factor] === name && !this.#hides(row, factor)).length;
        const missing = Math.max(0, turnsOf(level).length - shown);
        return Array.from({ length: missing }, () => ({ ...plain(factor, name), [factor]: name }));
      }),
    );
  }
}

/** The rows with each level that is to be seldom in no more of them than a profile takes. */
function sparing(
  rows: readonly Levels[],
  { name, factors, seldom = [] }: Rows,
  profile: Profile,
  seed: number,
): readonly Levels[] {
  return seldom.reduce((all, { factor, level, most: { [profile]: most }, dearerWith = {} }) => {
    if (most === undefined) return all;
    const having = all.flatMap((row, at) => (row[factor] === level ? [at] : []));
    const order = new Map(having.map((at) => [at, mix(seed, name, level, at)]));
    const inOrder = having.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
    const isDearer = (at: number): boolean =>
      Object.entries(dearerWith).some(([other, levels]) => levels.includes(all[at]?.[other] ?? ''));
    const cheapestFirst = [...inOrder.filter((at) => !isDearer(at)), ...inOrder.filter(isDearer)];
    const kept = new Set(cheapestFirst.slice(0, most));
    const [first = level] = factors[factor] ?? [];
    return all.map((row, at) => (row[factor] !== level || kept.has(at) ? row : { ...row, [factor]: first }));
  }, rows);
}

/** Every level so many times; each round combines them anew. */
function everyLevel({ name, factors }: Rows, times: number, seed: number) {
  const most = Math.max(...Object.values(factors).map((levels) => levels.length));
  const shuffled = (levels: readonly string[], factor: string, round: number): readonly string[] => {
    const order = new Map(levels.map((level) => [level, mix(seed, name, factor, round, level)]));
    return levels.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  };
  const columns = Object.entries(factors).map(([factor, levels]) => {
    const rounds = Math.ceil((most * times) / levels.length);
    return [factor, Array.from({ length: rounds }, (_, round) => shuffled(levels, factor, round)).flat()] as const;
  });
  return Array.from({ length: most * times }, (_, at) =>
    Object.fromEntries(columns.map(([factor, levels]) => [factor, levels[at] ?? ''])),
  );
}

/** Every tuple of the levels of so many factors. */
function everyTuple({ factors }: Rows, strength: Strength): readonly Levels[] {
  const sizes = Object.values(factors).map(({ length }) => length);
  return coveringArray(sizes, strength).map((row) =>
    Object.fromEntries(Object.entries(factors).map(([factor, levels], at) => [factor, levels[row[at] ?? 0] ?? ''])),
  );
}
