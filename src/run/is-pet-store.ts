import { readJson } from '../contract/json.ts';
import type { Exchange } from '../http/exchange.ts';
import { headerOf } from '../http/message.ts';
import { create, get, list } from '../reading/call.ts';
import { fill, type Terms } from '../reading/fill.ts';
import { type Preflight, type PreflightOptions, preflight, type Target } from './preflight.ts';

/** Checks with a few requests that add nothing that a target is a Pet Store that accepts the key. */
export function isPetStore(terms: Terms, options: PreflightOptions): Promise<Preflight> {
  const [first, unknown, incomplete] = PREFLIGHT_CALLS;
  const target: Target = {
    title: 'Pet Store',
    keyOptions: '--token, --token-file or PETSTORE_API_KEY',
    expected: 'the list must be an array of animals, and an id that no animal has must give 404',
    basePath: terms.basePath,
    otherBases: otherBases(terms.basePath),
    // A service that expects header names in one letter case is to be tested, and fail.
    reads: [first, unknown, { ...first, headers: first.headers.map(([name, value]) => [name.toLowerCase(), value]) }],
    writes: [incomplete],
    request: (call, key = terms.key) => fill(call, {}, { ...terms, key }),
    isLikelyService: (one) => statusOf(one) === 401 || Array.isArray(jsonOf(one)),
    showsService: (all) => all.some((one) => showsService(one, all)),
  };
  return preflight(target, options);
}

/** Far from any id in use. */
const UNUSED_ID = `${2n ** 62n + 12_345n}`;
/** One call of each operation. The body lacks every member, so nothing is added. */
export const PREFLIGHT_CALLS = [list('limit=1'), get(UNUSED_ID), create('{}')] as const;

/** Part 9: the version is the last segment of the base path. */
function otherBases(basePath: string): readonly string[] {
  const base = basePath.replace(/\/+(pets(\/.*)?)?$/, '');
  if (base.endsWith('/v1')) return base === basePath ? [] : [base];
  return /\/v\d+$/.test(base) ? [base.replace(/\d+$/, '1')] : [...new Set([`${base}/v1`, '/v1'])];
}

/** How only this service responds to these requests: the id is unused, the body lacks every member. */
const STATUS_FOR: Readonly<Record<string, number>> = { listPets: 200, getPet: 404, createPet: 400 };

/** Whether it is a page of animals; or looks like a page or an Error, and no other operation gets its status. */
function showsService(one: Exchange, all: readonly Exchange[]): boolean {
  const { outcome } = one;
  if (outcome.kind === 'failure' || outcome.status !== STATUS_FOR[one.call.operation]) return false;
  const json = jsonOf(one) ?? {};
  if (outcome.status === 200 && Array.isArray(json) && json.length > 0) return true;
  const isError = ['code', 'message', 'status'].filter((name) => Object.hasOwn(json, name)).length >= 2;
  const isPage = outcome.status === 200 && /^application\/json/i.test(headerOf(outcome.headers, 'content-type') ?? '');
  const others = all.filter(({ call }) => call.operation !== one.call.operation);
  const isOnlyHere = others.length > 0 && others.every((other) => statusOf(other) !== statusOf(one));
  return isOnlyHere && (isPage || isError);
}

const statusOf = ({ outcome }: Exchange) => (outcome.kind === 'answer' ? outcome.status : undefined);

function jsonOf({ outcome }: Exchange): unknown {
  const json = outcome.kind === 'answer' ? readJson(outcome.body) : undefined;
  return json?.kind === 'json' ? json.value : undefined;
}
