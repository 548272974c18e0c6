import type { Api } from './api.ts';
import type { ListQuery } from './calls.ts';
import type { DefaultPages } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { haveTheDefaultSize } from './rules/pages.ts';

/**
 * Pages without a limit and with the default one. Others may add and remove animals, and pages may be late: where the
 * sizes differ, they are asked for again until they agree, or nothing explains it any more. Callers that come and go by
 * turns are told by a second look: to them the page that was the longer one is the shorter one there.
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
  const ask = async (): Promise<{ readonly pages: DefaultPages; readonly isSure: boolean }> => {
    const first = await look();
    if (typeof haveTheDefaultSize(...first) === 'string') return { pages: first, isSure: true };
    const pages = await look();
    const isAgain = typeof haveTheDefaultSize(...pages) !== 'string';
    return { pages, isSure: !isAgain || isDefaultLonger(first) === isDefaultLonger(pages) };
  };
  const seen = await api.eventually(ask, ({ pages }) => haveTheDefaultSize(...pages) === 'holds');
  return seen.isSure ? seen.pages : undefined;
}

const isDefaultLonger = ([before, , withDefault]: DefaultPages): boolean =>
  (withDefault.pageLength ?? 0) > (before.pageLength ?? 0);
