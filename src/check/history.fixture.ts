/** Histories: what was sent, and what came back, as a run would have seen it. */

import { PARTS } from '../../suites/index.ts';
import type { FailureCode } from '../http/failure-codes.ts';
import type { Headers } from '../http/message.ts';
import { Collection } from '../known/collection.ts';
import { markedNames } from '../known/marks.ts';
import type { Call } from '../reading/call.ts';
import { create, get, list } from '../reading/call.ts';
import { type Exchange, filled } from '../reading/exchange.ts';
import type { Names, Terms } from '../reading/fill.ts';
import type { Reading } from '../reading/reading.ts';
import type { Checked } from './checked.ts';
import { Checker } from './checker.ts';

const TERMS: Terms = {
  basePath: '/v1',
  key: 'Pet-1Store_Key',
  agent: 'agent',
  categories: [],
  today: '2026-01-01',
  settleMs: 1_000,
};

/** What belongs to a step beside call, status and body. */
export interface More {
  /** The row whose mark its names carry; by default 1. */
  readonly row?: number;
  readonly id?: number | string;
  /** When it was sent (ms); by default 20 ms after the previous step. */
  readonly at?: number;
  /** The connection, and the sequence; by default one of its own. */
  readonly on?: number;
  /** The question that it is asked again for, while nothing else is in flight. */
  readonly again?: string;
  readonly headers?: Headers;
  readonly fails?: FailureCode;
}

/** A request and its response: JSON of a value, or a text as it is written. */
export type Step = readonly [call: Call, status: number, body?: unknown, more?: More];

const OWN_TAG = 'abcde';
const PAUSE_MS = 20;
const TAKES_MS = 5;

const namesOf = ({ row = 1, id = 11 }: More = {}): Names => ({
  ...markedNames(OWN_TAG, '1234', row),
  ID: `${id}`,
  FREE: '700000000',
});

/** The exchanges of a history. */
function exchangesOf(steps: readonly Step[], terms = TERMS): readonly Exchange[] {
  let sentAt = 0;
  const places = new Map<number, number>();
  return steps.map(([call, status, body, more = {}], index) => {
    sentAt = more.at ?? sentAt + PAUSE_MS;
    const names = namesOf(more);
    const made = filled(call, names, terms);
    if (made === undefined) throw new Error(`${call.target} cannot be filled in`);
    const connection = more.on ?? 1_000 + index;
    const place = places.get(connection) ?? 0;
    places.set(connection, place + 1);
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    const type: Headers = more.headers?.some(([name]) => name === 'Content-Type')
      ? []
      : [['Content-Type', 'application/json']];
    const outcome: Exchange['outcome'] =
      more.fails === undefined
        ? { kind: 'answer', status, headers: [...type, ...(more.headers ?? [])], body: Buffer.from(text) }
        : {
            kind: 'failure',
            code: more.fails,
            sentence: `it ended with ${more.fails}`,
            reached: true,
            status: status === 0 ? undefined : status,
          };
    const times = { sentAt, answeredAt: sentAt + TAKES_MS };
    return {
      number: index + 1,
      call,
      names,
      ...made,
      sequence: connection,
      ...(more.again !== undefined && { isQuiet: true, again: [more.again] }),
      outcome,
      ...times,
      connection,
      place,
      times: 1,
    };
  });
}

/** What every rule says of each exchange of a history. */
export function checkedOf(steps: readonly Step[], changes: Partial<Terms> = {}): readonly Checked[] {
  const terms = { ...TERMS, ...changes };
  const requirements = PARTS.flatMap((part) => part.requirements);
  const known = new Collection({ settleMs: terms.settleMs, tag: OWN_TAG });
  const checker = new Checker(requirements, terms, known);
  return exchangesOf(steps, terms).map((exchange) => checker.check(exchange).checked);
}

/** An animal as a service shows it: by default of row 1, with the id 11. */
export const animal = (more: Readonly<Record<string, unknown>> = {}, row = 1) => ({
  id: 11,
  name: namesOf({ row })['NAME'],
  categoryId: 7,
  status: 'available',
  ...more,
});

export const BODY = '{"name":"$NAME","categoryId":7,"status":"available"}';
/** A creation of an animal that is shown as it was sent. */
export const added = (id = 11, row = 1, more: More = {}): Step => [
  create(BODY),
  201,
  animal({ id }, row),
  { ...more, row },
];
export const fetched = (id = 11, shown: unknown = animal({ id }), more: More = {}): Step => [
  get(),
  200,
  shown,
  { ...more, id },
];
export const listed = (query: string, shown: readonly unknown[], more: More = {}): Step => [
  list(query),
  200,
  shown,
  more,
];
export const error = (status: number, more: Readonly<Record<string, unknown>> = {}) => ({
  code: 'code',
  message: 'why',
  status,
  ...more,
});
export const rejected = (call: Call, status = 400, more: More = {}): Step => [call, status, error(status), more];
/** Animals of other clients with consecutive ids. */
export const others = (count: number, from = 1, status = 'available') =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, name: `pet ${from + at}`, categoryId: 1, status }));

/** What a call says; undefined if it cannot be sent with the key of these tests. */
export function readingOf(call: Call): Reading | undefined {
  return filled(call, { ...namesOf({ row: 1 }), ID: '11', FREE: '600000001' }, TERMS)?.reading;
}
