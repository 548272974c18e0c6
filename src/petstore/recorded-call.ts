import { createHash } from 'node:crypto';
import { headerOf } from '../http/exchange.ts';
import type { RecordedExchange } from '../http/recorded.ts';
import { createPet, getPet, listAsWritten, type PetCall, type RequestForm } from './calls.ts';
import { PETS_PATH } from './contract-facts.ts';
import type { Body } from './inputs/body.ts';
import type { KeyCredential } from './inputs/credential.ts';
import { readBody } from './read-body.ts';

/** What a recorded request asks for, by its method and URL. */
export interface Asked {
  /** Under which the path of the operation stands. */
  readonly baseUrl: string;
  readonly operation: PetCall['operation'];
  /** The query as it is written; undefined for none. */
  readonly search: string | undefined;
  /** As it stands in the path; empty for other operations than getPet. */
  readonly petId: string;
}

const URL_PARTS = /^(https?:\/\/[^/?#]+)([^?#]*)(?:\?([^#]*))?/i;

/** Answers to a request that asks only for what has changed, or for a part; or that a client should repeat later. */
const OF_HTTP_ALONE: ReadonlySet<number> = new Set([206, 304, 412, 416, 417, 429]);

/** What a recorded request asks for; undefined where it is none of the three operations, or says nothing of them. */
export function askedIn({ method, url, answer }: RecordedExchange): Asked | undefined {
  const [, host = '', path = '', search] = URL_PARTS.exec(url) ?? [];
  const at = path.lastIndexOf(PETS_PATH);
  if (at < 0 || !URL.canParse(host) || (answer.kind === 'response' && OF_HTTP_ALONE.has(answer.status)))
    return undefined;
  const baseUrl = `${new URL(host).origin}${path.slice(0, at)}`;
  const rest = path.slice(at + PETS_PATH.length);
  if (rest === '' && method === 'GET') return { baseUrl, operation: 'listPets', search, petId: '' };
  // What parameters beside those of the specification do, nobody knows.
  if (search !== undefined) return undefined;
  if (rest === '' && method === 'POST') return { baseUrl, operation: 'createPet', search, petId: '' };
  const [, petId] = /^\/([^/]+)$/.exec(rest) ?? [];
  return petId === undefined || method !== 'GET' ? undefined : { baseUrl, operation: 'getPet', search, petId };
}

/** Headers of a request that say nothing of who sends it. */
const SHOWN = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'content-length',
  'transfer-encoding',
]);

/** Whether a header need not be shown: it may be a secret, or say who has sent the request. */
export const isPrivate = (name: string): boolean =>
  !SHOWN.has(name.toLowerCase()) && name.toLowerCase() !== 'content-type';

/** The call that a recorded request is. */
export function callOf(
  { operation, search, petId }: Asked,
  recorded: RecordedExchange,
  credential: KeyCredential,
  categories: readonly bigint[],
): PetCall {
  const headers = recorded.headers.filter(([name]) => SHOWN.has(name.toLowerCase()));
  const chunked = /\bchunked\b/i.test(headerOf(recorded, 'transfer-encoding') ?? '');
  const form: RequestForm = { name: '', headers, chunked, withoutUserAgent: true };
  if (operation === 'listPets') return listAsWritten(search, credential, form);
  if (operation === 'getPet') return getPet(petId, credential, form);
  const body = bodyOf(recorded, categories);
  const call = createPet(body, credential, form);
  // Bodies that are not valid are distinguished by their labels elsewhere, and these all have the same.
  if (body.kind === 'valid') return call;
  const digest = createHash('sha256')
    .update(body.bytes ?? '')
    .digest('base64url');
  return { ...call, equivalence: `${call.equivalence} ${digest}` };
}

function bodyOf({ body, headers }: RecordedExchange, categories: readonly bigint[]): Body {
  const contentType = headerOf({ headers }, 'content-type');
  const isCoded = headerOf({ headers }, 'content-encoding') !== undefined;
  if (body !== 'not recorded' && !isCoded) return readBody(body, contentType, 'this body', categories);
  return { kind: 'open', label: 'a body that cannot be read', bytes: new Uint8Array(), contentType, pet: {} };
}
