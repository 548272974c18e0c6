import fc from 'fast-check';
import { INT64_MAX } from '../../contract/exact-integer.ts';
import { mix } from '../../engine/mix.ts';
import { PET_STATUSES, type PetStatus } from '../contract-facts.ts';
import type { NewPet } from './body.ts';
import { BEYOND_A_DOUBLE, int64s } from './int64.ts';
import { texts } from './names.ts';

/** How the animals of one check in one run are named, so that they can be recognised. */
export interface Naming {
  /** Part of every name. */
  readonly tag: string;
  /** The categories that the service knows, where the user listed them; empty where it accepts any. */
  readonly categories: readonly bigint[];
}

const USUAL_CATEGORY = 1n;

function petOf(name: string, categoryId: bigint, status: PetStatus | undefined): NewPet {
  return { name, categoryId, ...(status === undefined ? {} : { status }) };
}

/** A pet named `tag label`, in a usual category. */
export function plainPet({ tag, categories }: Naming, label: string, status?: PetStatus): NewPet {
  return petOf(`${tag} ${label}`, categories[0] ?? USUAL_CATEGORY, status);
}

/** A number in the name that shrinking leaves alone. */
function serial(): fc.Arbitrary<string> {
  return fc.noShrink(fc.integer({ min: 0, max: 36 ** 6 - 1 })).map((number) => number.toString(36));
}

/** None a little more often than each of the others. */
function statuses(): fc.Arbitrary<PetStatus | undefined> {
  return fc.oneof(
    { weight: 7, arbitrary: fc.constantFrom(...PET_STATUSES) },
    { weight: 3, arbitrary: fc.constant(undefined) },
  );
}

/** Any valid pet: all of Unicode in its name, any int64 (or known) category, any status or none. */
export function newPets({ tag, categories }: Naming): fc.Arbitrary<NewPet> {
  const categoryId = categories.length > 0 ? fc.constantFrom(...categories) : int64s();
  return fc
    .record({ before: texts(), after: texts(), serial: serial(), categoryId, status: statuses() })
    .map(({ before, after, serial, categoryId, status }) =>
      petOf(`${before}${tag} ${serial}${after}`, categoryId, status),
    );
}

/** Valid pets with a plain name and category, and any status or none. */
export function plainPets(naming: Naming): fc.Arbitrary<NewPet> {
  return fc
    .record({ serial: serial(), status: statuses() })
    .map(({ serial, status }) => plainPet(naming, serial, status));
}

/**
 * A category that no other body of the run names, nor most likely anybody else's: it follows from a name of the run's.
 * A double holds it exactly.
 */
export function ownCategory(name: string): bigint {
  const codes = [...name].map((letter) => BigInt(letter.codePointAt(0) ?? 0));
  return 2n ** 51n + codes.reduce((hash, code) => (hash * 131n + code) % 2n ** 51n, 7n);
}

/** A pet whose name and category few others are like: the one beyond ASCII, the other beyond what a double holds. */
export const anUnusualPet = (pet: NewPet, { categories }: Naming): NewPet => ({
  ...pet,
  name: `${pet.name} \u00f1 🐾`,
  categoryId: categories.at(-1) ?? BEYOND_A_DOUBLE,
});

/** Valid pets that a list is most likely to lose: two alike, two nearly so, unusual names in unusual categories. */
export function petsOfEveryKind(aPet: (status?: PetStatus) => NewPet, { categories }: Naming): readonly NewPet[] {
  const unusual = (status: PetStatus | undefined, categoryId: bigint, name: (plain: string) => string): NewPet => {
    const pet = aPet(status);
    return { ...pet, name: name(pet.name), categoryId: categories[0] ?? categoryId };
  };
  const pair = aPet('pending');
  const twin = aPet('sold');
  return [
    ...[twin, twin],
    ...['case', 'CASE'].map((ending) => ({ ...pair, name: `${pair.name} ${ending}` })),
    unusual('pending', 0n, (plain) => `Émile ${plain} "naïve" \\ 🐾`),
    unusual('sold', INT64_MAX, (plain) => `Test ${plain} ${'long'.repeat(75)}`),
    unusual(undefined, 2n ** 31n, (plain) => ` ${plain} `),
    unusual('available', -7n, (plain) => `'; DROP TABLE pets; -- ${plain} <b>&amp;</b>`),
  ];
}

/**
 * Ten pets to be added at one moment, of which each shares some of its values with others: all of them, the name,
 * the category and nearly the name, or what name and category are when they are written one after the other.
 */
export function namesakes(pet: NewPet, { categories }: Naming): readonly NewPet[] {
  const { name } = pet;
  const within = (categoryId: bigint): bigint => (categories.length > 0 ? pet.categoryId : categoryId);
  const other = categories.find((known) => known !== pet.categoryId) ?? within(-11n);
  return [
    ...Array.from({ length: 3 }, () => pet),
    { ...pet, categoryId: other },
    { ...pet, status: pet.status === 'sold' ? 'pending' : 'sold' },
    { ...pet, name: `${name} 1`, categoryId: within(23n) },
    { ...pet, name: `${name} 12`, categoryId: within(3n) },
    { ...pet, name: `${name}-1`, categoryId: within(1n) },
    { ...pet, name: `${name} a`, status: 'sold' },
    { ...pet, name: `${name} A`, status: 'sold' },
  ];
}

/** Stands in the name of every animal that a run adds, so that a person can recognise them. */
export const NAME_TAG = 'conformance';

/** Whether a run of the suite, this one or another, may have added an animal of this name. */
export const isOfARun = (name: string | undefined): boolean => name?.includes(NAME_TAG) === true;

const JSON_STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/gu;

/** The first JSON string of a text that is the name of such an animal. */
export function nameOfARunIn(text: string): string | undefined {
  const names: readonly string[] = (text.match(JSON_STRING) ?? []).map((written) => JSON.parse(written));
  return names.find(isOfARun);
}

/**
 * The part of a name by which the animals of a run are recognised: its seed, and four letters that depend on `salt`.
 * Always of one length for one seed, so that samples which are built on a name are the same when they are replayed.
 */
export const tagOf = (seed: number, salt: string): string => `${seed.toString(36)}-${runLetters(salt)}`;

/** The four letters of a run, or of a replay. */
export const runLetters = (salt: string): string => mix(salt).toString(36).padStart(4, '0').slice(-4);
