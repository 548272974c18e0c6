import { ROW_STAGE_NAMES } from '../check/stages.ts';
import { PLAIN_CALLS } from '../reading/call.ts';
import { PROFILES } from './budget.ts';
import { type RunOptions, termsOf } from './options.ts';
import { PlannedRows } from './planned-rows.ts';
import { requirementsFor } from './run.ts';

/** What a run would send for an operation. */
export interface PlannedOperation {
  readonly operation: string;
  /** How many requests of tables, and random ones. */
  readonly requests: number;
  /** How many of them may add an animal. */
  readonly creations: number;
}

/** What a run would send, by operation in the order of the specification; nothing is sent. */
export function plannedOperations(options: RunOptions): readonly PlannedOperation[] {
  const requirements = requirementsFor(options);
  const { profile, seed, readOnly } = options;
  let row = 0;
  const rows = new PlannedRows(requirements, PROFILES[profile], seed, termsOf(options), () => ++row, readOnly);
  const all = ROW_STAGE_NAMES.flatMap((stage) => rows.of(stage));
  return Object.values(PLAIN_CALLS).map(({ operation }) => {
    const own = all.filter(({ call }) => call.operation === operation);
    return { operation, requests: own.length, creations: own.filter(({ adds }) => adds).length };
  });
}
