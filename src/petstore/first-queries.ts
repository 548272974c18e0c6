import type { ListQuery } from './calls.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { inTurn } from './inputs/in-turn.ts';
import { LIMITS_OF_CLIENTS } from './inputs/limits.ts';

/** A query by which the run's own animals are looked for. */
export interface OwnQuery {
  readonly limit?: number;
  readonly status: PetStatus | undefined;
}

export const EVERY_FILTER = [undefined, ...PET_STATUSES];

/** A page with such a limit has room for all animals where there are few. */
const WITH_ROOM = 30;

/** For each filter a query that no cache is made for; the seed chooses the limits. */
export function clientsQueries(seed: number): readonly OwnQuery[] {
  const first = seed % LIMITS_OF_CLIENTS.length;
  const limits = [...LIMITS_OF_CLIENTS.slice(first), ...LIMITS_OF_CLIENTS.slice(0, first)];
  const ofAll = limits.filter((limit) => limit >= WITH_ROOM).slice(0, 1);
  return inTurn(EVERY_FILTER, [...ofAll, ...limits]).map(([status, limit]) => ({ limit, status }));
}

/** The queries with which the collection is looked at before anything is added, and again when something was. */
export const firstQueries = (seed: number): readonly ListQuery[] => [
  ...EVERY_FILTER.flatMap((status) => [undefined, LIMIT.default, LIMIT.maximum].map((limit) => ({ limit, status }))),
  ...clientsQueries(seed),
  ...PET_STATUSES.map((status) => ({ limit: LIMIT.minimum, status })),
];
