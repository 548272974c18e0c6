import { count, excerptText, grouped } from '../../report/model/text.ts';
import type { AnswerNote } from '../history.ts';
import type { Violation } from '../violation.ts';
import type { Finding, Series } from '../wrong-answers.ts';
import { isWithin, type Member } from './grouping.ts';

/** It is said that every answer of a class is wrong where there are at least this many. */
const FEWEST_OF_A_CLASS = 3;

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Answers of which something may be true of every one, from the most general. */
const CLASSES: readonly (readonly [name: string, holds: (note: AnswerNote) => boolean])[] = [
  ['answer', () => true],
  ['refusal', ({ status = 0 }) => isRefusal(status)],
  ['success', ({ status = 0 }) => status >= 200 && status < 300],
];

/**
 * A cause in one sentence, which is true of the answers of the run.
 *
 * @param shownBy the violation that shows it
 */
export function sentenceOf(
  group: readonly Member[],
  first: Member,
  shownBy: Violation,
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): string {
  const findings = group.map(({ finding }) => finding);
  const judged = new Set(findings.flatMap((finding) => [...finding.judged]));
  if (outage[0] !== undefined && isWithin(judged, new Set(outage.map(({ number }) => number)))) {
    const from = outage.length === answers.length ? '' : ` from ${clock(outage[0].answeredAt)} on`;
    return everyText(`answer${from}`, outage);
  }
  const { finding } = first;
  const { operation, changed, status } = finding.like;
  const remarkable = findings.filter(isRemarkable);
  const wrong = answersOf(remarkable.length === 0 ? findings : remarkable, answers);
  const rate = share(wrong, answers);
  const general = isRemarkable(finding) ? generalSentence(finding, wrong, answers) : undefined;
  if (general !== undefined) return general;
  const isOfOne = new Set(group.map(({ check }) => check.id)).size === 1;
  const { message, call } = finding.simplest;
  if (status !== undefined && status >= 500) return `answers ${status} to ${shortened(call.description)} ${rate}`;
  if (isRemarkable(finding) && (!isOfOne || finding.about === 'form')) {
    const operations = [...new Set(wrong.map((note) => note.operation))];
    const right = rightOf(findings.filter(({ about }) => about === 'status').map(({ simplest }) => simplest));
    const what = `${listed(operations)} answer${operations.length === 1 ? 's' : ''} ${answerWords(wrong)}${right} ${rate}`;
    return `${what}, for example to ${shortened(shownBy.call.description)}`;
  }
  if (changed.length > 0 && !isOfOne) return `${operation} gives another ${listed(changed)} than was sent ${rate}`;
  const alike = findings.filter(({ check, code }) => check === finding.check && code === finding.code);
  return `${shortened(message)} ${share(answersOf(alike, answers), answers)}`;
}

function answersOf(findings: readonly Finding[], answers: readonly AnswerNote[]): readonly AnswerNote[] {
  return answers.filter(({ number }) => findings.some(({ judged }) => judged.has(number)));
}

/** Whether the answer is wrong by what can be said of it without its body's contents. */
const isRemarkable = ({ about }: Finding): boolean => about !== 'content';

/** What is wrong with every answer of a class, if that is so. */
function generalSentence(
  { like, about, simplest }: Finding,
  wrong: readonly AnswerNote[],
  answers: readonly AnswerNote[],
): string | undefined {
  const operations = [undefined, ...new Set(wrong.map(({ operation }) => operation))];
  const isLike = (note: AnswerNote): boolean =>
    about === 'status' ? note.status === like.status : note.mediaType === like.mediaType && note.fault === like.fault;
  for (const only of operations) {
    for (const [name, holds] of CLASSES) {
      // That a request is refused like others says nothing where it should have succeeded.
      if (about === 'status' && name === 'refusal' && simplest.permitted?.some(isRefusal) !== true) continue;
      const all = answers.filter((note) => (only === undefined || note.operation === only) && holds(note));
      if (all.length < FEWEST_OF_A_CLASS || !all.every(isLike)) continue;
      // What is right for most of the class is not remarkable.
      if (2 * wrong.length < all.length || !wrong.every((note) => all.includes(note))) continue;
      return everyText(`${name}${only === undefined ? '' : ` of ${only}`}`, all);
    }
  }
  return undefined;
}

/** The statuses that would have been right for all of these; nothing where there are none. */
function rightOf(violations: readonly Violation[]): string {
  const [first = [], ...others] = violations.map(({ permitted = [] }) => permitted);
  const right = first.filter((status) => others.every((permitted) => permitted.includes(status)));
  return right.length === 0 ? '' : ` where ${right.join(' or ')} is right`;
}

const MOST_WORDS = 160;
const shortened = (text: string): string => excerptText(text, MOST_WORDS);

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** At most this many statuses are named; answers with more are alike in other respects. */
const MOST_STATUSES = 2;
/** Answers that are alike in no other respect are named by at most this many statuses. */
const MOST_NAMED = 4;

