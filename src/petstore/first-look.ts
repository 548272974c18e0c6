import type { Api } from './api.ts';
import { filterOf, type ListQuery, limitOf, listPets } from './calls.ts';
import type { CollectionModel, DefaultPages, EmptyBesideOthers } from './collection-model.ts';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import { inTurn } from './inputs/in-turn.ts';
import { LIMITS_OF_CLIENTS } from './inputs/limits.ts';
import type { Page, PetReply } from './reply.ts';
import { haveTheDefaultSize } from './rules/pages.ts';

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
 * Looks at the collection before anything is added, and again with limits that its animals just reach. A page that is
 * empty although the list shows an animal that matches it is asked for again, between two looks at the list, for as
 * long as a lag could explain it; so are pages without a limit and with the default one that differ in size. What is
 * wrong with a page by itself is for the rules to say.
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

/**
 * Pages without a limit and with the default one. Others may add and remove animals, and pages may be late: where the
 * sizes differ, they are asked for again until they agree, or nothing explains it any more. Callers that come and go by
 * turns are recognised by a second look: to them the page that was the longer one is the shorter one there. Where
 * callers add or remove animals all the time, a page that is late differs from one that is not for as long: only sizes
 * that are the same from the first look to the last one tell.
 *
 * @returns undefined where others explain what differs
 * @throws InconclusiveError where a request was not sent
 */
export async function defaultPages(api: Api, status: ListQuery['status']): Promise<DefaultPages | undefined> {
  const look = async (): Promise<DefaultPages> => {
    const before = await api.list({ status });
    const withDefault = await api.list({ status, limit: LIMIT.default });
    const after = withDefault.length === before.length ? before : await api.list({ status });
    return [before.reply, after.reply, withDefault.reply];
  };
  const sizes = new Set<string>();
  const ask = async (): Promise<{ readonly pages: DefaultPages; readonly isSure: boolean }> => {
    const first = await look();
    const pages = typeof haveTheDefaultSize(...first) === 'string' ? first : await look();
    sizes.add(pages.map(({ pageLength }) => pageLength).join(' '));
    const isAgain = typeof haveTheDefaultSize(...pages) !== 'string';
    return { pages, isSure: !isAgain || isDefaultLonger(first) === isDefaultLonger(pages) };
  };
  const { pages, isSure } = await api.eventually(ask, (seen) => haveTheDefaultSize(...seen.pages) === 'holds');
  const isExplained = typeof haveTheDefaultSize(...pages) !== 'string' && !(isSure && sizes.size === 1);
  return isExplained ? undefined : pages;
}

const isDefaultLonger = ([before, , withDefault]: DefaultPages): boolean =>
  (withDefault.pageLength ?? 0) > (before.pageLength ?? 0);
