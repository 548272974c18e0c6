import type { Requirement } from '../check/requirement.ts';
import { ROW_STAGE_NAMES, type RowStage } from '../check/stages.ts';
import { drawnCalls } from '../inputs/random.ts';
import { markedNames } from '../known/marks.ts';
import { type Call, operationOf } from '../reading/call.ts';
import { mayAdd } from '../reading/expected.ts';
import { fill, needsId, type Terms } from '../reading/fill.ts';
import { read } from '../reading/reading.ts';
import type { Limits } from './budget.ts';
import { planRows, type Row } from './plan.ts';

/** What names stand for where only the reading of a call matters. */
const ANY_NAMES = { ...markedNames('any', '0000', 0), ID: '1', FREE: '1' };

/** How many rows were planned, and how many of them were sent. */
interface RowCount {
  done: number;
  planned: number;
}

/** The rows of tables that a run sends in each stage, and how many it has sent; also by requirement. */
export class PlannedRows implements RowCount {
  done = 0;
  planned = 0;
  readonly byRequirement = new Map<string, RowCount>();
  readonly #byStage = new Map<RowStage, readonly Row[]>();

  constructor(
    requirements: readonly Requirement[],
    limits: Limits,
    seed: number,
    terms: Terms,
    newRow: () => number,
    isReadOnly: boolean,
  ) {
    const tables = [
      ...requirements.flatMap(({ id, sends }) => sends.map((rows) => ({ ...rows, requirement: id }))),
      ...drawnCalls(seed, limits.draws).map((drawn) => ({ ...drawn, atLeast: 0 })),
    ];
    for (const stage of ROW_STAGE_NAMES)
      this.#byStage.set(
        stage,
        planRows(tables, stage, limits, seed, (call) => rowOf(call, terms, newRow, isReadOnly)),
      );
    for (const { requirement } of ROW_STAGE_NAMES.flatMap((stage) => this.of(stage))) {
      this.planned += 1;
      const count = this.byRequirement.get(requirement) ?? { done: 0, planned: 0 };
      this.byRequirement.set(requirement, { ...count, planned: count.planned + 1 });
    }
  }

  of(stage: RowStage): readonly Row[] {
    return this.#byStage.get(stage) ?? [];
  }

  /** @param isLeftOut What the user's own bound on creations leaves out was not planned */
  count({ requirement }: Row, wasSent: boolean, isLeftOut: boolean): void {
    for (const count of [this, this.byRequirement.get(requirement)]) {
      if (count === undefined) continue;
      if (wasSent) count.done += 1;
      else if (isLeftOut) count.planned -= 1;
    }
  }
}

/** A new row for a call; undefined if it cannot be sent with this key, or not by a run that adds nothing. */
export function rowOf(
  call: Call,
  terms: Terms,
  newRow: () => number,
  isReadOnly: boolean,
): Pick<Row, 'number' | 'adds' | 'names'> | undefined {
  const names = needsId(call);
  const { adds } = operationOf(call);
  const request = isReadOnly && (names || adds) ? undefined : fill(call, ANY_NAMES, terms);
  // What reads only adds nothing, whatever it says.
  return request && { number: newRow(), adds: adds && mayAdd(read(request, terms)), names };
}
