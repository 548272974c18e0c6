/** A session over real connections, whose rules find nothing wrong: only what became of each call is looked at. */

import type { Checked } from '../check/checked.ts';
import type { Call, Exchange } from '../http/exchange.ts';
import { networkTo } from '../http/rig.fixture.ts';
import { Budget } from './budget.ts';
import { Session, type Subject } from './session.ts';

export const call = (target: string, method: Call['method'] = 'GET'): Call => ({
  operation: target,
  method,
  target,
  headers: [],
});
export const LIST = call('/list');
export const ODD = call('/odd');
export const ADD = call('/add', 'POST');

export function sessionTo(port: number, changes: Parameters<typeof networkTo>[1] = {}) {
  const network = networkTo(port, changes);
  let marks = 0;
  const lost: string[] = [];
  const subject: Subject = {
    fill: ({ method, target }, names) => ({ method, target: `${target}${names['MARK'] ?? ''}`, headers: [] }),
    check: (exchange): Checked => ({
      ...{ exchange, violations: [], tested: new Set(), recorded: [], requirement: 'A', mustBe: 'either' },
      ...{
        expected: '',
        unusual: [],
        kind: '',
        sent: '',
        isPlain: false,
        isControl: false,
        wrongKey: undefined,
        isKeyOpen: false,
        unsure: [],
      },
    }),
    laneOf: ({ target }) => target,
    expectationOf: ({ target }) => target,
    isAdding: () => {},
    gotNoResponse: ({ call: { target }, names }) => lost.push(`${target.slice(1)}${names['MARK'] ?? ''}`),
    namesAgain: (one, names) => (one.method === 'POST' ? { MARK: `-${++marks}` } : names),
    plain: LIST,
  };
  const session = new Session(subject, new Budget({ creations: 100 }), network);
  return { network, session, lost };
}

export const shownIn = ({ outcome }: Exchange): string =>
  outcome.kind === 'answer' ? `${outcome.status}` : outcome.code;
