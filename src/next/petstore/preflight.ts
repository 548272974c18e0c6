import { parseJson } from '../../contract/json.ts';
import { type Preflight, type PreflightOptions, preflight, type Target } from '../engine/preflight.ts';
import type { Exchange } from '../http/exchange.ts';
import { create, get, list } from './call.ts';
import { fill, type Terms } from './fill.ts';

/** Whether a target is a Pet Store that can be tested with this key, by a few requests that add nothing. */
export function isPetStore(terms: Terms, options: PreflightOptions): Promise<Preflight> {
  const first = list('limit=1');
  const target: Target = {
    title: 'Pet Store',
    keyOptions: '--token, --token-file or PETSTORE_API_KEY',
    right: 'the list must be an array of animals, and an id that no animal has must give 404',
    basePath: terms.basePath,
    otherBases: otherBases(terms.basePath),
    // A service that knows the name of the header in one letter case only is to be checked for that.
    reads: [
      first,
      get(NOBODY),
      { ...first, headers: first.headers.map(([name, value]) => [name.toLowerCase(), value]) },
    ],
    // It lacks every member, so nothing can come of it.
    writes: [create('{}')],
    request: (call, key = terms.key) => fill(call, {}, { ...terms, key }),
    isThere: (one) => statusOf(one) === 401 || Array.isArray(jsonOf(one)),
    showsService: (all) => all.some((one) => isPageOfAnimals(one) || (looksRight(one) && isOnlyForItsLike(one, all))),
  };
  return preflight(target, options);
}

/** Far from any id in use. */
const NOBODY = `${2n ** 62n + 12_345n}`;

/** Part 9: the version is the last segment of the base path. */
function otherBases(basePath: string): readonly string[] {
  const base = basePath.replace(/\/+(pets(\/.*)?)?$/, '');
  if (base.endsWith('/v1')) return base === basePath ? [] : [base];
  return /\/v\d+$/.test(base) ? [base.replace(/\d+$/, '1')] : [...new Set([`${base}/v1`, '/v1'])];
}

/** An empty array may also be the answer to whatever is asked. */
const isPageOfAnimals = (one: Exchange): boolean => {
  const json = one.call.operation === 'listPets' && statusOf(one) === 200 ? jsonOf(one) : undefined;
  return Array.isArray(json) && json.length > 0;
};

/** What this service, and no other, answers to these requests: the id is nobody's, the body lacks everything. */
const STATUS_FOR: Readonly<Record<string, number>> = { listPets: 200, getPet: 404, createPet: 400 };

/** The right status, and a body like that of a page or of an Error. */
function looksRight(one: Exchange): boolean {
  const json = statusOf(one) === STATUS_FOR[one.call.operation] ? jsonOf(one) : undefined;
  if (typeof json !== 'object' || json === null) return false;
  return statusOf(one) === 200 || ['code', 'message', 'status'].filter((name) => Object.hasOwn(json, name)).length >= 2;
}

/** A gateway, a web site or a stub answers alike whatever is asked: none of the other operations got this status. */
function isOnlyForItsLike(one: Exchange, all: readonly Exchange[]): boolean {
  const others = all.filter(({ call }) => call.operation !== one.call.operation);
  return others.length > 0 && others.every((other) => statusOf(other) !== statusOf(one));
}

const statusOf = ({ outcome }: Exchange) => (outcome.kind === 'answer' ? outcome.status : undefined);

function jsonOf({ outcome }: Exchange): unknown {
  const json = outcome.kind === 'answer' ? parseJson(outcome.body) : undefined;
  return json?.kind === 'json' ? json.value : undefined;
}
