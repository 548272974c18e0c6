import { count } from '../../report/model/text.ts';
import type { AnswerNote } from '../history.ts';
import type { Violation } from '../violation.ts';
import { sizeOf } from '../wrong-answers.ts';
import { byOwnership, type FailedCheck, groupByCause, likeness, type Member } from './grouping.ts';
import { clock, firstSeenAfter, isForGood, sentenceOf } from './sentence.ts';

/** What several findings have in common. */
export interface FoundCause {
  readonly says: string;
  readonly requirements: readonly string[];
  readonly checks: readonly string[];
  readonly unjudged: readonly string[];
  readonly since: string | undefined;
  /** The violation that shows it best. */
  readonly shownBy: Violation;
}

/**
 * Groups what the checks of a run found by what one fault explains, the cause that explains most first; in each, what
 * owns the fault comes before what it breaks in passing. Whatever a cause says is true of the answers of the run.
 */
export function causesOf(failed: readonly FailedCheck[], answers: readonly AnswerNote[]): readonly FoundCause[] {
  const members = failed.flatMap((check) => check.findings.map((finding) => ({ check, finding })));
  const outage = outageOf(answers);
  const { groups, consequences } = groupByCause(members, answers, outage);
  const ownFirst = byOwnership(consequences);
  const ranked = groups.map((group) => group.toSorted(ownFirst));
  const size = (group: readonly Member[]): number => {
    const requirements = new Map(group.map(({ check }) => [check.requirement, check.kind === 'open' ? 0.5 : 1]));
    const violated = [...requirements.values()].reduce((sum, weight) => sum + weight, 0);
    return violated + blockedBy(group).length;
  };
  const ordered = ranked.toSorted((one, other) => size(other) - size(one) || compareFirst(one, other, ownFirst));
  const named = new Set<string>();
  return ordered.map((group) => {
    // A requirement that could not be judged is named once, with the cause that explains most.
    const unjudged = blockedBy(group).filter((id) => !named.has(id));
    for (const id of unjudged) named.add(id);
    return { ...describeCause(group, answers, outage), unjudged };
  });
}

/** The requirements that could not be judged because of what a group violates. */
function blockedBy(group: readonly Member[]): readonly string[] {
  return [...new Set(group.flatMap(({ check }) => check.blocks))];
}

function compareFirst<T>(one: readonly T[], other: readonly T[], compare: (one: T, other: T) => number): number {
  const [[first], [second]] = [one, other];
  return first === undefined || second === undefined ? 0 : compare(first, second);
}

function describeCause(
  group: readonly Member[],
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): Omit<FoundCause, 'unjudged'> {
  const [first] = group;
  if (first === undefined) throw new Error('a cause explains at least one finding');
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];
  const shownBy = simplestOf(group, first);
  return {
    says: sentenceOf(group, first, shownBy, answers, outage),
    requirements: distinct(group.map(({ check }) => check.requirement)),
    checks: distinct(group.map(({ check }) => check.id)),
    since: sinceOf(first, answers, outage),
    shownBy,
  };
}

/** The violation with the shortest request of those of the same requirement that are like the first in what they share. */
function simplestOf(group: readonly Member[], first: Member): Violation {
  const alikeness = likeness(first);
  const alike = group.filter((one) => likeness(one) === alikeness && one.check.requirement === first.check.requirement);
  const [simplest] = alike.map(({ finding }) => finding.simplest).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  return simplest ?? first.finding.simplest;
}

/** From when on it was seen, where answers were right before and never after. */
function sinceOf(
  { check, finding }: Member,
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): string | undefined {
  const { operation } = finding.like;
  const series = check.series.find(({ firstWrong }) => firstWrong?.operation === operation);
  if (series?.firstWrong === undefined || !isForGood(series)) return undefined;
  const trigger = firstSeenAfter(series, answers);
  if (trigger !== undefined) return `seen only after ${trigger.description} was answered ${trigger.status}`;
  // Of an outage, the cause says itself since when it lasts.
  if (series.rightAfter > 0 || outage.includes(series.firstWrong)) return undefined;
  const before = `${count(series.right, 'answer')} before that ${series.right === 1 ? 'was' : 'were'} right`;
  return `seen from ${clock(series.firstWrong.answeredAt)} on: ${before}, and none after it`;
}

/** A service that has stopped working leaves at least this many failures at the end. */
const FEWEST_FAILURES = 5;

const isFailure = ({ status }: AnswerNote): boolean => status === undefined || status >= 500 || status === 429;

/** The failures with which the run ended: nothing that was asked for after the first of them was answered otherwise. */
function outageOf(answers: readonly AnswerNote[]): readonly AnswerNote[] {
  const lastAnswered = answers.reduce((last, note) => (isFailure(note) ? last : Math.max(last, note.sentAt)), 0);
  const failures = answers.filter((note) => isFailure(note) && note.answeredAt > lastAnswered);
  return failures.length < FEWEST_FAILURES ? [] : failures;
}
