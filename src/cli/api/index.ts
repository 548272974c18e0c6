/** The package's main entry, `petstore-conformance`: tests a service from a program. */

export type { ReportFormat } from '../../report/formats.ts';
export type {
  ExchangeEvidence,
  Finding,
  RequirementResult,
  RunResult,
  Summary,
  Verdict,
} from '../../result/result.ts';
export type { Profile } from '../../run/budget.ts';
export { UsageError, type UsageErrorCode } from '../errors.ts';
export type { TestingOptions } from '../options/tables.ts';
export {
  type ConformanceEvent,
  RunAbortedError,
  type RunConformanceOptions,
  runConformance,
} from './run-conformance.ts';
