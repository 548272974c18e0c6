import type { Exchange } from '../http/exchange.ts';
import type { Outage } from '../http/message.ts';
import type { Checked, Violation } from './checked.ts';

/** Keys of findings over all operations. */
export const WRONG_KEY_ACCEPTED = 'a wrong key accepted';
export const RIGHT_KEY_REJECTED = 'the right key rejected';
export const SERVICE_DOWN = 'the service down';
export const LOST = 'lost while the service was away';

/** Which of these a closed connection shows depends on timing alone. */
const CLOSED = new Set(['reset', 'truncated']);

/** Violations that look alike from outside: one finding of a report. */
export interface Group {
  /** What is wrong, without any value, so that it is the same in every run. */
  readonly key: string;
  /** The exchanges that show it, each with its violations of this group; the plainest first. */
  readonly members: readonly Member[];
  /** Every requirement that fails with it: that of the plainest first, then by frequency. */
  readonly requirements: readonly string[];
  /** How many exchanges could have shown it. */
  readonly checked: number;
  /** Since when every valid request fails so, though some were accepted before (ms). */
  readonly since?: number | undefined;
}

export interface Member {
  readonly checked: Checked;
  readonly violations: readonly Violation[];
}

/**
 * Groups violations by what an exchange shows, never by the text of a response:
 * (a) a 5xx: by operation and status, or over everything once no valid request gets anything else; no response: by
 * operation and what was sent, or by operation alone if such requests got a response at other times, or the operation never
 * responds; what was in flight when the service went down for good: over all operations; what was lost while it was away:
 * over everything; (b) a wrong key accepted, or the right one rejected: over all operations; (c) another wrong status: by
 * operation, status and what was expected, and where something invalid was accepted also by requirement; (d) a malformed
 * message: by the first broken rule, over all operations; (e) content: by operation and member, whatever the requirement.
 */
export function groupFindings(
  all: readonly Checked[],
  atTheEnd: ReadonlySet<Checked> = new Set(),
  outages: readonly Outage[] = [],
): readonly Group[] {
  const groups = new Map<string, Member[]>();
  const failing = failingForGood(all);
  const whole = failing.length === 0 ? undefined : statusKey(failing.reduce(plainer));
  const answered = new Set(all.filter(hasResponse).flatMap((one) => [sentAs(one), operationOf(one)]));
  for (const checked of all) {
    const keys = atTheEnd.has(checked)
      ? new Map([[SERVICE_DOWN, checked.violations]])
      : outages.some((outage) => followsFrom(outage, checked))
        ? new Map([[LOST, checked.violations]])
        : whole !== undefined && failing.includes(checked)
          ? new Map([[whole, checked.violations]])
          : violationsByKey(checked);
    for (const [own, violations] of keys) {
      const isOfWhole = answered.has(sentAs(checked)) || !answered.has(operationOf(checked));
      const key = own === silenceKey(checked) && isOfWhole ? silenceKey(checked, false) : own;
      const members = groups.get(key) ?? [];
      members.push({ checked, violations });
      groups.set(key, members);
    }
  }
  return [...groups].map(([key, members]) => {
    const plain = members.toSorted(
      (one, other) =>
        Number(areConcurrent(evidenceOf(one))) - Number(areConcurrent(evidenceOf(other))) ||
        weightOf(one.checked) - weightOf(other.checked),
    );
    const group = { key, members: plain, requirements: requirementsOf(plain), checked: countComparable(all, plain) };
    const since = Math.min(...failing.map(({ exchange }) => exchange.answeredAt));
    return key === whole ? { ...group, since } : group;
  });
}

/** So many valid requests in a row must fail before everything does. */
const MANY = 10;

