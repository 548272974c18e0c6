import type { Headers } from '../http/message.ts';
import type { KeyRow } from '../inputs/keys.ts';
import type { Call } from '../reading/call.ts';
import { create, get, list, operationNamed, PLAIN_CALLS } from '../reading/call.ts';
import type { RowStage } from './stages.ts';

/** A table of requests, most revealing first. */
export interface Rows {
  readonly stage: RowStage;
  readonly calls: readonly Call[];
  /** This many of its first rows are sent in every profile. */
  readonly atLeast: number;
  /** Its animals must be accepted. Other rows build on them, so it is sent early. */
  readonly isValid?: boolean;
}

interface Options {
  readonly in?: RowStage;
  readonly atLeast?: number;
  readonly isValid?: boolean;
}

const rows = (calls: readonly Call[], { in: stage = 'rows', atLeast = 0, isValid = false }: Options): Rows => ({
  stage,
  calls,
  atLeast,
  isValid,
});

/** A call for each row of a table. */
export const each = <Row>(table: readonly Row[], make: (row: Row) => Call, options: Options = {}): Rows =>
  rows(
    table.map((row) => make(row)),
    options,
  );

/** A GET of a target. */
export const at = (target: string): Call => ({ ...list(), operation: operationNamed('GET', target), target });

type Change<Row> = (call: Call, row: Row) => Call;

/** For each row of a table, the next of these calls, changed by it. */
export const inTurn = <Row>(
  table: readonly Row[],
  change: Change<Row>,
  calls: readonly Call[],
  options: Options = {},
): Rows =>
  rows(
    table.map((row, at) => change(calls[at % calls.length] ?? list(), row)),
    options,
  );

/** For each row of a table, all of these calls, changed by it. */
export const onAll = <Row>(
  table: readonly Row[],
  change: Change<Row>,
  calls: readonly Call[],
  options: Options = {},
): Rows =>
  rows(
    table.flatMap((row) => calls.map((call) => change(call, row))),
    options,
  );

/** Calls to try keys and headers on. */
export const CALLS = {
  list: PLAIN_CALLS.listPets,
  get: PLAIN_CALLS.getPet,
  create: PLAIN_CALLS.createPet,
  getFree: get('$FREE'),
  listSold: list('status=sold'),
  limit0: list('limit=0'),
  badBody: create('{"name":"$NAME"}'),
  badCategory: create('{"name":"$NAME","categoryId":"7"}'),
  malformed: create('{"name":"$NAME",'),
} as const;

/** A call with its key sent in another way. */
export function withKey(call: Call, { headers, query }: KeyRow): Call {
  const { target } = call;
  const longer = query === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
  return { ...withHeaders(withoutHeaders(call, ['Authorization']), headers), target: longer };
}

/** A call with headers that replace those of the same name. */
export function withHeaders(call: Call, headers: Headers): Call {
  const others = withoutHeaders(
    call,
    headers.map(([name]) => name),
  );
  return { ...call, headers: [...others.headers, ...headers] };
}

/** A call with a header of this name, and each value. */
export const withHeader =
  (name: string) =>
  (call: Call, value: string): Call =>
    withHeaders(call, [[name, value]]);

/** A call without headers of these names. */
export function withoutHeaders(call: Call, names: readonly string[]): Call {
  const omitted = new Set(names.map((name) => name.toLowerCase()));
  return { ...call, headers: call.headers.filter(([name]) => !omitted.has(name.toLowerCase())) };
}
