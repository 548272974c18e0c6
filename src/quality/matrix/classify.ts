import type { Requirement } from '../../engine/catalogue.ts';
import type { PetCheck } from '../../petstore/index.ts';
import type { Fault, Variant } from '../../reference/index.ts';
import type { Profile } from '../../report/model/result.ts';
import type { ReplayEnd } from './replay-trial.ts';
import type { Trial } from './trial.ts';

/** What was tried, and how. */
export interface MatrixFacts {
  readonly version: string;
  /** As in ISO 8601. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly jobs: number;
  readonly seed: number;
  readonly profile: Profile;
  /** False if only some faults and variants were tried: then nothing is concluded about requirements. */
  readonly complete: boolean;
}

/** Of the first causes in the reports, this share must name the requirement that the fault breaks, and show it. */
const ENOUGH_CAUSES = 0.95;

type FaultFacts = Omit<Fault, 'change'>;
type VariantFacts = Omit<Variant, 'change'>;
type CheckFacts = Pick<PetCheck, 'id' | 'requirement' | 'everyAnswer'>;

/**
 * Makes the matrix from the trials: the outcome of each fault and variant, the requirements that have a fault killed by
 * a check of their own, and the shortcomings of the suite. Faults and variants without a trial are left out.
 */
export function classify(
  trials: readonly Trial[],
  catalogue: readonly Requirement[],
  changes: {
    readonly faults: readonly FaultFacts[];
    readonly variants: readonly VariantFacts[];
    readonly checks?: readonly CheckFacts[];
  },
  { version, ...facts }: MatrixFacts,
) {
  const trialsOf = (kind: Trial['kind'], name: string) =>
    trials.filter((trial) => trial.kind === kind && trial.name === name);
  const faults = changes.faults.flatMap((fault) =>
    trialsOf('fault', fault.name).map((trial) => faultRow(fault, trial)),
  );
  const variants = changes.variants.flatMap((variant) =>
    trialsOf('variant', variant.name).map((trial) => variantRow(variant, trial)),
  );
  const requirements = catalogue.map((row) => requirementRow(row, faults));
  /** What is wrong with the suite, one sentence each. */
  const shortcomings = [
    ...shortcomingsOf({ faults, variants, requirements: facts.complete ? requirements : [] }),
    ...(facts.complete ? [...unneeded(changes.checks ?? [], faults), ...unclear(faults)] : []),
  ];
  return {
    /** Any change that a reader could trip over raises the number. */
    format: 'petstore-conformance-faults/1',
    suite: { name: 'petstore-conformance', version },
    ...facts,
    passed: shortcomings.length === 0,
    shortcomings,
    summary: summaryOf({ faults, variants, requirements }),
    /** The same figures for each class of requirements, such as LIST, in the order of the catalogue. */
    classes: classesOf({ faults, variants, requirements }),
    requirements,
    faults,
    variants,
  } as const;
}

/** The fault matrix as plain data, as in faults.json. */
export type MatrixResult = ReturnType<typeof classify>;
export type FaultRow = ReturnType<typeof faultRow>;
export type VariantRow = ReturnType<typeof variantRow>;
export type ClassRow = ReturnType<typeof classesOf>[number];
export type RequirementRow = ReturnType<typeof requirementRow>;

function faultRow({ name, breaks, says }: FaultFacts, { kind: _, failed, ...run }: Trial) {
  const own = failed.filter(({ requirement }) => requirement === breaks);
  const bystanders = failed.filter(({ requirement }) => requirement !== breaks);
  const unharmed = run.refused === undefined ? 'survived' : 'refused by the preflight';
  const byOthers = bystanders.length > 0 ? 'killed by others only' : unharmed;
  const outcome = own.length > 0 ? 'killed by its own check' : byOthers;
  return { ...run, name, breaks, says, outcome, own, bystanders } as const;
}

/** A variant and what became of it; every check that fails on it is a false alarm. */
function variantRow({ name, chooses, says }: VariantFacts, { kind: _, failed, ...run }: Trial) {
  const outcome = failed.length > 0 ? 'false alarm' : run.exitCode === 0 ? 'conforms' : 'not judged';
  return { ...run, name, chooses, says, outcome, alarms: failed } as const;
}

/** A requirement, and the names of the faults that break it by what became of them. */
function requirementRow({ id, kind, says, untestable }: Requirement, faults: readonly FaultRow[]) {
  const having = (outcome: FaultRow['outcome']) =>
    faults.flatMap((fault) => (fault.breaks === id && fault.outcome === outcome ? fault.name : []));
  return {
    id,
    kind,
    says,
    killedByOwn: having('killed by its own check'),
    killedByOthers: having('killed by others only'),
    refused: having('refused by the preflight'),
    survived: having('survived'),
    /** Whether one of its own checks must kill a fault. */
    needsFault: kind !== 'open' && untestable === undefined,
  };
}

interface Rows {
  readonly faults: readonly FaultRow[];
  readonly variants: readonly VariantRow[];
  readonly requirements: readonly RequirementRow[];
}

/** What every replay must say: "still so" where the fault is, and "no longer so" where it is not. */
function replayShortcomings({ name, replays }: FaultRow): readonly string[] {
  if (replays === undefined) return [];
  const wrong = (where: string, wanted: ReplayEnd['end'], { end, by, reason }: ReplayEnd): readonly string[] =>
    end === wanted
      ? []
      : [
          `The replay of ${replays.check} on ${where} ${name} says "${end}"${reason === undefined ? '' : `: ${reason}`} (by ${by}).`,
        ];
  return [
    ...wrong('the service with', 'still so', replays.faulty),
    ...wrong('the service without', 'no longer so', replays.sound),
  ];
}