/** The 5xx since the last valid request that got another response, if valid ones of all operations followed; or none. */
function failingForGood(all: readonly Checked[]): readonly Checked[] {
  const isValid = (one: Checked): boolean => one.mustBe === 'accepted' && hasResponse(one);
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

/** The violations of an exchange by the key of their finding. */
export function violationsByKey(checked: Checked): ReadonlyMap<string, readonly Violation[]> {
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
  if (first !== undefined) keys.set(`message ${first.requirement} ${first.member ?? ''}`.trimEnd(), message);
  // A violation without a member is about the whole response.
  const whole = content.find(({ member }) => member === undefined)?.requirement;
  for (const violation of content) {
    const key = `${violation.operation ?? exchange.call.operation} ${violation.member ?? whole}`;
    keys.set(key, [...(keys.get(key) ?? []), violation]);
  }
  return keys;
}

function statusKey({ exchange, mustBe, requirement, isAboutKey }: Checked): string {
  const { outcome, call } = exchange;
  const { status = 0 } = outcome;
  if (status >= 500) return `${call.operation} ${status}`;
  if (isAboutKey && status < 300) return WRONG_KEY_ACCEPTED;
  if (!isAboutKey && status === 401) return RIGHT_KEY_REJECTED;
  const accepted = mustBe === 'rejected' && status < 300 ? ` ${requirement}` : '';
  return `${call.operation} ${status} for ${mustBe}${accepted}`;
}

/** No response, by what was sent, or for the whole operation. */
function silenceKey(checked: Checked, isByRequest = true): string {
  const { call, outcome } = checked.exchange;
  const code = outcome.kind === 'failure' ? outcome.code : '';
  const silence = `${call.operation} ${CLOSED.has(code) ? 'closed' : code}`;
  return isByRequest ? `${silence} for ${checked.sent}` : silence;
}

const sentAs = ({ exchange, sent }: Checked): string => `${exchange.call.operation} ${sent}`;

/** A wrong key may be rejected before the operation is reached. */
const operationOf = ({ exchange, isAboutKey }: Checked): string => `${exchange.call.operation} ${isAboutKey}`;

const hasResponse = ({ exchange: { outcome } }: Checked): boolean => outcome.kind === 'answer';

/** Lower is plainer: what is unusual about a request, and that it is invalid, counts more than its length. */
export function weightOf({ unusual, mustBe, exchange }: Checked): number {
  const { request } = exchange;
  const bytes = request.target.length + (request.body?.length ?? 0);
  const isValid = mustBe === 'accepted';
  return unusual.length * 20_000 + Number(!isValid) * 10_000 + request.headers.length * 100 + Math.min(bytes, 5_000);
}

function requirementsOf(members: readonly Member[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { violations } of members) {
    for (const { requirement } of violations) counts.set(requirement, (counts.get(requirement) ?? 0) + 1);
  }
  const [first] = members[0]?.violations ?? [];
  const others = [...counts].filter(([id]) => id !== first?.requirement).sort(([, one], [, other]) => other - one);
  return [...(first === undefined ? [] : [first.requirement]), ...others.map(([id]) => id)];
}

/** How many exchanges could have shown it: of the same operations, and checked by the first broken rule. */
function countComparable(all: readonly Checked[], members: readonly Member[]): number {
  const [first] = members;
  const [violation] = first?.violations ?? [];
  if (first === undefined || violation === undefined) return 0;
  const operations = new Set(members.map(({ checked }) => checked.exchange.call.operation));
  const requirements = new Set(members.map(({ checked }) => checked.requirement));
  const isLike = (checked: Checked): boolean =>
    violation.about === 'status' || violation.about === 'connection'
      ? requirements.has(checked.requirement)
      : checked.tested.has(violation.requirement);
  return Math.max(
    members.length,
    all.filter((one) => operations.has(one.exchange.call.operation) && isLike(one)).length,
  );
}

/** Whether some were in flight at the same time: sent one after the other, they may not show it. */
export const areConcurrent = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((one, at) => one.sentAt < (exchanges[at - 1]?.answeredAt ?? 0));

/** The evidence of a finding: each exchange once, oldest first, and the one that shows it last. */
export function evidenceOf({ checked, violations }: Member): readonly Exchange[] {
  const earlier = new Set(violations.flatMap((violation) => violation.earlier));
  earlier.delete(checked.exchange);
  return [...[...earlier].sort((one, other) => one.number - other.number), checked.exchange];
}
