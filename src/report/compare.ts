import { distinct, failedChecks, isUnjudgeable, observations, targetName } from './model/queries.ts';
import type { OperationId, RequirementStatus, RunResult, SpaceCoverage } from './model/result.ts';
import { coveredText } from './model/summary.ts';
import { count, duration, list, printable } from './model/text.ts';

interface BeforeAndAfter<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** One requirement whose status changed. */
interface StatusChange extends BeforeAndAfter<RequirementStatus> {
  readonly id: string;
  readonly says: string;
  /** Why it is not judged now, or was not before. */
  readonly reason: string | undefined;
}

/** How a status changed. `newlyUnjudged` had a verdict before; `otherwise` has to do with selection or applicability. */
type ChangeKind = 'newlyViolated' | 'newlyUnjudged' | 'fixed' | 'newlyJudged' | 'otherwise';

export interface Comparison extends BeforeAndAfter<RunResult>, Readonly<Record<ChangeKind, readonly StatusChange[]>> {
  /** Checks that fail now and did not before, of requirements that were violated already. */
  readonly newlyFailingChecks: readonly string[];
  /** Requirements that only one of the two catalogues has. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What was observed at each open point where the two differ. */
  readonly readings: readonly (BeforeAndAfter<readonly string[]> & { readonly requirement: string })[];
  /** Milliseconds. */
  readonly latencies: readonly (Readonly<Record<'p50' | 'p95', BeforeAndAfter<number>>> & {
    readonly operation: OperationId;
  })[];
  /** The request spaces that were covered to another degree; undefined where the run did not cover them at all. */
  readonly coverage: readonly (BeforeAndAfter<SpaceCoverage | undefined> & { readonly of: string })[];
  /** 1 where something got worse: a new violation, a further failing check, a lost verdict. */
  readonly exitCode: 0 | 1;
}

function kindOf({ before, after }: StatusChange): ChangeKind {
  if (after === 'violated') return 'newlyViolated';
  if (after === 'not judged' && (before === 'holds' || before === 'violated')) return 'newlyUnjudged';
  if (after !== 'holds') return 'otherwise';
  return before === 'violated' ? 'fixed' : 'newlyJudged';
}

function readingsOf(result: RunResult, requirement: string): readonly string[] {
  const seen = observations(result).filter((one) => one.requirement === requirement);
  return seen.map(({ reading }) => reading).toSorted();
}

function readingChanges(before: RunResult, after: RunResult): Comparison['readings'] {
  return distinct(observations(after).map(({ requirement }) => requirement))
    .map((id) => ({ requirement: id, before: readingsOf(before, id), after: readingsOf(after, id) }))
    .filter((change) => change.before.length > 0 && change.before.join('\u0000') !== change.after.join('\u0000'));
}

function latencyChanges(before: RunResult, after: RunResult): Comparison['latencies'] {
  return after.latencies.flatMap(({ operation, p50, p95 }) => {
    const old = before.latencies.find((row) => row.operation === operation);
    if (old === undefined) return [];
    return { operation, p50: { before: old.p50, after: p50 }, p95: { before: old.p95, after: p95 } };
  });
}

function coverageChanges({ coverage: before }: RunResult, { coverage: after }: RunResult): Comparison['coverage'] {
  // Results of earlier versions say nothing of it.
  if (before === undefined || after === undefined) return [];
  const nameOf = ({ tuples, space }: SpaceCoverage) => `${tuples} of ${space}`;
  const named = (all: readonly SpaceCoverage[], name: string) => all.find((one) => nameOf(one) === name);
  return distinct([...after, ...before].map(nameOf))
    .map((of) => ({ of, before: named(before, of), after: named(after, of) }))
    .filter((change) => covered(change.before) !== covered(change.after));
}

const covered = (figures: SpaceCoverage | undefined): string => (figures === undefined ? 'none' : coveredText(figures));

/**
 * What changed from one result to another, requirement by requirement. The two may be of one target at two times, or
 * of two targets. Readings, latencies and coverage are never better or worse, only different.
 */
