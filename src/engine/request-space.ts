import fc from 'fast-check';
import type { Profile } from '../report/model/result.ts';
import { coveringArray } from './covering-array.ts';
import { mix } from './mix.ts';

/** What stands at a level: examples and kinds, of which each is sent by itself, and what goes with other levels. */
export interface Level<T> {
  readonly examples: readonly T[];
  /** Each takes its turn as an example does, with something else in every run. */
  readonly kinds?: readonly fc.Arbitrary<T>[];
  /** Further examples, which are sent in turn with other levels. */
  readonly more?: readonly T[];
  /** Anything else of the level, in the end. */
  readonly others?: fc.Arbitrary<T>;
}

/** The levels of one factor, by name. */
export type LevelTable<T> = Readonly<Record<string, Level<T>>>;

/** 1: every level; 2: every pair of levels of two factors; 3: every triple. */
export type Strength = 1 | 2 | 3;

/** All requests of one kind, declared as data; a run sends a covering array of them, and every example by itself. */
export interface RequestSpace<T> {
  /** As in "pairs of list". */
  readonly name: string;
  /** What the requests differ in. The first example of the first level of each factor is nothing unusual. */
  readonly factors: Readonly<Record<string, LevelTable<unknown>>>;
  /** How strongly each profile covers the factors; 0 for not at all. */
  readonly strength: Readonly<Record<Profile, Strength | 0>>;
  /** Any request with these levels. */
  readonly sample: (row: SpaceRow) => fc.Arbitrary<T>;
}

/** The requests of a space with these levels; a factor that is not named may have any. */
export interface SpacePart {
  readonly space: Rows;
  readonly where: Readonly<Record<string, readonly string[]>>;
}

/** The name of a level of each factor, by the factor's name. */
type Levels = Readonly<Record<string, string>>;

/** What the rows of a space are made of, whatever is drawn from them. */
type Rows = Omit<RequestSpace<unknown>, 'sample'>;

/** One request to draw: a level of each factor. */
export class SpaceRow {
  readonly levels: Levels;
  readonly #turns: Readonly<Record<string, number>>;

  /** @param turns by factor, which of the level's examples and kinds it is, from 0; beyond them, it is anything else */
  constructor(levels: Levels, turns: Readonly<Record<string, number>>) {
    this.levels = levels;
    this.#turns = turns;
  }

  /** @throws Error where there is no such factor */
  level(factor: string): string {
    const level = this.levels[factor];
    if (level === undefined) throw new Error(`the request space has no factor ${factor}`);
    return level;
  }

  /** What to send for a factor. @param table the one that the space has for it */
  draw<T>(factor: string, table: LevelTable<T>): fc.Arbitrary<T> {
    const name = this.level(factor);
    const level = table[name];
    if (level === undefined) throw new Error(`the factor ${factor} has no level ${name}`);
    const turns = [...turnsOf(level), ...constants(level.more)];
    const nth = this.#turns[factor] ?? 0;
    const drawn = nth < turns.length ? turns[nth] : (level.others ?? turns[nth % Math.max(1, turns.length)]);
    if (drawn === undefined) throw new Error(`the level ${name} of ${factor} has no example`);
    return drawn;
  }
}

/** What is sent by itself at a level. */
function turnsOf<T>({ examples, kinds = [] }: Level<T>): readonly fc.Arbitrary<T>[] {
  return [...constants(examples), ...kinds];
}

const constants = <T>(values: readonly T[] = []): readonly fc.Arbitrary<T>[] =>
  values.map((value) => fc.constant(value));

/** The same levels with the first of their examples sent by themselves, and the rest of them with other levels. */
export function withExamples<T>(table: LevelTable<T>, most: number): LevelTable<T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { examples, more = [], ...level }], at): [string, Level<T>] => {
      // Something must be the plain one.
      const kept = at === 0 ? Math.max(1, most) : most;
      return [name, { ...level, examples: examples.slice(0, kept), more: [...examples.slice(kept), ...more] }];
    }),
  );
}

/** Anything of a table, each of its levels as often as the others. */
export function anyIn<T>(table: LevelTable<T>): fc.Arbitrary<T> {
  return fc.oneof(
    ...Object.values(table).map((level) =>
      fc.oneof(...turnsOf(level), ...constants(level.more), ...(level.others === undefined ? [] : [level.others])),
    ),
  );
}

