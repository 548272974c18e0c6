/**
 * The result model, of which every report is written. `npm run schema` generates spec/conformance.schema.json from these
 * types and comments. It holds no secret: evidence is redacted when it is recorded, and again when a report is written.
 */

import type { ExchangeEvidence } from './evidence.ts';
import type { Count, Milliseconds, OperationId, RequirementId } from './scalars.ts';

/** Version of the format. A change that could break a reader raises the number. */
export const RESULT_FORMAT = 'petstore-conformance/1';

/** How much is tried. */
export type Profile = 'smoke' | 'standard' | 'thorough';

/** The reports that can be written. */
export type ReportFormat = 'junit' | 'json' | 'html' | 'md' | 'har' | 'badge';

/** Whether the specification says it literally, implies it in one step, or leaves it open. */
export type RequirementKind = 'stated' | 'derived' | 'open';

/** What the run says of the target; each verdict has its exit code (0, 1, 3, 2). */
export type Verdict = 'conforms' | 'violations' | 'not judged' | 'suite fault';

/** How the failing input was made smaller. */
export interface ShrinkEvidence {
  /** The first failing input, in one line. */
  readonly from: string;
  /** The smallest failing input, in one line. */
  readonly to: string;
  /** Requests that shrinking took. */
  readonly requests: Count;
}

/** How often the rule was broken in this way, among the answers that it was judged on. */
export interface Frequency {
  readonly violated: Count;
  readonly judged: Count;
  /** The operation, where only its answers are counted. */
  readonly operation?: OperationId | undefined;
  /** What was counted where it is not answers: the inputs that the check itself tried. */
  readonly of?: 'samples' | undefined;
  /** True where the same request was answered correctly after it had been answered wrongly. */
  readonly intermittent?: boolean | undefined;
}

/** One broken rule, with its evidence. */
export interface Violation {
  /** Stable code of what is wrong, such as `status`, `page-too-long`, `body-not-json`. */
  readonly code: string;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What would have been right, in one phrase. */
  readonly expected: string;
  /** What came back instead, in one phrase. */
  readonly actual: string;
  /**
   * The evidence: the exchange that was judged comes last, after its control or context in the order in which that was
   * sent.
   */
  readonly exchanges: readonly ExchangeEvidence[];
  readonly shrunk?: ShrinkEvidence | undefined;
  readonly frequency?: Frequency | undefined;
  /** A file, relative to the report folder, for `--replay`. */
  readonly replay?: string | undefined;
}

/** An input that a check found answered wrongly. Long texts are cut. */
export interface FailingInput {
  readonly operation: OperationId;
  /** In a few words. */
  readonly input: string;
  /** The request in one line. */
  readonly sent: string;
  /** What came back, in one line. */
  readonly answered: string;
  /** How many times it was answered like this. */
  readonly times: Count;
}

/** How a check ended. A harness error is an internal error of the suite, and no verdict on the service. */
export type Outcome =
  | { readonly kind: 'passed' }
  | {
      readonly kind: 'failed';
      readonly violations: readonly Violation[];
      /** Each failing input once, whichever check sent it. */
      readonly inputs?: readonly FailingInput[] | undefined;
      /** How many more inputs failed. */
      readonly inputsLeftOut?: Count | undefined;
    }
  | {
      readonly kind: 'inconclusive';
      /** Stable code of the reason. */
      readonly code: string;
      /** The reason, and what would help. */
      readonly reason: string;
      /** The requirement that owns the control which failed. */
      readonly see?: string | undefined;
      /** True where an option (such as --read-only) is the reason. */
      readonly byOption: boolean;
    }
  | { readonly kind: 'not applicable'; readonly reason: string }
  | { readonly kind: 'harness error'; readonly message: string; readonly stack?: string | undefined };

/** What was observed at a point that the specification leaves open. */
export interface Observation {
  readonly requirement: RequirementId;
  /** A few words in the present tense, such as `answers 400 to a limit of 0`; of many inputs it names a few. */
  readonly reading: string;
  /** Where it is recorded for several inputs: what the service does, such as `answers 400 to`. */
  readonly does?: string | undefined;
  /** All inputs with which it does so. They are kinds of inputs: no value that a run draws is part of their names. */
  readonly inputs?: readonly string[] | undefined;
  /** The first requests that it was seen in; of several inputs, one request of each. */
  readonly requests?: readonly ObservedRequest[] | undefined;
}

