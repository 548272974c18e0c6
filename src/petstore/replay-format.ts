import { integerAt, parseJson } from '../contract/json.ts';
import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { RecordedCall } from '../engine/plan.ts';
import type { ReplayFormat, RestoreOptions } from '../engine/service.ts';
import type { Exchange } from '../http/exchange.ts';
import { askedId, createPet, getPet, listAsWritten, type PetCall, type RequestForm } from './calls.ts';
import { MEMBERS, PET_STATUSES } from './contract-facts.ts';
import type { Body, InvalidBody, NewPet, OneOf } from './inputs/body.ts';
import type { KeyCredential } from './inputs/credential.ts';
import { COOKIES_ALONE, cookiesSetBy, credentialNamed } from './inputs/credentials.ts';
import { NAME_TAG, runLetters } from './inputs/new-pets.ts';
import { AGREED_FIELDS, memberOf, type PetReply } from './reply.ts';
import { ALL_CONCURRENCIES, ALL_CONNECTIONS } from './space/circumstances.ts';

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };

/** Stands for the id of an animal that an earlier step has added. */
const BOUND_ID = '{id}';

/** What tells the animals of one run from those of another: the tag in their names, and four letters at its end. */
const RUN_TAG = new RegExp(`(${NAME_TAG} [0-9a-z]+-)[0-9a-z]{4}(?![0-9a-z])`, 'g');

/**
 * How calls of the Pet Store are written to replay files: all that makes the request, as it is written. The credential
 * is recorded by its name alone.
 */
export const REPLAY_FORMAT: ReplayFormat<PetReply> = {
  schema: {
    type: 'object',
    properties: {
      operation: { enum: ['listPets', 'createPet', 'getPet'] satisfies PetCall['operation'][] },
      credential: TEXT,
      query: TEXT,
      petId: TEXT,
      bodyBase64: TEXT,
      bodyIsSound: FLAG,
      failsAs: { enum: ['syntax', 'schema'] satisfies InvalidBody['failsAs'][] },
      permitted: TEXT,
      certain: TEXT,
      clientId: TEXT,
      oneOf: TEXT,
      requirement: TEXT,
      refusedName: TEXT,
      contentType: TEXT,
      label: TEXT,
      form: TEXT,
      headers: TEXT,
      chunked: FLAG,
      withoutUserAgent: FLAG,
      keyHeader: TEXT,
      connection: { enum: [...ALL_CONNECTIONS] },
      concurrency: { enum: [...ALL_CONCURRENCIES] },
      sentTwice: FLAG,
    },
    required: ['operation', 'credential'],
  },
  names,
  given: ({ created }) => (created === undefined ? undefined : `${created.id}`),
  record,
  restore,
};

/** The id that getPet asks for, in whatever spelling. */
function names(call: PetCall): string | undefined {
  const asked = call.operation === 'getPet' ? askedId(call) : undefined;
  return asked !== undefined && 'id' in asked ? `${asked.id}` : undefined;
}

function record(call: PetCall, bound?: string): RecordedCall {
  const { operation } = call;
  const common = { operation, credential: call.credential.name, ...recordOfForm(call.form) };
  if (operation === 'getPet') {
    return { ...common, petId: bound === undefined ? call.petId : call.petId.replace(bound, BOUND_ID) };
  }
  if (operation === 'listPets') return { ...common, query: call.search };
  const { bytes, contentType, label, kind } = call.body;
  const bodyBase64 = bytes && Buffer.from(bytes).toString('base64');
  const { requirement } = call.body;
  return {
    ...common,
    label,
    requirement,
    bodyIsSound: kind === 'valid',
    bodyBase64,
    contentType,
    ...expectationsOf(call.body),
  };
}

/** What must come of a body, where that does not follow from its bytes. */
function expectationsOf(body: Body): RecordedCall {
  if (body.kind === 'valid') return {};
  if (body.kind === 'invalid') return { failsAs: body.failsAs, refusedName: body.traces.name };
  const { readings, pet, clientId, oneOf } = body;
  return {
    permitted: readings && JSON.stringify(readings),
    certain: JSON.stringify(Object.keys(pet)),
    clientId: clientId?.toString(),
    oneOf: oneOf && JSON.stringify(oneOf),
  };
}

