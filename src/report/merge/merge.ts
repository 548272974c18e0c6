import { isExpectedFailure, judgeBaseline, listedId, sentProfile } from '../model/baseline.ts';
import { firstViolation, firstViolationText } from '../model/first-violation.ts';
import { distinct } from '../model/queries.ts';
import type { Baseline, CheckResult, RequirementResult, RequirementStatus, RunResult } from '../model/result.ts';
import { statusByChecks } from '../model/status.ts';
import { summarise } from '../model/summary.ts';
import { type Conclusion, concludeVerdict, MIN_JUDGED } from '../model/verdict.ts';
import { assertMergeable } from './assert-mergeable.ts';
import { mergeCauses } from './merge-causes.ts';
import { mergeChecks } from './merge-checks.ts';
import { MergeError } from './merge-error.ts';
import {
  hasEveryTime,
  mergeCoverage,
  mergeLatencies,
  mergeSoaks,
  mergeTimes,
  saysWhich,
  sum,
} from './merge-figures.ts';

/** Strongest first: what one result proved still holds where another one could not tell. */
const STATUSES: readonly RequirementStatus[] = [
  'violated',
  'holds',
  'not judged',
  'not applicable',
  'not selected',
  'untestable',
];

const isShard = ({ run }: RunResult): boolean => run.shard !== undefined;

/** How a result is named where it is one of several. */
const nameOf = ({ run: { shard } }: RunResult): string =>
  shard === undefined ? 'one result' : `shard ${shard.number}/${shard.of}`;

/**
 * A requirement as one run would have judged it, by the checks of all results. What a shard was to send and never did
 * leaves its requirement open, though rules may have found its answers right elsewhere.
 */
function mergeRequirement(
  row: RequirementResult,
  results: readonly RunResult[],
  checks: readonly CheckResult[],
): RequirementResult {
  const versions = results.flatMap(({ requirements }) => requirements.filter(({ id }) => id === row.id));
  const expectedFailure = versions.some((one) => one.expectedFailure);
  const told = statusByChecks(checks.filter(({ requirement }) => requirement === row.id));
  const lacking = results.find((result) => isLackingIn(result, row.id));
  if (lacking !== undefined && told?.status !== 'violated') {
    const why = lacking.requirements.find(({ id }) => id === row.id)?.reason ?? 'it ended before that';
    return { ...row, status: 'not judged', reason: `${nameOf(lacking)}: ${why}`, expectedFailure };
  }
  if (told !== undefined && results.every(isShard)) return { ...row, reason: undefined, ...told, expectedFailure };
  const status = STATUSES.find((candidate) => versions.some((one) => one.status === candidate)) ?? row.status;
  const reasons = distinct(versions.flatMap((one) => (one.status === status ? (one.reason ?? []) : [])));
  const reason = reasons.length === 0 ? undefined : reasons.join('; ');
  return { ...row, status, reason, expectedFailure };
}

/** Whether a shard was to send the requests of a check of this requirement, and has no result of it. */
function isLackingIn({ run: { shard }, checks }: RunResult, requirement: string): boolean {
  const own = shard?.own.filter((id) => id === requirement || id.startsWith(`${requirement}.`)) ?? [];
  return own.some((id) => !checks.some((check) => check.id === id));
}

/** The baseline of all results, judged again by the checks of all. */
function mergeBaseline(
  results: readonly RunResult[],
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  day: string,
): Baseline | undefined {
  const baselines = results.flatMap(({ baseline }) => baseline ?? []);
  if (baselines.length === 0) return undefined;
  const file = distinct(baselines.map((one) => one.file)).join(', ');
  const narrow = results.find(({ run }) => run.narrowedTo !== undefined) ?? results[0];
  const profile = narrow === undefined ? 'smoke' : sentProfile(narrow.run);
  const entries = baselines.flatMap((one) => one.entries ?? []);
  if (entries.length > 0) {
    const listed = new Map(entries.map(({ state: _, ...entry }) => [`${entry.line} ${listedId(entry)}`, entry]));
    return judgeBaseline(file, [...listed.values()], { checks, day, profile, isPart: false });
  }
  const known = requirements.filter(({ expectedFailure }) => expectedFailure).map(({ id }) => id);
  const ids = distinct([...baselines.flatMap(({ expected, stale }) => [...expected, ...stale]), ...known]);
  const having = (status: RequirementStatus) =>
    ids.filter((id) => requirements.some((row) => row.id === id && row.status === status));
  return { file, expected: having('violated'), stale: having('holds') };
}

/** By check, as a failure that one shard expects does not excuse another in the next shard. */
function withExpectations(
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  baseline: Baseline | undefined,
  day: string,
): readonly RequirementResult[] {
  const { entries } = baseline ?? {};
  if (entries === undefined) return requirements;
  return requirements.map((row) => ({ ...row, expectedFailure: isExpectedFailure(row, checks, entries, day) }));
}

// A result may be without a verdict for a reason that no check shows (the target was down, the suite failed). Then the
// merged run has one only where others judged everything that this one could not.
function concludeMerged(results: readonly RunResult[], requirements: readonly RequirementResult[], own: Conclusion) {
  if (own.exitCode === 1 || own.exitCode === 2) return own;
  const isOpen = ({ status }: RequirementResult) => status === 'not judged';
  const stillOpen = new Set(requirements.filter(isOpen).map(({ id }) => id));
  const fault = results.find(({ exitCode }) => exitCode === 2);
  const open = results.find((result) => {
    // Of a shard that judged too little, the checks count among all; of one that judged nothing, the reason does.
    if (isShard(result)) return result.exitCode === 3 && result.checks.length === 0;
    const unjudged = result.requirements.filter(isOpen);
    return result.exitCode === 3 && (unjudged.length === 0 || unjudged.some(({ id }) => stillOpen.has(id)));
  });
  const other = fault ?? open;
  if (other === undefined) return own;
  const { verdict, exitCode, conclusion } = other;
  return { verdict, exitCode, conclusion: `In ${nameOf(other)}: ${conclusion}` };
}

