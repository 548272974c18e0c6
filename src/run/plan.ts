import type { Rows } from '../check/rows.ts';
import type { Script } from '../check/script.ts';
import type { Call } from '../reading/call.ts';
import type { Limits } from './budget.ts';

/** A call of a table, with its number. */
export interface Row {
  /** Unique within the run: it determines the names of a row and the animal it asks for. */
  readonly number: number;
  readonly call: Call;
  readonly requirement: string;
  /** It may add an animal; it names one of the run. */
  readonly adds: boolean;
  readonly names: boolean;
  /** It must be accepted. */
  readonly isValid: boolean;
}

export interface Table extends Rows {
  /** The requirement that it tests. */
  readonly requirement: string;
}

/** Numbers from 0 (inclusive) to 1 (exclusive) by mulberry32, the same for the same seed. */
function randomSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number for a text, by FNV-1a. */
const numberOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);

/**
 * The rows of a stage in the order of sending. Tables are interleaved in proportion to their length, so that every
 * requirement is tested early. Each table has an order of its own, so that a new one does not change that of the others.
 *
 * @param rowOf what a call does, and the number of its row; undefined if this run cannot send it
 */
export function planRows(
  tables: readonly Table[],
  stage: string,
  limits: Pick<Limits, 'share' | 'minRows'>,
  seed: number,
  rowOf: (call: Call) => Pick<Row, 'number' | 'adds' | 'names'> | undefined,
): readonly Row[] {
  const placed: (Row & { readonly place: number })[] = [];
  for (const [nth, table] of tables.entries()) {
    const { requirement, isValid = false } = table;
    if (table.stage !== stage) continue;
    const ofRequirement = tables.slice(0, nth).filter((other) => other.requirement === requirement).length;
    const random = randomSequence(seed + numberOf(`${requirement} ${ofRequirement}`));
    const sent = callsSent(table, limits);
    for (const [at, call] of sent.entries()) {
      const place = (at + random()) / sent.length;
      const row = rowOf(call);
      if (row !== undefined) placed.push({ ...row, call, requirement, isValid, place });
    }
  }
  return placed.sort((one, other) => one.place - other.place);
}

/** Whether a profile sends a script. */
export const isSent = ({ isLong }: Script, { hasLongScripts }: Pick<Limits, 'hasLongScripts'>): boolean =>
  isLong !== true || hasLongScripts;

/** The first calls of a table, as many as a profile sends. */
function callsSent(
  { calls, atLeast }: Pick<Table, 'calls' | 'atLeast'>,
  { share, minRows }: Pick<Limits, 'share' | 'minRows'>,
): readonly Call[] {
  return calls.slice(0, Math.max(minRows, atLeast, Math.ceil(calls.length * share)));
}