function recordOfForm({
  name,
  headers,
  chunked,
  withoutUserAgent,
  keyHeader,
  connection,
  concurrency,
  times,
}: RequestForm): RecordedCall {
  return {
    ...(name === '' ? {} : { form: name }),
    ...(headers === undefined ? {} : { headers: JSON.stringify(headers) }),
    ...(chunked === true ? { chunked } : {}),
    ...(withoutUserAgent === true ? { withoutUserAgent } : {}),
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(connection === undefined ? {} : { connection }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(times === 2 ? { sentTwice: true } : {}),
  };
}

type Text = (name: string) => string | undefined;

/** The call that a record was made of; its credential is found by its name, and built from the token. */
function restore(recorded: RecordedCall, { token, salt, id, before }: RestoreOptions): PetCall {
  const text = (name: string): string | undefined => {
    const value = recorded[name];
    return typeof value === 'string' ? value : undefined;
  };
  const renamed = (old: string): string => old.replace(RUN_TAG, `$1${runLetters(salt)}`);
  const credential = credentialOf(text('credential') ?? '', token, before);
  const form = formIn(recorded, text);
  switch (text('operation')) {
    case 'listPets':
      return listAsWritten(text('query'), credential, form);
    case 'getPet':
      return getPet((text('petId') ?? '').replace(BOUND_ID, id ?? ''), credential, form);
    default:
      return createPet(bodyOf(recorded, text, renamed), credential, form);
  }
}

function formIn(recorded: RecordedCall, text: Text): RequestForm {
  const [headers, keyHeader] = [text('headers'), text('keyHeader')];
  const one = <T extends string>(field: string, known: readonly T[]): T | undefined =>
    known.find((value) => value === text(field));
  const connection = one('connection', ALL_CONNECTIONS);
  const concurrency = one('concurrency', ALL_CONCURRENCIES);
  return {
    name: text('form') ?? '',
    ...(headers === undefined ? {} : { headers: headersIn(JSON.parse(headers)) }),
    ...(recorded['chunked'] === true ? { chunked: true } : {}),
    ...(recorded['withoutUserAgent'] === true ? { withoutUserAgent: true } : {}),
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(connection === undefined ? {} : { connection }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(recorded['sentTwice'] === true ? { times: 2 } : {}),
  };
}

function headersIn(pairs: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(pairs)) return [];
  return pairs.flatMap((pair: unknown) => (Array.isArray(pair) ? [[String(pair[0]), String(pair[1])] as const] : []));
}

/** @param before the exchange of the step before */
function credentialOf(name: string, token: string, before: Exchange | undefined): KeyCredential {
  const cookies = name === COOKIES_ALONE ? before && cookiesSetBy(before) : undefined;
  const credential = cookies ?? credentialNamed(name, token);
  if (credential !== undefined) return credential;
  const reason = `nothing can be made of this key that is "${name}"; replay with the key of the recorded run`;
  throw new InconclusiveError('credential-unknown', reason);
}

/** @param renamed a text with the run's animals under names of their own, as long as those that were recorded */
function bodyOf(recorded: RecordedCall, text: Text, renamed: (old: string) => string): Body {
  const requirement = text('requirement') ?? '';
  // One character for each byte, so that nothing else is changed.
  const written = renamed(Buffer.from(text('bodyBase64') ?? '', 'base64').toString('latin1'));
  const bytes = new Uint8Array(Buffer.from(written, 'latin1'));
  const label = text('label') ?? 'the recorded body';
  const contentType = text('contentType');
  const pet = petIn(bytes);
  if (recorded['bodyIsSound'] === true && pet !== undefined && contentType !== undefined) {
    return { kind: 'valid', label, bytes, contentType, pet, requirement };
  }
  const failsAs = (['syntax', 'schema'] as const).find((known) => known === recorded['failsAs']);
  if (failsAs !== undefined) {
    // Of its category, an animal that the recorded run has left cannot be told from one that is made now.
    const refusedName = text('refusedName');
    const traces = refusedName === undefined ? {} : { name: renamed(refusedName) };
    return { kind: 'invalid', label, bytes, contentType, requirement, failsAs, traces };
  }
  const readings: unknown = JSON.parse(text('permitted') ?? 'null');
  const certain: unknown = JSON.parse(text('certain') ?? '[]');
  const clientId = text('clientId');
  return {
    kind: 'open',
    label,
    bytes,
    contentType,
    requirement,
    ...(typeof readings === 'object' && readings !== null ? { readings: { ...readings } } : {}),
    pet: pet === undefined || !Array.isArray(certain) ? {} : only(pet, certain),
    clientId: clientId === undefined ? undefined : BigInt(clientId),
    oneOf: oneOfIn(renamed(text('oneOf') ?? '')),
  };
}

function oneOfIn(text: string): OneOf | undefined {
  const recorded: unknown = text === '' ? undefined : JSON.parse(text);
  if (typeof recorded !== 'object' || recorded === null || !('field' in recorded && 'values' in recorded))
    return undefined;
  const field = AGREED_FIELDS.find((known) => known === recorded.field);
  const { values } = recorded;
  return field && Array.isArray(values) ? { field, values: values.map(String) } : undefined;
}

const only = ({ name, categoryId, status }: NewPet, certain: readonly unknown[]): Partial<NewPet> => ({
  ...(certain.includes('name') ? { name } : {}),
  ...(certain.includes('categoryId') ? { categoryId } : {}),
  ...(certain.includes('status') ? { status } : {}),
});

function petIn(bytes: Uint8Array): NewPet | undefined {
  const json = parseJson(bytes, MEMBERS);
  if (json.kind !== 'json') return undefined;
  const name = memberOf(json.value, 'name');
  const status = PET_STATUSES.find((known) => known === memberOf(json.value, 'status'));
  const categoryId = integerAt(json, '/categoryId');
  if (typeof name !== 'string' || categoryId === undefined) return undefined;
  return { name, categoryId, status };
}
