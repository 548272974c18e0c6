import { count } from '../../report/model/text.ts';
import type { AnswerNote } from '../history.ts';
import { firstSeenAfter, isForGood } from '../since.ts';
import { clock } from './clock.ts';
import type { Member } from './groups.ts';

/** From when on it was seen, where answers were right before and never after. */
export function sinceOf(
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
  if (outage.includes(series.firstWrong)) return undefined;
  const before = `${count(series.right, 'answer')} before that ${series.right === 1 ? 'was' : 'were'} right`;
  return `seen from ${clock(series.firstWrong.answeredAt)} on: ${before}, and none after it`;
}
