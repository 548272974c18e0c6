import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { RecordedCall } from '../engine/plan.ts';
import type { ReplayFormat, RestoreOptions } from '../engine/service.ts';
import type { Exchange } from '../http/exchange.ts';
import { askedId, createPet, getPet, listAsWritten, type PetCall, type RequestForm } from './calls.ts';
import type { KeyCredential } from './inputs/credential.ts';
import { COOKIES_ALONE, cookiesSetBy, credentialNamed } from './inputs/credentials.ts';
import { NAME_TAG, runLetters } from './inputs/new-pets.ts';
import { readBody } from './read-body.ts';
import type { PetReply } from './reply.ts';
import { ALL_CONCURRENCIES, ALL_CONNECTIONS } from './space/circumstances.ts';

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };

/** Stands for the id of an animal that an earlier step has added. */
const BOUND_ID = '{id}';

/** What distinguishes the animals of two runs: the tag in their names, and four letters at its end. */
const RUN_TAG = new RegExp(`(${NAME_TAG} [0-9a-z]+-)[0-9a-z]{4}(?![0-9a-z])`, 'g');

/**
 * How calls of the Pet Store are written to replay files: all that makes the request, as it is written. The credential
 * is recorded by its name alone.
 *
 * @param categories the categories that the service knows, where the user has named them
 */
export const replayFormat = (categories: readonly bigint[]): ReplayFormat<PetReply> => ({
  schema: {
    type: 'object',
    properties: {
      operation: { enum: ['listPets', 'createPet', 'getPet'] satisfies PetCall['operation'][] },
      credential: TEXT,
      query: TEXT,
      petId: TEXT,
      bodyBase64: TEXT,
      requirement: TEXT,
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
  restore: (recorded, options) => restore(recorded, options, categories),
});

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
  const { bytes, contentType, label, requirement } = call.body;
  const bodyBase64 = bytes && Buffer.from(bytes).toString('base64');
  return { ...common, label, requirement, bodyBase64, contentType };
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
function restore(
  recorded: RecordedCall,
  { token, salt, id, before }: RestoreOptions,
  categories: readonly bigint[],
): PetCall {
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
      return createPet(bodyOf(recorded, text, renamed, categories), credential, form);
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

/** The recorded body, with the run's animals under names of their own that are as long as those that were recorded. */
function bodyOf(recorded: RecordedCall, text: Text, renamed: (old: string) => string, categories: readonly bigint[]) {
  // One character for each byte, so that nothing else is changed.
  const written = renamed(Buffer.from(text('bodyBase64') ?? '', 'base64').toString('latin1'));
  const bytes = recorded['bodyBase64'] === undefined ? undefined : new Uint8Array(Buffer.from(written, 'latin1'));
  const body = readBody(bytes, text('contentType'), text('label') ?? 'the recorded body', categories);
  const requirement = text('requirement');
  return requirement === undefined ? body : { ...body, requirement };
}
