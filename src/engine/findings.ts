import type { Exchange } from '../http/exchange.ts';
import type { Checked, Violation } from './checked.ts';

/** Keys of findings over all operations. */
export const WRONG_KEY_ACCEPTED = 'a wrong key accepted';
export const RIGHT_KEY_REJECTED = 'the right key rejected';
export const SERVICE_DOWN = 'the service down';

/** Which of these a closed connection shows depends on timing alone. */
const CLOSED = new Set(['reset', 'closed-early', 'truncated']);

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
}

export interface Member {
  readonly checked: Checked;
  readonly violations: readonly Violation[];
}

/**
 * Groups violations by what an exchange shows, never by the text of a response:
 * (a) no response or a 5xx: by operation and status; what was in flight when the service went down for good: over all
 * operations; (b) a wrong key accepted, or the right one rejected: over all operations; (c) another wrong status: by
 * operation, status and what was expected, and where something invalid was accepted also by requirement; (d) a malformed
 * message: by the first broken rule, over all operations; (e) content: by operation and member, whatever the requirement.
 */
export function groupFindings(all: readonly Checked[], atTheEnd: ReadonlySet<Checked> = new Set()): readonly Group[] {
  const groups = new Map<string, Member[]>();
  for (const checked of all) {
    const keys = atTheEnd.has(checked) ? new Map([[SERVICE_DOWN, checked.violations]]) : violationsByKey(checked);
    for (const [key, violations] of keys) {
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
    return { key, members: plain, requirements: requirementsOf(plain), checked: countComparable(all, plain) };
  });
}

/** The violations of an exchange by the key of their finding. */
export function violationsByKey(checked: Checked): ReadonlyMap<string, readonly Violation[]> {
  const { violations, exchange } = checked;
  const status = violations.filter(({ about }) => about === 'status');
  const message = violations.filter(({ about }) => about === 'message');
  const content = violations.filter(({ about }) => about === 'content');
  const keys = new Map<string, readonly Violation[]>();
  if (status.length > 0) keys.set(statusKey(checked), status);
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
  if (outcome.kind === 'failure') return `${call.operation} ${CLOSED.has(outcome.code) ? 'closed' : outcome.code}`;
  if (outcome.status >= 500) return `${call.operation} ${outcome.status}`;
  if (isAboutKey && outcome.status < 300) return WRONG_KEY_ACCEPTED;
  if (!isAboutKey && outcome.status === 401) return RIGHT_KEY_REJECTED;
  const accepted = mustBe === 'rejected' && outcome.status < 300 ? ` ${requirement}` : '';
  return `${call.operation} ${outcome.status} for ${mustBe}${accepted}`;
}

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
    violation.about === 'status' ? requirements.has(checked.requirement) : checked.tested.has(violation.requirement);
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
