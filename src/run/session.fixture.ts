/** A session over real connections, without rules: only what became of each call is looked at. */

import { Checker } from '../check/checker.ts';
import type { Connection } from '../http/network.ts';
import { networkTo } from '../http/rig.fixture.ts';
import { Collection } from '../known/collection.ts';
import { type Call, create, list } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { Budget } from './budget.ts';
import { RowNames } from './row-names.ts';
import { Session } from './session.ts';

/** Calls by the words that tests use for them. */
const ODD = list('odd');
const CALLS: Readonly<Record<string, Call>> = { list: list(), add: create('{"name":"$NAME","categoryId":7}') };

const TERMS = { basePath: '/v1', key: 'key', agent: 'agent', categories: [], today: '2026-01-01', settleMs: 0 };

/** Not one that the store gives to a call that is sent again. */
const FIRST_ROW = 1_000;

/** The word for a request in its letters; a creation that is sent again has another mark. */
export function heardAs(request: string): string {
  if (request.startsWith('GET')) return request.includes('?odd') ? 'odd' : 'list';
  return request.includes(` ${FIRST_ROW}"`) ? 'add' : 'add again';
}

const wordOf = (call: Call): string => Object.entries(CALLS).find(([, one]) => one === call)?.[0] ?? 'odd';

export function sessionTo(port: number, changes: Parameters<typeof networkTo>[1] = {}) {
  const network = networkTo(port, changes);
  const known = new Collection({ settleMs: TERMS.settleMs, tag: 'abcde' });
  const names = new RowNames(known, '1234');
  const session = new Session({
    checker: new Checker([], TERMS, known),
    names,
    terms: TERMS,
    budget: new Budget({ creations: 100 }),
    network,
    onEvent: () => {},
  });
  /** Sends calls in turn on the nth connection, which is opened anew if need be. */
  const send = (words: string, nth: number, isNew = false): Promise<void> => {
    const sendOn = async (connection: Connection): Promise<void> => {
      if (isNew) await connection.renew();
      for (const call of words.split(' ').map((word) => CALLS[word] ?? ODD))
        await session.send(connection, call, names.of(call, FIRST_ROW) ?? {});
    };
    return network.lend((connection) => sendOn(connection).finally(() => isNew && connection.close()), nth);
  };
  const shown = () => session.checked.map(({ exchange }) => `${wordOf(exchange.call)} ${shownIn(exchange)}`);
  return { network, send, shown };
}

const shownIn = ({ outcome }: Exchange): string => (outcome.kind === 'answer' ? `${outcome.status}` : outcome.code);
