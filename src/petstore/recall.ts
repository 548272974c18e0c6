import { LONGEST_REMEMBERED, MOST_REMEMBERED, type RememberedEntry } from '../report/model/remembered.ts';
import type { Api } from './api.ts';
import { getPet, listPets } from './calls.ts';
import { ofMostTraits } from './choice-of-animals.ts';
import { LIMIT, PET_STATUSES } from './contract-facts.ts';
import { isOfARun } from './inputs/new-pets.ts';
import type { Created } from './reply.ts';
import { isAsItWas, type Recalled } from './rules/remembered.ts';

/** What an earlier run has added, as it is now, and the ids of all that the list shows. */
export interface Recall {
  readonly all: readonly Recalled[];
  readonly shown: readonly bigint[];
}

export const NOTHING_RECALLED: Recall = { all: [], shown: [] };

/** Fetches and lists what an earlier run has added. @throws InconclusiveError where a request was not sent */
export async function recall(api: Api, entries: readonly RememberedEntry[]): Promise<Recall> {
  if (entries.length === 0) return NOTHING_RECALLED;
  const pages = await Promise.all(
    [undefined, ...PET_STATUSES].map((status) => api.send(listPets({ limit: LIMIT.maximum, status }, api.key))),
  );
  const all = await Promise.all(
    entries.map(async (entry) => ({
      entry,
      fetched: await api.send(getPet(entry.id, api.key)),
      page: pages.find(({ animals }) => animals.some(({ id }) => `${id}` === entry.id)),
    })),
  );
  return { all, shown: pages.flatMap(({ animals }) => animals.flatMap(({ id }) => id ?? [])) };
}

/**
 * What a later run is to look at, in the order of addition: animals of this one, of as many kinds as possible, and as far
 * as there is room those of an earlier one that are as they were.
 */
export function toRemember(created: readonly Created[], { all }: Recall): readonly RememberedEntry[] {
  // What a lone surrogate comes back as is open, and a name without the mark of the run may be given again.
  const lasting = created.filter(
    ({ name }) => isOfARun(name) && name.length <= LONGEST_REMEMBERED && !/\p{Surrogate}/u.test(name),
  );
  const own = ofMostTraits(lasting, MOST_REMEMBERED)
    .toSorted((one, other) => one.exchange.answeredAt - other.exchange.answeredAt)
    .map(({ id, name, categoryId, status, exchange }) => ({
      id: `${id}`,
      fields: { name, categoryId: `${categoryId}`, ...(status === undefined ? {} : { status }) },
      addedAt: new Date(performance.timeOrigin + exchange.answeredAt).toISOString(),
    }));
  const earlier = all.filter(isAsItWas).map(({ entry }) => entry);
  return [...earlier.slice(0, MOST_REMEMBERED - own.length), ...own];
}
