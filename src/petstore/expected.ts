import { OPERATIONS } from './call.ts';
import type { Reading } from './reading.ts';

/** What a body must be: a page, an animal, an Error, or whatever stands before the service likes to say. */
export type Shape = 'page' | 'animal' | 'error' | 'anything';

export interface Permitted {
  readonly from: number;
  readonly to: number;
  readonly shape: Shape;
}

/** The answers that a request may get, and what is right: that it is accepted, rejected, or either. */
export interface Expected {
  readonly answers: readonly Permitted[];
  readonly requirement: string;
  readonly right: 'accepted' | 'rejected' | 'either';
}

/** What is known of the animal that a getPet asks for, before it is sent. */
export type Whereabouts = 'own' | 'free' | 'unknown';

const one = (status: number, shape: Shape): Permitted => ({ from: status, to: status, shape });
const error = (status: number): Permitted => one(status, 'error');
const ANY_4XX: readonly Permitted[] = [
  { from: 400, to: 400, shape: 'anything' },
  { from: 402, to: 499, shape: 'anything' },
];

/**
 * The answers that a request may get, by what it says and what is known. The only place that knows a status.
 *
 * @param whereabouts of the animal that a getPet asks for, as known before it was sent
 * @param mayBeGone whether getPet may have been removed (VERS-4)
 */
export function expected(reading: Reading, whereabouts: Whereabouts, mayBeGone: boolean): Expected {
  const { operation, key, head } = reading;
  const own = whatIsAsked(reading, whereabouts);
  const gone = operation === 'getPet' && mayBeGone ? [error(404), error(410)] : [];
  const before: readonly Permitted[] = [
    ...(head.gateway === undefined ? [] : ANY_4XX),
    ...head.also.map((status) => one(status, 'anything')),
    ...gone,
  ];
  if (reading.query?.isOtherPath === true) {
    return { answers: [{ from: 200, to: 499, shape: 'anything' }], requirement: reading.requirement, right: 'either' };
  }
  const rejections = own.answers.filter(({ from }) => from >= 300);
  if (key.kind === 'bad') {
    const inQuery = key.isInQuery ? [error(400)] : [];
    return {
      answers: [error(401), ...inQuery, ...rejections, ...before],
      requirement: reading.requirement,
      right: 'rejected',
    };
  }
  if (key.kind === 'open') {
    return { answers: [...own.answers, error(401), ...before], requirement: reading.requirement, right: 'either' };
  }
  const right = gone.length === 0 || own.right === 'rejected' ? own.right : 'either';
  return { answers: [...own.answers, ...before], requirement: own.requirement, right };
}

/** Parts 4.1 to 4.3: with the right key. */
function whatIsAsked(reading: Reading, whereabouts: Whereabouts): Expected {
  const { operation, kind, query, id, body } = reading;
  const { status, shape } = OPERATIONS[operation].success;
  const success = one(status, shape);
  const requirement = query?.requirement ?? id?.requirement ?? body?.requirement ?? reading.requirement;
  if (query !== undefined) {
    if (kind === 'valid') return { answers: [success], requirement, right: 'accepted' };
    return { answers: [success, error(400)], requirement, right: 'either' };
  }
  if (id !== undefined) return toAnId(id, success, whereabouts);
  const also = [
    ...(body?.also ?? []).map(error),
    ...(body?.alsoAnyBody ?? []).map((one413) => one(one413, 'anything')),
  ];
  if (kind === 'valid')
    return {
      answers: [success, ...also.filter(({ from }) => from !== 415)],
      requirement,
      right: also.length === 0 ? 'accepted' : 'either',
    };
  if (kind === 'invalid') return { answers: [error(400), ...also], requirement, right: 'rejected' };
  if (body?.isOtherFormat === true) {
    const rejection = body.points.some(({ point }) => point === 'a content coding')
      ? ANY_4XX
      : [one(400, 'anything'), one(415, 'anything')];
    return { answers: [success, ...rejection], requirement, right: 'either' };
  }
  return { answers: [success, error(400), ...also], requirement, right: 'either' };
}

function toAnId(id: NonNullable<Reading['id']>, success: Permitted, whereabouts: Whereabouts): Expected {
  if (id.isOtherPath) {
    const answers = [one(400, 'anything'), one(404, 'anything'), { from: 300, to: 399, shape: 'anything' as const }];
    return { answers, requirement: 'GET-5', right: 'rejected' };
  }
  if (id.kind === 'invalid') return { answers: [error(404), error(400)], requirement: 'GET-5', right: 'rejected' };
  if (id.kind === 'open') {
    const answers = [error(404), error(400), ...(whereabouts === 'free' ? [] : [success])];
    return { answers, requirement: 'GET-5', right: whereabouts === 'free' ? 'rejected' : 'either' };
  }
  if (whereabouts === 'own') return { answers: [success], requirement: 'GET-1', right: 'accepted' };
  if (whereabouts === 'free') return { answers: [error(404)], requirement: 'GET-2', right: 'rejected' };
  return { answers: [success, error(404)], requirement: 'GET-2', right: 'either' };
}

/** The shape that an answer of a status must have; undefined where the status is not permitted. Of several, any wins. */
export function shapeOf(answers: readonly Permitted[], status: number): Shape | undefined {
  const fitting = answers.filter(({ from, to }) => from <= status && status <= to);
  return fitting.find(({ shape }) => shape === 'anything')?.shape ?? fitting[0]?.shape;
}

/** The permitted statuses in words, such as "200 or 400", those of the service itself. */
export function statusesInWords({ answers }: Pick<Expected, 'answers'>): string {
  const statuses = [...new Set(answers.filter(({ from, to }) => from === to).map(({ from }) => from))].sort();
  const ranges = answers.filter(({ from, to }) => from < to);
  const words = [
    ...statuses.map(String),
    ...(ranges.some(({ from }) => from >= 400) ? ['another 4xx'] : []),
    ...(ranges.some(({ from }) => from < 400) ? ['a redirect'] : []),
  ];
  const last = words.at(-1) ?? 'nothing';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