/** What is true of every one of these answers. */
function everyText(what: string, notes: readonly AnswerNote[]): string {
  if (notes.some(({ status }) => status !== undefined)) return `every ${what} is ${answerWords(notes)}`;
  const faults = [...new Set(notes.flatMap(({ fault }) => fault ?? []))];
  return `no ${what} is one whole response (${faults.join(', ')})`;
}

/** What these answers are, as far as they are alike: `422 text/plain`. */
function answerWords(notes: readonly AnswerNote[]): string {
  const only = <T>(values: readonly T[]): T | undefined => (new Set(values).size === 1 ? values[0] : undefined);
  const statuses = [...new Set(notes.map(({ status }) => status))];
  const fault = only(notes.map((note) => note.fault));
  if (statuses.every((one) => one === undefined))
    return `with no whole response${fault === undefined ? '' : ` (${fault})`}`;
  const type = only(notes.map(({ mediaType }) => mediaType ?? 'no Content-Type'));
  const isJson = type === 'application/json';
  const shown = statuses.length > MOST_STATUSES ? [] : statuses.map((one) => `${one ?? 'no response'}`);
  const words = [
    ...(shown.length === 0 ? [] : [shown.join(' or ')]),
    ...(type === undefined || (isJson && shown.length > 0) ? [] : [type]),
    ...(fault === undefined || (!isJson && fault === 'not-json') ? [] : [`(${fault})`]),
  ];
  return words.length > 0 ? words.join(' ') : oneOf(statuses, notes);
}

/** Statuses that differ, the most frequent first. */
function oneOf(statuses: readonly AnswerNote['status'][], notes: readonly AnswerNote[]): string {
  const times = (status: AnswerNote['status']): number => notes.filter((note) => note.status === status).length;
  const all = statuses.toSorted((one, other) => times(other) - times(one)).map((one) => `${one ?? 'nothing'}`);
  const named = all.length > MOST_NAMED ? [...all.slice(0, MOST_NAMED - 1), 'another status'] : all;
  return `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
}

/** How many of the answers that could have been wrong in this way were: those of the same operations. */
export function share(wrong: readonly AnswerNote[], answers: readonly AnswerNote[]): string {
  const operations = new Set(wrong.map(({ operation }) => operation));
  const all = answers.filter(({ operation }) => operations.has(operation));
  const of = operations.size === 1 ? ` of ${[...operations][0]}` : '';
  return `(${grouped(wrong.length)} of ${count(all.length, 'answer')}${of})`;
}

/** A moment of the run as a time of day. */
export function clock(moment: number): string {
  return `${new Date(performance.timeOrigin + moment).toISOString().slice(11, 19)} UTC`;
}

/** How many answers must have been right before, and their equivalents wrong after, not to be a coincidence. */
const FEWEST_RIGHT = 5;
const FEWEST_TURNED = 3;

/** Whether answers to equivalent requests were right up to a moment, and what was wrong from then on never right again. */
export function isForGood({ right, turned, rightAgain, firstWrong }: Series): boolean {
  return firstWrong !== undefined && right >= FEWEST_RIGHT && turned >= FEWEST_TURNED && rightAgain === 0;
}

/** Whether what was sent may be kept: a service that fails may have stored it before. */
const mayBeKept = (status = 500): boolean => (status >= 200 && status < 300) || status >= 500;

/**
 * The request that the service kept, or may have, just before its answers became wrong for good. Undefined where
 * that is not certain: some answers were right afterwards, too few were seen, or several requests could be the one.
 */
export function firstSeenAfter(series: Series, answers: readonly AnswerNote[]): AnswerNote | undefined {
  const { once, wrong, firstWrong } = series;
  if (firstWrong === undefined || !isForGood(series)) return undefined;
  const lastRightSentAt = Math.max(...[...wrong].map((equivalence) => once.get(equivalence) ?? 0));
  const kept = answers.filter(({ status, effect }) => effect !== 'reads' && mayBeKept(status));
  // What was kept before without any harm is not to blame.
  const harmless = new Set(
    kept.filter(({ answeredAt }) => answeredAt < lastRightSentAt).map(({ equivalence }) => equivalence),
  );
  const candidates = kept.filter(
    ({ answeredAt, sentAt, equivalence, number }) =>
      answeredAt >= lastRightSentAt &&
      sentAt <= firstWrong.answeredAt &&
      number !== firstWrong.number &&
      !harmless.has(equivalence),
  );
  // What broke the service was answered so itself: the first of these is the most likely of all.
  const [failed] = candidates.filter(({ status = 500 }) => status >= 500);
  if (failed !== undefined) return failed;
  // Of several, one that should have been refused is the most likely.
  const accepted = candidates.filter(({ effect }) => effect === 'must not create');
  const [first, ...others] = accepted.length > 0 ? accepted : candidates;
  return others.length === 0 ? first : undefined;
}