function shortcomingsOf({ faults, variants, requirements }: Rows): readonly string[] {
  return [
    ...faults.flatMap(({ name, breaks, outcome }) =>
      outcome === 'survived' ? `The fault ${name} (${breaks}) survived.` : [],
    ),
    ...requirements.flatMap(({ id, says, needsFault, killedByOwn }) =>
      needsFault && killedByOwn.length === 0 ? `No fault of ${id} is killed by a check of its own: ${says}` : [],
    ),
    ...variants.flatMap(({ name, outcome, alarms, refused, unjudged }) =>
      outcome === 'not judged'
        ? `The variant ${name} is correct, but got no verdict: ${refused ?? unjudged[0]?.reason ?? 'no reason given'}`
        : alarms.map(({ check, message }) => `The variant ${name} is correct, but ${check} failed: ${message}`),
    ),
    ...faults.flatMap(replayShortcomings),
    ...[...faults, ...variants].flatMap(({ name, suiteFaults }) =>
      suiteFaults.map((fault) => `The suite itself failed on ${name}: ${fault}`),
    ),
  ];
}

function classesOf({ faults, variants, requirements }: Rows) {
  const classOf = (id: string): string => id.split('-', 1)[0] ?? id;
  return [...new Set(requirements.map(({ id }) => classOf(id)))].map((name) => {
    const broken = faults.filter(({ breaks }) => classOf(breaks) === name);
    const chosen = variants.filter(({ chooses }) => classOf(chooses) === name);
    const having = (outcome: FaultRow['outcome']) => broken.filter((fault) => fault.outcome === outcome).length;
    return {
      name,
      faults: broken.length,
      killedByOwn: having('killed by its own check'),
      killedByOthers: having('killed by others only'),
      refused: having('refused by the preflight'),
      survived: having('survived'),
      variants: chosen.length,
      falseAlarms: chosen.filter(({ outcome }) => outcome === 'false alarm').length,
      variantsNotJudged: chosen.filter(({ outcome }) => outcome === 'not judged').length,
    };
  });
}

/** The checks whose rule no fault needs. */
function unneeded(checks: readonly CheckFacts[], faults: readonly FaultRow[]): readonly string[] {
  const needed = new Set(faults.flatMap(({ own }) => own.map(({ check }) => check)));
  const broken = new Set(faults.map(({ breaks }) => breaks));
  return checks.flatMap(({ id, requirement, everyAnswer }) =>
    everyAnswer === undefined || needed.has(id) || !broken.has(requirement)
      ? []
      : `No fault needs the rule of the check ${id}.`,
  );
}

/** The faults whose first cause is clear, of those that have one. */
const clearIn = (faults: readonly FaultRow[]) => {
  const causes = faults.flatMap((fault) => fault.firstCause ?? []);
  return { faults: causes.length, clear: causes.filter(({ isNamed, isShown }) => isNamed && isShown).length };
};

/** The faults whose first cause names or shows something else, where they are too many. */
function unclear(faults: readonly FaultRow[]): readonly string[] {
  const { faults: read, clear } = clearIn(faults);
  if (clear >= ENOUGH_CAUSES * read) return [];
  return faults.flatMap(({ name, breaks, firstCause }) =>
    firstCause === undefined || (firstCause.isNamed && firstCause.isShown)
      ? []
      : `The first cause for ${name} (${breaks}) ${firstCause.isNamed ? 'shows another request' : 'names another requirement'}: ${firstCause.says}`,
  );
}

/** How many replays there were, and how many of them said what they must. */
function replaysIn(faults: readonly FaultRow[]) {
  const replays = faults.flatMap((fault) => fault.replays ?? []);
  return {
    failures: replays.length,
    stillSo: replays.filter(({ faulty }) => faulty.end === 'still so').length,
    noLongerSo: replays.filter(({ sound }) => sound.end === 'no longer so').length,
    byRecordedExchanges: replays.filter(({ faulty }) => faulty.end === 'still so' && faulty.attempts.length === 1)
      .length,
  };
}

function summaryOf({ faults, variants, requirements }: Rows) {
  const rows = [...faults, ...variants];
  const having = (outcome: (typeof rows)[number]['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const needing = requirements.filter(({ needsFault }) => needsFault);
  // A run that ended when the fault was found says nothing of the checks that would have failed after it.
  const bystanders = faults
    .filter(({ outcome, isWhole }) => isWhole && outcome.startsWith('killed'))
    .map((fault) => fault.bystanders.length)
    .toSorted((one, other) => one - other);
  /** The smallest count that is at least as large as this share of them; 0 if there are none. */
  const quantile = (share: number) => bystanders[Math.max(0, Math.ceil(bystanders.length * share) - 1)] ?? 0;
  return {
    faults: faults.length,
    killedByOwn: having('killed by its own check'),
    killedByOthers: having('killed by others only'),
    refused: having('refused by the preflight'),
    survived: having('survived'),
    variants: variants.length,
    falseAlarms: having('false alarm'),
    variantsNotJudged: having('not judged'),
    requirementsNeedingFault: needing.length,
    requirementsWithFault: needing.filter(({ killedByOwn }) => killedByOwn.length > 0).length,
    /** How many checks of other requirements fail on a fault, over the faults killed with all checks run to their end. */
    bystanders: { faults: bystanders.length, median: quantile(0.5), p90: quantile(0.9), most: quantile(1) },
    firstCauses: clearIn(faults),
    replays: replaysIn(faults),
    suiteFaults: rows.flatMap(({ suiteFaults }) => suiteFaults).length,
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
  };
}
