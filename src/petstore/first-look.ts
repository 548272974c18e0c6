import type { Api } from './api.ts';
import { filterOf, type ListQuery, listPets } from './calls.ts';
import type { CollectionModel, EmptyBesideOthers } from './collection-model.ts';
import { LIMIT, type PetStatus } from './contract-facts.ts';
import type { PetReply } from './reply.ts';

/** Whether two pages show the same animal with a status. */
const bothShow = (status: PetStatus, one: PetReply, other: PetReply): boolean => {
  const idsIn = ({ animals }: PetReply) => animals.filter((animal) => animal.status === status).map(({ id }) => id);
  const ids = new Set(idsIn(one));
  return idsIn(other).some((id) => ids.has(id));
};

/**
 * Looks at the collection as it was found. A filtered page that is empty although the list shows an animal of its status
 * is asked for again, between two looks at the list, for as long as a lag could explain it. What is wrong with a page by
 * itself is for the rules to say.
 *
 * @throws InconclusiveError where a request was not sent
 */
export async function firstLook(api: Api, model: CollectionModel, queries: readonly ListQuery[]): Promise<void> {
  model.isLookedAt = true;
  const list = (): Promise<PetReply> => api.send(listPets({ limit: LIMIT.maximum }, api.key));
  const replies = await Promise.all(queries.map((query) => api.send(listPets(query, api.key))));
  const whole = replies.find(({ call }) => call.operation === 'listPets' && filterOf(call) === 'absent');
  await Promise.all(
    replies.map(async ({ call, page }) => {
      if (whole === undefined || page?.length !== 0) return;
      const status = filterOf(page.call);
      if (status === 'absent' || status === 'invalid' || !bothShow(status, whole, whole)) return;
      const look = async (): Promise<EmptyBesideOthers | undefined> => {
        const listed = await list();
        const filtered = await api.send(call);
        const again = await list();
        return filtered.page?.length === 0 && bothShow(status, listed, again) ? { listed, filtered } : undefined;
      };
      const found = await api.eventually(look, (seen) => seen === undefined);
      if (found !== undefined) model.emptyBesideOthers.push(found);
    }),
  );
}
