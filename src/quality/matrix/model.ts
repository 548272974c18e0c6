/** The fault matrix as plain data: what the checks said of every fault and every variant of the reference service. */

/** Version of the format. A change that a reader could trip over raises the number. */
export const MATRIX_FORMAT = 'petstore-conformance-faults/1';

/** A check that failed, with the first thing that it found. */
export interface FailedCheck {
  readonly check: string;
  readonly requirement: string;
  readonly message: string;
}

/** A check that could not be judged, and why. */
export interface UnjudgedCheck {
  readonly check: string;
  readonly requirement: string;
  readonly reason: string;
  /** The requirement that owns the control which failed. */
  readonly see?: string;
}

/** What the checks said of one changed service. */
export interface Trial {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  /** Why no check was run: what the preflight says of the target. */
  readonly refused?: string;
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly failed: readonly FailedCheck[];
  readonly unjudged: readonly UnjudgedCheck[];
  /** What went wrong in the suite itself, which is never a verdict on the service. */
  readonly suiteFaults: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
}

/**
 * What became of a fault: a check of the requirement that it breaks failed; only checks of others did; the preflight
 * refused to judge the service at all; or nothing noticed.
 */
export type FaultOutcome =
  | 'killed by its own check'
  | 'killed by others only'
  | 'refused by the preflight'
  | 'survived';

export interface FaultRow {
  readonly name: string;
  readonly breaks: string;
  readonly says: string;
  readonly outcome: FaultOutcome;
  readonly exitCode: Trial['exitCode'];
  /** Checks of the requirement that the fault breaks. */
  readonly own: readonly FailedCheck[];
  /** Checks of other requirements. */
  readonly bystanders: readonly FailedCheck[];
  readonly unjudged: readonly UnjudgedCheck[];
  readonly suiteFaults: readonly string[];
  /** What the preflight said, where it refused. */
  readonly refused?: string;
  readonly requests: number;
  readonly milliseconds: number;
}

/** What became of a variant: it conforms, a requirement is said to be violated though it holds, or no verdict stands. */
export type VariantOutcome = 'conforms' | 'false alarm' | 'not judged';

export interface VariantRow {
  readonly name: string;
  readonly chooses: string;
  readonly says: string;
  readonly outcome: VariantOutcome;
  readonly exitCode: Trial['exitCode'];
  readonly alarms: readonly FailedCheck[];
  readonly unjudged: readonly UnjudgedCheck[];
  readonly suiteFaults: readonly string[];
  readonly refused?: string;
  readonly requests: number;
  readonly milliseconds: number;
}

/** A requirement and the faults that break it. */
export interface RequirementRow {
  readonly id: string;
  readonly kind: 'stated' | 'derived' | 'open';
  readonly says: string;
  /** Names of the faults that break it, by what became of them. */
  readonly killedByOwn: readonly string[];
  readonly killedByOthers: readonly string[];
  readonly refused: readonly string[];
  readonly survived: readonly string[];
  /** Stated or derived and testable, so that one of its own checks must kill a fault. */
  readonly needsFault: boolean;
}

export interface MatrixSummary {
  readonly faults: number;
  readonly killedByOwn: number;
  readonly killedByOthers: number;
  readonly refused: number;
  readonly survived: number;
  readonly variants: number;
  readonly falseAlarms: number;
  readonly variantsNotJudged: number;
  readonly requirementsNeedingFault: number;
  readonly requirementsWithFault: number;
  /** Checks that fail beside the own ones, over all faults that were judged. */
  readonly bystanders: { readonly median: number; readonly p90: number; readonly most: number };
  readonly suiteFaults: number;
  readonly requests: number;
}

export interface MatrixResult {
  readonly format: typeof MATRIX_FORMAT;
  readonly suite: { readonly name: string; readonly version: string };
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly jobs: number;
  readonly seed: number;
  /** False where only some of the faults and variants were tried: no claim is made on requirements then. */
  readonly complete: boolean;
  /** Whether the suite is as good as it must be; `shortcomings` says where it is not. */
  readonly passed: boolean;
  readonly shortcomings: readonly string[];
  readonly summary: MatrixSummary;
  readonly requirements: readonly RequirementRow[];
  readonly faults: readonly FaultRow[];
  readonly variants: readonly VariantRow[];
}
