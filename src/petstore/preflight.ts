import { parseJson } from '../contract/json.ts';
import type { PreflightRequests } from '../engine/service.ts';
import { type Exchange, headerOf, type Response } from '../http/exchange.ts';
import { createPet, getPet, listPets } from './calls.ts';
import { LIMIT } from './contract-facts.ts';
import { bytesOf, JSON_TYPE } from './inputs/body.ts';
import { rightKey } from './inputs/credential.ts';
import { NOBODYS_ID } from './inputs/nobodys-id.ts';
import { memberOf } from './reply.ts';

/** It lacks every member, so nothing can come of it. */
const EMPTY_OBJECT = {
  kind: 'open',
  label: 'an empty object',
  bytes: bytesOf('{}'),
  contentType: JSON_TYPE,
  pet: {},
} as const;

/** What this service, and no other, answers to the requests of the preflight: the id is nobody's, the body lacks all. */
const STATUS_FOR: Readonly<Record<string, number>> = { listPets: 200, getPet: 404, createPet: 400 };

/** The requests that show whether a target is a Pet Store that can be judged. */
export const PREFLIGHT: PreflightRequests = {
  unknownTargetCode: 'not-a-pet-store',
  first: (token) => listPets({ limit: LIMIT.minimum }, rightKey(token)).request,
  reads: (token) => {
    const key = rightKey(token);
    return [
      getPet(NOBODYS_ID, key).request,
      // A service that knows the header in one letter case only is to be judged for that.
      listPets({ limit: LIMIT.minimum }, key, { name: '', keyHeader: 'authorization' }).request,
    ];
  },
  writes: (token) => [createPet(EMPTY_OBJECT, rightKey(token)).request],
  showsService: (exchanges) =>
    exchanges.some((one) => isPageOfAnimals(one) || (looksRight(one) && isOnlyForItsLike(one, exchanges))),
};

const statusOf = ({ answer }: Exchange): number | undefined => (answer.kind === 'response' ? answer.status : undefined);

/** An empty array may also be the answer to whatever is asked. */
function isPageOfAnimals(exchange: Exchange): boolean {
  const { request, answer } = exchange;
  if (request.operation !== 'listPets' || answer.kind !== 'response' || answer.status !== STATUS_FOR['listPets'])
    return false;
  const json = jsonIn(answer);
  return Array.isArray(json) && json.length > 0;
}

/** The right status, and a body like that of a page or of an Error. */
function looksRight({ request, answer }: Exchange): boolean {
  if (answer.kind !== 'response' || answer.status !== STATUS_FOR[request.operation]) return false;
  const value = jsonIn(answer);
  if (answer.status < 400) {
    const claimsJson = headerOf(answer, 'content-type')?.toLowerCase().startsWith('application/json') === true;
    return claimsJson || (typeof value === 'object' && value !== null);
  }
  return ['code', 'message', 'status'].filter((name) => memberOf(value, name) !== undefined).length >= 2;
}

/** A gateway, a web site or a stub answers alike whatever is asked: none of the other operations got this status. */
function isOnlyForItsLike(one: Exchange, all: readonly Exchange[]): boolean {
  const others = all.filter(({ request }) => request.operation !== one.request.operation);
  return others.length > 0 && others.every((other) => statusOf(other) !== statusOf(one));
}

function jsonIn({ body }: Response): unknown {
  const json = parseJson(body);
  return json.kind === 'json' ? json.value : undefined;
}
