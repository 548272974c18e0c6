/** The package's main entry `petstore-conformance`: judge a service from a program. */

export type { ExchangeEvidence } from '../../report/model/evidence.ts';
export type {
  CheckResult,
  Outcome,
  Profile,
  ReportFormat,
  RequirementResult,
  RunResult,
  Summary,
  Verdict,
  Violation,
} from '../../report/model/result.ts';
export { UsageError, type UsageErrorCode } from '../errors.ts';
export type { ConformanceOptions, RunConformance } from './conformance-options.ts';
export type {
  CheckEnded,
  ConformanceEvent,
  ConformancePhase,
  PhaseStarted,
  ProgressMade,
  RunEnded,
  RunStarted,
  ViolationFound,
} from './events.ts';
export { RunAbortedError } from './run-aborted.ts';
export { runConformance } from './run-conformance.ts';
