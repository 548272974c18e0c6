import { judgeBaseline, type ListedFailure, listedId, sentProfile } from '../../report/model/baseline.ts';
import { failedChecks } from '../../report/model/queries.ts';
import type { RunResult } from '../../report/model/result.ts';
import { excerptText } from '../../report/model/text.ts';

/** An entry as it is to be written. */
export type NewEntry = Pick<ListedFailure, 'requirement' | 'check' | 'reason' | 'expires' | 'profile' | 'seed'>;

/** What a baseline becomes by a result. */
export interface BaselineChange {
  /** In their order, as they stand in the file. */
  readonly kept: readonly ListedFailure[];
  /** What fails and is not listed. */
  readonly added: readonly NewEntry[];
  /** What is listed, and no longer fails. */
  readonly removed: readonly ListedFailure[];
}

const REASON_LENGTH = 200;

/**
 * The baseline that excuses all that fails in a result. Entries that exist stay as they are, but for those that no
 * longer fail; of what the run cannot tell, they stay too.
 *
 * @param given what new entries say instead of what is wrong, and until when they count
 */
export function baselineOf(
  result: RunResult,
  existing: readonly ListedFailure[],
  given: { readonly reason?: string | undefined; readonly expires?: string | undefined },
): BaselineChange {
  const { checks, run } = result;
  // On no day: an expired entry whose failure is still there is for a person to decide on.
  const { entries } = judgeBaseline('', existing, { checks, day: '', profile: sentProfile(run) });
  const isGone = (at: number): boolean => entries[at]?.state === 'stale';
  const kept = existing.filter((_, at) => !isGone(at));
  const listed = new Set(kept.flatMap((entry) => entry.checks));
  const added = failedChecks(result)
    .filter(({ check }) => !listed.has(check.id))
    .map(({ check, violations }): NewEntry => {
      const [first] = violations;
      const wrong = first === undefined ? check.title : `${first.message} (${first.code})`;
      const { reason = excerptText(wrong, REASON_LENGTH), expires } = given;
      const listing = check.id === check.requirement ? { requirement: check.requirement } : { check: check.id };
      return {
        ...listing,
        reason,
        ...(expires === undefined ? {} : { expires }),
        profile: run.profile,
        seed: run.seed,
      };
    });
  return { kept, added, removed: existing.filter((_, at) => isGone(at)) };
}

/** `1 kept, 2 added, 1 removed (LIST-2)` */
export function changeText({ kept, added, removed }: BaselineChange): string {
  const gone = removed.length === 0 ? '' : ` (${removed.map(listedId).join(', ')})`;
  return `${kept.length} kept, ${added.length} added, ${removed.length} removed${gone}`;
}
