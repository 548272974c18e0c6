import { OPERATIONS } from './call.ts';
import type { Reading } from './reading.ts';

/** What a body must be: a page, an animal, an Error, or, from gateways, anything. */
export type Shape = 'page' | 'animal' | 'error' | 'anything';

interface Permitted {
  readonly from: number;
  readonly to: number;
  readonly shape: Shape;
}

/** The permitted responses to a request, and whether it must be accepted, rejected, or may be either. */
export interface Expected {
  readonly permitted: readonly Permitted[];
  readonly requirement: string;
  readonly mustBe: 'accepted' | 'rejected' | 'either';
}

/** What is known of the id that getPet requests, before it is sent. */
export type IdState = 'own' | 'free' | 'unknown';

const exactly = (status: number, shape: Shape): Permitted => ({ from: status, to: status, shape });
const error = (status: number): Permitted => exactly(status, 'error');
const IDS = OPERATIONS.getPet.ids;
const ANY_4XX: readonly Permitted[] = [
  { from: 400, to: 400, shape: 'anything' },
  { from: 402, to: 499, shape: 'anything' },
];

/**
 * The permitted responses to a request, by its reading and by what is known. The only place that knows statuses.
 *
 * @param idState of the id that getPet requests, as known before it was sent
 * @param mayBeGone whether getPet may have been removed (VERS-4)
 */
export function expected(reading: Reading, idState: IdState, mayBeGone: boolean): Expected {
  const { operation, key, head, requirement } = reading;
  const base = expectedWithRightKey(reading, idState);
  const gone = OPERATIONS[operation].isDeprecated && mayBeGone ? [error(404), error(410)] : [];
  const gateway: readonly Permitted[] = [
    ...(head.gateway === undefined ? [] : ANY_4XX),
    ...(head.hasOrigin ? [exactly(403, 'anything')] : []),
    ...(head.mayBeNotAcceptable ? [exactly(406, 'anything')] : []),
    ...gone,
  ];
  const isServed = base.permitted.some(({ from }) => from === 200);
  const partial = head.hasRange && isServed ? [exactly(206, 'anything')] : [];
  if (reading.query?.isOtherPath === true) {
    return { permitted: [{ from: 200, to: 499, shape: 'anything' }], requirement, mustBe: 'either' };
  }
  const rejections = base.permitted.filter(({ from }) => from >= 300);
  if (key.kind === 'bad') {
    const inQuery = key.isInQuery ? [error(400)] : [];
    return { permitted: [error(401), ...inQuery, ...rejections, ...gateway], requirement, mustBe: 'rejected' };
  }
  if (key.kind === 'open') {
    return { permitted: [...base.permitted, ...partial, error(401), ...gateway], requirement, mustBe: 'either' };
  }
  const mustBe = gone.length === 0 || base.mustBe === 'rejected' ? base.mustBe : 'either';
  return { permitted: [...base.permitted, ...partial, ...gateway], requirement: base.requirement, mustBe };
}

/** What a request must be by its reading alone, whatever is known of its id. */
export const mustBeOf = (reading: Reading): Expected['mustBe'] => expected(reading, 'unknown', false).mustBe;

/** Whether a request may add an animal. */
export const mayAdd = (reading: Reading): boolean =>
  OPERATIONS[reading.operation].adds && mustBeOf(reading) !== 'rejected';

/** Parts 4.1 to 4.3, with the right key. */
function expectedWithRightKey(reading: Reading, idState: IdState): Expected {
  const { operation, kind, query, id, body } = reading;
  const { status, shape } = OPERATIONS[operation].success;
  const success = exactly(status, shape);
  const requirement = query?.requirement ?? id?.requirement ?? body?.requirement ?? reading.requirement;
  if (id !== undefined) return expectedForId(id, success, idState);
  const also = [
    ...(body?.media === 'open' ? [error(415)] : []),
    // A gateway that rejects another format by its media type does not read the body.
    ...(body?.media === 'other' ? [exactly(415, 'anything')] : []),
    ...(body?.isChunked ? [exactly(411, 'anything')] : []),
    ...(body?.isLong ? [exactly(413, 'anything')] : []),
  ];
  if (kind === 'valid')
    return {
      permitted: [success, ...also],
      requirement,
      mustBe: also.length === 0 ? 'accepted' : 'either',
    };
  if (kind === 'invalid') return { permitted: [error(400), ...also], requirement, mustBe: 'rejected' };
  if (body?.isOtherFormat === true) {
    const rejection = [exactly(400, 'anything'), exactly(415, 'anything')];
    return { permitted: [success, ...rejection], requirement, mustBe: 'either' };
  }
  return { permitted: [success, error(400), ...also], requirement, mustBe: 'either' };
}

function expectedForId(id: NonNullable<Reading['id']>, success: Permitted, idState: IdState): Expected {
  if (id.isOtherPath) {
    const redirect = { from: 300, to: 399, shape: 'anything' as const };
    const rejections = [exactly(400, 'anything'), exactly(404, 'anything'), redirect];
    const mayBeMerged = id.kind === 'open' && idState !== 'free';
    const permitted = mayBeMerged ? [...rejections, success] : rejections;
    return { permitted, requirement: IDS.odd, mustBe: mayBeMerged ? 'either' : 'rejected' };
  }
  if (id.kind === 'invalid') return { permitted: [error(404), error(400)], requirement: IDS.odd, mustBe: 'rejected' };
  if (id.kind === 'open') {
    const permitted = [error(404), error(400), ...(idState === 'free' ? [] : [success])];
    return { permitted, requirement: IDS.odd, mustBe: idState === 'free' ? 'rejected' : 'either' };
  }
  if (idState === 'own') return { permitted: [success], requirement: IDS.found, mustBe: 'accepted' };
  if (idState === 'free') return { permitted: [error(404)], requirement: IDS.unknown, mustBe: 'rejected' };
  return { permitted: [success, error(404)], requirement: IDS.unknown, mustBe: 'either' };
}

/** The shape that a response with a status must have, `anything` if one permits it; undefined if it is not permitted. */
export function shapeOf(permitted: readonly Permitted[], status: number): Shape | undefined {
  const fitting = permitted.filter(({ from, to }) => from <= status && status <= to);
  return fitting.find(({ shape }) => shape === 'anything')?.shape ?? fitting[0]?.shape;
}

/** The permitted statuses in words, such as "200 or 400". */
export function statusesInWords({ permitted }: Pick<Expected, 'permitted'>): string {
  const statuses = [...new Set(permitted.filter(({ from, to }) => from === to).map(({ from }) => from))].sort();
  const ranges = permitted.filter(({ from, to }) => from < to);
  const words = [
    ...statuses.map(String),
    ...(ranges.some(({ from }) => from >= 400) ? ['another 4xx'] : []),
    ...(ranges.some(({ from }) => from < 400) ? ['a redirect'] : []),
  ];
  const last = words.at(-1) ?? 'nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
