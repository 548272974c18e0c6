import type { ShrinkEvidence } from '../report/model/result.ts';
import type { Violation } from './violation.ts';

/** How a check ends before its last line. The session turns each of these errors into an outcome. */

/** Where in a check a sample stands, so that it can be sent again: the number of the property, and fast-check's path. */
export interface SamplePlace {
  readonly property: number;
  readonly path: string;
}

/** What is known of a violation beside its proof. */
export interface ViolationDetails {
  readonly place?: SamplePlace | undefined;
  readonly shrunk?: ShrinkEvidence | undefined;
  readonly frequency?: { readonly violated: number; readonly judged: number };
  /** The violations of all samples of the property. */
  readonly all?: readonly Violation[];
}

/** The requirement of the check is violated. */
export class ViolationError extends Error {
  override readonly name = 'ViolationError';
  readonly violation: Violation;
  readonly details: ViolationDetails;
  constructor(violation: Violation, details: ViolationDetails = {}) {
    super(`${violation.message} (expected ${violation.expected}, got ${violation.actual})`);
    this.violation = violation;
    this.details = details;
  }
}

/** The requirement could not be judged; `see` is the one that owns what stood in the way. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError';
  readonly code: string;
  readonly see: string | undefined;
  /** True where an option of the user's, such as --read-only, is the reason. */
  readonly byOption: boolean;
  constructor(
    code: string,
    reason: string,
    extra: { readonly see?: string | undefined; readonly byOption?: boolean } = {},
  ) {
    super(reason);
    this.code = code;
    this.see = extra.see;
    this.byOption = extra.byOption ?? false;
  }
}

/** The requirement does not apply to this service today. */
export class NotApplicableError extends Error {
  override readonly name = 'NotApplicableError';
}

/** The suite contradicts itself; never a verdict on the service. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}
