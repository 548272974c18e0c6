import fc from 'fast-check';
import type { Level, LevelTable, RequestSpace, SpacePart } from '../../engine/request-space.ts';
import { createPet, getPet, listPets, type PetCall, type RequestForm } from '../calls.ts';
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
import { percent, percentFirst } from '../inputs/percent.ts';
import { MOST_HEADERS } from '../inputs/sizes.ts';
import {
  CONCURRENCY_FACTOR,
  CONNECTION_FACTOR,
  type Concurrency,
  type Connection,
  SELDOM_ALONE,
  SELDOM_TWICE,
  SELDOM_USED,
  USUAL_CIRCUMSTANCES,
} from './circumstances.ts';
import { anyEncoding } from './encodings.ts';
import { FORM_FACTORS, formOf, inChunks, TRUST, USUAL } from './request-forms.ts';

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
export type CallWith = (credential: KeyCredential, subjects: Subjects, form?: RequestForm) => PetCall;

const listing =
  (query: Parameters<typeof listPets>[0]): CallWith =>
  (credential, _, form) =>
    listPets(query, credential, form);

const [available, pending, sold] = PET_STATUSES;

const creating =
  (status: PetStatus | undefined, chunked = false): CallWith =>
  (credential, { aPet }, form) =>
    createPet(validBody(aPet(status)), credential, chunked ? inChunks(form) : form);

/** As JSON with a charset: a guard that compares the media type must not let it pass. */
export const creatingWithCharset: CallWith = (credential, { aPet }, form) =>
  createPet({ ...validBody(aPet(available)), contentType: `${JSON_TYPE}; charset=utf-8` }, credential, form);

const fetching =
  (write: (id: string) => string, nth = 0): CallWith =>
  (credential, { id, own = [] }, form) =>
    getPet(write(`${own[nth % Math.max(1, own.length)] ?? id}`), credential, form);

/** Any list call whose parameters are valid. */
const anyListing = (): fc.Arbitrary<CallWith> =>
  fc
    .record({
      limit: fc.option(fc.integer({ min: LIMIT.minimum, max: LIMIT.maximum }), { nil: undefined }),
      status: fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined }),
      statusFirst: fc.boolean(),
      encoding: anyEncoding(),
    })
    .map(({ encoding, ...query }) => listing({ ...query, ...encoding }));

/** Any getPet call of an animal of the run's own. */
const anyFetching = (): fc.Arbitrary<CallWith> =>
  fc.tuple(anyEncoding(), fc.nat()).map(([{ encode = String }, nth]) => fetching((id) => encode(id, 'limit'), nth));

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
      { limit: 5 }, { limit: 100 }, { status: available }, { limit: 20, encode: percent }, { status: sold, limit: 5 }, { limit: 1 },
      { status: pending }, { limit: 100, encodeName: percent },
    ].map(listing),
    others: anyListing(),
  },
  createPet: {
    examples: [creating(available), creating(available, true), creating(undefined), creating(sold), creating(pending)],
  },
  getPet: { examples: [fetching(String), fetching(percent), fetching(String), fetching(percentFirst)], others: anyFetching() },
} satisfies LevelTable<CallWith>; // biome-ignore format: one table

/** An operation's request in each of its forms. */
export const formsOf = (operation: PetCall['operation']): readonly CallWith[] =>
  Object.entries(REQUESTS).flatMap(([level, { examples }]) =>
    operationOf(level) === operation ? examples.slice(0, 1) : [],
  );

/** Any call of an operation that must succeed but for its credential. */
export const anyCallOf = (operation: PetCall['operation']): fc.Arbitrary<CallWith> =>
  fc.oneof(
    ...Object.entries<Level<CallWith>>(REQUESTS).flatMap(([level, { examples, others }]) => {
      if (operationOf(level) !== operation) return [];
      return [fc.constantFrom(...examples), ...(others === undefined ? [] : [others])];
    }),
  );

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
  readonly call: CallWith;
  readonly form: RequestForm;
}

/** The requirement of each kind of credential. */
const REQUIREMENTS = Object.entries(TYPICAL.listed).map(([kind, [first]]) => [kind, first?.requirement] as const);

/** Requirements of credentials, operations, connections, and what else is under way; any where nothing is said. */
interface KeyKinds {
  readonly requirements?: readonly KeyRequirement[];
  readonly operation?: PetCall['operation'];
  readonly connection?: readonly Connection[];
  readonly concurrency: readonly Concurrency[];
}

/** The requests of {@link KEY_REQUESTS} of these kinds. */
export function keys({ requirements, operation, connection, concurrency }: KeyKinds): SpacePart {
  const isMeant = (requirement: KeyRequirement | undefined): boolean =>
    requirements?.some((one) => one === requirement) ?? true;
  return {
    space: KEY_REQUESTS,
    where: {
      credential: REQUIREMENTS.flatMap(([kind, requirement]) => (isMeant(requirement) ? [kind] : [])),
      request: Object.keys(REQUESTS).filter((level) => (operation ?? operationOf(level)) === operationOf(level)),
      ...(connection && { [CONNECTION_FACTOR]: connection }),
      [CONCURRENCY_FACTOR]: concurrency,
    },
  };
}

/** The places where a service may look for a key: each of their examples is sent, the others' in turn. */
const PLACES = Object.fromEntries(
  Object.entries(CREDENTIALS).filter(([kind]) => /^(?:another header|the query)$/.test(kind)),
);

/** So many requests without a valid key are sent a second time. */
const MOST_TWICE = 2;

const PLAIN = {
  request: 'listPets',
  accept: 'application/json',
  'accept-encoding': 'absent',
  'other headers': Object.keys(TRUST)[0] ?? '',
  'header of the key': 'authorization',
  ...USUAL_CIRCUMSTANCES,
};

/** Every request whose only fault is its credential. */
export const KEY_REQUESTS: RequestSpace<KeyRequest> = {
  name: 'keys',
  factors: {
    credential: Object.keys(CREDENTIALS),
    request: Object.keys(REQUESTS),
    ...FORM_FACTORS,
    'other headers': Object.keys(TRUST),
  },
  strength: { smoke: 1, standard: 2, thorough: 3 },
  times: { smoke: 3 },
  seldom: [SELDOM_ALONE, ...SELDOM_USED, { ...SELDOM_TWICE, most: { ...SELDOM_TWICE.most, standard: MOST_TWICE } }],
  everyExample: { plain: () => PLAIN, hides: () => false, tables: { credential: PLACES } },
  sample: (row) =>
    fc.record({
      credential: row.draw('credential', CREDENTIALS),
      call: row.draw('request', REQUESTS),
      form: formOf(row, TRUST),
    }),
};
