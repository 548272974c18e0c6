import { readings } from './findings.ts';
import { count, duration } from './formats/excerpt.ts';
import { printable } from './formats/printable.ts';
import type { OperationId, RequirementResult, RequirementStatus, RunResult } from './model/result.ts';

/** One requirement whose status is not what it was. */
export interface StatusChange {
  readonly id: string;
  readonly says: string;
  readonly before: RequirementStatus;
  readonly after: RequirementStatus;
  /** Why it is not judged now, or was not then. */
  readonly reason: string | undefined;
}

/** What was seen at one open point, then and now. */
export interface ReadingChange {
  readonly requirement: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface LatencyChange {
  readonly operation: OperationId;
  /** Milliseconds. */
  readonly p50: { readonly before: number; readonly after: number };
  readonly p95: { readonly before: number; readonly after: number };
}

export interface Comparison {
  readonly before: RunResult;
  readonly after: RunResult;
  readonly fixed: readonly StatusChange[];
  readonly newlyViolated: readonly StatusChange[];
  /** Checks that fail now and did not, of requirements that were violated already. */
  readonly newlyFailingChecks: readonly string[];
  readonly newlyJudged: readonly StatusChange[];
  /** Had a verdict, and could not be judged this time. */
  readonly newlyUnjudged: readonly StatusChange[];
  /** Any other change: not selected, not applicable. */
  readonly otherwise: readonly StatusChange[];
  /** Rows of the catalogue that only one of the two has. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly readings: readonly ReadingChange[];
  readonly latencies: readonly LatencyChange[];
  /** 1 where something got worse: a new violation, a further failing check, a verdict that was lost. */
  readonly exitCode: 0 | 1;
}

function judged(status: RequirementStatus): boolean {
  return status === 'holds' || status === 'violated';
}

function statusChanges(before: RunResult, after: RunResult): readonly StatusChange[] {
  const earlier = new Map(before.requirements.map((row) => [row.id, row]));
  return after.requirements.flatMap((row) => {
    const then = earlier.get(row.id);
    if (then === undefined || then.status === row.status) return [];
    return [
      {
        id: row.id,
        says: row.says,
        before: then.status,
        after: row.status,
        reason: row.reason ?? then.reason,
      },
    ];
  });
}

function failingChecks(result: RunResult): ReadonlySet<string> {
  return new Set(result.checks.filter((check) => check.outcome.kind === 'failed').map((check) => check.id));
}

function readingsOf(result: RunResult): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { requirement, reading } of readings(result)) {
    const group = found.get(requirement);
    if (group === undefined) found.set(requirement, [reading]);
    else group.push(reading);
  }
  return new Map([...found].map(([requirement, group]) => [requirement, group.toSorted()]));
}

function readingChanges(before: RunResult, after: RunResult): readonly ReadingChange[] {
  const then = readingsOf(before);
  const now = readingsOf(after);
  return [...now].flatMap(([requirement, seen]) => {
    const earlier = then.get(requirement);
    if (earlier === undefined || earlier.join('\u0000') === seen.join('\u0000')) return [];
    return [{ requirement, before: earlier, after: seen }];
  });
}

function latencyChanges(before: RunResult, after: RunResult): readonly LatencyChange[] {
  return after.latencies.flatMap((now) => {
    const then = before.latencies.find((latency) => latency.operation === now.operation);
    if (then === undefined) return [];
    const pair = (of: 'p50' | 'p95') => ({ before: then[of], after: now[of] });
    return [{ operation: now.operation, p50: pair('p50'), p95: pair('p95') }];
  });
}

function idsOf(rows: readonly RequirementResult[]): ReadonlySet<string> {
  return new Set(rows.map((row) => row.id));
}

/**
 * What changed from one result to another, requirement by requirement. The two may be of one target at two times, or
 * of two targets. Readings and latencies are never better or worse, only different.
 */
