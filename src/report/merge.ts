import { firstViolation, firstViolationText } from './model/first-violation.ts';
import { causesOf, distinct, observations, targetName } from './model/queries.ts';
import type {
  Baseline,
  Cause,
  CheckResult,
  FailingInput,
  Latency,
  Outcome,
  RequirementResult,
  RequirementStatus,
  RunResult,
  Soak,
  SpaceCoverage,
} from './model/result.ts';
import { summarise } from './model/summary.ts';
import { type Conclusion, concludeVerdict } from './model/verdict.ts';

/** Results that are not shards of one run; the message names the difference. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
  readonly code: 'nothing-to-merge' | 'target-differs' | 'catalogue-differs';

  constructor(code: MergeError['code'], message: string) {
    super(`Cannot merge: ${message}`);
    this.code = code;
  }
}

/** Strongest first: what one shard proved still holds where another one could not tell. */
const STATUSES: readonly RequirementStatus[] = [
  'violated',
  'holds',
  'not judged',
  'not applicable',
  'not selected',
  'untestable',
];

const OUTCOMES: readonly Outcome['kind'][] = ['failed', 'harness error', 'passed', 'inconclusive', 'not applicable'];

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function catalogueOf({ requirements }: RunResult): ReadonlyMap<string, string> {
  return new Map(
    requirements.map(({ id, part, source, kind, says, because, readings }) => [
      id,
      JSON.stringify([part, source, kind, says, because, readings]),
    ]),
  );
}

function assertShards(first: RunResult, others: readonly RunResult[]): void {
  const catalogue = catalogueOf(first);
  for (const [index, other] of others.entries()) {
    const which = `result ${index + 2}`;
    if (targetName(other) !== targetName(first)) {
      const message = `${which} is of ${other.target.baseUrl}, the first of ${first.target.baseUrl}. Shards must judge one target; use \`compare\` for two.`;
      throw new MergeError('target-differs', message);
    }
    const rows = catalogueOf(other);
    const differs = [...catalogue.keys(), ...rows.keys()].find((id) => catalogue.get(id) !== rows.get(id));
    if (differs !== undefined) {
      const message = `${which} was made with another catalogue (${differs} differs). Run every shard with one version of the suite.`;
      throw new MergeError('catalogue-differs', message);
    }
  }
}

function mergeRequirement(row: RequirementResult, results: readonly RunResult[]): RequirementResult {
  const versions = results.flatMap(({ requirements }) => requirements.filter(({ id }) => id === row.id));
  const status = STATUSES.find((candidate) => versions.some((one) => one.status === candidate)) ?? row.status;
  const reasons = distinct(versions.flatMap((one) => (one.status === status ? (one.reason ?? []) : [])));
  const reason = reasons.length === 0 ? undefined : reasons.join('; ');
  return { ...row, status, reason, expectedFailure: versions.some((one) => one.expectedFailure) };
}

function mergeOutcomes(outcomes: readonly Outcome[], first: Outcome): Outcome {
  const kind = OUTCOMES.find((candidate) => outcomes.some((outcome) => outcome.kind === candidate));
  if (kind !== 'failed') return outcomes.find((outcome) => outcome.kind === kind) ?? first;
  const failed = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? outcome : []));
  const inputs = failed.flatMap((outcome) => outcome.inputs ?? []);
  const leftOut = sum(failed, ({ inputsLeftOut = 0 }) => inputsLeftOut);
  return {
    kind,
    violations: failed.flatMap(({ violations }) => violations),
    ...(inputs.length === 0 ? {} : { inputs: mergeInputs(inputs) }),
    ...(leftOut === 0 ? {} : { inputsLeftOut: leftOut }),
  };
}

/** Each input once, with the times of all shards. */
function mergeInputs(inputs: readonly FailingInput[]): readonly FailingInput[] {
  const keyOf = ({ sent, answered }: FailingInput): string => `${sent}\u0000${answered}`;
  const times = new Map<string, number>();
  for (const input of inputs) times.set(keyOf(input), (times.get(keyOf(input)) ?? 0) + input.times);
  return [...new Map(inputs.map((input) => [keyOf(input), input])).values()].map((input) => ({
    ...input,
    times: times.get(keyOf(input)) ?? input.times,
  }));
}

/** Causes that say the same are one; how often something was seen is told of each shard. */
function mergeCauses(causes: readonly Cause[]): readonly Cause[] {
  const united = distinct(causes.map(({ says }) => says)).flatMap((says) => {
    const alike = causes.filter((cause) => cause.says === says);
    const [first] = alike;
    if (first === undefined) return [];
    const requirements = distinct(alike.flatMap((cause) => cause.requirements));
    return [{ ...first, requirements, checks: distinct(alike.flatMap(({ checks }) => checks)) }];
  });
  return united.toSorted((one, other) => other.requirements.length - one.requirements.length);
}

