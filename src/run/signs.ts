/** How a Pet Store is recognised. */
import { readJson } from '../contract/json.ts';
import { headerOf } from '../http/message.ts';
import { create, get, list } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';

/** Far from any id in use. */
const UNUSED_ID = `${2n ** 62n + 12_345n}`;
/** One call of each operation. The body lacks every member, so nothing is added. */
export const PREFLIGHT_CALLS = [list('limit=1'), get(UNUSED_ID), create('{}')] as const;

/** Part 9: the version is the last segment of the base path. */
export function otherBases(basePath: string): readonly string[] {
  const base = basePath.replace(/\/+(pets(\/.*)?)?$/, '');
  if (base.endsWith('/v1')) return base === basePath ? [] : [base];
  return /\/v\d+$/.test(base) ? [base.replace(/\d+$/, '1')] : [...new Set([`${base}/v1`, '/v1'])];
}

/** Whether a response under another base address is likely to come from the service. */
export const isLikelyService = (one: Exchange): boolean => statusOf(one) === 401 || Array.isArray(jsonOf(one));

/** Whether one of these responses is one of the service. */
export const isShownBy = (all: readonly Exchange[]): boolean => all.some((one) => showsService(one, all));

/** How only this service responds to these requests: the id is unused, the body lacks every member. */
const STATUS_FOR: Readonly<Record<string, number>> = { listPets: 200, getPet: 404, createPet: 400 };

/** Whether it is a page of animals; or looks like a page or an Error, and no other operation gets its status. */
function showsService(one: Exchange, all: readonly Exchange[]): boolean {
  const { outcome } = one;
  if (outcome.kind === 'failure' || outcome.status !== STATUS_FOR[one.call.operation]) return false;
  const json = jsonOf(one);
  if (outcome.status === 200 && Array.isArray(json) && json.length > 0) return true;
  const isErrorLike = errorMembersOf(one) >= 2;
  const isPage = outcome.status === 200 && /^application\/json/i.test(headerOf(outcome.headers, 'content-type') ?? '');
  const others = all.filter(({ call }) => call.operation !== one.call.operation);
  const isOnlyHere = others.length > 0 && others.every((other) => statusOf(other) !== statusOf(one));
  return isOnlyHere && (isPage || isErrorLike);
}

/** Whether it has the body of an Error. What responds in front of a service seldom knows that shape. */
export const isError = (one: Exchange): boolean => errorMembersOf(one) === ERROR_MEMBERS.length;

const ERROR_MEMBERS = ['code', 'message', 'status'] as const;

function errorMembersOf(one: Exchange): number {
  const json = jsonOf(one) ?? {};
  return ERROR_MEMBERS.filter((name) => Object.hasOwn(json, name)).length;
}

export const statusOf = ({ outcome }: Exchange) => (outcome.kind === 'answer' ? outcome.status : undefined);

function jsonOf({ outcome }: Exchange): unknown {
  const json = outcome.kind === 'answer' ? readJson(outcome.body) : undefined;
  return json?.kind === 'json' ? json.value : undefined;
}
