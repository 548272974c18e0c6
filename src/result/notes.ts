/** Remarks on a run itself. */
import type { Network } from '../http/network.ts';
import type { Course } from '../run/course.ts';
import { count, timeOf } from '../text.ts';

/** What was not sent or not read, and how the service was reached. @param told what other parts of the result give a reason for */
export function notesOf(
  course: Course,
  network: Network,
  told: readonly ({ readonly reason?: string | undefined } | undefined)[],
  isServedSlowly: boolean,
): readonly string[] {
  const { reduced, outages } = network;
  const { budget, unsent, unread } = course.session;
  const unknown = budget.creations - budget.created;
  const reasons = new Set(told.map((one) => one?.reason));
  return [
    ...[...unsent].flatMap(([reason, number]) =>
      reasons.has(reason) ? [] : `${count(number, 'request')} ${number === 1 ? 'was' : 'were'} not sent: ${reason}.`,
    ),
    ...[...unread].map(([reason, number]) => `${count(number, 'response')} could not be tested: ${reason}.`),
    ...(unknown === 0
      ? []
      : [`${count(unknown, 'createPet request')} got no whole response, and may have created an animal.`]),
    ...(reduced === undefined
      ? []
      : [`Used ${count(reduced.to, 'connection')}, as ${reduced.because}. Set --concurrency ${reduced.to}.`]),
    ...(isServedSlowly
      ? [
          'Plain requests that were answered 503 are served when they are sent slowly: something in front may limit them. Set --rate-limit and --concurrency.',
        ]
      : []),
    ...outages.map(({ from, to }) => `The service accepted no connection from ${timeOf(from)} to ${timeOf(to)} UTC.`),
  ];
}