/** The most that any of the runs asked for. */
const minJudgedOf = (runs: readonly RunResult['run'][]): number =>
  Math.max(...runs.map(({ minJudged = MIN_JUDGED }) => minJudged));

/** The options of all, without that which makes a shard of a run. */
function mergeOptions(results: readonly RunResult[]): readonly string[] {
  const all = results.map(({ run }) => run.options.filter((option) => !option.startsWith('--shard ')));
  if (results.every(isShard)) return distinct(all.flat());
  return distinct(all.map((options) => options.join('\u0000'))).length === 1 ? (all[0] ?? []) : [];
}

/** The remarks of all results, each with the shard that made it unless all did. */
function mergeNotes(results: readonly RunResult[]): readonly string[] {
  const notes = results.flatMap((result) => result.notes.map((note) => ({ note, result })));
  const isOfAll = (note: string): boolean => results.every((result) => result.notes.includes(note));
  return distinct(
    notes.map(({ note, result }) =>
      isShard(result) && !isOfAll(note) ? `${capitalised(nameOf(result))}: ${note}` : note,
    ),
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How the results were put together, where that matters to a reader. */
function notesOn(results: readonly RunResult[]): readonly string[] {
  if (results.length === 1) return [];
  const runs = results.map(({ run }) => run);
  const seeds = distinct(runs.map(({ seed }) => seed));
  const profiles = distinct(runs.map(({ profile }) => profile));
  const coverage = results.flatMap((result) => result.coverage ?? []);
  const isUnited = coverage.every(({ space, tuples }) =>
    saysWhich(coverage.filter((row) => row.space === space && row.tuples === tuples)),
  );
  const what = results.every(isShard) ? 'shards' : 'results';
  const isExact = hasEveryTime(results.flatMap(({ latencies }) => latencies));
  return [
    `Merged from ${results.length} ${what}.${isExact ? '' : ' Latencies are the greatest of any of them.'}`,
    ...(isUnited ? [] : ['What is told as covered is the most that they can have covered together.']),
    ...(seeds.length > 1 ? [`They ran with different seeds: ${seeds.join(', ')}.`] : []),
    ...(profiles.length > 1 ? [`They ran with different profiles: ${profiles.join(', ')}.`] : []),
  ];
}

/**
 * One result from the shards of a run, as one run would have given it: the same requirements are judged, with the same
 * outcomes; checks are united, figures added up, and verdict and exit code computed again. Results of whole runs can be
 * merged too: a requirement then gets the strongest status of any (violated, then holds, then not judged …).
 *
 * @throws MergeError where the results do not have one target and one catalogue, or are not all shards of one run
 */
export function mergeResults(results: readonly RunResult[]): RunResult {
  assertMergeable(results);
  const [first] = results;
  if (first === undefined) throw new MergeError('nothing-to-merge', 'no result was given.');
  const checks = mergeChecks(
    results,
    first.requirements.map(({ id }) => id),
  );
  const runs = results.map(({ run }) => run);
  const times = mergeTimes(runs);
  const day = times.startedAt.slice(0, 10);
  const judged = first.requirements.map((row) => mergeRequirement(row, results, checks));
  const baseline = mergeBaseline(results, judged, checks, day);
  const requirements = withExpectations(judged, checks, baseline, day);
  const interrupted = runs.find((run) => run.interrupted !== undefined)?.interrupted;
  const coverage = mergeCoverage(results.flatMap((result) => result.coverage ?? []));
  const own = concludeVerdict({ requirements, checks, baseline }, { minJudged: minJudgedOf(runs) });
  const verdict = concludeMerged(results, requirements, own);
  const [firstEnded] = results.flatMap((result) => result.firstViolation ?? []);
  const ended = firstEnded && firstViolation(firstEnded, requirements, checks);
  const isCut = interrupted !== undefined && !/(^|: )Interrupted\./.test(verdict.conclusion);
  return {
    format: first.format,
    suite: first.suite,
    run: {
      id: distinct(runs.map(({ id }) => id)).join('+'),
      seed: first.run.seed,
      profile: first.run.profile,
      ...times,
      options: mergeOptions(results),
      ...(runs.every((run) => run.minJudged === undefined) ? {} : { minJudged: minJudgedOf(runs) }),
      interrupted,
    },
    target: first.target,
    ...verdict,
    conclusion: [
      ...(isCut ? ['Interrupted.'] : []),
      verdict.conclusion,
      ...(ended === undefined ? [] : [firstViolationText(ended)]),
    ].join(' '),
    summary: summarise(requirements, checks, {
      requests: sum(results, ({ summary }) => summary.requests),
      creations: sum(results, ({ summary }) => summary.creations),
      throttled: sum(results, ({ summary }) => summary.throttled),
    }),
    requirements,
    checks,
    causes: mergeCauses(results, requirements, checks),
    latencies: mergeLatencies(results.flatMap(({ latencies }) => latencies)),
    ...(coverage.length === 0 ? {} : { coverage }),
    soak: mergeSoaks(results.flatMap(({ soak }) => soak ?? [])),
    baseline,
    ...(ended === undefined ? {} : { firstViolation: ended }),
    notes: [...mergeNotes(results), ...notesOn(results)],
  };
}
