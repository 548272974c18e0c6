import type { Api } from './api.ts';
import { filterOf, type ListQuery, limitOf, listPets } from './calls.ts';
import type { CollectionModel, EmptyBesideOthers } from './collection-model.ts';
import { LIMIT, type PetStatus } from './contract-facts.ts';
import { defaultPages } from './default-pages.ts';
import type { Page, PetReply } from './reply.ts';
import { haveTheDefaultSize } from './rules/pages.ts';

/** Whether two pages show the same animal that a filter lets through. */
const bothShow = (filter: PetStatus | 'absent', one: PetReply, other: PetReply): boolean => {
  const idsIn = ({ animals }: PetReply) =>
    animals.filter(({ status }) => filter === 'absent' || status === filter).map(({ id }) => id);
  const ids = new Set(idsIn(one));
  return idsIn(other).some((id) => ids.has(id));
};

const isWithoutLimit = ({ call }: Page): boolean => call.asked.limit.kind === 'absent';
const isWithDefault = ({ call }: Page): boolean => call.asked.limit.kind === 'valid' && limitOf(call) === LIMIT.default;
const isAlike = (one: Page, other: Page): boolean => filterOf(one.call) === filterOf(other.call);

/** Where more animals than this match, a limit of just as many is nothing special. */
const FEW = 2 * LIMIT.default;

/** Queries whose limit is just the number of animals that match, by the longest page; and one less, without a filter. */
const whereTheyJustFit = (longest: Page): readonly ListQuery[] => {
  const { length, call } = longest;
  if (length <= LIMIT.minimum || length > FEW) return [];
  const filter = filterOf(call);
  if (filter === 'absent') return [{ limit: length }, { limit: length - 1 }];
  return filter === 'invalid' ? [] : [{ limit: length, status: filter }];
};

/**
 * Looks at the collection as it was found, and again with the limits where its animals just fit. A page that is empty
 * although the list shows an animal that matches it is asked for again, between two looks at the list, for as long as a
 * lag could explain it; so are pages without a limit and with the default one that differ in size. What is wrong with a
 * page by itself is for the rules to say.
 *
 * @param fitting what else is asked for, by a page with the largest limit
 * @throws InconclusiveError where a request was not sent
 */
export async function firstLook(
  api: Api,
  model: CollectionModel,
  queries: readonly ListQuery[],
  fitting: (longest: Page) => readonly ListQuery[] = whereTheyJustFit,
): Promise<void> {
  model.isLookedAt = true;
  const list = (): Promise<PetReply> => api.send(listPets({ limit: LIMIT.maximum }, api.key));
  const ask = (asked: readonly ListQuery[]): Promise<readonly PetReply[]> =>
    Promise.all(asked.map((query) => api.send(listPets(query, api.key))));
  const first = await ask(queries);
  const longest = first.flatMap(({ page }) =>
    page !== undefined && limitOf(page.call) === LIMIT.maximum ? [page] : [],
  );
  const replies = [...first, ...(await ask(longest.flatMap(fitting)))];
  // One after the other: what others do must not look as if it kept time with these requests.
  for (const withDefault of first) {
    const asked = withDefault.page;
    if (asked === undefined || !isWithDefault(asked)) continue;
    const without = first.find(({ page }) => page !== undefined && isWithoutLimit(page) && isAlike(page, asked));
    if (without === undefined || haveTheDefaultSize(without, without, withDefault) === 'holds') continue;
    const pages = await defaultPages(api, asked.call.statuses);
    if (pages !== undefined && haveTheDefaultSize(...pages) !== 'holds') model.defaultsThatDiffered.push(pages);
  }
  const whole = replies.find(({ call }) => call.operation === 'listPets' && filterOf(call) === 'absent');
  await Promise.all(
    replies.map(async ({ call, page }) => {
      if (whole === undefined || page?.length !== 0) return;
      const status = filterOf(page.call);
      if (status === 'invalid' || !bothShow(status, whole, whole)) return;
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
