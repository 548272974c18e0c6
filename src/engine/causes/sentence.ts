import { excerptText } from '../../report/model/text.ts';
import type { AnswerNote } from '../history.ts';
import type { Violation } from '../violation.ts';
import type { Finding } from '../wrong-answers.ts';
import { answerWords, everyText, share } from './answer-words.ts';
import { clock } from './clock.ts';
import { isWithin } from './grouping.ts';
import type { Member } from './groups.ts';

/** So many answers of a class make it worth saying that every one of them is wrong. */
const FEWEST_OF_A_CLASS = 3;

const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** Answers of which something may be true of every one, from the most general. */
const CLASSES: readonly (readonly [name: string, holds: (note: AnswerNote) => boolean])[] = [
  ['answer', () => true],
  ['refusal', ({ status = 0 }) => isRefusal(status)],
  ['success', ({ status = 0 }) => status >= 200 && status < 300],
];

/** A cause in one sentence, which is true of the answers of the run. */
export function sentenceOf(
  group: readonly Member[],
  first: Member,
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
    return `${listed(operations)} answer${operations.length === 1 ? 's' : ''} ${answerWords(wrong)}${right} ${rate}`;
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
      // Of a request that should have succeeded, it says nothing that it was refused as others are.
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
