import { mix } from '../../engine/mix.ts';
import type { NewPet } from './body.ts';
import { SENTINELS } from './int64.ts';
import { MORE_NAMES, NAMES, type NameOf } from './names.ts';
import type { Naming } from './new-pets.ts';

/** Of each kind of name, the request space sends so many. */
const SENT_OTHERWISE = 2;
/** Longer ones would change what fits a page. */
const LONGEST = 200;

/** What is odd about an animal that is added for its number alone. */
export interface Filler {
  readonly kind: string;
  readonly nameOf: NameOf;
  readonly categoryId: bigint;
}

interface Kind {
  readonly kind: string;
  readonly names: readonly NameOf[];
  /** So many of them in each round. */
  readonly perRound: number;
}

/** Names that are not too long, and that no other request sends, by kind; the kinds of {@link NAMES} are wide. */
const KINDS: readonly Kind[] = [
  ...Object.entries(MORE_NAMES).map(([kind, names]) => ({ kind, names, perRound: 1 })),
  ...Object.entries(NAMES).map(([kind, names]) => ({ kind, names: names.slice(SENT_OTHERWISE), perRound: 2 })),
].map((kind) => ({ ...kind, names: kind.names.filter((nameOf) => nameOf('').length <= LONGEST) }));

const ROUNDS = Math.max(...KINDS.map(({ names, perRound }) => Math.ceil(names.length / perRound)));

/** The first of each kind, then the next of each, and so on. */
const IN_ROUNDS = Array.from({ length: ROUNDS }, (_, at) =>
  KINDS.flatMap(({ kind, names, perRound }) =>
    names.slice(at * perRound, (at + 1) * perRound).map((nameOf) => ({ kind, nameOf })),
  ),
).flat();

/** All names: two of the most telling and one by chance in turn, each once. */
function inOrder(seed: number): readonly Omit<Filler, 'categoryId'>[] {
  const byChance = IN_ROUNDS.map((name, at) => ({ name, rank: mix(seed, 'a filler', at) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
  return [
    ...new Set(
      IN_ROUNDS.flatMap((name, at) => [name, ...(at % 2 === 0 ? [] : byChance.slice(at >> 1, (at >> 1) + 1))]).concat(
        byChance,
      ),
    ),
  ];
}

/** Every oddity of fillers, in the order of a seed: as many as there are names. */
export function fillers(seed: number): readonly Filler[] {
  const start = mix(seed, 'categories');
  return inOrder(seed).map((name, at) => ({
    ...name,
    categoryId: SENTINELS[(start + at * SENTINEL_STEP) % SENTINELS.length] ?? 0n,
  }));
}

/** Goes through the sentinels in leaps, so that every run sends some of every size. */
const SENTINEL_STEP = 97;

/** A filler's pet. Of known categories, the usual one is taken. */
export function fillerOf({ nameOf, categoryId }: Filler, plain: NewPet, { categories }: Naming): NewPet {
  return { ...plain, name: nameOf(plain.name), categoryId: categories.length > 0 ? plain.categoryId : categoryId };
}
