import type { Api } from './api.ts';
import type { ListQuery } from './calls.ts';
import type { DefaultPages } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { haveTheDefaultSize } from './rules/pages.ts';

/**
 * Pages without a limit and with the default one. Others may add and remove animals, and pages may be late: where the
 * sizes differ, they are asked for again until they agree, or nothing explains it any more. Callers that come and go by
 * turns are told by a second look: to them the page that was the longer one is the shorter one there. Where callers add
 * or remove animals all the time, a page that is late differs from one that is not for as long: only sizes that are the
 * same from the first look to the last one tell.
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
