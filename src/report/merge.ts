import { summarise } from './model/figures.ts';
import type {
  Baseline,
  CheckResult,
  Latency,
  Outcome,
  RequirementResult,
  RequirementStatus,
  RunResult,
  Soak,
} from './model/result.ts';
import { type Conclusion, concludeVerdict } from './model/verdict.ts';

export type MergeErrorCode = 'nothing-to-merge' | 'format-differs' | 'target-differs' | 'catalogue-differs';

/** Results that are no shards of one run; the message names the difference. */
export class MergeError extends Error {
  readonly code: MergeErrorCode;

  constructor(code: MergeErrorCode, message: string) {
    super(message);
    this.name = 'MergeError';
    this.code = code;
  }
}

/** The strongest first: what one shard proved, another's silence does not undo. */
const STATUSES: readonly RequirementStatus[] = [
  'violated',
  'holds',
  'not judged',
  'not applicable',
  'not selected',
  'untestable',
];

const OUTCOMES: readonly Outcome['kind'][] = ['failed', 'harness error', 'passed', 'inconclusive', 'not applicable'];

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function catalogueRow(row: RequirementResult): string {
  return JSON.stringify([row.id, row.part, row.source, row.kind, row.says, row.because, row.readings]);
}

function assertShards(first: RunResult, others: readonly RunResult[]): void {
  for (const [index, other] of others.entries()) {
    const which = `result ${index + 2}`;
    if (other.format !== first.format) {
      const message = `Cannot merge: ${which} has the format ${other.format}, the first ${first.format}.`;
      throw new MergeError('format-differs', message);
    }
    const bothEmbedded = first.target.embedded && other.target.embedded;
    if (
      !bothEmbedded &&
      (first.target.embedded !== other.target.embedded || first.target.baseUrl !== other.target.baseUrl)
    ) {
      const message = `Cannot merge: ${which} is of ${other.target.baseUrl}, the first of ${first.target.baseUrl}. Shards must judge one target; use \`compare\` for two.`;
      throw new MergeError('target-differs', message);
    }
    const rows = new Map(other.requirements.map((row) => [row.id, catalogueRow(row)]));
    const missing = first.requirements.find((row) => rows.get(row.id) !== catalogueRow(row));
    const known = new Set(first.requirements.map((row) => row.id));
    const further = other.requirements.find((row) => !known.has(row.id));
    const differs = missing ?? further;
    if (differs !== undefined) {
      const message = `Cannot merge: ${which} was made with another catalogue (${differs.id} differs). Run every shard with one version of the suite.`;
      throw new MergeError('catalogue-differs', message);
    }
  }
}

function mergeRequirement(row: RequirementResult, results: readonly RunResult[]): RequirementResult {
  const versions = results.flatMap((result) => result.requirements.filter((one) => one.id === row.id));
  const status = STATUSES.find((candidate) => versions.some((one) => one.status === candidate)) ?? row.status;
  const { reason: _reason, ...bare } = row;
  const reasons = distinct(
    versions.flatMap((one) => (one.status === status && one.reason !== undefined ? [one.reason] : [])),
  );
  return {
    ...bare,
    status,
    ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
    expectedFailure: versions.some((one) => one.expectedFailure),
  };
}

function mergeOutcomes(outcomes: readonly Outcome[], kind: Outcome['kind']): Outcome | undefined {
  if (kind !== 'failed') return outcomes.find((outcome) => outcome.kind === kind);
  return {
    kind,
    violations: outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? outcome.violations : [])),
  };
}

function mergeCheck(versions: readonly CheckResult[], first: CheckResult): CheckResult {
  const outcomes = versions.map((check) => check.outcome);
  const kind =
    OUTCOMES.find((candidate) => outcomes.some((outcome) => outcome.kind === candidate)) ?? first.outcome.kind;
  const observations = new Map(
    versions.flatMap((check) => check.observations).map((one) => [`${one.requirement}\u0000${one.reading}`, one]),
  );
  return {
    ...first,
    outcome: mergeOutcomes(outcomes, kind) ?? first.outcome,
    observations: [...observations.values()],
    requests: versions.reduce((sum, check) => sum + check.requests, 0),
    milliseconds: versions.reduce((sum, check) => sum + check.milliseconds, 0),
  };
}

function mergeChecks(results: readonly RunResult[]): readonly CheckResult[] {
  const groups = new Map<string, CheckResult[]>();
  for (const check of results.flatMap((result) => result.checks)) {
    const group = groups.get(check.id);
    if (group === undefined) groups.set(check.id, [check]);
    else group.push(check);
  }
  // The order of the catalogue, whatever the order of the shards.
  const order = new Map(
    results.flatMap((result) => result.requirements.map((row, index): [string, number] => [row.id, index])),
  );
  const place = (check: CheckResult) => order.get(check.requirement) ?? order.size;
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : [mergeCheck([first, ...others], first)]))
    .toSorted((left, right) => place(left) - place(right));
}

// Percentiles cannot be put together exactly, but that of the whole is never above the greatest of the shards.
function mergeLatencies(all: readonly Latency[]): readonly Latency[] {
  return [...new Set(all.map((latency) => latency.operation))].map((operation) => {
    const rows = all.filter((latency) => latency.operation === operation);
    const greatest = (of: (row: Latency) => number) => rows.reduce((most, row) => Math.max(most, of(row)), 0);
    return {
      operation,
      requests: rows.reduce((sum, row) => sum + row.requests, 0),
      p50: greatest((row) => row.p50),
      p95: greatest((row) => row.p95),
      p99: greatest((row) => row.p99),
      max: greatest((row) => row.max),
    };
  });
}