/** Every check once, in the order of the catalogue, whatever the order of the shards. */
function mergeChecks(results: readonly RunResult[], catalogue: readonly string[]): readonly CheckResult[] {
  const checks = results.flatMap((result) => result.checks);
  const firsts = checks.filter(({ id }, index) => checks.findIndex((check) => check.id === id) === index);
  const merged = firsts.map((first) => {
    const versions = checks.filter(({ id }) => id === first.id);
    const judged = versions.flatMap((version) => version.judged ?? []);
    return {
      ...first,
      outcome: mergeOutcomes(
        versions.map(({ outcome }) => outcome),
        first.outcome,
      ),
      observations: observations({ checks: versions }),
      ...(judged.length === 0 ? {} : { judged: sum(judged, (number) => number) }),
      requests: sum(versions, ({ requests }) => requests),
      milliseconds: sum(versions, ({ milliseconds }) => milliseconds),
    };
  });
  const place = ({ requirement }: CheckResult) => catalogue.indexOf(requirement) + 1 || catalogue.length + 1;
  return merged.toSorted((one, other) => place(one) - place(other));
}

// Percentiles cannot be merged exactly, but that of the whole is never above the greatest of the shards.
function mergeLatencies(all: readonly Latency[]): readonly Latency[] {
  return distinct(all.map(({ operation }) => operation)).map((operation) => {
    const rows = all.filter((row) => row.operation === operation);
    const greatest = (of: 'p50' | 'p95' | 'p99' | 'max') => Math.max(...rows.map((row) => row[of]));
    return {
      operation,
      requests: sum(rows, ({ requests }) => requests),
      p50: greatest('p50'),
      p95: greatest('p95'),
      p99: greatest('p99'),
      max: greatest('max'),
    };
  });
}

// Each row of a space is sent by one check, so shards that divide the checks divide the rows. Rows of two shards may
// share tuples, which the figures do not show: the sum is the most that the shards can have covered together.
function mergeCoverage(all: readonly SpaceCoverage[]): readonly SpaceCoverage[] {
  const keyOf = ({ space, tuples }: SpaceCoverage) => `${space}\u0000${tuples}`;
  return [...new Map(all.map((one) => [keyOf(one), one])).values()].map(({ space, tuples }) => {
    const rows = all.filter((row) => row.space === space && row.tuples === tuples);
    const possible = Math.max(...rows.map((row) => row.possible));
    return {
      space,
      tuples,
      covered: Math.min(
        possible,
        sum(rows, ({ covered }) => covered),
      ),
      possible,
    };
  });
}

// Shards may have kept the service under load at the same time or in turn; throughput is that of all answers in the
// total time of the shards.
function mergeSoaks(soaks: readonly Soak[]): Soak | undefined {
  if (soaks.length < 2) return soaks[0];
  const total = (of: Exclude<keyof Soak, 'latencies' | 'perSecond'>) => sum(soaks, (soak) => soak[of]);
  const rates = distinct(soaks.map(({ perSecond }) => perSecond));
  const milliseconds = total('milliseconds');
  const requests = total('requests');
  return {
    milliseconds,
    planned: total('planned'),
    ...(rates.length === 1 && rates[0] !== undefined ? { perSecond: rates[0] } : {}),
    requests,
    unanswered: total('unanswered'),
    throughput: milliseconds === 0 ? 0 : Math.round((requests / milliseconds) * 10_000) / 10,
    creations: total('creations'),
    lost: total('lost'),
    doubled: total('doubled'),
    unverified: total('unverified'),
    latencies: mergeLatencies(soaks.flatMap(({ latencies }) => latencies)),
  };
}

function mergeBaseline(
  results: readonly RunResult[],
  requirements: readonly RequirementResult[],
): Baseline | undefined {
  const baselines = results.flatMap(({ baseline }) => baseline ?? []);
  if (baselines.length === 0) return undefined;
  const listed = distinct(baselines.flatMap(({ expected, stale }) => [...expected, ...stale]));
  const having = (status: RequirementStatus) =>
    listed.filter((id) => requirements.some((row) => row.id === id && row.status === status));
  return {
    file: distinct(baselines.map(({ file }) => file)).join(', '),
    expected: having('violated'),
    stale: having('holds'),
  };
}

