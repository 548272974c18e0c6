import fc from 'fast-check';
import { int64s } from './int64.ts';
import { texts } from './names.ts';
import { type NewPet, PET_STATUSES, type PetStatus } from './new-pet.ts';

/**
 * What marks the animals of one check in one run: their names carry `tag`, so that a person can tell them, and their
 * category is one of `categories` where the user named the known ones.
 */
export interface Mark {
  readonly tag: string;
  readonly categories: readonly bigint[];
}

const DAY_TO_DAY_CATEGORY = 1n;

/** A plain NewPet; `number` tells the animals of one check apart. */
export function plainPet(mark: Mark, number: string, status?: PetStatus): NewPet {
  const categoryId = mark.categories[0] ?? DAY_TO_DAY_CATEGORY;
  return { name: `${mark.tag} ${number}`, categoryId, ...(status === undefined ? {} : { status }) };
}

/** A number in the name that shrinking leaves alone. */
function serial(): fc.Arbitrary<string> {
  return fc.noShrink(fc.integer({ min: 0, max: 36 ** 6 - 1 })).map((number) => number.toString(36));
}

/** Any category that a valid body may name: all of int64, or the known ones. */
export function categoryIds(mark: Mark): fc.Arbitrary<bigint> {
  return mark.categories.length > 0 ? fc.constantFrom(...mark.categories) : int64s();
}

/** Mostly `available`: the pages of the other statuses stay short enough to see every animal of the run in them. */
export function statuses(): fc.Arbitrary<PetStatus | undefined> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant('available' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...PET_STATUSES) },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

/** Valid animals of every kind: all of Unicode in the names, all of int64, every status or none. */
export function newPets(mark: Mark): fc.Arbitrary<NewPet> {
  return fc
    .record({ before: texts(), after: texts(), serial: serial(), categoryId: categoryIds(mark), status: statuses() })
    .map(({ before, after, serial, categoryId, status }) => ({
      name: `${before}${mark.tag} ${serial}${after}`,
      categoryId,
      ...(status === undefined ? {} : { status }),
    }));
}

/** Valid animals with a plain name and category, whose status is free. */
export function plainPets(mark: Mark): fc.Arbitrary<NewPet> {
  return fc
    .record({ serial: serial(), status: statuses() })
    .map(({ serial, status }) => plainPet(mark, serial, status));
}

/** A category that no other body of the run names, and hardly anybody else's: it depends on the run's tag alone. */
export function unusualCategory(mark: Mark): bigint {
  const digits = [...mark.tag].reduce(
    (hash, letter) => (hash * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 2n ** 60n,
    7n,
  );
  return 2n ** 61n + digits;
}