/** Any request of a space. */
export function anyOf<T>({ factors, sample }: RequestSpace<T>): fc.Arbitrary<T> {
  const levels = Object.entries(factors).map(
    ([factor, table]) => [factor, fc.constantFrom(...Object.keys(table))] as const,
  );
  const turns = Object.keys(factors).map((factor) => [factor, fc.nat(MOST_TURNS)] as const);
  return fc
    .tuple(fc.record(Object.fromEntries(levels)), fc.record(Object.fromEntries(turns)))
    .chain((row) => sample(new SpaceRow(...row)));
}

/** Hardly a level has more examples. */
const MOST_TURNS = 20;

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
    return rowsOf(space, profile, seed).filter((row) =>
      own.some((where) => where.every(([factor, levels]) => levels.includes(row.level(factor)))),
    );
  });
}

function computeRows(space: Rows, profile: Profile, seed: number): readonly SpaceRow[] {
  const covering = coveringRows(space, space.strength[profile], seed);
  return inTurn(space, profile === 'smoke' ? covering : withEveryExample(space, covering));
}

function coveringRows({ name, factors }: Rows, strength: Strength | 0, seed: number): readonly Levels[] {
  const levels = Object.entries(factors).map(([factor, table]) => [factor, Object.keys(table)] as const);
  if (strength === 0) return [];
  if (strength === 1) return everyLevel(name, levels, seed);
  const sizes = levels.map(([, names]) => names.length);
  return coveringArray(sizes, strength).map((row) =>
    Object.fromEntries(levels.map(([factor, names], at) => [factor, names[row[at] ?? 0] ?? ''])),
  );
}

/** Every level once; each round of the levels of a factor combines them anew. */
function everyLevel(
  name: string,
  factors: readonly (readonly [factor: string, levels: readonly string[]])[],
  seed: number,
): readonly Levels[] {
  const most = Math.max(...factors.map(([, levels]) => levels.length));
  const shuffled = (levels: readonly string[], factor: string, round: number): readonly string[] => {
    const order = new Map(levels.map((level) => [level, mix(seed, name, factor, round, level)]));
    return levels.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  };
  const columns = factors.map(([factor, levels]) => {
    const rounds = Math.ceil(most / levels.length);
    return [factor, Array.from({ length: rounds }, (_, round) => shuffled(levels, factor, round)).flat()] as const;
  });
  return Array.from({ length: most }, (_, at) =>
    Object.fromEntries(columns.map(([factor, levels]) => [factor, levels[at] ?? ''])),
  );
}

/** The plain level of each factor: the first. */
const plainRow = ({ factors }: Pick<Rows, 'factors'>): Levels =>
  Object.fromEntries(Object.entries(factors).map(([factor, table]) => [factor, Object.keys(table)[0] ?? '']));

/** The one factor that is not plain, or the first where all are; undefined where several are not. */
function subjectOf(levels: Levels, plain: Levels): string | undefined {
  const [subject, another] = Object.keys(levels).filter((factor) => levels[factor] !== plain[factor]);
  return another === undefined ? (subject ?? Object.keys(levels)[0]) : undefined;
}

/** The rows, and plain ones but for one level: as many as there are examples of it that none shows by itself. */
function withEveryExample({ factors }: Pick<Rows, 'factors'>, covering: readonly Levels[]): readonly Levels[] {
  const plain = plainRow({ factors });
  const rows = [...covering];
  for (const [factor, table] of Object.entries(factors)) {
    for (const [name, level] of Object.entries(table)) {
      const alone = { ...plain, [factor]: name };
      const shown = rows.filter((row) => Object.entries(alone).every(([other, wanted]) => row[other] === wanted));
      rows.push(...Array.from({ length: Math.max(0, turnsOf(level).length - shown.length) }, () => alone));
    }
  }
  return rows;
}

/** The rows with their turns: those that show a level by itself have its first examples, and come first. */
function inTurn({ factors }: Pick<Rows, 'factors'>, rows: readonly Levels[]): readonly SpaceRow[] {
  const plain = plainRow({ factors });
  const withSubject = rows.map((levels) => ({ levels, subject: subjectOf(levels, plain) }));
  const counts = new Map<string, number>();
  const turnOf = (level: string): number => {
    const turn = counts.get(level) ?? 0;
    counts.set(level, turn + 1);
    return turn;
  };
  return [
    ...withSubject.filter(({ subject }) => subject !== undefined),
    ...withSubject.filter(({ subject }) => subject === undefined),
  ].map(({ levels, subject }) => {
    const turns = Object.entries(levels).map(
      ([factor, level]) =>
        [factor, subject === undefined || subject === factor ? turnOf(`${factor}=${level}`) : 0] as const,
    );
    return new SpaceRow(levels, Object.fromEntries(turns));
  });
}
