import { partOf } from '../../suites/index.ts';
import type { Checked } from '../check/checked.ts';
import type { Requirement } from '../check/requirement.ts';
import type { CatalogueRow } from '../contract/catalogue.ts';
import type { Exchange } from '../reading/exchange.ts';
import { weightOf } from './findings.ts';
import type { RunOptions } from './options.ts';
import type { PlannedRows } from './planned-rows.ts';
import type { Ending, RequirementResult } from './result.ts';
import { selection } from './selection.ts';

/** What a run did, from which the outcomes of requirements follow. */
export interface TestedRun {
  /** What its suites say: a requirement may have several rules. */
  readonly requirements: readonly Requirement[];
  readonly options: Pick<RunOptions, 'only' | 'skip' | 'readOnly' | 'maxCreates' | 'today'>;
  readonly checked: readonly Checked[];
  /** Why calls were not sent, with their count. */
  readonly unsent: ReadonlyMap<string, number>;
  /** How many rows were planned and sent; undefined if the run did not get that far. */
  readonly rows?: Pick<PlannedRows, 'done' | 'planned' | 'byRequirement'> | undefined;
  /** A creation was not sent, as its budget was used up. */
  readonly isSpent: boolean;
  /** It has created animals. */
  readonly hasAnimals: boolean;
  /** Why it ended early; undefined if it did not. */
  readonly ended?: Ending | undefined;
}

/** A requirement with its outcome; open points with the plainest exchange that shows each reading. */
export interface Outcome extends Omit<RequirementResult, 'recorded'> {
  readonly recorded: readonly { readonly reading: string; readonly count: number; readonly exchange: Exchange }[];
}

interface Tally {
  responses: number;
  /** The operations on which something must be rejected by it, and how often it was tested otherwise. */
  readonly rejects: Set<string>;
  otherwise: number;
  failed: boolean;
  readonly recorded: Map<string, { count: number; example: Checked }>;
}

/** The outcome of each requirement of the catalogue. */
export function outcomesOf(catalogue: readonly CatalogueRow[], tested: TestedRun): readonly Outcome[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (id: string): Tally => {
    const found = tallies.get(id) ?? {
      responses: 0,
      rejects: new Set(),
      otherwise: 0,
      failed: false,
      recorded: new Map(),
    };
    tallies.set(id, found);
    return found;
  };
  const controls = new Set<string>();
  for (const checked of tested.checked) {
    const { operation } = checked.exchange.call;
    if (checked.isControl) controls.add(operation);
    for (const id of checked.tested) {
      const tally = tallyOf(id);
      tally.responses += 1;
      if (id === checked.requirement && checked.mustBe === 'rejected') tally.rejects.add(operation);
      else tally.otherwise += 1;
    }
    for (const { requirement } of checked.violations) tallyOf(requirement).failed = true;
    for (const { requirement, reading } of checked.recorded) {
      const { recorded } = tallyOf(requirement);
      const before = recorded.get(reading);
      const example = before === undefined || weightOf(checked) < weightOf(before.example) ? checked : before.example;
      recorded.set(reading, { count: (before?.count ?? 0) + 1, example });
    }
  }
  return catalogue.map((row) => outcomeOf(row, tallies.get(row.id), controls, tested));
}

function outcomeOf(
  row: CatalogueRow,
  tally: Tally | undefined,
  controls: ReadonlySet<string>,
  tested: TestedRun,
): Outcome {
  const { untestable, ...facts } = row;
  const common = {
    ...facts,
    part: partOf(row.id),
    expectedFailure: false,
    responses: tally?.responses ?? 0,
    recorded: [...(tally?.recorded ?? [])].map(([reading, { count, example }]) => {
      return { reading, count, exchange: example.exchange };
    }),
  };
  if (untestable !== undefined) return { ...common, outcome: 'untestable', reason: untestable };
  if (!selection(tested.options)(row.id)) return { ...common, outcome: 'not selected' };
  if (tally?.failed === true) return { ...common, outcome: 'failed' };
  const notApplicable = whyNotApplicable(row.id, tested);
  if (notApplicable !== undefined) return { ...common, outcome: 'not applicable', reason: notApplicable };
  const isTested = tally !== undefined && (tally.otherwise > 0 || tally.recorded.size > 0);
  if (isTested || [...(tally?.rejects ?? [])].some((operation) => controls.has(operation))) {
    const partly = whyPartly(row.id, tested);
    return partly === undefined
      ? { ...common, outcome: 'passed' }
      : { ...common, outcome: 'passed', partly: true, ...partly };
  }
  return { ...common, outcome: 'not tested', ...whyNotTested(row.id, tally, tested) };
}

