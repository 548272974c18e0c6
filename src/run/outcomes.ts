import { partOf } from '../../suites/index.ts';
import type { Checked } from '../check/checked.ts';
import type { CatalogueRow } from '../contract/catalogue.ts';
import type { Exchange } from '../reading/exchange.ts';
import { weightOf } from './findings.ts';
import type { RequirementResult } from './result.ts';

export interface TestedRun {
  readonly checked: readonly Checked[];
  /** Why calls were not sent, with their count. */
  readonly unsent: ReadonlyMap<string, number>;
  /** Why nothing more was added, if an option said so. */
  readonly addsNoMore: string | undefined;
  /** Why the run ended early; undefined if it did not. */
  readonly ended?: { readonly reason: string; readonly reasonOf: RequirementResult['reasonOf'] } | undefined;
  readonly isSelected: (id: string) => boolean;
  /** Why a requirement does not apply to this run. */
  readonly notApplicable: (id: string) => string | undefined;
  /** Whether only creations can test a requirement. */
  readonly needsWrites: (id: string) => boolean;
  /** Why fewer requests than planned were sent for a requirement, if less than nine tenths; undefined otherwise. */
  readonly partlySent: (id: string) => Pick<RequirementResult, 'reason' | 'reasonOf'> | undefined;
  /** A request in a few words, as reports show it. */
  readonly textOf: (exchange: Exchange) => string;
  /** Why the collection gave nothing to test a requirement on. */
  readonly lacking: (id: string) => string | undefined;
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
export function outcomesOf(rows: readonly CatalogueRow[], tested: TestedRun): readonly RequirementResult[] {
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
  return rows.map((row) => resultOf(row, tallies.get(row.id), controls, tested));
}

function resultOf(
  row: CatalogueRow,
  tally: Tally | undefined,
  controls: ReadonlySet<string>,
  tested: TestedRun,
): RequirementResult {
  const { untestable, ...facts } = row;
  const common = {
    ...facts,
    part: partOf(row.id),
    expectedFailure: false,
    responses: tally?.responses ?? 0,
    recorded: [...(tally?.recorded ?? [])].map(
      ([
        reading,
        {
          count,
          example: { exchange },
        },
      ]) => {
        return { reading, count, request: tested.textOf(exchange), status: exchange.outcome.status };
      },
    ),
  };
  if (untestable !== undefined) return { ...common, outcome: 'untestable', reason: untestable };
  if (!tested.isSelected(row.id)) return { ...common, outcome: 'not selected' };
  if (tally?.failed === true) return { ...common, outcome: 'failed' };
  const notApplicable = tested.notApplicable(row.id);
  if (notApplicable !== undefined) return { ...common, outcome: 'not applicable', reason: notApplicable };
  const isTested = tally !== undefined && (tally.otherwise > 0 || tally.recorded.size > 0);
  if (isTested || [...(tally?.rejects ?? [])].some((operation) => controls.has(operation))) {
    const partly = tested.partlySent(row.id);
    return partly === undefined
      ? { ...common, outcome: 'passed' }
      : { ...common, outcome: 'passed', partly: true, ...partly };
  }
  return { ...common, outcome: 'not tested', ...whyNotTested(row.id, tally, tested) };
}

/** The reason, and where it lies: with the user, the surroundings, the collection or the service. */
function whyNotTested(
  id: string,
  tally: Tally | undefined,
  { checked, addsNoMore, needsWrites, ended, unsent, lacking }: TestedRun,
): Pick<RequirementResult, 'reason' | 'reasonOf'> {
  if (addsNoMore !== undefined && needsWrites(id)) return { reason: addsNoMore, reasonOf: 'user' };
  if (ended !== undefined) return ended;
  const [operation] = tally?.rejects ?? [];
  if (operation !== undefined)
    return { reason: `${operation} answered no valid request as it must`, reasonOf: 'service' };
  const lack = lacking(id);
  if (lack !== undefined) return { reason: lack, reasonOf: 'collection' };
  const [most] = [...unsent].sort(([, one], [, other]) => other - one);
  if (most !== undefined) return { reason: most[0], reasonOf: 'surroundings' };
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
