/** The package's main entry `petstore-conformance`: judge a service from a program. */
import { prepareThread } from '../run/checks-thread.ts';
import type { RunConformance } from './conformance-options.ts';
import { conformanceRunner } from './run-conformance.ts';

/**
 * Judges a service, as the command does, and resolves with what it found; a service that does not conform is a result,
 * not an error. One run at a time: a call while another one is under way is rejected with the code `run-in-progress`.
 *
 * @throws UsageError where the options are wrong, with the codes of the command line
 * @throws RunAbortedError where the signal is aborted
 *
 * @example
 * const { verdict, conclusion } = await runConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export const runConformance: RunConformance = conformanceRunner(prepareThread);

export type {
  CheckResult,
  ExchangeEvidence,
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
