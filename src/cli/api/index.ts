/** The package's main entry, `petstore-conformance`: tests a service from a program. */

export type { ReportFormat } from '../../report/formats.ts';
export type {
  ExchangeEvidence,
  Finding,
  Profile,
  RequirementResult,
  RunResult,
  Summary,
  Verdict,
} from '../../run/result.ts';
export { UsageError, type UsageErrorCode } from '../errors.ts';
export type { TestingOptions } from '../options/tables.ts';
export {
  type ConformanceEvent,
  RunAbortedError,
  type RunConformanceOptions,
  runConformance,
} from './run-conformance.ts';