// Shards may have kept the service under load at one time or in turn; throughput is that of all the answers in all the
// time that was spent on them.
function mergeSoaks(soaks: readonly Soak[]): Soak | undefined {
  if (soaks.length < 2) return soaks[0];
  const total = (of: (soak: Soak) => number) => soaks.reduce((sum, soak) => sum + of(soak), 0);
  const milliseconds = total((soak) => soak.milliseconds);
  const requests = total((soak) => soak.requests);
  return {
    milliseconds,
    planned: total((soak) => soak.planned),
    requests,
    unanswered: total((soak) => soak.unanswered),
    throughput: milliseconds === 0 ? 0 : Math.round((requests / milliseconds) * 10_000) / 10,
    creations: total((soak) => soak.creations),
    lost: total((soak) => soak.lost),
    doubled: total((soak) => soak.doubled),
    unverified: total((soak) => soak.unverified),
    latencies: mergeLatencies(soaks.flatMap((soak) => soak.latencies)),
  };
}

function mergeBaseline(
  results: readonly RunResult[],
  requirements: readonly RequirementResult[],
): Baseline | undefined {
  const baselines = results.flatMap((result) => result.baseline ?? []);
  if (baselines.length === 0) return undefined;
  const status = new Map(requirements.map((row) => [row.id, row.status]));
  const listed = distinct(baselines.flatMap((baseline) => [...baseline.expected, ...baseline.stale]));
  return {
    file: distinct(baselines.map((baseline) => baseline.file)).join(', '),
    expected: listed.filter((id) => status.get(id) === 'violated'),
    stale: listed.filter((id) => status.get(id) === 'holds'),
  };
}

function span(results: readonly RunResult[]): {
  readonly startedAt: string;
  readonly milliseconds: number;
} {
  const starts = results.map((result) => Date.parse(result.run.startedAt));
  const startedAt = results.map((result) => result.run.startedAt).toSorted()[0] ?? '';
  const longest = Math.max(...results.map((result) => result.run.milliseconds));
  const end = Math.max(...results.map((result, index) => (starts[index] ?? 0) + result.run.milliseconds));
  const whole = end - Math.min(...starts);
  return {
    startedAt,
    milliseconds: Number.isFinite(whole) ? Math.max(longest, whole) : longest,
  };
}

// A shard may have ended without a verdict for a reason that stands in no check (the target was down, the suite fell
// over). Then the merged run has one only where other shards judged all that this one left open.
function conclude(
  results: readonly RunResult[],
  requirements: readonly RequirementResult[],
  own: Conclusion,
): Conclusion {
  if (own.exitCode !== 0) return own;
  const status = new Map(requirements.map((row) => [row.id, row.status]));
  const fault = results.find((result) => result.exitCode === 2);
  if (fault !== undefined)
    return {
      verdict: 'suite fault',
      exitCode: 2,
      conclusion: `In one shard: ${fault.conclusion}`,
    };
  const open = results.find(
    (result) =>
      result.exitCode === 3 &&
      (result.requirements.every((row) => row.status !== 'not judged') ||
        result.requirements.some((row) => row.status === 'not judged' && status.get(row.id) === 'not judged')),
  );
  return open === undefined
    ? own
    : {
        verdict: 'not judged',
        exitCode: 3,
        conclusion: `In one shard: ${open.conclusion}`,
      };
}

function remarks(results: readonly RunResult[]): readonly string[] {
  if (results.length === 1) return [];
  const seeds = distinct(results.map((result) => String(result.run.seed)));
  const profiles = distinct(results.map((result) => result.run.profile));
  return [
    `Merged from ${results.length} results. Latencies are the greatest of any of them.`,
    ...(seeds.length > 1 ? [`They ran with different seeds: ${seeds.join(', ')}.`] : []),
    ...(profiles.length > 1 ? [`They ran with different profiles: ${profiles.join(', ')}.`] : []),
  ];
}

/**
 * One result from the shards of a run. A requirement takes the strongest word any shard has on it (violated, then
 * holds, then not judged …), checks are united, figures, verdict and exit code are made anew.
 *
 * @throws MergeError where the results are not of one format, one target and one catalogue.
 */
export function mergeResults(results: readonly RunResult[]): RunResult {
  const [first, ...others] = results;
  if (first === undefined) throw new MergeError('nothing-to-merge', 'Cannot merge: no result was given.');
  assertShards(first, others);
  const requirements = first.requirements.map((row) => mergeRequirement(row, results));
  const checks = mergeChecks(results);
  const baseline = mergeBaseline(results, requirements);
  const total = (of: (result: RunResult) => number) => results.reduce((sum, result) => sum + of(result), 0);
  const soak = mergeSoaks(results.flatMap((result) => result.soak ?? []));
  const interrupted = results.find((result) => result.run.interrupted !== undefined)?.run.interrupted;
  const own = concludeVerdict({ requirements, checks, baseline });
  return {
    format: first.format,
    suite: first.suite,
    run: {
      id: distinct(results.map((result) => result.run.id)).join('+'),
      seed: first.run.seed,
      profile: first.run.profile,
      ...span(results),
      options:
        distinct(results.map((result) => result.run.options.join('\u0000'))).length === 1 ? first.run.options : [],
      ...(interrupted === undefined ? {} : { interrupted }),
    },
    target: first.target,
    ...conclude(results, requirements, own),
    summary: summarise(requirements, checks, {
      requests: total((result) => result.summary.requests),
      creations: total((result) => result.summary.creations),
      throttled: total((result) => result.summary.throttled),
    }),
    requirements,
    checks,
    latencies: mergeLatencies(results.flatMap((result) => result.latencies)),
    ...(soak === undefined ? {} : { soak }),
    ...(baseline === undefined ? {} : { baseline }),
    notes: [...distinct(results.flatMap((result) => result.notes)), ...remarks(results)],
  };
}
