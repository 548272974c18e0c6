/**
 * The result model, version 3, from which every report is written. Plain JSON, and free of secrets once it is redacted.
 * `npm run schema` generates spec/conformance.schema.json from these types and comments.
 */

import type { CatalogueRow, RequirementKind } from '../contract/catalogue.ts';
import type { Call } from '../reading/call.ts';
import type { Profile } from '../run/budget.ts';
import type { ReasonOf } from '../run/state.ts';

export const RESULT_FORMAT = 'petstore-conformance/3';

/** Exit codes: 0, 1, 3. */
export type Verdict = 'conforms' | 'violations' | 'not tested';
export type RequirementOutcome = 'passed' | 'failed' | 'not tested' | 'not applicable' | 'untestable' | 'not selected';
/** A body from the wire: text, or base64 if it is not UTF-8. `bytes` is its whole size; `cut` if not all is here. */
export interface BodyEvidence {
  readonly encoding: 'text' | 'base64';
  readonly text: string;
  readonly bytes: number;
  readonly cut: boolean;
  /** How many bytes were left out before `text`. */
  readonly before?: number | undefined;
  /** The value in `text` that a finding is about: its first UTF-16 unit, and the one after its last. */
  readonly wrong?: { readonly from: number; readonly to: number } | undefined;
}

/** One request with what came back. */
export interface ExchangeEvidence {
  /** The number of the exchange within the run, from 1. */
  readonly number: number;
  readonly operation: string;
  readonly request: {
    readonly method: string;
    /** Path and query, letter by letter. */
    readonly target: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body?: BodyEvidence | undefined;
  };
  readonly answer:
    | {
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: BodyEvidence;
      }
    | { readonly failure: string; readonly sentence: string };
  /** When it was sent, in UTC, such as `2026-11-28T01:39:43.120Z`. */
  readonly sentAt: string;
  readonly milliseconds: number;
  /** A shell command that sends the same request; missing if it would be very long. */
  readonly curl?: string | undefined;
}

/** One thing that is wrong, as it shows from outside. */
export interface Finding {
  /** What is wrong, without values, so that it is the same in every run: `createPet 500 for rejected`. */
  readonly key: string;
  /** In one sentence without a full stop, such as "createPet accepts text after the JSON body: 201, expected 400". */
  readonly says: string;
  /** Every requirement that fails because of it: first what the specification states, that of the plainest request first. */
  readonly requirements: readonly string[];
  readonly operations: readonly string[];
  readonly kind: RequirementKind;
  /** What is unusual about every request that shows it; empty if a plain request shows it. */
  readonly unusual: readonly string[];
  /** How many requests show it, of all of these operations. */
  readonly failed: number;
  readonly checked: number;
  /** The same request, sent again in the same state, got a correct response. */
  readonly intermittent: boolean;
  /** The same request got correct responses when it was sent again, but what it lists may have changed meanwhile. */
  readonly passedAgain: boolean;
  /** Its evidence alone does not show it. */
  readonly seenOnce: boolean;
  /** The simplest exchange that shows it, with the sentence that says what is wrong in it. */
  readonly example: ExchangeEvidence;
  readonly violation: string;
  /** Exchanges that the rule relied on, in order. */
  readonly earlier: readonly ExchangeEvidence[];
  /** Other requests that show it, in a few words each: the plainest of each further kind. */
  readonly also: readonly string[];
  /** For each requirement that the example does not violate, by its id: a request that does, in a few words. */
  readonly requests: Readonly<Record<string, string>>;
  /** Requests that showed it, as texts with names in them: a later run that sends none of them again does not test it. */
  readonly calls: readonly Call[];
  /** The baseline lists it. */
  readonly expected: boolean;
}

/** What a service does at a point that the specification leaves open. */
export interface Recorded {
  /** In the present tense: "answers 400 to a limit of 0". */
  readonly reading: string;
  readonly count: number;
  /** An example of a request, such as `GET /v1/pets?limit=0`. */
  readonly request: string;
  readonly status?: number | undefined;
}

