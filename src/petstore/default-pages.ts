import type { Api } from './api.ts';
import type { ListQuery } from './calls.ts';
import type { DefaultPages } from './collection-model.ts';
import { LIMIT } from './contract-facts.ts';
import { haveTheDefaultSize } from './rules/pages.ts';

/**
 * Pages without a limit and with the default one. Others may add and remove animals, and pages may be late: where the
 * sizes differ, they are asked for again until they agree, or nothing explains it any more.
 *
 * @throws InconclusiveError where a request was not sent
 */
export function defaultPages(api: Api, status: ListQuery['status']): Promise<DefaultPages> {
  const ask = async (): Promise<DefaultPages> => {
    const before = await api.list({ status });
    const withDefault = await api.list({ status, limit: LIMIT.default });
    const after = withDefault.length === before.length ? before : await api.list({ status });
    return [before.reply, after.reply, withDefault.reply];
  };
  return api.eventually(ask, (seen) => haveTheDefaultSize(...seen) === 'holds');
}
