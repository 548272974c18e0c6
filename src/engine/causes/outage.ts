import type { AnswerNote } from '../history.ts';

/** A service that has stopped working leaves at least so many failures at the end. */
const FEWEST_FAILURES = 5;

const isFailure = ({ status }: AnswerNote): boolean => status === undefined || status >= 500 || status === 429;

/** The failures with which the run ended: nothing that was asked for after the first of them was answered otherwise. */
export function outageOf(answers: readonly AnswerNote[]): readonly AnswerNote[] {
  const lastAnswered = answers.reduce((last, note) => (isFailure(note) ? last : Math.max(last, note.sentAt)), 0);
  const failures = answers.filter((note) => isFailure(note) && note.answeredAt > lastAnswered);
  return failures.length < FEWEST_FAILURES ? [] : failures;
}
