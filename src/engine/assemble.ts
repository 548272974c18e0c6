import type { Interrupt } from '../cli/run/interruption.ts';
import { summarise } from '../report/model/figures.ts';
import {
  type Baseline,
  type CheckResult,
  RESULT_FORMAT,
  type RequirementResult,
  type RequirementStatus,
  type RunResult,
} from '../report/model/result.ts';
import { concludeVerdict } from '../report/model/verdict.ts';
import type { Catalogue, Requirement } from './catalogue.ts';
import type { RunOptions } from './options.ts';
import type { Telemetry } from './plan.ts';

export interface Findings {
  readonly checks: readonly CheckResult[];
  readonly telemetry: Telemetry | undefined;
  readonly notes: readonly string[];
  /** Why nothing was judged at all, where the target could not be. */
  readonly unjudgeable?: string;
  /** Faults of the suite outside any check. */
  readonly faults: readonly string[];
}

export interface RunFacts {
  readonly options: RunOptions;
  readonly runId: string;
  readonly version: string;
  readonly baseUrl: string;
  readonly startedAt: Date;
  readonly milliseconds: number;
  /** The signal with which the user ended the run early. */
  readonly interrupted?: Interrupt | undefined;
  readonly baseline: { readonly file: string; readonly ids: readonly string[] } | undefined;
}

/** Makes the result model of what a run found: a status for each requirement, the figures and the verdict. */
export function assemble(catalogue: Catalogue, facts: RunFacts, findings: Findings): RunResult {
  const expected = new Set(facts.baseline?.ids ?? []);
  const suiteFaults: readonly CheckResult[] = findings.faults.map((message, at) => ({
    id: `suite.${at + 1}`,
    requirement: 'suite',
    title: 'the suite itself runs',
    outcome: { kind: 'harness error', message },
    observations: [],
    requests: 0,
    milliseconds: 0,
  }));
  const checks = [...findings.checks, ...suiteFaults];
  const requirements = catalogue.requirements.map((row) => requirementResult(row, findings, expected.has(row.id)));
  const baseline = baselineOf(facts.baseline, requirements);
  const concluded = concludeVerdict({ requirements, checks, baseline });
  const { options, interrupted } = facts;
  const unjudgeable = findings.unjudgeable;
  const verdict =
    unjudgeable === undefined ? concluded : ({ verdict: 'not judged', exitCode: 3, conclusion: unjudgeable } as const);
  const soak = findings.telemetry?.soak;
  return {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: facts.version },
    run: {
      id: facts.runId,
      seed: options.seed,
      profile: options.profile,
      startedAt: facts.startedAt.toISOString(),
      milliseconds: Math.round(facts.milliseconds),
      options: shownOptions(options),
      ...(interrupted === undefined ? {} : { interrupted }),
    },
    target: { baseUrl: facts.baseUrl, embedded: options.baseUrl === undefined },
    ...verdict,
    conclusion: interrupted === undefined ? verdict.conclusion : `Interrupted. ${verdict.conclusion}`,
    summary: summarise(requirements, checks, findings.telemetry ?? { requests: 0, creations: 0, throttled: 0 }),
    requirements,
    checks,
    latencies: findings.telemetry?.latencies ?? [],
    ...(soak === undefined ? {} : { soak }),
    ...(baseline === undefined ? {} : { baseline }),
    notes: findings.notes,
  };
}

function requirementResult(row: Requirement, findings: Findings, expectedFailure: boolean): RequirementResult {
  const checks = findings.checks.filter(({ requirement }) => requirement === row.id);
  const { status, reason } = statusOf(row, checks, findings.unjudgeable);
  return {
    id: row.id,
    part: row.part,
    source: row.source,
    kind: row.kind,
    says: row.says,
    ...(row.because === undefined ? {} : { because: row.because }),
    ...(row.readings === undefined ? {} : { readings: row.readings }),
    status,
    ...(reason === undefined ? {} : { reason }),
    expectedFailure,
  };
}

function statusOf(
  row: Requirement,
  checks: readonly CheckResult[],
  unjudgeable: string | undefined,
): { readonly status: RequirementStatus; readonly reason?: string } {
  if (row.untestable !== undefined) return { status: 'untestable', reason: row.untestable };
  if (unjudgeable !== undefined) return { status: 'not judged', reason: unjudgeable };
  if (checks.length === 0) return { status: 'not selected' };
  const outcomes = checks.map(({ outcome }) => outcome);
  if (outcomes.some(({ kind }) => kind === 'failed')) return { status: 'violated' };
  const broken = outcomes.find((outcome) => outcome.kind === 'harness error');
  if (broken !== undefined) return { status: 'not judged', reason: `the suite itself failed: ${broken.message}` };
  if (outcomes.some(({ kind }) => kind === 'passed')) return { status: 'holds' };
  const open = outcomes.find((outcome) => outcome.kind === 'inconclusive');
  if (open !== undefined) return { status: 'not judged', reason: open.reason };
  const none = outcomes.find((outcome) => outcome.kind === 'not applicable');
  return { status: 'not applicable', reason: none?.reason ?? 'it does not apply' };
}

function baselineOf(baseline: RunFacts['baseline'], requirements: readonly RequirementResult[]): Baseline | undefined {
  if (baseline === undefined) return undefined;
  const having = (status: RequirementStatus) =>
    baseline.ids.filter((id) => requirements.some((row) => row.id === id && row.status === status));
  return { file: baseline.file, expected: having('violated'), stale: having('holds') };
}

/** The options in force, as a user would type them; keys and header values are left out. */
function shownOptions(options: RunOptions): readonly string[] {
  return [
    ...(options.baseUrl === undefined ? [] : [`--base-url ${options.baseUrl}`]),
    `--profile ${options.profile}`,
    ...(options.soakMs === undefined ? [] : [`--soak ${options.soakMs / 1_000}s`]),
    `--seed ${options.seed}`,
    ...options.headers.map(({ name }) => `-H '${name}: …'`),
    ...(options.readOnly ? ['--read-only'] : []),
    ...(options.maxCreates === undefined ? [] : [`--max-creates ${options.maxCreates}`]),
    ...options.categoryIds.map((id) => `--category-id ${id}`),
    ...options.only.map((pattern) => `--only '${pattern}'`),
    ...options.skip.map((pattern) => `--skip '${pattern}'`),
    ...(options.replay === undefined ? [] : [`--replay ${options.replay}`]),
    `--concurrency ${options.concurrency}`,
    ...(options.rateLimit.kind === 'none'
      ? []
      : [`--rate-limit ${options.rateLimit.kind === 'auto' ? 'auto' : `${options.rateLimit.perSecond}/s`}`]),
    `--request-timeout ${options.requestTimeoutMs / 1_000}`,
    `--settle ${options.settleMs / 1_000}`,
    ...(options.strict ? ['--strict'] : []),
    `--today ${options.today}`,
    ...(options.expectedFailures === undefined ? [] : [`--expected-failures ${options.expectedFailures}`]),
    ...(options.caFile === undefined ? [] : [`--ca '${options.caFile}'`]),
    ...(options.insecure ? ['--insecure'] : []),
    ...(options.certFile === undefined ? [] : [`--cert '${options.certFile}'`]),
    ...(options.keyFile === undefined ? [] : [`--key '${options.keyFile}'`]),
    ...(options.unixSocket === undefined ? [] : [`--unix-socket '${options.unixSocket}'`]),
  ];
}
