import { type Checked, requestKind, type Violation } from '../check/checked.ts';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { KINDS, type RequirementKind } from '../contract/catalogue.ts';
import type { FailureCode } from '../http/failure-codes.ts';
import type { Outage } from '../http/message.ts';
import { isPlainCall, operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';

/** Keys of findings over all operations. */
export const WRONG_KEY_ACCEPTED = 'a wrong key accepted';
export const RIGHT_KEY_REJECTED = 'the right key rejected';
export const SERVICE_DOWN = 'the service down';
export const LOST = 'lost while the service was away';

/** Which of two codes a service shows that closes connections, or whose responses never end, depends on timing alone. */
const SILENCES: Readonly<Partial<Record<FailureCode, string>>> = {
  reset: 'closed',
  truncated: 'closed',
  'body-endless': 'endless',
  'incomplete-in-time': 'endless',
};

/** Violations that look alike from outside: one finding of a report. */
export interface Group {
  /** What is wrong, without any value, so that it is the same in every run. */
  readonly key: string;
  /** The exchanges that show it, each with its violations of this group; the plainest first, or what likely caused it. */
  readonly members: readonly Instance[];
  /** How many exchanges there were of these operations. */
  readonly checked: number;
  /** Since when every valid request fails so, though some were accepted before (ms). */
  readonly since?: number | undefined;
}

export interface Instance {
  readonly checked: Checked;
  readonly violations: readonly Violation[];
}

/**
 * Groups violations by what an exchange shows, never by the text of a response:
 * (a) a 5xx: by operation and status, or over everything once no valid request gets anything else; no response: by
 * operation and what was sent, or by operation alone if such requests got a response at other times, or the operation never
 * responds; what was in flight when the service went down for good: over all operations; what was lost while it was away:
 * over everything; (b) a wrong key accepted, the right one rejected, or a wrong one rejected with another status than 401:
 * over all operations; (c) another wrong status: by operation and status if the plain call gets it too, and it is right for
 * no usual request of the operation; otherwise also by what was expected, and where something invalid was accepted by
 * requirement; (d) a malformed message: by the first broken rule, over all operations, with what else is wrong about that
 * member; (e) content: by operation and member, whatever the requirement.
 */
export function groupFindings(
  all: readonly Checked[],
  atTheEnd: ReadonlySet<Checked> = new Set(),
  outages: readonly Outage[] = [],
): readonly Group[] {
  const groups = new Map<string, Instance[]>();
  const failing = failingForGood(all);
  const whole = failing.length === 0 ? undefined : statusKey(failing.reduce(plainer));
  const answered = new Set(all.filter(hasResponse).flatMap((one) => [sentAs(one), accessOf(one)]));
  // What brought the service down is likely to be of a kind that was never answered.
  const kinds = new Set(all.filter(hasResponse).map(requestKind));
  const always = neverRight(all);
  const malformed = malformedMembers(all);
  for (const checked of all) {
    const keys = atTheEnd.has(checked)
      ? new Map([[SERVICE_DOWN, checked.violations]])
      : outages.some((outage) => followsFrom(outage, checked))
        ? new Map([[LOST, checked.violations]])
        : whole !== undefined && failing.includes(checked)
          ? new Map([[whole, checked.violations]])
          : violationsByKey(checked);
    for (const [own, violations] of keys) {
      const isOfWhole =
        own === silenceKey(checked)
          ? answered.has(sentAs(checked)) || !answered.has(accessOf(checked))
          : own === statusKey(checked) && always.has(wholeKey(checked));
      const key = isOfWhole ? wholeKey(checked) : (malformed.get(own) ?? own);
      const members = groups.get(key) ?? [];
      members.push({ checked, violations });
      groups.set(key, members);
    }
  }
  return [...groups].map(([key, members]) => {
    const shows = (one: Instance): boolean => violationsFor(key, one.checked) !== undefined;
    const plain = members.toSorted(
      (one, other) =>
        Number(shows(other)) - Number(shows(one)) ||
        Number(areConcurrent(exchangesOf(one))) - Number(areConcurrent(exchangesOf(other))) ||
        Number(reliesOnEarlier(one)) - Number(reliesOnEarlier(other)) ||
        (key === SERVICE_DOWN
          ? Number(kinds.has(requestKind(one.checked))) - Number(kinds.has(requestKind(other.checked))) ||
            weightOf(other.checked) - weightOf(one.checked)
          : weightOf(one.checked) - weightOf(other.checked)),
    );
    const group = { key, members: plain, checked: countComparable(all, plain) };
    const since = Math.min(...failing.map(({ exchange }) => exchange.answeredAt));
    return key === whole ? { ...group, since } : group;
  });
}

/** The wrong statuses of plain calls that are right for no usual request of their operation, by the key of their finding. */
function neverRight(all: readonly Checked[]): ReadonlySet<string> {
  const isWrong = ({ violations }: Checked): boolean => violations.some(({ about }) => about === 'status');
  const answers = all.filter(hasResponse);
  const usual = answers.filter(({ exchange: { reading } }) => reading.unusual.length === 0);
  const sometimesRight = new Set(usual.filter((one) => !isWrong(one)).map(wholeKey));
  const plain = answers.filter((one) => isPlainCall(one.exchange.call) && isWrong(one)).map(wholeKey);
  return new Set(plain.filter((key) => !sometimesRight.has(key)));
}

/** So many valid requests in a row must fail before everything does. */
const MANY = 10;

/** The 5xx since the last valid request that got another response, if valid ones of all operations followed; or none. */
function failingForGood(all: readonly Checked[]): readonly Checked[] {
  const isValid = (one: Checked): boolean => one.expected.mustBe === 'accepted' && hasResponse(one);
  const last = all.findLastIndex((one) => isValid(one) && !isFailure(one));
  const after = all.slice(last + 1);
  const operations = (some: readonly Checked[]): number =>
    new Set(some.filter(isValid).map(({ exchange: { call } }) => call.operation)).size;
  const isForGood = last >= 0 && after.filter(isValid).length >= MANY && operations(after) === operations(all);
  return isForGood ? after.filter(isFailure) : [];
}

const isFailure = ({ exchange: { outcome } }: Checked): boolean => outcome.kind === 'answer' && outcome.status >= 500;

const plainer = (one: Checked, other: Checked): Checked => (weightOf(other) < weightOf(one) ? other : one);

/** Whether what an exchange violates relies on what was there before the service was away. */
const followsFrom = ({ from }: Outage, { exchange, violations }: Checked): boolean =>
  exchange.sentAt >= from && violations.some(({ earlier }) => earlier.some(({ answeredAt }) => answeredAt <= from));

/** The violations of an exchange that belong to a finding. */
export function violationsFor(key: string, checked: Checked): readonly Violation[] | undefined {
  const own = violationsByKey(checked);
  const [first] = own.values();
  return own.get(key) ?? (key === wholeKey(checked) ? first : undefined);
}

/** The violations of an exchange by the key of their finding. */
function violationsByKey(checked: Checked): ReadonlyMap<string, readonly Violation[]> {
  const { violations, exchange } = checked;
  const connection = violations.filter(({ about }) => about === 'connection');
  const status = violations.filter(({ about }) => about === 'status');
  const message = violations.filter(({ about }) => about === 'message');
  const content = violations.filter(({ about }) => about === 'content');
  const keys = new Map<string, readonly Violation[]>();
  // A response that begins and breaks off may have the wrong status as well.
  if (status.length > 0) keys.set(statusKey(checked), [...status, ...connection]);
  else if (connection.length > 0) keys.set(silenceKey(checked), connection);
  const [first] = message;
  if (first !== undefined) keys.set(messageKey(first), message);
  // A violation without a member is about the whole response.
  const whole = content.find(({ member }) => member === undefined)?.requirement;
  for (const violation of content) {
    const key = `${violation.operation ?? exchange.call.operation} ${violation.member ?? whole}`;
    keys.set(key, [...(keys.get(key) ?? []), violation]);
  }
  return keys;
}

const messageKey = ({ requirement, member = '' }: Violation): string => `message ${requirement} ${member}`.trimEnd();

/**
 * The keys of members that are malformed, by the operation that shows them. A 201 may be wrong twice, as what it shows also
 * depends on what was sent.
 */
function malformedMembers(all: readonly Checked[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { violations, exchange } of all) {
    const first = violations.find(({ about }) => about === 'message');
    if (first?.member !== undefined && !operationOf(exchange.call).adds)
      keys.set(`${exchange.call.operation} ${first.member}`, messageKey(first));
  }
  return keys;
}

function statusKey({ exchange, expected }: Checked): string {
  const { outcome, call, reading } = exchange;
  const { mustBe, requirement } = expected;
  const { wrongKey } = reading.key;
  const { status = 0 } = outcome;
  if (status >= 500) return `${call.operation} ${status}`;
  if (wrongKey !== undefined && status < 300) return WRONG_KEY_ACCEPTED;
  if (wrongKey === undefined && status === 401) return RIGHT_KEY_REJECTED;
  if (wrongKey !== undefined || (reading.key.kind === 'open' && status >= 300)) return `${status} for a wrong key`;
  const accepted = mustBe === 'rejected' && status < 300 ? ` ${requirement}` : '';
  return `${call.operation} ${status} for ${mustBe}${accepted}`;
}

/** No response, by what was sent. */
const silenceKey = (checked: Checked): string => `${wholeKey(checked)} for ${sentApartFromKey(checked)}`;

/** No response, or a status, of a whole operation. A 403 to a wrong key is a fault of its own. */
function wholeKey({ exchange: { call, outcome, reading } }: Checked): string {
  if (outcome.kind === 'failure') return `${call.operation} ${SILENCES[outcome.code] ?? outcome.code}`;
  const access = outcome.status === 403 && reading.key.wrongKey !== undefined ? ' for a wrong key' : '';
  return `${call.operation} ${outcome.status}${access}`;
}

/** As far as it matters where no response comes. */
const sentApartFromKey = ({ exchange: { reading } }: Checked): string =>
  `${reading.kind} ${(reading.query ?? reading.id ?? reading.body)?.requirement}`;

const sentAs = (checked: Checked): string => `${checked.exchange.call.operation} ${sentApartFromKey(checked)}`;

/** A wrong key may be rejected before the operation is reached. */
const accessOf = ({ exchange }: Checked): string =>
  `${exchange.call.operation} ${exchange.reading.key.wrongKey === undefined ? 'right key' : 'wrong key'}`;

const hasResponse = ({ exchange: { outcome } }: Checked): boolean => outcome.kind === 'answer';

/** Lower is plainer: what is unusual about a request counts more than that it is invalid. */
export const oddityOf = ({ exchange: { call, reading }, expected }: Checked): number =>
  Number(!isPlainCall(call)) + reading.unusual.length * 2 + Number(expected.mustBe !== 'accepted');

/** As {@link oddityOf}, and then by length. */
export function weightOf(checked: Checked): number {
  const { request } = checked.exchange;
  const bytes = request.target.length + (request.body?.length ?? 0);
  return oddityOf(checked) * 10_000 + request.headers.length * 100 + Math.min(bytes, 5_000);
}

/** The requirements that these violate: first what the specification states, and within a kind that of the plainest. */
export function requirementsOf(members: readonly Instance[]): readonly string[] {
  const ids = new Set(members.flatMap(({ violations }) => violations.map(({ requirement }) => requirement)));
  return [...ids].sort((one, other) => KINDS.indexOf(kindOf(one)) - KINDS.indexOf(kindOf(other)));
}

/** How many exchanges there were of the operations that show it. */
function countComparable(all: readonly Checked[], members: readonly Instance[]): number {
  const operations = new Set(members.map(({ checked }) => checked.exchange.call.operation));
  return all.filter(({ exchange }) => operations.has(exchange.call.operation)).length;
}

/** What a response shows by itself convinces more. */
const reliesOnEarlier = ({ violations: [violation] }: Instance): boolean => (violation?.earlier.length ?? 0) > 0;

/** Whether some were in flight at the same time: sent one after the other, they may not show it. */
const areConcurrent = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((one, at) => one.sentAt < (exchanges[at - 1]?.answeredAt ?? 0));

/** The evidence of what a finding says first: each exchange once, oldest first, and the one that shows it last. */
export function exchangesOf({ checked, violations: [violation] }: Instance): readonly Exchange[] {
  const earlier = new Set(violation?.earlier);
  earlier.delete(checked.exchange);
  return [...[...earlier].sort((one, other) => one.number - other.number), checked.exchange];
}

const KIND_OF = new Map(REQUIREMENTS.map(({ id, kind }) => [id, kind]));
export const kindOf = (requirement: string): RequirementKind => KIND_OF.get(requirement) ?? 'derived';

/** First access without a key, then what plain requests show; within that, stated before derived before open, then by number of failures. */
export const inOrder = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((one, other) => {
    const unusual = ({ key, members }: Group): number =>
      key === WRONG_KEY_ACCEPTED ? -1 : Number((members[0]?.checked.exchange.reading.unusual.length ?? 0) > 0);
    const kind = ({ members }: Group): number => KINDS.indexOf(kindOf(requirementsOf(members)[0] ?? ''));
    const lost = (group: Group): number => Number(group.key !== LOST);
    return (
      lost(one) - lost(other) ||
      unusual(one) - unusual(other) ||
      kind(one) - kind(other) ||
      other.members.length - one.members.length
    );
  });
