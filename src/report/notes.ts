/** Remarks on a run itself. */
import { LIMIT } from '../contract/contract-facts.ts';
import type { Course } from '../run/course.ts';
import type { Ending } from '../run/result.ts';
import type { Run } from '../run/run.ts';
import { count, timeOf } from '../text.ts';

/** What was not sent, what no page showed, and how the service was reached. */
export function notesOf({ course, network }: Run, ended: Ending | undefined): readonly string[] {
  const { reduced, outages } = network;
  return [
    ...notSent(course, ended?.reason),
    ...(ended === undefined ? unlisted(course) : []),
    ...(reduced === undefined
      ? []
      : [`Used ${count(reduced.to, 'connection')}, as ${reduced.because}. Set --concurrency ${reduced.to}.`]),
    ...outages.map(({ from, to }) => `The service accepted no connection from ${timeOf(from)} to ${timeOf(to)} UTC.`),
  ];
}

const notSent = ({ rows, session }: Course, ended: string | undefined): readonly string[] => [
  ...(ended === undefined ? [] : [`Sent ${rows.done} of ${rows.planned} planned requests: ${ended}.`]),
  ...[...session.unsent].flatMap(([reason, number]) =>
    reason === ended ? [] : `${count(number, 'request')} ${number === 1 ? 'was' : 'were'} not sent: ${reason}.`,
  ),
];

/** What no page showed, although none of its status was full. */
function unlisted({ store: { known } }: Course): readonly string[] {
  const isFull = (status = ''): boolean => known.largestPage(`limit=100&status=${status}`)?.length === LIMIT.maximum;
  const missing = known.unlisted.filter(({ status }) => !isFull(status)).length;
  const all = count(known.ownAnimals.length, 'animal');
  return missing === 0
    ? []
    : [
        `No page showed the ids of ${missing} of the ${all} that the run created, so whether lists show them was not tested.`,
      ];
}
