import fc from 'fast-check';
import { INT64_MAX } from '../../contract/exact-integer.ts';
import { type RequestSpace, type SpacePart, withExamples } from '../../engine/request-space.ts';
import type { RequestForm } from '../calls.ts';
import type { PetStatus } from '../contract-facts.ts';
import type { NewPet } from '../inputs/body.ts';
import { PET_IDS } from '../inputs/ids.ts';
import { nameFrom } from '../inputs/name-template.ts';
import type { Naming } from '../inputs/new-pets.ts';
import { HEADERS } from './request-forms.ts';

/** How an animal is made of a plain one. */
interface Making {
  readonly name?: string;
  /** Where any category may be used: of those that are known, the last one is taken. */
  readonly categoryId?: bigint;
  readonly status?: PetStatus;
}

/** The making of a plain animal whose body is sent without a length. */
export const IN_CHUNKS = 'in chunks';

const MAKINGS: Readonly<Record<string, Making>> = {
  // Wherever its pieces end, they end inside a character.
  [IN_CHUNKS]: { name: `%plain% ${'🐾é日'.repeat(80)}`, status: 'available' },
  'pending, in a negative category': { categoryId: -7n, status: 'pending' },
  'without a status': {},
  'sold, with an unusual name and category': {
    name: `"%plain%" \\ ñ 🐾 \u2028${'x'.repeat(200)}`,
    categoryId: INT64_MAX - 6n,
    status: 'sold',
  },
};

function made({ name = '%plain%', categoryId, status }: Making, plain: NewPet, { categories }: Naming): NewPet {
  const category = categoryId === undefined ? plain.categoryId : (categories.at(-1) ?? categoryId);
  return { name: nameFrom(name, plain.name), categoryId: category, ...(status !== undefined && { status }) };
}

/** An animal of each making, by its name. */
export function oneOfEach(plain: () => NewPet, naming: Naming): ReadonlyMap<string, NewPet> {
  return new Map(Object.entries(MAKINGS).map(([making, make]) => [making, made(make, plain(), naming)]));
}

/** A getPet call's petId, and how the request is written. */
export interface GetRequest {
  /** A template, see {@link writtenId}. */
  readonly petId: string;
  readonly form: RequestForm;
  /** How the animal is made that it asks for, where the template asks for a made one. */
  readonly making: string;
  /** The kind of the id, as {@link PET_IDS} names it. */
  readonly kind: string;
}

/** The requests of {@link GET_REQUESTS} with these kinds of ids. */
export const ids = (petId: readonly string[]): SpacePart => ({ space: GET_REQUESTS, where: { petId } });

/** How many ids of each kind are sent by themselves. */
const ALWAYS_SENT = 2;
const IDS = withExamples(PET_IDS, ALWAYS_SENT);

/** Every request of getPet that differs in more than its credential. */
export const GET_REQUESTS: RequestSpace<GetRequest> = {
  name: 'getPet',
  factors: { petId: IDS, headers: HEADERS },
  strength: { smoke: 2, standard: 2, thorough: 3 },
  sample: (row) =>
    fc
      .record({
        petId: row.draw('petId', IDS),
        making: fc.constantFrom(...Object.keys(MAKINGS)),
        form: row.draw('headers', HEADERS),
      })
      .map((drawn) => ({ ...drawn, kind: row.level('petId') })),
};
