import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { mix } from '../../engine/mix.ts';
import type { NewPet } from './body.ts';
import { SENTINELS } from './int64.ts';
import { isBare, type NameTemplate, nameFrom } from './name-template.ts';
import { LONGEST_CERTAIN_NAME, MORE_NAMES, NAMES, NAMES_OF_LENGTH } from './names.ts';
import type { Naming } from './new-pets.ts';

/** How many names of each kind the request space of a whole run sends. */
const SENT_OTHERWISE = 2;
/** Longer ones would change what fits a page. */
const LONGEST = 200;

/** What is unusual about an animal that is added for its number alone. */
export interface Filler {
  readonly kind: string;
  readonly name: NameTemplate;
  readonly categoryId: bigint;
}

interface Kind {
  readonly kind: string;
  readonly names: readonly NameTemplate[];
  /** How many of them each round has. */
  readonly perRound: number;
}

const kindsOf = (perRound: number, names: Readonly<Record<string, readonly NameTemplate[]>>): readonly Kind[] =>
  Object.entries(names).map(([kind, list]) => ({ kind, names: list, perRound }));

const MORE_KINDS = kindsOf(1, MORE_NAMES);
/** The kinds of {@link NAMES} are wide. */
const WIDE_KINDS = kindsOf(2, { ...NAMES, ...NAMES_OF_LENGTH });

/** The names of each kind that these choose. */
const chosen = (
  kinds: readonly Kind[],
  choose: (names: readonly NameTemplate[]) => readonly NameTemplate[],
): readonly Kind[] => kinds.map((kind) => ({ ...kind, names: choose(kind.names) }));

const upTo = (length: number) => (names: readonly NameTemplate[]): readonly NameTemplate[] =>
  names.filter((name) => nameFrom(name, '').length <= length); // biome-ignore format: one line

/** The first of each kind, then the next of each, and so on. */
function inRounds(kinds: readonly Kind[]): readonly Omit<Filler, 'categoryId'>[] {
  const rounds = Math.max(...kinds.map(({ names, perRound }) => Math.ceil(names.length / perRound)));
  return Array.from({ length: rounds }, (_, at) =>
    kinds.flatMap(({ kind, names, perRound }) =>
      names.slice(at * perRound, (at + 1) * perRound).map((name) => ({ kind, name })),
    ),
  ).flat();
}

/** What the fillers of a run are taken from. */
interface Stock {
  readonly names: readonly Omit<Filler, 'categoryId'>[];
  /** The first of them have these. */
  readonly categories: readonly bigint[];
}

/** Names that are not too long, and that no other request sends. */
const BESIDE_THE_SPACE: Stock = {
  names: inRounds(
    chosen([...MORE_KINDS, ...chosen(WIDE_KINDS, (names) => names.slice(SENT_OTHERWISE))], upTo(LONGEST)),
  ),
  categories: [],
};

/** The request space may send the first name of a kind: a bare one would be there twice. */
const IN_PLACE_OF_THE_SPACE: Stock = {
  names: inRounds([
    ...chosen(WIDE_KINDS, (names) => upTo(LONGEST_CERTAIN_NAME)(names.filter((name, at) => at > 0 || !isBare(name)))),
    ...MORE_KINDS,
  ]),
  categories: [INT64_MAX, INT64_MIN],
};

/** All names of a stock: two of the most revealing and one by chance in turn, each once. */
function inOrder(names: Stock['names'], seed: number): Stock['names'] {
  const byChance = names
    .map((name, at) => ({ name, rank: mix(seed, 'a filler', at) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ name }) => name);
  return [
    ...new Set(
      names
        .flatMap((name, at) => [name, ...(at % 2 === 0 ? [] : byChance.slice(at >> 1, (at >> 1) + 1))])
        .concat(byChance),
    ),
  ];
}

/**
 * Everything unusual about fillers, in the order of a seed: as many as there are names.
 *
 * @param spaceIsWhole whether the request space of valid bodies is sent whole: if not, fillers stand in for it
 */
export function fillers(seed: number, spaceIsWhole = true): readonly Filler[] {
  const { names, categories } = spaceIsWhole ? BESIDE_THE_SPACE : IN_PLACE_OF_THE_SPACE;
  const start = mix(seed, 'categories');
  return inOrder(names, seed).map((name, at) => ({
    ...name,
    categoryId: categories[at] ?? SENTINELS[(start + at * SENTINEL_STEP) % SENTINELS.length] ?? 0n,
  }));
}

/** Goes through the sentinels in leaps, so that every run sends some of every size. */
const SENTINEL_STEP = 97;

/** A filler's pet. Of known categories, the usual one is taken. */
export function fillerOf({ name, categoryId }: Filler, plain: NewPet, { categories }: Naming): NewPet {
  return {
    ...plain,
    name: nameFrom(name, plain.name),
    categoryId: categories.length > 0 ? plain.categoryId : categoryId,
  };
}
