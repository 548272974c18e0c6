import fc from 'fast-check';
import { anyIn, type LevelTable, type RequestSpace, type SpacePart, withExamples } from '../../engine/request-space.ts';
import { createPet, getPet, type ListQuery, listPets, type PetCall, type RequestForm } from '../calls.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from '../contract-facts.ts';
import { JSON_TYPE, type NewPet, validBody } from '../inputs/body.ts';
import {
  type CredentialsByKind,
  type KeyCredential,
  type KeyRequirement,
  WITH_A_SCHEME,
} from '../inputs/credential.ts';
import { credentialsByKind, oneInventedKey, placesAtOnce } from '../inputs/credentials.ts';
import { drawnMisses } from '../inputs/near-misses.ts';
import { type PercentEncoding, percentEncoded } from '../inputs/percent.ts';
import { MOST_HEADERS } from '../inputs/sizes.ts';
import { anyEncoding } from './encodings.ts';
import { HEADERS_TO_TRUST, inChunks, USUAL } from './request-forms.ts';

/** What a request with a credential is built of. */
export interface Subjects {
  /** The id of an animal that exists. */
  readonly id: bigint;
  /** An animal to add, with a name of its own. */
  readonly aPet: (status?: PetStatus) => NewPet;
  /** The ids of animals of the run's own, where it is over with adding them. */
  readonly own?: readonly bigint[];
}

/** A call that must succeed but for its credential. */
export type CallTemplate =
  | { readonly operation: 'listPets'; readonly query: ListQuery }
  | {
      readonly operation: 'createPet';
      readonly status?: PetStatus | undefined;
      readonly chunked?: boolean;
      readonly contentType?: string;
    }
  /** Of the animals of the run's own the n-th, where there are any. */
  | { readonly operation: 'getPet'; readonly encoding?: PercentEncoding | undefined; readonly nth?: number };

/** The call of a template. */
export function callWith(call: CallTemplate, key: KeyCredential, subjects: Subjects, form?: RequestForm): PetCall {
  if (call.operation === 'listPets') return listPets(call.query, key, form);
  if (call.operation === 'createPet') {
    const { status, chunked = false, contentType = JSON_TYPE } = call;
    return createPet({ ...validBody(subjects.aPet(status)), contentType }, key, chunked ? inChunks(form) : form);
  }
  const { id, own = [] } = subjects;
  const { encoding, nth = 0 } = call;
  return getPet(percentEncoded(`${own[nth % Math.max(1, own.length)] ?? id}`, encoding), key, form);
}

const listing = (query: ListQuery): CallTemplate => ({ operation: 'listPets', query });
const creating = (status: PetStatus | undefined, chunked = false): CallTemplate => ({
  operation: 'createPet',
  status,
  chunked,
});
const fetching = (encoding?: PercentEncoding, nth = 0): CallTemplate => ({ operation: 'getPet', encoding, nth });

const [available, pending, sold] = PET_STATUSES;

/** As JSON with a charset: a guard that compares the media type must not let it pass. */
export const CREATING_WITH_CHARSET: CallTemplate = {
  operation: 'createPet',
  status: available,
  contentType: `${JSON_TYPE}; charset=utf-8`,
};

/** Any list call whose parameters are valid. */
const anyListing = (): fc.Arbitrary<CallTemplate> =>
  fc
    .record({
      limit: fc.option(fc.integer({ min: LIMIT.minimum, max: LIMIT.maximum }), { nil: undefined }),
      status: fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined }),
      statusFirst: fc.boolean(),
      encoding: anyEncoding(),
    })
    .map(({ encoding, ...query }) => listing({ ...query, ...encoding }));

/** Any getPet call of an animal of the run's own. */
const anyFetching = (): fc.Arbitrary<CallTemplate> =>
  fc.tuple(anyEncoding(), fc.nat()).map(([{ values }, nth]) => fetching(values?.limit, nth));

/** The headers of a request that has no others: those of the connection, User-Agent, Accept and the key. */
const HEADERS_ANYWAY = 5;
/** About as long as the headers that a service might trust. */
const USUAL_LENGTH = 20;

/**
 * The control of what makes requests without a valid key large: with the right key, as many headers as any of them has,
 * and as many bytes.
 */
export function ofTheLargestShape(key: KeyCredential, token: string): PetCall {
  const long = placesAtOnce(token) - 1;
  const headers = Array.from({ length: MOST_HEADERS - HEADERS_ANYWAY }, (_, at) => {
    return [`X-Control-${at + 1}`, 'x'.repeat(at < long ? WITH_A_SCHEME.length + token.length : USUAL_LENGTH)] as const;
  });
  const form = { name: `with ${headers.length} other headers`, headers: [...USUAL, ...headers] };
  return listPets({ limit: LIMIT.minimum }, key, form);
}

