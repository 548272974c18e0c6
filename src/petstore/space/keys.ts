import fc from 'fast-check';
import type { LevelTable, RequestSpace, SpaceRow } from '../../engine/request-space.ts';
import { createPet, getPet, listPets, type PetCall, type RequestForm } from '../calls.ts';
import { PET_STATUSES, type PetStatus } from '../contract-facts.ts';
import { type NewPet, validBody } from '../inputs/body.ts';
import { CREDENTIAL_KINDS, type KeyCredential, oneInventedKey } from '../inputs/credentials.ts';
import { percent, percentFirst } from '../inputs/percent.ts';
import { CIRCUMSTANCES_FACTOR } from './circumstances.ts';
import { arrays } from './covering-arrays.ts';
import { formOf, inChunks, REPEATED_FORM_FACTORS, senderOf, TRUST } from './request-forms.ts';

/** What a request with a credential is built of. */
export interface Subjects {
  /** The id of an animal that exists. */
  readonly id: bigint;
  /** An animal to add, with a name of its own. */
  readonly aPet: (status?: PetStatus) => NewPet;
}

/** A call that must succeed but for its credential. */
export type CallWith = (credential: KeyCredential, subjects: Subjects, form?: RequestForm) => PetCall;

const listing =
  (query: Parameters<typeof listPets>[0]): CallWith =>
  (credential, _, form) =>
    listPets(query, credential, form);

const creating =
  (status: PetStatus | undefined, chunked = false): CallWith =>
  (credential, { aPet }, form) =>
    createPet(validBody(aPet(status)), credential, chunked ? inChunks(form) : form);

const fetching =
  (write: (id: string) => string): CallWith =>
  (credential, { id }, form) =>
    getPet(write(`${id}`), credential, form);

const [available, pending, sold] = PET_STATUSES;

/** The operations, each in every form that its request has. */
const REQUESTS = {
  listPets: { examples: [listing({})] },
  'listPets with a limit': {
    examples: [{ limit: 5 }, { limit: 20, encode: percent }, { limit: 1 }, { limit: 100, encodeName: percent }].map(listing),
  },
  'listPets with a status': { examples: [{ status: available }, { status: sold, limit: 5 }, { status: pending }].map(listing) },
  createPet: { examples: [creating(available), creating(sold), creating(pending)] },
  'createPet without a status': { examples: [creating(undefined)] },
  'createPet in chunks': { examples: [creating(available, true)] },
  getPet: { examples: [fetching(String), fetching(percent), fetching(String), fetching(percentFirst)] },
} satisfies LevelTable<CallWith>; // biome-ignore format: one table

/** An operation's request in each of its forms. */
export const formsOf = (operation: PetCall['operation']): readonly CallWith[] =>
  Object.entries(REQUESTS).flatMap(([level, { examples }]) =>
    operationOf(level) === operation && !level.includes('chunks') ? examples.slice(0, 1) : [],
  );

/** Every call of an operation that must succeed but for its credential. */
export const callsOf = (operation: PetCall['operation']): readonly CallWith[] =>
  Object.entries(REQUESTS).flatMap(([level, { examples }]) => (operationOf(level) === operation ? examples : []));

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
const operationOf = (level: string) => OPERATIONS.find((operation) => level.startsWith(operation));

/** A credential in terms of the key. */
type Keyed = (key: string) => KeyCredential;

/** A key long enough to have examples of every kind. */
const TYPICAL_KEY = 'Typical-Key-7';

/** The n-th example of each kind, whatever the key is: a short key may lack some. */
const CREDENTIALS: LevelTable<Keyed> = Object.fromEntries(
  Object.entries(CREDENTIAL_KINDS).map(([kind, of]) => {
    const examples = of(TYPICAL_KEY).map(
      (_, at): Keyed =>
        (key) => {
          const all = of(key);
          return all[at % Math.max(1, all.length)] ?? oneInventedKey(key);
        },
    );
    return [kind, { examples }];
  }),
);

/** A request without a valid key. */
export interface KeyRequest {
  readonly credential: Keyed;
  readonly call: CallWith;
  readonly form: RequestForm;
}

/** The check that says most about a credential: that of its requirement and operation. */
function ownerOf(row: SpaceRow): string {
  if (row.level(CIRCUMSTANCES_FACTOR).startsWith('after')) return KEYS_AFTER_OTHERS;
  const { requirement } = CREDENTIALS[row.level('credential')]?.examples[0]?.(TYPICAL_KEY) ?? {};
  return requirement === 'AUTH-8' ? requirement : `${requirement}.${operationOf(row.level('request'))}`;
}

/** The checks that send the requests without a valid key that must be alone, or on connections used before. */
export const KEYS_ALONE = 'AUTH-3.alone';
export const KEYS_AFTER_OTHERS = 'AUTH-6.keys';

/** Every request whose only fault is its credential. */
export const KEY_REQUESTS: RequestSpace<KeyRequest> = {
  name: 'keys',
  factors: {
    credential: Object.keys(CREDENTIALS),
    request: Object.keys(REQUESTS),
    ...REPEATED_FORM_FACTORS,
    'other headers': Object.keys(TRUST),
  },
  strength: { smoke: 1, standard: 2, thorough: 3 },
  arrays: arrays('keys'),
  owner: (row) => senderOf(row, ownerOf(row), KEYS_ALONE),
  sample: (row) =>
    fc.record({
      credential: row.draw('credential', CREDENTIALS),
      call: row.draw('request', REQUESTS),
      form: formOf(row, TRUST),
    }),
};
