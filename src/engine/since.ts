import type { AnswerNote } from './answer-log.ts';
import type { Series } from './wrong-answers.ts';

/** So many answers must have been right before, and wrong after, for a change to be no chance. */
const FEWEST_RIGHT = 5;
const FEWEST_WRONG = 3;

/**
 * The request that the service answered with success just before its answers became wrong for good. Undefined where
 * that is not certain: some answers were right afterwards, too few were seen, or several requests could be the one.
 */
export function firstSeenAfter(
  { right, wrong, rightAfter, lastRightSentAt, firstWrong }: Series,
  answers: readonly AnswerNote[],
): AnswerNote | undefined {
  if (firstWrong === undefined || right < FEWEST_RIGHT || wrong < FEWEST_WRONG || rightAfter > 0) return undefined;
  const accepted = answers.filter(({ status = 0, effect }) => effect !== 'reads' && status >= 200 && status < 300);
  // What was accepted before without any harm is not to blame.
  const harmless = new Set(
    accepted.filter(({ answeredAt }) => answeredAt < lastRightSentAt).map(({ equivalence }) => equivalence),
  );
  const candidates = accepted.filter(
    ({ answeredAt, sentAt, equivalence, number }) =>
      answeredAt >= lastRightSentAt &&
      sentAt <= firstWrong.answeredAt &&
      number !== firstWrong.number &&
      !harmless.has(equivalence),
  );
  // One that had to be refused is the more likely of several.
  const odd = candidates.filter(({ effect }) => effect === 'must not create');
  const [first, ...others] = odd.length > 0 ? odd : candidates;
  return others.length === 0 ? first : undefined;
}
