import fc from 'fast-check';
import { INT64_MAX } from '../../contract/exact-integer.ts';
import type { LevelTable, RequestSpace, SpaceRow } from '../../engine/request-space.ts';
import type { RequestForm } from '../calls.ts';
import type { NewPet } from '../inputs/body.ts';
import { type KnownIds, OPEN_ID_KINDS, PET_IDS } from '../inputs/ids.ts';
import type { Naming } from '../inputs/new-pets.ts';
import { SELDOM_ALONE, SELDOM_TWICE, SELDOM_USED } from './circumstances.ts';
import { arrays } from './covering-arrays.ts';
import { FORM_FACTORS, formOf, senderOf } from './request-forms.ts';

/** How an animal is made of a plain one, where any category may be used. */
type Making = (plain: NewPet, naming: Naming) => NewPet;

const inCategory =
  (categoryId: bigint): Making =>
  (plain, { categories }) => ({ ...plain, categoryId: categories.at(-1) ?? categoryId });

/** The making of a plain animal whose body is sent without a length. */
export const IN_CHUNKS = 'in chunks';

const MAKINGS: Readonly<Record<string, Making>> = {
  // Wherever its pieces end, they end inside a character.
  [IN_CHUNKS]: (plain) => ({ ...plain, name: `${plain.name} ${'🐾é日'.repeat(80)}`, status: 'available' }),
  'pending, in a negative category': (plain, naming) => ({ ...inCategory(-7n)(plain, naming), status: 'pending' }),
  'without a status': ({ name, categoryId }) => ({ name, categoryId }),
  'sold, with an odd name and category': (plain, naming) => ({
    ...inCategory(INT64_MAX - 6n)(plain, naming),
    status: 'sold',
    name: `"${plain.name}" \\ ñ 🐾 \u2028${'x'.repeat(200)}`,
  }),
};

/** An animal of each making, by its name. */
export function oneOfEach(plain: () => NewPet, naming: Naming): ReadonlyMap<string, NewPet> {
  return new Map(Object.entries(MAKINGS).map(([making, make]) => [making, make(plain(), naming)]));
}

const MAKING_LEVELS: LevelTable<string> = Object.fromEntries(
  Object.keys(MAKINGS).map((making) => [making, { examples: [making] }]),
);

/** A getPet call's petId, and how the request is written. */
export interface GetRequest {
  readonly petId: (known: KnownIds) => string;
  readonly form: RequestForm;
  /** How the animal is made that it asks for, where that must be given its id just now. */
  readonly newMaking: string | undefined;
  /** The kind of the id, as {@link PET_IDS} names it. */
  readonly kind: string;
}

const OWNERS: Readonly<Record<string, string>> = {
  'given just now': 'GET-4',
  'given long ago': 'GET-4.later',
  'the next': 'GET-4.foretold',
  'an edge': 'GET-2',
  far: 'GET-2',
  'beside one': 'GET-3',
  'in other bits or digits': 'GET-3',
  ...Object.fromEntries(OPEN_ID_KINDS.map((kind) => [kind, 'GET-5'])),
};

/** The check that says most about an id. */
const ownerOf = (row: SpaceRow): string => OWNERS[row.level('petId')] ?? 'GET-1';

/** Every request of getPet that differs in more than its credential. */
export const GET_REQUESTS: RequestSpace<GetRequest> = {
  name: 'getPet',
  factors: {
    petId: Object.keys(PET_IDS),
    making: Object.keys(MAKINGS),
    ...FORM_FACTORS,
  },
  strength: { smoke: 1, standard: 2, thorough: 3 },
  times: { smoke: 4 },
  arrays: arrays('getPet'),
  seldom: [SELDOM_ALONE, SELDOM_TWICE, ...SELDOM_USED],
  owner: (row) => senderOf(row, ownerOf(row), 'GET-4.alone'),
  sample: (row) =>
    fc
      .record({
        text: row.draw('petId', PET_IDS),
        making: row.draw('making', MAKING_LEVELS),
        form: formOf(row),
      })
      .map(({ text, making, form }) => ({
        petId: (known) => text(known, making),
        form,
        newMaking: row.level('petId') === 'given just now' ? making : undefined,
        kind: row.level('petId'),
      })),
};