/** A requirement of the catalogue with its outcome. */
export interface RequirementResult extends Omit<CatalogueRow, 'untestable'> {
  /** The part of the specification, such as `4.1`. */
  readonly part: string;
  readonly outcome: RequirementOutcome;
  readonly reason?: string | undefined;
  readonly reasonOf?: ReasonOf | undefined;
  /** Passed so far: fewer than nine tenths of what was planned for it, or for the run, were sent; `reason` says why. */
  readonly partly?: boolean | undefined;
  /** Failed, and the baseline lists all its findings. */
  readonly expectedFailure: boolean;
  /** How many responses its rules checked. */
  readonly responses: number;
  readonly recorded: readonly Recorded[];
}

export interface Latency {
  readonly operation: string;
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The figures of a run; those of requirements add up to `testable`. */
export interface Summary {
  readonly testable: number;
  readonly passed: number;
  /** Passed so far, as not all that was planned was sent. */
  readonly passedSoFar: number;
  readonly failed: number;
  readonly notTested: number;
  readonly notApplicable: number;
  readonly requests: number;
  /** Further requests, to narrow down failures. */
  readonly evidenceRequests: number;
  /** How many createPet requests were accepted: what the run leaves behind. */
  readonly creations: number;
  /** 429 responses, after which the run waited. */
  readonly throttled: number;
}

/** A known failure, as the baseline lists it. */
export interface BaselineEntry {
  readonly requirement: string;
  /** The key of the finding that is accepted. */
  readonly finding: string;
  readonly reason: string;
  /** The last day (UTC) on which it is accepted, `YYYY-MM-DD`. */
  readonly expires?: string | undefined;
  /** The profile of the run that showed it, by default standard; with a narrower one, it never becomes stale. */
  readonly profile?: Profile | undefined;
  /** Its first and last line in the file, from 1, and the text of the first. */
  readonly line: number;
  readonly lastLine: number;
  readonly text: string;
  /** It accepts a failure; it no longer fails; it has expired; or this run does not show which. */
  readonly state: 'expected' | 'stale' | 'expired' | 'not seen';
}

/** What a later result says of a finding. */
export interface ComparedFinding extends Pick<Finding, 'key' | 'says' | 'requirements'> {
  readonly end: 'still fails' | 'new' | 'passes' | 'did not fail this time' | 'not tested';
  /** Why it is neither failing nor passing. */
  readonly reason?: string | undefined;
}

/** The options that decide which requests a run sends. */
export interface RecordedSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly concurrency: number;
  /** How long a new animal may be missing from lists (ms). */
  readonly settleMs: number;
  /** In decimal digits. */
  readonly categories: readonly string[];
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly readOnly: boolean;
  readonly maxCreates?: number | undefined;
}

/** The whole result of a run (conformance.json). */
export interface RunResult {
  readonly format: typeof RESULT_FORMAT;
  readonly suite: { readonly name: string; readonly version: string; readonly specification: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly profile: Profile;
    readonly startedAt: string;
    readonly milliseconds: number;
    readonly settings: RecordedSettings;
    /** The options in force, without secrets, as a user would type them. */
    readonly options: readonly string[];
    readonly interrupted?: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'abort' | undefined;
  };
  readonly target: { readonly baseUrl: string; readonly embedded: boolean };
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 3;
  /** The reason for the verdict, in a short sentence. */
  readonly conclusion: string;
  readonly summary: Summary;
  readonly requirements: readonly RequirementResult[];
  readonly findings: readonly Finding[];
  readonly latencies: readonly Latency[];
  readonly baseline?: { readonly file: string; readonly entries: readonly BaselineEntry[] } | undefined;
  /** In a run that repeats another one: what it says of the findings of that one. */
  readonly replay?: readonly ComparedFinding[] | undefined;
  /** If the target cannot be tested: what was sent, and what came back. */
  readonly preflight?: readonly ExchangeEvidence[] | undefined;
  /** Remarks on the run itself, such as throttling. */
  readonly notes: readonly string[];
}

/** How reports name a target. */
export const targetName = ({ target }: Pick<RunResult, 'target'>): string =>
  target.embedded ? 'the embedded reference service' : target.baseUrl;