export function compareResults(before: RunResult, after: RunResult): Comparison {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  const later = new Set(after.requirements.map(({ id }) => id));
  const changes = after.requirements.flatMap(({ id, says, status, reason }): readonly StatusChange[] => {
    const old = earlier.get(id);
    if (old === undefined || old.status === status) return [];
    return [{ id, says, before: old.status, after: status, reason: reason ?? old.reason }];
  });
  const having = (kind: ChangeKind) => changes.filter((change) => kindOf(change) === kind);
  const newlyViolated = having('newlyViolated');
  const newlyUnjudged = having('newlyUnjudged');
  const failedBefore = new Set(failedChecks(before).map(({ check }) => check.id));
  const newlyFailingChecks = failedChecks(after)
    .filter(({ check, requirement }) => !failedBefore.has(check.id) && requirement?.status === 'violated')
    .filter(({ requirement }) => newlyViolated.every(({ id }) => id !== requirement?.id))
    .map(({ check }) => check.id);
  const added = after.requirements.filter(({ id }) => !earlier.has(id));
  const worse =
    newlyViolated.length + newlyUnjudged.length + newlyFailingChecks.length > 0 ||
    added.some(({ status }) => status === 'violated');
  return {
    before,
    after,
    fixed: having('fixed'),
    newlyViolated,
    newlyFailingChecks,
    newlyJudged: having('newlyJudged'),
    newlyUnjudged,
    otherwise: having('otherwise'),
    added: added.map(({ id }) => id),
    removed: [...earlier.keys()].filter((id) => !later.has(id)),
    readings: readingChanges(before, after),
    latencies: latencyChanges(before, after),
    coverage: coverageChanges(before, after),
    exitCode: worse ? 1 : 0,
  };
}

function changeLines(changes: readonly StatusChange[]): readonly string[] {
  return changes.map(({ id, says, before, after, reason }) => {
    const why = after === 'not judged' && reason !== undefined ? ` (${printable(reason)})` : '';
    return `  ${id.padEnd(10)} ${before} → ${after}${why}  ${printable(says)}`;
  });
}

/** A comparison as text, ending in a line feed; what got worse comes first. */
export function renderComparison(comparison: Comparison): string {
  const { before, after, newlyViolated, newlyFailingChecks, newlyUnjudged, fixed, added, removed } = comparison;
  const title = (result: RunResult) => {
    const { startedAt, profile, seed } = result.run;
    return `${printable(targetName(result))} (${startedAt}, ${profile}, seed ${seed})`;
  };
  const ids = (lead: string, all: readonly string[]) => (all.length === 0 ? [] : [`${lead} ${all.join(', ')}`]);
  const readings = comparison.readings.map(
    ({ requirement, before, after }) =>
      `  ${requirement.padEnd(10)} ${printable(before.join(', '))} → ${printable(after.join(', '))}`,
  );
  const change = ({ before, after }: BeforeAndAfter<number>) => `${duration(before)} → ${duration(after)}`;
  const latencies = comparison.latencies.map(
    ({ operation, p50, p95 }) => `  ${operation.padEnd(10)} p50 ${change(p50)} · p95 ${change(p95)}`,
  );
  const coverage = comparison.coverage.map(
    ({ of, before, after }) => `  ${printable(of)}: ${covered(before)} → ${covered(after)}`,
  );
  const points = newlyViolated.length + newlyFailingChecks.length + newlyUnjudged.length;
  const verdict =
    comparison.exitCode === 0
      ? `Nothing got worse${fixed.length > 0 ? `, and ${count(fixed.length, 'requirement')} fixed` : ''}.`
      : `Worse than before${points > 0 ? ` in ${count(points, 'point')}` : ''}.`;
  const sections = [
    `before  ${title(before)}\nafter   ${title(after)}`,
    ...list('Newly violated:', changeLines(newlyViolated)),
    ...ids('Further checks that fail:', newlyFailingChecks),
    ...(isUnjudgeable(after)
      ? [`Nothing was judged this time: ${printable(after.conclusion)}`]
      : list('No longer judged:', changeLines(newlyUnjudged))),
    ...list('Fixed:', changeLines(fixed)),
    ...list('Newly judged:', changeLines(comparison.newlyJudged)),
    ...list('Otherwise changed:', changeLines(comparison.otherwise)),
    ...ids('Only in the later catalogue:', added),
    ...ids('Only in the earlier catalogue:', removed),
    ...list('Different where the specification is silent:', readings),
    ...list('Covered to another degree:', coverage),
    ...list('Latency:', latencies),
    verdict,
  ];
  return `${sections.join('\n\n')}\n`;
}
