/** The headline of a finding: what the service accepted, rejected or failed at. */

import type { Checked } from '../check/checked.ts';
import type { Outage } from '../http/message.ts';
import { defectIn } from '../reading/body-defects.ts';
import { statusesInWords } from '../reading/expected.ts';
import { type Group, type Instance, LOST, RIGHT_KEY_REJECTED, SERVICE_DOWN } from '../run/findings.ts';
import type { Narrowed } from '../run/narrowing.ts';
import { count, distinct, timeOf } from '../text.ts';

const AFTER: Readonly<Record<NonNullable<Narrowed['needsPrevious']>, string>> = {
  'on its connection': ', after another request on the same connection',
  'with the same body': ', after another request with the same body',
};

/** What decides how to respond to a request, in a few words: "a body without `name`", "an id that no animal has". */
export function subjectOf({ exchange, expected }: Checked): string {
  const { body, id, key, points, unusual } = exchange.reading;
  const decisive = key.wrongKey ?? defectIn(exchange.request.body, body)?.says ?? points[0]?.text;
  if (decisive !== undefined) return decisive;
  if (id?.kind === 'valid' && expected.mustBe !== 'accepted') return 'an id that no animal has';
  if (unusual[0] !== undefined) return `a valid request with ${unusual[0]}`;
  const [category] = body?.requirement === 'RES-7' ? (body.animal.categoryId ?? []) : [];
  return category === undefined ? 'a valid request' : `a valid request with the \`categoryId\` ${category}`;
}

/**
 * What is wrong, in one sentence without a full stop.
 *
 * @param example the simplest request that shows it
 * @param outages when the service was away
 */
export function headlineOf(
  { key, since, members }: Group,
  { checked, violations }: Instance,
  needsPrevious: Narrowed['needsPrevious'],
  outages: readonly Outage[],
): string {
  const { outcome, call, sentAt, answeredAt } = checked.exchange;
  const [violation] = violations;
  if (key === LOST) return lostSentence(members, outages);
  if (violation?.about !== 'status' && violation?.about !== 'connection') return violation?.says ?? key;
  const after = needsPrevious === undefined ? '' : AFTER[needsPrevious];
  const operations = distinct(members.map((one) => one.checked.exchange.call.operation));
  const verb = (one: string, several: string): string =>
    operations.length === 1 ? `${call.operation} ${one}` : `${operations.join(', ')} ${several}`;
  if (key === SERVICE_DOWN)
    return 'the service stopped responding while these requests were in flight, and did not respond again: one of them may be the cause';
  if (since !== undefined) return `since ${timeOf(since)} UTC, the service has answered every valid request with a 5xx`;
  if (outcome.kind === 'failure' && outcome.code === 'timeout')
    return `${call.operation} did not respond within ${Math.round((answeredAt - sentAt) / 100) / 10} s${after}`;
  if (outcome.kind === 'failure') return `${call.operation}${after}: ${outcome.sentence}`;
  const { status } = outcome;
  const all = [checked, ...members.map((one) => one.checked)];
  const others = distinct(all.map(subjectOf)).length - 1;
  const subject = `${subjectOf(checked)}${others === 0 ? '' : `, or ${count(others, 'other kind')} of request`}`;
  const [expected = '', ...further] = distinct(all.map((one) => statusesInWords(one.expected)));
  // What is right of only some of them would not be true of the headline.
  const right = further.length > 0 ? '' : `, expected ${expected}`;
  if (key === RIGHT_KEY_REJECTED) return `${verb('rejects', 'reject')} the right key${after}: ${status}${right}`;
  if (status < 300 && checked.expected.mustBe === 'rejected')
    return `${verb('accepts', 'accept')} ${subject}${after}: ${status}${right}`;
  if (status >= 400 && status < 500 && checked.expected.mustBe === 'accepted')
    return `${verb('rejects', 'reject')} ${subject}${after}: ${status}${right}`;
  return `${verb('answers', 'answer')} ${status} to ${subject}${after}${right}`;
}

/** What the service had lost after it was away. Without a 404 to an animal, it may be there, but otherwise than before. */
function lostSentence(members: Group['members'], outages: readonly Outage[]): string {
  const ids = members.flatMap(({ checked: { exchange } }) =>
    exchange.outcome.status === 404 ? (exchange.names['ID'] ?? []) : [],
  );
  const size = new Set(ids).size;
  const first = Math.min(...members.map(({ checked: { exchange } }) => exchange.sentAt));
  const outage = outages.findLast(({ from }) => from <= first);
  const lost =
    size === 0
      ? 'what it had shown before no longer held'
      : `${count(size, 'animal')} of the run ${size === 1 ? 'was' : 'were'} gone`;
  return `the service accepted no connection from ${timeOf(outage?.from ?? 0)} to ${timeOf(outage?.to ?? 0)} UTC; after that, ${lost}`;
}