/** From the first start to the last end. */
function mergeTimes(runs: readonly RunResult['run'][]): Pick<RunResult['run'], 'startedAt' | 'milliseconds'> {
  const longest = Math.max(...runs.map(({ milliseconds }) => milliseconds));
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const ends = runs.map(({ startedAt, milliseconds }) => Date.parse(startedAt) + milliseconds);
  const whole = Math.max(...ends) - Math.min(...starts);
  return {
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0] ?? '',
    milliseconds: Number.isFinite(whole) ? Math.max(longest, whole) : longest,
  };
}

// A shard may have ended without a verdict for a reason that no check shows (the target was down, the suite failed).
// Then the merged run has one only where other shards judged everything that this one could not.
function concludeMerged(results: readonly RunResult[], requirements: readonly RequirementResult[], own: Conclusion) {
  if (own.exitCode !== 0) return own;
  const isOpen = ({ status }: RequirementResult) => status === 'not judged';
  const stillOpen = new Set(requirements.filter(isOpen).map(({ id }) => id));
  const fault = results.find(({ exitCode }) => exitCode === 2);
  const open = results.find((result) => {
    const unjudged = result.requirements.filter(isOpen);
    return result.exitCode === 3 && (unjudged.length === 0 || unjudged.some(({ id }) => stillOpen.has(id)));
  });
  const shard = fault ?? open;
  if (shard === undefined) return own;
  const { verdict, exitCode, conclusion } = shard;
  return { verdict, exitCode, conclusion: `In one shard: ${conclusion}` };
}

function notesOn(runs: readonly RunResult['run'][], coverage: readonly SpaceCoverage[]): readonly string[] {
  if (runs.length === 1) return [];
  const seeds = distinct(runs.map(({ seed }) => seed));
  const profiles = distinct(runs.map(({ profile }) => profile));
  return [
    `Merged from ${runs.length} results. Latencies are the greatest of any of them.`,
    ...(coverage.length > 0 ? ['What is told as covered is the most that they can have covered together.'] : []),
    ...(seeds.length > 1 ? [`They ran with different seeds: ${seeds.join(', ')}.`] : []),
    ...(profiles.length > 1 ? [`They ran with different profiles: ${profiles.join(', ')}.`] : []),
  ];
}

/**
 * One result from the shards of a run. A requirement gets the strongest status of any shard (violated, then holds, then
 * not judged …), checks are united, and figures, verdict and exit code are computed again.
 *
 * @throws MergeError where the results do not have one target and one catalogue
 */
export function mergeResults(results: readonly RunResult[]): RunResult {
  const [first, ...others] = results;
  if (first === undefined) throw new MergeError('nothing-to-merge', 'no result was given.');
  assertShards(first, others);
  const requirements = first.requirements.map((row) => mergeRequirement(row, results));
  const checks = mergeChecks(
    results,
    requirements.map(({ id }) => id),
  );
  const baseline = mergeBaseline(results, requirements);
  const runs = results.map(({ run }) => run);
  const coverage = mergeCoverage(results.flatMap((result) => result.coverage ?? []));
  const verdict = concludeMerged(results, requirements, concludeVerdict({ requirements, checks, baseline }));
  const [firstEnded] = results.flatMap((result) => result.firstViolation ?? []);
  const ended = firstEnded && firstViolation(firstEnded, requirements, checks);
  return {
    format: first.format,
    suite: first.suite,
    run: {
      id: distinct(runs.map(({ id }) => id)).join('+'),
      seed: first.run.seed,
      profile: first.run.profile,
      ...mergeTimes(runs),
      options: distinct(runs.map(({ options }) => options.join('\u0000'))).length === 1 ? first.run.options : [],
      interrupted: runs.find(({ interrupted }) => interrupted !== undefined)?.interrupted,
    },
    target: first.target,
    ...verdict,
    conclusion: ended === undefined ? verdict.conclusion : `${verdict.conclusion} ${firstViolationText(ended)}`,
    summary: summarise(requirements, checks, {
      requests: sum(results, ({ summary }) => summary.requests),
      creations: sum(results, ({ summary }) => summary.creations),
      throttled: sum(results, ({ summary }) => summary.throttled),
    }),
    requirements,
    checks,
    causes: mergeCauses(results.flatMap((result) => causesOf(result))),
    latencies: mergeLatencies(results.flatMap(({ latencies }) => latencies)),
    ...(coverage.length === 0 ? {} : { coverage }),
    soak: mergeSoaks(results.flatMap(({ soak }) => soak ?? [])),
    baseline,
    ...(ended === undefined ? {} : { firstViolation: ended }),
    notes: [...distinct(results.flatMap(({ notes }) => notes)), ...notesOn(runs, coverage)],
  };
}
