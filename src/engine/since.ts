import type { AnswerNote } from './history.ts';
import type { Series } from './wrong-answers.ts';

/** So many answers must have been right before, and so many of their equivalents wrong after, to be no chance. */
const FEWEST_RIGHT = 5;
const FEWEST_TURNED = 3;

/** Whether answers to equivalent requests were right up to a moment, and wrong ever after. */
export function isForGood({ right, turned, rightAfter, firstWrong }: Series): boolean {
  return firstWrong !== undefined && right >= FEWEST_RIGHT && turned >= FEWEST_TURNED && rightAfter === 0;
}

/**
 * The request that the service answered with success just before its answers became wrong for good. Undefined where
 * that is not certain: some answers were right afterwards, too few were seen, or several requests could be the one.
 */
export function firstSeenAfter(series: Series, answers: readonly AnswerNote[]): AnswerNote | undefined {
  const { lastRightSentAt, firstWrong } = series;
  if (firstWrong === undefined || !isForGood(series)) return undefined;
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