/** A request that shows what was observed. */
export interface ObservedRequest {
  readonly method: string;
  readonly url: string;
  /** HTTP status of the answer. @asType integer */
  readonly status?: number | undefined;
  /** A shell command that sends the same request; missing where it would be very long. */
  readonly curl?: string | undefined;
}

/** One check. */
export interface CheckResult {
  /** Unique and stable: a requirement's id, with a suffix where it has several checks. @minLength 1 */
  readonly id: string;
  readonly requirement: RequirementId;
  /** The check in one sentence. */
  readonly title: string;
  readonly outcome: Outcome;
  readonly observations: readonly Observation[];
  /** On how many answers its rule was judged, whichever check sent the requests; missing where it has no rule. */
  readonly judged?: Count | undefined;
  readonly requests: Count;
  readonly milliseconds: Milliseconds;
}

/** What the run says of a requirement. */
export type RequirementStatus = 'holds' | 'violated' | 'not judged' | 'not applicable' | 'untestable' | 'not selected';

/** One row of the catalogue with what the run says of it. */
export interface RequirementResult {
  readonly id: RequirementId;
  /** The part of the specification, such as `4.1`. */
  readonly part: string;
  /** Where the specification says it. */
  readonly source: readonly string[];
  readonly kind: RequirementKind;
  /** The requirement in the suite's words. */
  readonly says: string;
  /** The step by which a derived requirement follows. */
  readonly because?: string | undefined;
  /** What is permitted where the specification leaves it open. */
  readonly readings?: readonly string[] | undefined;
  readonly status: RequirementStatus;
  /** Why it was not judged, does not apply, or cannot be tested. */
  readonly reason?: string | undefined;
  /** Whether the baseline lists it as an expected failure; of a violated one, each check that fails. */
  readonly expectedFailure: boolean;
}

/** Percentiles of the time to the last byte, in milliseconds. */
export interface Latency {
  readonly operation: OperationId;
  readonly requests: Count;
  readonly p50: Milliseconds;
  readonly p95: Milliseconds;
  readonly p99: Milliseconds;
  readonly max: Milliseconds;
}

/** How many answers of an operation had a status: by chance, a fault in 1 of 100 of them is not seen with 0.99^count. */
export interface AnswerCount {
  readonly operation: OperationId;
  /** @asType integer */
  readonly status: number;
  readonly count: Count;
}

/** How much of a space of requests was sent and answered. */
export interface SpaceCoverage {
  /** Of which requests, such as `list`. @minLength 1 */
  readonly space: string;
  /** What was counted: every level of each factor, pairs of levels of two factors, or triples. */
  readonly tuples: 'levels' | 'pairs' | 'triples';
  readonly covered: Count;
  readonly possible: Count;
}

/** What violations have in common, so that one change of the service may mend them all. */
export interface Cause {
  /** In one sentence without a full stop, such as "every refusal is 422 text/plain". */
  readonly says: string;
  /** What it violates, the requirement that owns the fault first. */
  readonly requirements: readonly RequirementId[];
  /** The checks that failed because of it, in the same order. */
  readonly checks: readonly string[];
  /** What could not be judged because of it. */
  readonly unjudged?: readonly RequirementId[] | undefined;
  /** From when on, or after which request, it was seen, where answers were right before and never after. */
  readonly since?: string | undefined;
  /** The exchange that shows it best. */
  readonly exchange?: ExchangeEvidence | undefined;
}

/** The figures. Coverage and conformance are two figures, never added up. */
export interface Summary {
  /** Requirements in the catalogue that can be tested: the denominator, fixed by the catalogue. */
  readonly testable: Count;
  /** Requirements with a verdict. */
  readonly judged: Count;
  readonly holding: Count;
  readonly violated: Count;
  readonly checks: {
    readonly passed: Count;
    /** Expected failures too. */
    readonly failed: Count;
    readonly inconclusive: Count;
    readonly notApplicable: Count;
    /** Internal errors of the suite. */
    readonly harnessErrors: Count;
  };
  readonly requests: Count;
  /** What the run created and leaves behind, in number. */
  readonly creations: Count;
  /** Answers 429 after which the run waited. */
  readonly throttled: Count;
}

