import { recordedReadings } from '../history/record-of.ts';
import { distinct } from '../model/queries.ts';
import { type Behaviour, behavioursOf, readingsOf } from '../model/readings.ts';
import type { RequirementResult, RequirementStatus, RunResult } from '../model/result.ts';
import type { RequirementId } from '../model/scalars.ts';
import { isUnjudgeable } from '../view.ts';

/** A requirement on each target; `undefined` where a target's result says nothing of it. */
export interface MatrixRow {
  readonly id: RequirementId;
  readonly says: string;
  readonly statuses: readonly (RequirementStatus | undefined)[];
  /** The status that it has on every target that could be judged; undefined where they differ. */
  readonly shared: RequirementStatus | undefined;
}

/** An open point at which the targets behave differently. */
interface ReadingDifference {
  readonly id: RequirementId;
  readonly says: string;
  /** What all that were observed do. */
  readonly shared: readonly string[];
  /** What each does beside that; undefined where nothing was observed of it. */
  readonly own: readonly (readonly string[] | undefined)[];
}

/** A, B, … Z, AA, AB …: one short name for each target, since addresses are too wide for columns. */
export function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

const rowOf = ({ requirements }: RunResult, id: RequirementId): RequirementResult | undefined =>
  requirements.find((row) => row.id === id);

const saysOf = (results: readonly RunResult[], id: RequirementId): string =>
  results.map((result) => rowOf(result, id)?.says).find((says) => says !== undefined) ?? '';

/**
 * Every requirement on every target, in the order of the catalogue. Of a target that could not be judged at all, there is
 * nothing to say: it differs from no other.
 */
export function matrixRows(results: readonly RunResult[]): readonly MatrixRow[] {
  const judged = results.filter((result) => !isUnjudgeable(result));
  return distinct(judged.flatMap(({ requirements }) => requirements.map(({ id }) => id))).map((id) => {
    const statuses = results.map((result) => (isUnjudgeable(result) ? undefined : rowOf(result, id)?.status));
    const [first, ...others] = judged.map((result) => rowOf(result, id)?.status);
    const shared = others.every((status) => status === first) ? first : undefined;
    return { id, says: saysOf(results, id), statuses, shared };
  });
}

/** Where the targets behave differently at open points; what was observed of one alone is no difference. */
export function readingDifferences(results: readonly RunResult[]): readonly ReadingDifference[] {
  const seen = results.map((result) => behavioursOf(recordedReadings(result)));
  return distinct(seen.flat().map(({ requirement }) => requirement)).flatMap((id) => {
    const readings = seen.map((all) => all.filter(({ requirement }) => requirement === id));
    const isShared = ({ input, does }: Behaviour): boolean =>
      readings
        .map((all) => all.filter((one) => one.input === input))
        .every((all) => all.length === 0 || all.some((one) => one.does === does));
    const own = readings.map((all) =>
      all.length === 0 ? undefined : readingsOf(all.filter((one) => !isShared(one))).toSorted(),
    );
    const shared = readingsOf(readings.flat().filter(isShared));
    return own.every((texts) => texts === undefined || texts.length === 0)
      ? []
      : [{ id, says: saysOf(results, id), shared, own }];
  });
}
