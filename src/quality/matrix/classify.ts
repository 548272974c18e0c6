import type { Requirement } from '../../engine/catalogue.ts';
import type { Fault, Variant } from '../../reference/index.ts';
import {
  type FaultOutcome,
  type FaultRow,
  MATRIX_FORMAT,
  type MatrixResult,
  type MatrixSummary,
  type RequirementRow,
  type Trial,
  type VariantOutcome,
  type VariantRow,
} from './model.ts';

/** What was tried, and on what grounds. */
export interface MatrixFacts {
  readonly version: string;
  readonly startedAt: Date;
  readonly milliseconds: number;
  readonly jobs: number;
  readonly seed: number;
  /** Whether every fault and every variant was tried. */
  readonly complete: boolean;
}

type FaultFacts = Pick<Fault, 'name' | 'breaks' | 'says'>;
type VariantFacts = Pick<Variant, 'name' | 'chooses' | 'says'>;

/**
 * Makes the matrix of the trials: what became of each fault and variant, which requirements have a fault that a check
 * of their own kills, and whether all of that is as it must be.
 */
export function classify(
  trials: readonly Trial[],
  catalogue: readonly Requirement[],
  changes: { readonly faults: readonly FaultFacts[]; readonly variants: readonly VariantFacts[] },
  facts: MatrixFacts,
): MatrixResult {
  const trialOf = (kind: Trial['kind'], name: string) =>
    trials.find((trial) => trial.kind === kind && trial.name === name);
  const faults = changes.faults.flatMap((fault) => {
    const trial = trialOf('fault', fault.name);
    return trial === undefined ? [] : [faultRow(fault, trial)];
  });
  const variants = changes.variants.flatMap((variant) => {
    const trial = trialOf('variant', variant.name);
    return trial === undefined ? [] : [variantRow(variant, trial)];
  });
  const requirements = catalogue.map((row) => requirementRow(row, faults));
  const shortcomings = shortcomingsOf(faults, variants, facts.complete ? requirements : []);
  return {
    format: MATRIX_FORMAT,
    suite: { name: 'petstore-conformance', version: facts.version },
    startedAt: facts.startedAt.toISOString(),
    milliseconds: Math.round(facts.milliseconds),
    jobs: facts.jobs,
    seed: facts.seed,
    complete: facts.complete,
    passed: shortcomings.length === 0,
    shortcomings,
    summary: summaryOf(faults, variants, requirements),
    requirements,
    faults,
    variants,
  };
}

function faultRow({ name, breaks, says }: FaultFacts, trial: Trial): FaultRow {
  const own = trial.failed.filter(({ requirement }) => requirement === breaks);
  const bystanders = trial.failed.filter(({ requirement }) => requirement !== breaks);
  return {
    name,
    breaks,
    says,
    outcome: faultOutcome(trial, own.length, bystanders.length),
    own,
    bystanders,
    ...commonOf(trial),
  };
}

function faultOutcome(trial: Trial, own: number, others: number): FaultOutcome {
  if (own > 0) return 'killed by its own check';
  if (others > 0) return 'killed by others only';
  return trial.refused === undefined ? 'survived' : 'refused by the preflight';
}

function variantRow({ name, chooses, says }: VariantFacts, trial: Trial): VariantRow {
  return { name, chooses, says, outcome: variantOutcome(trial), alarms: trial.failed, ...commonOf(trial) };
}

function variantOutcome({ failed, exitCode }: Trial): VariantOutcome {
  if (failed.length > 0) return 'false alarm';
  return exitCode === 0 ? 'conforms' : 'not judged';
}

function commonOf({ exitCode, unjudged, suiteFaults, refused, requests, milliseconds }: Trial) {
  return { exitCode, unjudged, suiteFaults, ...(refused === undefined ? {} : { refused }), requests, milliseconds };
}

function requirementRow({ id, kind, says, untestable }: Requirement, faults: readonly FaultRow[]): RequirementRow {
  const having = (outcome: FaultOutcome) =>
    faults.filter((fault) => fault.breaks === id && fault.outcome === outcome).map(({ name }) => name);
  return {
    id,
    kind,
    says,
    killedByOwn: having('killed by its own check'),
    killedByOthers: having('killed by others only'),
    refused: having('refused by the preflight'),
    survived: having('survived'),
    needsFault: kind !== 'open' && untestable === undefined,
  };
}

/** Everything that keeps the suite from being as good as it must be, in a sentence each. */
function shortcomingsOf(
  faults: readonly FaultRow[],
  variants: readonly VariantRow[],
  requirements: readonly RequirementRow[],
): readonly string[] {
  return [
    ...faults
      .filter(({ outcome }) => outcome === 'survived')
      .map(({ name, breaks }) => `The fault ${name} (${breaks}) survived.`),
    ...requirements
      .filter(({ needsFault, killedByOwn }) => needsFault && killedByOwn.length === 0)
      .map(({ id }) => `${id} has no fault that a check of its own kills.`),
    ...variants
      .filter(({ outcome }) => outcome === 'false alarm')
      .map(({ name, alarms }) => `The variant ${name} is correct, and ${alarms[0]?.check} failed it.`),
    ...variants
      .filter(({ outcome }) => outcome === 'not judged')
      .map(({ name }) => `The variant ${name} is correct, and got no verdict.`),
    ...[...faults, ...variants].flatMap(({ name, suiteFaults }) =>
      suiteFaults.map((fault) => `The suite itself failed on ${name}: ${fault}`),
    ),
  ];
}

function summaryOf(
  faults: readonly FaultRow[],
  variants: readonly VariantRow[],
  requirements: readonly RequirementRow[],
): MatrixSummary {
  const ending = (outcome: FaultOutcome) => faults.filter((fault) => fault.outcome === outcome).length;
  const needing = requirements.filter(({ needsFault }) => needsFault);
  const bystanders = faults
    .filter(({ own, bystanders: others }) => own.length + others.length > 0)
    .map((fault) => fault.bystanders.length)
    .toSorted((one, other) => one - other);
  const rows = [...faults, ...variants];
  return {
    faults: faults.length,
    killedByOwn: ending('killed by its own check'),
    killedByOthers: ending('killed by others only'),
    refused: ending('refused by the preflight'),
    survived: ending('survived'),
    variants: variants.length,
    falseAlarms: variants.filter(({ outcome }) => outcome === 'false alarm').length,
    variantsNotJudged: variants.filter(({ outcome }) => outcome === 'not judged').length,
    requirementsNeedingFault: needing.length,
    requirementsWithFault: needing.filter(({ killedByOwn }) => killedByOwn.length > 0).length,
    bystanders: {
      median: quantile(bystanders, 0.5),
      p90: quantile(bystanders, 0.9),
      most: bystanders.at(-1) ?? 0,
    },
    suiteFaults: rows.reduce((sum, { suiteFaults }) => sum + suiteFaults.length, 0),
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** The smallest value that at least this share of the sorted values does not exceed; 0 where there are none. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