export function compareResults(before: RunResult, after: RunResult): Comparison {
  const changes = statusChanges(before, after);
  const newlyViolated = changes.filter((change) => change.after === 'violated');
  const newlyUnjudged = changes.filter((change) => judged(change.before) && change.after === 'not judged');
  const fixed = changes.filter((change) => change.before === 'violated' && change.after === 'holds');
  const newlyJudged = changes.filter((change) => !judged(change.before) && change.after === 'holds');
  const named = new Set([...newlyViolated, ...newlyUnjudged, ...fixed, ...newlyJudged]);
  const stillViolated = new Set(
    after.requirements
      .filter((row) => row.status === 'violated' && !newlyViolated.some(({ id }) => id === row.id))
      .map((row) => row.id),
  );
  const failedBefore = failingChecks(before);
  const newlyFailingChecks = after.checks
    .filter(
      (check) => check.outcome.kind === 'failed' && !failedBefore.has(check.id) && stillViolated.has(check.requirement),
    )
    .map((check) => check.id);
  const [then, now] = [idsOf(before.requirements), idsOf(after.requirements)];
  const worse = newlyViolated.length + newlyUnjudged.length + newlyFailingChecks.length > 0;
  const added = after.requirements.filter((row) => !then.has(row.id));
  return {
    before,
    after,
    fixed,
    newlyViolated,
    newlyFailingChecks,
    newlyJudged,
    newlyUnjudged,
    otherwise: changes.filter((change) => !named.has(change)),
    added: added.map((row) => row.id),
    removed: [...then].filter((id) => !now.has(id)),
    readings: readingChanges(before, after),
    latencies: latencyChanges(before, after),
    exitCode: worse || added.some((row) => row.status === 'violated') ? 1 : 0,
  };
}

function targetName(result: RunResult): string {
  return result.target.embedded ? 'the embedded reference service' : printable(result.target.baseUrl);
}

function titled(result: RunResult): string {
  return `${targetName(result)} (${result.run.startedAt}, ${result.run.profile}, seed ${result.run.seed})`;
}

function changeLines(title: string, changes: readonly StatusChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.map((change) => {
    const why = change.after === 'not judged' && change.reason !== undefined ? ` (${printable(change.reason)})` : '';
    return `  ${change.id.padEnd(10)} ${change.before} → ${change.after}${why}  ${printable(change.says)}`;
  });
  return [[`${title}:`, ...lines].join('\n')];
}

function listLine(title: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`${title}: ${ids.join(', ')}`];
}

/** A comparison as text, ending in a line feed; what got worse comes first. */
export function renderComparison(comparison: Comparison): string {
  const { before, after } = comparison;
  const readingLines = comparison.readings.map(
    (change) =>
      `  ${change.requirement.padEnd(10)} ${printable(change.before.join(', '))} → ${printable(change.after.join(', '))}`,
  );
  const latencyLines = comparison.latencies.map(
    ({ operation, p50, p95 }) =>
      `  ${operation.padEnd(10)} p50 ${duration(p50.before)} → ${duration(p50.after)} · p95 ${duration(p95.before)} → ${duration(p95.after)}`,
  );
  const worse =
    comparison.newlyViolated.length + comparison.newlyFailingChecks.length + comparison.newlyUnjudged.length;
  const verdict =
    comparison.exitCode === 0
      ? `Nothing got worse${comparison.fixed.length > 0 ? `, and ${count(comparison.fixed.length, 'requirement')} fixed` : ''}.`
      : `Worse than before${worse > 0 ? ` in ${count(worse, 'point')}` : ''}.`;
  const sections = [
    `before  ${titled(before)}\nafter   ${titled(after)}`,
    ...changeLines('Newly violated', comparison.newlyViolated),
    ...listLine('Further checks that fail', comparison.newlyFailingChecks),
    ...changeLines('No longer judged', comparison.newlyUnjudged),
    ...changeLines('Fixed', comparison.fixed),
    ...changeLines('Newly judged', comparison.newlyJudged),
    ...changeLines('Otherwise changed', comparison.otherwise),
    ...listLine('Only in the later catalogue', comparison.added),
    ...listLine('Only in the earlier catalogue', comparison.removed),
    ...(readingLines.length === 0
      ? []
      : [['Read otherwise where the specification is silent:', ...readingLines].join('\n')]),
    ...(latencyLines.length === 0 ? [] : [['Latency:', ...latencyLines].join('\n')]),
    verdict,
  ];
  return `${sections.join('\n\n')}\n`;
}
