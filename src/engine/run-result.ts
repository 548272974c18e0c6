import { isExpectedFailure, judgeBaseline, type ListedFailure, sentProfile } from '../report/model/baseline.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import { firstViolation, firstViolationText } from '../report/model/first-violation.ts';
import {
  type Cause,
  type CheckResult,
  RESULT_FORMAT,
  type Replay,
  type RequirementResult,
  type RunResult,
} from '../report/model/result.ts';
import { summarise } from '../report/model/summary.ts';
import {
  type Conclusion,
  concludeReplay,
  concludeVerdict,
  type RequirementOutcome,
  statusByChecks,
} from '../report/model/verdict.ts';
import type { Catalogue, Requirement } from './catalogue.ts';
import type { Telemetry } from './plan.ts';

export interface Findings {
  readonly checks: readonly CheckResult[];
  readonly telemetry: Telemetry | undefined;
  readonly notes: readonly string[];
  /** Why nothing was judged at all, where the target could not be. */
  readonly unjudgeable?: string;
  /** What was sent then, and what came back. */
  readonly look?: readonly ExchangeEvidence[];
  /** Internal errors of the suite outside any check. */
  readonly faults: readonly string[];
  /** Where the run was a replay. */
  readonly replay?: Replay | undefined;
}

/** What is known of a run beside its findings. */
export interface RunFacts {
  readonly suite: RunResult['suite'];
  readonly run: Omit<RunResult['run'], 'startedAt'> & { readonly startedAt: Date };
  readonly target: RunResult['target'];
  readonly baseline: { readonly file: string; readonly entries: readonly ListedFailure[] } | undefined;
}

/** Makes the result of what a run found: a status for each requirement, the figures and the verdict. */
export function runResult(catalogue: Catalogue, facts: RunFacts, findings: Findings): RunResult {
  const { run, suite, target } = facts;
  const { telemetry, unjudgeable, notes } = findings;
  const { narrowedTo } = telemetry ?? {};
  const listed = facts.baseline?.entries ?? [];
  const day = run.startedAt.toISOString().slice(0, 10);
  const found = withOwners(findings.checks);
  const checks = [...found, ...findings.faults.map(suiteFault)];
  const requirements = catalogue.requirements.map((row): RequirementResult => {
    const { untestable: _, remedy: __, ...shown } = row;
    const own = findings.checks.filter(({ requirement }) => requirement === row.id);
    const outcome = statusOf(row, own, unjudgeable);
    return { ...shown, ...outcome, expectedFailure: isExpectedFailure({ ...row, ...outcome }, own, listed, day) };
  });
  const profile = sentProfile({ ...run, narrowedTo });
  const baseline = facts.baseline && judgeBaseline(facts.baseline.file, listed, { checks, day, profile });
  const verdict = verdictOf({ requirements, checks, baseline }, findings, run);
  const first = telemetry?.firstViolation && firstViolation(telemetry.firstViolation, requirements, checks);
  const conclusion = first === undefined ? verdict.conclusion : `${verdict.conclusion} ${firstViolationText(first)}`;
  return {
    format: RESULT_FORMAT,
    suite,
    run: {
      ...run,
      ...(narrowedTo === undefined ? {} : { narrowedTo }),
      startedAt: run.startedAt.toISOString(),
      milliseconds: Math.round(run.milliseconds),
    },
    target,
    ...verdict,
    conclusion: run.interrupted === undefined ? conclusion : `Interrupted. ${conclusion}`,
    summary: summarise(requirements, checks, telemetry ?? { requests: 0, creations: 0, throttled: 0 }),
    requirements,
    checks,
    causes: (telemetry?.causes ?? []).map((cause) => withUnjudged(cause, requirements)),
    latencies: telemetry?.latencies ?? [],
    ...(telemetry?.answers === undefined ? {} : { answers: telemetry.answers }),
    coverage: telemetry?.coverage ?? [],
    ...(baseline === undefined ? {} : { baseline }),
    ...(findings.replay === undefined ? {} : { replay: findings.replay }),
    ...(first === undefined ? {} : { firstViolation: first }),
    ...(findings.look === undefined ? {} : { look: findings.look }),
    notes,
  };
}

function verdictOf(
  result: Pick<RunResult, 'requirements' | 'checks' | 'baseline'>,
  { unjudgeable, replay }: Findings,
  { minJudged }: RunFacts['run'],
): Conclusion {
  if (unjudgeable !== undefined) return { verdict: 'not judged', exitCode: 3, conclusion: unjudgeable };
  const hasFailed = result.checks.some(({ outcome }) => outcome.kind === 'harness error');
  return replay === undefined || hasFailed ? concludeVerdict(result, minJudged) : concludeReplay(replay, result.checks);
}

/** A requirement that one check could not judge may hold by another. */
function withUnjudged({ unjudged = [], ...cause }: Cause, requirements: readonly RequirementResult[]): Cause {
  const open = unjudged.filter((id) => requirements.some((row) => row.id === id && row.status === 'not judged'));
  return open.length === 0 ? cause : { ...cause, unjudged: open };
}

function suiteFault(message: string, at: number): CheckResult {
  return {
    id: `suite.${at + 1}`,
    requirement: 'suite',
    title: 'the suite itself runs',
    outcome: { kind: 'harness error', message },
    observations: [],
    requests: 0,
    milliseconds: 0,
  };
}

function statusOf(
  { untestable }: Requirement,
  checks: readonly CheckResult[],
  unjudgeable: string | undefined,
): RequirementOutcome {
  if (untestable !== undefined) return { status: 'untestable', reason: untestable };
  if (unjudgeable !== undefined) return { status: 'not judged', reason: unjudgeable };
  return statusByChecks(checks) ?? { status: 'not selected' };
}

/** What a check could not judge is the fault of another requirement only where that is violated. */
function withOwners(checks: readonly CheckResult[]): readonly CheckResult[] {
  const violated = new Set(
    checks.flatMap(({ outcome, requirement }) => (outcome.kind === 'failed' ? requirement : [])),
  );
  return checks.map((check) => {
    if (check.outcome.kind !== 'inconclusive' || check.outcome.see === undefined) return check;
    const { see, ...outcome } = check.outcome;
    const owned = { ...outcome, reason: `${outcome.reason}: see ${see}`, see };
    return { ...check, outcome: violated.has(see) ? owned : outcome };
  });
}