/** The operations, each in every form that its request has. */
const REQUESTS = {
  listPets: { examples: [listing({})] },
  'listPets with a query': {
    examples: [
      listing({ limit: 5 }), listing({ limit: 100 }), listing({ status: available }), listing({ limit: 20, values: { limit: 'every character' } }),
      listing({ status: sold, limit: 5 }), listing({ limit: 1 }), listing({ status: pending }), listing({ limit: 100, names: { limit: 'every character' } }),
    ],
    others: anyListing(),
  },
  createPet: {
    examples: [creating(available), creating(available, true), creating(undefined), creating(sold), creating(pending)],
  },
  getPet: { examples: [fetching(), fetching('every character'), fetching(), fetching('the first character')], others: anyFetching() },
} satisfies LevelTable<CallTemplate>; // biome-ignore format: one table

/** An operation's request in each of its forms. */
export const formsOf = (operation: PetCall['operation']): readonly CallTemplate[] =>
  Object.entries(REQUESTS).flatMap(([level, { examples }]) =>
    operationOf(level) === operation ? examples.slice(0, 1) : [],
  );

/** Any call of an operation that must succeed but for its credential. */
export const anyCallOf = (operation: PetCall['operation']): fc.Arbitrary<CallTemplate> =>
  anyIn(Object.fromEntries(Object.entries(REQUESTS).filter(([level]) => operationOf(level) === operation)));

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
const operationOf = (level: string) => OPERATIONS.find((operation) => level.startsWith(operation));

/** A credential before the key is known: the n-th of its kind, or of the misses of that kind of which some are drawn. */
export interface ChosenCredential {
  readonly kind: string;
  readonly nth: number;
  readonly isDrawn: boolean;
}

/** A run has one or two keys, and every request takes one of their many credentials. */
const MADE = new Map<string, { readonly listed: CredentialsByKind; readonly drawn: CredentialsByKind }>();

function madeOf(key: string) {
  const made = MADE.get(key) ?? { listed: credentialsByKind(key), drawn: drawnMisses(key) };
  MADE.set(key, made);
  return made;
}

/** The credential that was chosen, made of a key; another one where a short key has none of its kind. */
export function credentialFor({ kind, nth, isDrawn }: ChosenCredential, key: string): KeyCredential {
  const { listed, drawn } = madeOf(key);
  const all = (isDrawn ? drawn : listed)[kind] ?? [];
  return all[nth % Math.max(1, all.length)] ?? oneInventedKey(key);
}

/** A key long enough to have examples of every kind. */
const TYPICAL = madeOf('Typical-Key-7');

const CREDENTIALS: LevelTable<ChosenCredential> = Object.fromEntries(
  Object.entries(TYPICAL.listed).map(([kind, all]) => {
    const examples = all.map((_, nth) => ({ kind, nth, isDrawn: false }));
    if (!Object.hasOwn(TYPICAL.drawn, kind)) return [kind, { examples }];
    return [kind, { examples, others: fc.nat().map((nth) => ({ kind, nth, isDrawn: true })) }];
  }),
);

/** A request without a valid key. */
export interface KeyRequest {
  readonly credential: ChosenCredential;
  readonly call: CallTemplate;
  readonly form: RequestForm;
}

/** The requirement of each kind of credential. */
const REQUIREMENTS = Object.entries(TYPICAL.listed).map(([kind, [first]]) => [kind, first?.requirement] as const);

/** The requests of {@link KEY_REQUESTS} with the credentials of these requirements, of one operation or of any. */
export function keys(requirements: readonly KeyRequirement[], operation?: PetCall['operation']): SpacePart {
  const isMeant = (requirement: KeyRequirement | undefined): boolean => requirements.some((one) => one === requirement);
  return {
    space: KEY_REQUESTS,
    where: {
      credential: REQUIREMENTS.flatMap(([kind, requirement]) => (isMeant(requirement) ? [kind] : [])),
      ...(operation && { request: [operation] }),
    },
  };
}

const ALWAYS_SENT = 3;

/** Of the places where a service may look for a key, all are sent by themselves; of other kinds of credentials a few. */
const SENT_CREDENTIALS: LevelTable<ChosenCredential> = Object.fromEntries(
  Object.entries(CREDENTIALS).map(([kind, level]) => [
    kind,
    /^(?:another header|the query)$/.test(kind) ? level : (withExamples({ [kind]: level }, ALWAYS_SENT)[kind] ?? level),
  ]),
);

/** The operations, each in any form of its request; the plain one is to list. */
const CALLS: LevelTable<CallTemplate> = Object.fromEntries(
  OPERATIONS.map((operation, at) => [
    operation,
    { examples: at === 0 ? formsOf(operation).slice(0, 1) : [], others: anyCallOf(operation) },
  ]),
);

/** Every request whose only fault is its credential. */
export const KEY_REQUESTS: RequestSpace<KeyRequest> = {
  name: 'keys',
  factors: { credential: SENT_CREDENTIALS, request: CALLS, headers: HEADERS_TO_TRUST },
  strength: { smoke: 2, standard: 2, thorough: 3 },
  sample: (row) =>
    fc.record({
      credential: row.draw('credential', SENT_CREDENTIALS),
      call: row.draw('request', CALLS),
      form: row.draw('headers', HEADERS_TO_TRUST),
    }),
};