const rulesOf = (id: string, { requirements }: TestedRun): readonly Requirement[] =>
  requirements.filter((one) => one.id === id);

function whyNotApplicable(id: string, tested: TestedRun): string | undefined {
  const [{ from = '', until = '9999' } = {}] = rulesOf(id, tested);
  const { today } = tested.options;
  if (today < from) return `it applies from ${from} on`;
  return today >= until ? `it applied before ${until}` : undefined;
}

type Reason = Pick<RequirementResult, 'reason' | 'reasonOf'>;

/**
 * A requirement counts as passed without reservation if this share of its rows, and of all rows, was sent; a run, if it
 * tested this share of what the user did not leave out.
 */
export const WHOLE = 0.9;

/** Why fewer requests than planned were sent for a requirement; undefined if enough were. */
function whyPartly(id: string, { rows, unsent, ended }: TestedRun): Reason | undefined {
  if (rows === undefined) return undefined;
  const own = rows.byRequirement.get(id) ?? rows;
  if ([own, rows].every(({ done, planned }) => done >= WHOLE * planned)) return undefined;
  const { done, planned } = own.done < WHOLE * own.planned ? own : rows;
  const sent = `${done} of ${planned} planned requests were sent`;
  return {
    reason: `${sent}: ${ended?.reason ?? mostFrequent(unsent) ?? 'the run ended'}`,
    reasonOf: ended?.reasonOf ?? 'service',
  };
}

const mostFrequent = (unsent: TestedRun['unsent']): string | undefined =>
  [...unsent].sort(([, one], [, other]) => other - one)[0]?.[0];

/** Why the user's options let nothing be added, if they did. */
function whyAddsNoMore({ options: { readOnly, maxCreates }, isSpent }: TestedRun): string | undefined {
  if (readOnly) return '--read-only sends GET requests only';
  return maxCreates !== undefined && isSpent ? `--max-creates ${maxCreates} was reached` : undefined;
}

/** The reason, and where it lies: with the user, the surroundings, the collection or the service. */
function whyNotTested(id: string, tally: Tally | undefined, tested: TestedRun): Reason {
  const { checked, ended, unsent, hasAnimals } = tested;
  const rules = rulesOf(id, tested);
  const addsNoMore = whyAddsNoMore(tested);
  if (addsNoMore !== undefined && rules.some(({ needsWrites }) => needsWrites === true))
    return { reason: addsNoMore, reasonOf: 'user' };
  if (ended !== undefined) return ended;
  const [operation] = tally?.rejects ?? [];
  if (operation !== undefined)
    return { reason: `${operation} answered no valid request as it must`, reasonOf: 'service' };
  const lack = hasAnimals ? rules[0]?.lacksRoom : undefined;
  if (lack !== undefined) return { reason: lack, reasonOf: 'collection' };
  const most = mostFrequent(unsent);
  if (most !== undefined) return { reason: most, reasonOf: 'surroundings' };
  const codes = checked.map(({ exchange: { outcome } }) => (outcome.kind === 'failure' ? outcome.code : 'answer'));
  if (codes.length > 0 && !codes.includes('answer')) {
    const isClosed = codes.every((code) => code === 'reset');
    return {
      reason: isClosed ? 'the service closed every connection' : 'no request got a response',
      reasonOf: 'service',
    };
  }
  return { reason: 'no response showed what it is about', reasonOf: 'service' };
}
