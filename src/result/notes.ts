/** Remarks on a run itself. */
import type { Network } from '../http/network.ts';
import type { Course } from '../run/course.ts';
import type { Ending } from '../run/events.ts';
import { count, timeOf } from '../text.ts';

/** What was not sent, and how the service was reached. */
export function notesOf(
  course: Course,
  network: Network,
  ended: Ending | undefined,
  isServedSlowly: boolean,
): readonly string[] {
  const { reduced, outages } = network;
  return [
    ...notSent(course, ended?.reason),
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

const notSent = ({ rows, session }: Course, ended: string | undefined): readonly string[] => [
  ...(ended === undefined ? [] : [`Sent ${rows.done} of ${rows.planned} planned requests: ${ended}.`]),
  ...[...session.unsent].flatMap(([reason, number]) =>
    reason === ended ? [] : `${count(number, 'request')} ${number === 1 ? 'was' : 'were'} not sent: ${reason}.`,
  ),
];
