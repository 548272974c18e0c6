import type { Profile, RequirementStatus, SpaceCoverage, Verdict } from './result.ts';
import type { Milliseconds, OperationId, RequirementId } from './scalars.ts';

/**
 * What is kept of a run, as a line of a history. `npm run schema` generates spec/history.schema.json from these types
 * and comments.
 */

/** Version of the format. A change that could break a reader raises the number. */
export const HISTORY_FORMAT = 'conformance-history/1';

/** What a run says of a requirement; what an option such as --read-only kept from being judged is `left out`. */
export type RecordedStatus = RequirementStatus | 'left out';

/** The requirements of each status. */
export type RequirementsByStatus = { readonly [Status in RecordedStatus]?: readonly RequirementId[] | undefined };

/** What is kept of the latency of an operation, in milliseconds. */
export interface RecordedLatency {
  readonly operation: OperationId;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
}

/** Why requirements were not judged. */
export interface RecordedReason {
  readonly reason: string;
  readonly requirements: readonly RequirementId[];
}

/** What was observed at a point that the specification leaves open. */
export interface RecordedReadings {
  readonly requirement: RequirementId;
  /** What the service does; in a line of an earlier version, with the inputs. */
  readonly readings: readonly string[];
  /** The kinds of inputs with which it does so, where it was recorded for several. */
  readonly inputs?: readonly string[] | undefined;
}

/** One run. */
export interface RunRecord {
  readonly format: typeof HISTORY_FORMAT;
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly milliseconds: Milliseconds;
  /** Version of the suite. */
  readonly suite: string;
  /** Version of the specification. */
  readonly specification: string;
  /** The address of the target, or `embedded`. */
  readonly target: string;
  readonly profile: Profile;
  /** @asType integer @minimum 0 */
  readonly seed: number;
  /** The options in force, without secrets, as a user would type them; profile, seed and target stand by themselves. */
  readonly options: readonly string[];
  /** The signal that ended the run early. */
  readonly interrupted?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'abort' | undefined;
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly conclusion: string;
  readonly requirements: RequirementsByStatus;
  /** Why requirements were not judged. */
  readonly reasons: readonly RecordedReason[];
  /** The checks that failed. */
  readonly failing: readonly string[];
  /** The requirements whose violation the baseline expected. */
  readonly expected: readonly RequirementId[];
  readonly readings: readonly RecordedReadings[];
  readonly latencies: readonly RecordedLatency[];
  readonly coverage: readonly SpaceCoverage[];
  /** The members that were emptied or cut, so that the line is not too long. */
  readonly cut?: readonly string[] | undefined;
}

/** How a comparison can be printed. */
export const COMPARISON_FORMATS = ['text', 'md', 'json'] as const;

export type ComparisonFormat = (typeof COMPARISON_FORMATS)[number];
