/**
 * The result model: everything that a run found out, as plain data.
 *
 * It is what every report is written from, and (as `reports/conformance.json`) what `compare` and `merge` read.
 * It holds no secret by construction: evidence is redacted when it is made, and each writer redacts once more.
 */

/** Version of the format. A change that a reader could trip over raises the number. */
export const RESULT_FORMAT = 'petstore-conformance/1';

export type Profile = 'smoke' | 'standard' | 'thorough';
export type OperationId = 'listPets' | 'createPet' | 'getPet';
/** The reports that can be written. */
export type ReportFormat = 'junit' | 'json' | 'html' | 'md' | 'har';
export type RequirementKind = 'stated' | 'derived' | 'open';

/** What a whole run says of the target; each verdict has its exit code (0, 1, 3, 2). */
export type Verdict = 'conforms' | 'violations' | 'not judged' | 'suite fault';

/** A body as it was on the wire: text where it is UTF-8, base64 where it is not; `size` is in bytes, before any cut. */
export type BodyEvidence =
  | { readonly encoding: 'text'; readonly text: string; readonly size: number; readonly cut: boolean }
  | { readonly encoding: 'base64'; readonly base64: string; readonly size: number; readonly cut: boolean };

export type HeaderEvidence = readonly [name: string, value: string];

export interface RequestEvidence {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderEvidence[];
  readonly body?: BodyEvidence;
}

/** What came back: a response, or the reason why there is none (a stable code and a sentence). */
export type AnswerEvidence =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: readonly HeaderEvidence[];
      readonly body: BodyEvidence;
      readonly milliseconds: number;
    }
  | { readonly kind: 'no response'; readonly code: string; readonly sentence: string; readonly milliseconds: number };

/** One request and what came back, with the part it plays in the proof. */
export interface ExchangeEvidence {
  readonly role: 'judged' | 'control' | 'context';
  readonly operation: OperationId;
  readonly request: RequestEvidence;
  readonly answer: AnswerEvidence;
  /** A shell line that sends the same request; it refers to $PETSTORE_API_KEY and holds no key. */
  readonly curl: string;
}

/** How a failing sample was made small. */
export interface ShrinkEvidence {
  /** The first failing sample, in one line. */
  readonly from: string;
  /** The smallest failing sample, in one line. */
  readonly to: string;
  /** Further requests that the shrinking took. */
  readonly requests: number;
}

export interface Frequency {
  readonly violated: number;
  readonly judged: number;
  /** True where the same request was answered rightly after it had been answered wrongly. */
  readonly intermittent?: boolean;
}

export interface Violation {
  /** Stable code of what went wrong, such as `status`, `page-too-long`, `body-not-json`. */
  readonly code: string;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What would have been right, in one phrase. */
  readonly expected: string;
  /** What came back instead, in one phrase. */
  readonly actual: string;
  /** The proof: the exchange that was judged last, with its control or context before it. */
  readonly exchanges: readonly ExchangeEvidence[];
  readonly shrunk?: ShrinkEvidence;
  /** How often the rule was broken among the answers that it was judged on. */
  readonly frequency?: Frequency;
  /** A file, relative to the report folder, that `--replay` takes. */
  readonly replay?: string;
}

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly violations: readonly Violation[] }
  | {
      readonly kind: 'inconclusive';
      readonly code: string;
      readonly reason: string;
      /** The requirement that owns the control which failed. */
      readonly see?: string;
      /** True where an option of the user's (such as --read-only) is the reason. */
      readonly byOption: boolean;
    }
  | { readonly kind: 'not applicable'; readonly reason: string }
  | { readonly kind: 'harness error'; readonly message: string; readonly stack?: string };

/** What was seen at a point that the specification leaves open. */
export interface Observation {
  readonly requirement: string;
  /** A few words in the present tense, such as "answers 400 to a limit out of range". */
  readonly reading: string;
}

export interface CheckResult {
  /** Unique and stable: a requirement's id, with a suffix where it has several checks (`AUTH-2.createPet`). */
  readonly id: string;
  readonly requirement: string;
  readonly title: string;
  readonly outcome: Outcome;
  readonly observations: readonly Observation[];
  readonly requests: number;
  readonly milliseconds: number;
}

export type RequirementStatus = 'holds' | 'violated' | 'not judged' | 'not applicable' | 'untestable' | 'not selected';

export interface RequirementResult {
  readonly id: string;
  /** The part of the specification, `1` to `9` with `4.1` to `4.4`. */
  readonly part: string;
  readonly source: readonly string[];
  readonly kind: RequirementKind;
  readonly says: string;
  readonly because?: string;
  readonly readings?: readonly string[];
  readonly status: RequirementStatus;
  /** Why it was not judged, does not apply, or cannot be tested. */
  readonly reason?: string;
  /** Listed in the baseline as an expected failure. */
  readonly expectedFailure: boolean;
}

/** Percentiles of the time to the last byte, in milliseconds. */
export interface Latency {
  readonly operation: OperationId;
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What came of keeping the service under load. */
export interface Soak {
  /** How long it lasted, and how long it was meant to. */
  readonly milliseconds: number;
  readonly planned: number;
  /** Requests that were answered, and those that were not. */
  readonly requests: number;
  readonly unanswered: number;
  /** Answers a second. */
  readonly throughput: number;
  readonly creations: number;
  /** Animals created meanwhile that getPet did not find afterwards. */
  readonly lost: number;
  /** Animals created meanwhile under an id that another one has. */
  readonly doubled: number;
  /** Animals created meanwhile that could not be looked for. */
  readonly unverified: number;
  readonly latencies: readonly Latency[];
}

export interface Summary {
  /** Requirements in the catalogue that can be tested at all: the denominator, fixed by the catalogue. */
  readonly testable: number;
  readonly judged: number;
  readonly holding: number;
  readonly violated: number;
  readonly checks: {
    readonly passed: number;
    readonly failed: number;
    readonly inconclusive: number;
    readonly notApplicable: number;
    readonly harnessErrors: number;
  };
  readonly requests: number;
  readonly creations: number;
  readonly throttled: number;
}

export interface Baseline {
  readonly file: string;
  /** Listed and violated: they do not fail the run. */
  readonly expected: readonly string[];
  /** Listed but holding: they fail the run until the entry is removed. */
  readonly stale: readonly string[];
}

export interface RunResult {
  readonly format: typeof RESULT_FORMAT;
  readonly suite: { readonly name: string; readonly version: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly profile: Profile;
    readonly startedAt: string;
    readonly milliseconds: number;
    /** The options that were in force, without secrets, as a user would type them. */
    readonly options: readonly string[];
    /** The signal with which the user ended the run early; the process then exits with 130 or 143. */
    readonly interrupted?: 'SIGINT' | 'SIGTERM';
  };
  readonly target: { readonly baseUrl: string; readonly embedded: boolean };
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2 | 3;
  /** One sentence that says why the verdict is what it is. */
  readonly conclusion: string;
  readonly summary: Summary;
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  readonly latencies: readonly Latency[];
  /** With --soak. */
  readonly soak?: Soak;
  readonly baseline?: Baseline;
  /** Remarks on the run itself, such as throttling or a report that could not be written. */
  readonly notes: readonly string[];
}