/** A known failure, as the baseline lists it: a requirement or a check. */
export interface BaselineEntry {
  readonly requirement?: RequirementId | undefined;
  readonly check?: string | undefined;
  /** Why it is accepted. */
  readonly reason?: string | undefined;
  /** The last day (UTC) on which it is accepted, `YYYY-MM-DD`. */
  readonly expires?: string | undefined;
  /** The profile and the seed of the run that showed the failure. */
  readonly profile?: Profile | undefined;
  /** @asType integer @minimum 0 */
  readonly seed?: number | undefined;
  /** The first and the last line of the file that it stands on, 1-based. */
  readonly line: Count;
  readonly lastLine: Count;
  /** The first of these lines. */
  readonly text: string;
  /** The checks that it is about. */
  readonly checks: readonly string[];
  /** It excuses a failure; it no longer fails; it has expired; or this run cannot tell. */
  readonly state: 'expected' | 'stale' | 'expired' | 'not seen';
}

/** Expected failures. */
export interface Baseline {
  /** The file that lists them. */
  readonly file: string;
  /** Requirements and checks that are listed and fail: they do not fail the run. */
  readonly expected: readonly string[];
  /** Listed, and no longer failing: they fail the run until the entry is removed. */
  readonly stale: readonly string[];
  /** Every entry, in the order of the file. */
  readonly entries: readonly BaselineEntry[];
}

/** One way in which a replay looked for the recorded failure. */
export interface ReplayAttempt {
  /** What was sent, such as "the 2 recorded exchanges". */
  readonly sends: string;
  readonly end: 'shown' | 'not shown' | 'not judged';
  /** Why it could not be judged. */
  readonly reason?: string | undefined;
  readonly requests: Count;
  readonly creations: Count;
}

/** What came of a replay of a recorded failure (`--replay`). */
export interface Replay {
  /** The check that failed. @minLength 1 */
  readonly check: string;
  readonly end: 'still so' | 'no longer so' | 'not judged';
  /** In the order in which they were made; the first that shows the failure is the last. */
  readonly attempts: readonly ReplayAttempt[];
}

/** The violation that ended a run (`--fail-fast`). */
export interface FirstViolation {
  /** The check that failed first. @minLength 1 */
  readonly check: string;
  readonly requirement: RequirementId;
  /** Requirements that were not judged because of that. */
  readonly leftOut: Count;
}

/** Everything that one run found out (conformance.json), as `compare` reads it. */
export interface RunResult {
  readonly format: typeof RESULT_FORMAT;
  readonly suite: {
    readonly name: string;
    readonly version: string;
    /** Version of the specification. */
    readonly specification: string;
  };
  readonly run: {
    readonly id: string;
    /** Seed of every random choice. @asType integer @minimum 0 @maximum 2147483647 */
    readonly seed: number;
    readonly profile: Profile;
    /** The narrower profile by which checks were sent from some moment on, to fit the time. */
    readonly narrowedTo?: Profile | undefined;
    /** When it began, ISO 8601 in UTC. */
    readonly startedAt: string;
    readonly milliseconds: Milliseconds;
    /** The options in force, without secrets, as a user would type them. */
    readonly options: readonly string[];
    /** Those of the options without which the target may be out of reach. */
    readonly reachedWith?: readonly string[] | undefined;
    /** The signal with which the user ended the run early (the process then exits with 129, 130 or 143), or a program. */
    readonly interrupted?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'abort' | undefined;
    /** How many percent of what it set out to judge had to be judged; 90 where it is missing. @minimum 0 @maximum 100 */
    readonly minJudged?: number | undefined;
  };
  /** What was judged; `embedded` is the reference service that comes with the suite. */
  readonly target: { readonly baseUrl: string; readonly embedded: boolean };
  readonly verdict: Verdict;
  /** 0 conforms, 1 violations, 2 internal error of the suite, 3 not judged. */
  readonly exitCode: 0 | 1 | 2 | 3;
  /** Why the verdict is what it is, in one sentence. */
  readonly conclusion: string;
  readonly summary: Summary;
  /** The whole catalogue. */
  readonly requirements: readonly RequirementResult[];
  /** Every check that ran. */
  readonly checks: readonly CheckResult[];
  /** Why checks failed, the cause that explains most first. */
  readonly causes: readonly Cause[];
  readonly latencies: readonly Latency[];
  readonly answers?: readonly AnswerCount[] | undefined;
  /** How far the spaces of requests were covered. */
  readonly coverage: readonly SpaceCoverage[];
  readonly baseline?: Baseline | undefined;
  /** Where the run was a replay. */
  readonly replay?: Replay | undefined;
  /** Where a run with `--fail-fast` ended before its checks did. */
  readonly firstViolation?: FirstViolation | undefined;
  /** Of a target that cannot be judged: what was sent, and what came back. */
  readonly look?: readonly ExchangeEvidence[] | undefined;
  /** Remarks on the run itself, such as throttling. */
  readonly notes: readonly string[];
}
