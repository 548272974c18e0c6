import type { Stage } from '../check/rows.ts';
import type { Call } from '../reading/call.ts';
import type { Limits } from './budget.ts';
import { planRows, type Row, type Table } from './plan.ts';

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
  readonly #byStage: ReadonlyMap<Stage, readonly Row[]>;

  /** @param canSend whether this run can send a call at all @param newNumber gives each row a number of its own */
  constructor(
    tables: readonly Table[],
    limits: Limits,
    seed: number,
    canSend: (call: Call) => boolean,
    newNumber: () => number,
  ) {
    const stages = ['found', 'rows', 'full', 'aged'] as const;
    this.#byStage = new Map(
      stages.map((stage) => {
        const rows = planRows(tables, stage, limits, seed, newNumber);
        return [stage, rows.filter(({ call }) => canSend(call))];
      }),
    );
    const aged = limits.ages.flatMap(() => this.of('aged'));
    for (const { requirement } of [...this.of('found'), ...this.of('rows'), ...this.of('full'), ...aged]) {
      this.planned += 1;
      const count = this.byRequirement.get(requirement) ?? { done: 0, planned: 0 };
      this.byRequirement.set(requirement, { ...count, planned: count.planned + 1 });
    }
  }

  of(stage: Stage): readonly Row[] {
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
