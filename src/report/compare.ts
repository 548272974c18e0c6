import { isCut, recordOf, statusesOf } from './history/record-of.ts';
import { distinct } from './model/queries.ts';
import { type ReadingChange, readingChanges } from './model/readings.ts';
import type { RunResult, SpaceCoverage } from './model/result.ts';
import type { RecordedStatus, RunRecord } from './model/run-record.ts';
import type { OperationId } from './model/scalars.ts';

/** Version of the format of a comparison as JSON. */
const COMPARISON_FORMAT = 'conformance-comparison/1';

export interface BeforeAndAfter<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** A requirement whose status changed; undefined where the catalogue has it not. */
interface RequirementChange extends BeforeAndAfter<RecordedStatus | undefined> {
  readonly kind: 'requirement';
  readonly id: string;
  /** Why it is not judged, or was not before. */
  readonly reason?: string;
}

/** A check that fails now, or no longer does, of a requirement that was violated before and is now. */
interface CheckChange extends BeforeAndAfter<'failed' | 'not failed'> {
  readonly kind: 'check';
  readonly id: string;
}

export type Change = RequirementChange | CheckChange;

/** A requirement that was violated between two runs in which it was not. */
interface Unsteady {
  readonly id: string;
  /** In how many of the runs it was violated. */
  readonly violated: number;
}

/** In what two runs differ beside the service; undefined where one of them says nothing of it. */
interface EnvironmentChange {
  /** `target`, `suite`, `specification`, `profile`, `seed`, `selection`, `interrupted`, or the name of an option. */
  readonly what: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What changed from one run to another; where more were asked for, between the first of them and the last. */
export interface Comparison extends BeforeAndAfter<RunRecord> {
  readonly format: typeof COMPARISON_FORMAT;
  /** How many runs were looked at. */
  readonly runs: number;
  /** Newly violated, a further check that fails, or a verdict that is lost though nobody asked for that. */
  readonly regressions: readonly Change[];
  readonly fixed: readonly Change[];
  /** Judged for the first time, and holding. */
  readonly added: readonly Change[];
  /** Judged before, and now left out, not applicable, or no longer in the catalogue. */
  readonly gone: readonly Change[];
  /** Judged in neither of the two, and not for the same reason. */
  readonly unjudged: readonly Change[];
  /** The open points at which the service behaves differently. */
  readonly readings: readonly ReadingChange[];
  /** In what the two runs differ beside the service: seed, profile, selection, versions and other options. */
  readonly environment: readonly EnvironmentChange[];
  /** Of more than two runs. */
  readonly unsteady: readonly Unsteady[];
  /** Milliseconds. */
  readonly latencies: readonly (Readonly<Record<'p50' | 'p95', BeforeAndAfter<number>>> & {
    readonly operation: OperationId;
  })[];
  /** The request spaces that were covered to another degree; undefined where a run did not cover them at all. */
  readonly coverage: readonly (BeforeAndAfter<SpaceCoverage | undefined> & { readonly of: string })[];
  /** 1 where there is a regression. */
  readonly exitCode: 0 | 1;
}

type Kind = 'regressions' | 'fixed' | 'added' | 'gone' | 'unjudged';

const JUDGED: readonly unknown[] = ['holds', 'violated'];

function kindOf({ before, after }: BeforeAndAfter<RecordedStatus | undefined>): Kind {
  if (after === 'violated') return 'regressions';
  if (after === 'holds') return before === 'violated' ? 'fixed' : 'added';
  if (!JUDGED.includes(before)) return 'unjudged';
  return after === 'not judged' ? 'regressions' : 'gone';
}

function requirementChanges(before: RunRecord, after: RunRecord): readonly RequirementChange[] {
  const [earlier, later] = [statusesOf(before), statusesOf(after)];
  return distinct([...later.keys(), ...earlier.keys()]).flatMap((id): readonly RequirementChange[] => {
    const change = { kind: 'requirement' as const, id, before: earlier.get(id), after: later.get(id) };
    if (change.before === change.after) return [];
    const isLost = change.after === 'not judged';
    const reason = (isLost ? after : before).reasons.find(({ requirements }) => requirements.includes(id))?.reason;
    return [{ ...change, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** Checks that fail, or no longer do, of requirements that were and are violated. */
function checkChanges(before: RunRecord, after: RunRecord): readonly CheckChange[] {
  const isViolated = (id: string, { requirements: { violated = [] } }: RunRecord): boolean =>
    violated.some((key) => id === key || id.startsWith(`${key}.`));
  const isChange = (id: string, other: RunRecord): boolean =>
    !other.failing.includes(id) && isViolated(id, before) && isViolated(id, after);
  const kind = 'check' as const;
  return [
    ...after.failing
      .filter((id) => isChange(id, before))
      .map((id) => ({ kind, id, before: 'not failed', after: 'failed' }) as const),
    ...before.failing
      .filter((id) => isChange(id, after))
      .map((id) => ({ kind, id, before: 'failed', after: 'not failed' }) as const),
  ];
}

const latencyChanges = (before: RunRecord, after: RunRecord): Comparison['latencies'] =>
  after.latencies.flatMap(({ operation, p50, p95 }) => {
    const old = before.latencies.find((row) => row.operation === operation);
    return old ? { operation, p50: { before: old.p50, after: p50 }, p95: { before: old.p95, after: p95 } } : [];
  });

function coverageChanges({ coverage: before }: RunRecord, { coverage: after }: RunRecord): Comparison['coverage'] {
  // A replay says nothing of it, nor does a run that was cut, or that judged nothing.
  if (before.length === 0 || after.length === 0) return [];
  const nameOf = ({ tuples, space }: SpaceCoverage) => `${tuples} of ${space}`;
  const named = (all: readonly SpaceCoverage[], name: string) => all.find((one) => nameOf(one) === name);
  // How many pairs there are in all depends on what was drawn, and so on the seed.
  const share = (one: SpaceCoverage | undefined) => one && Math.floor((100 * one.covered) / one.possible);
  return distinct([...after, ...before].map(nameOf))
    .map((of) => ({ of, before: named(before, of), after: named(after, of) }))
    .filter((change) => share(change.before) !== share(change.after));
}

function unsteadyIn(runs: readonly RunRecord[]): readonly Unsteady[] {
  const violatedIn = runs.map(({ requirements }) => requirements.violated ?? []);
  const [first = [], last = []] = [violatedIn[0], violatedIn.at(-1)];
  return distinct(violatedIn.flat())
    .filter((id) => !first.includes(id) && !last.includes(id))
    .map((id) => ({ id, violated: violatedIn.filter((ids) => ids.includes(id)).length }));
}

const SELECTION = /^--(only|skip)\b/;

/** Everything in which two runs differ beside the service. */
function environmentChanges(before: RunRecord, after: RunRecord): readonly EnvironmentChange[] {
  const areOptionsKnown = !isCut(before, 'options') && !isCut(after, 'options');
  const [earlier, later] = [factsOf(before, areOptionsKnown), factsOf(after, areOptionsKnown)];
  return distinct([...earlier.keys(), ...later.keys()])
    .map((what) => ({ what, before: earlier.get(what), after: later.get(what) }))
    .filter((change) => change.before !== change.after);
}

function factsOf(run: RunRecord, areOptionsKnown: boolean): ReadonlyMap<string, string> {
  const { target, suite, specification, profile, seed, interrupted } = run;
  const options = areOptionsKnown ? run.options : [];
  const facts = new Map<string, string>(Object.entries({ target, suite, specification, profile, seed: String(seed) }));
  const selection = options.filter((option) => SELECTION.test(option)).join(' ');
  if (selection !== '') facts.set('selection', selection);
  if (interrupted !== undefined) facts.set('interrupted', interrupted);
  for (const option of options.filter((one) => !SELECTION.test(one))) {
    const [name = option, ...value] = option.split(' ');
    const given = value.join(' ') || 'given';
    facts.set(name, facts.has(name) ? `${facts.get(name)}, ${given}` : given);
  }
  return facts;
}

/**
 * What changed between the first and the last of some runs, requirement by requirement. They may be of one target at
 * several times, or of several targets. Readings, latencies and coverage are never better or worse, only different.
 */
export function compareRuns(runs: readonly [RunRecord, ...RunRecord[]]): Comparison {
  const [before] = runs;
  const after = runs.at(-1) ?? before;
  const requirements = requirementChanges(before, after);
  const checks = checkChanges(before, after);
  const having = (kind: Kind) => requirements.filter((change) => kindOf(change) === kind);
  const regressions = [...having('regressions'), ...checks.filter((change) => change.after === 'failed')];
  return {
    format: COMPARISON_FORMAT,
    runs: runs.length,
    before,
    after,
    regressions,
    fixed: [...having('fixed'), ...checks.filter((change) => change.after === 'not failed')],
    added: having('added'),
    gone: having('gone'),
    unjudged: having('unjudged'),
    readings: readingChanges(before.readings, after.readings),
    environment: environmentChanges(before, after),
    unsteady: unsteadyIn(runs),
    latencies: latencyChanges(before, after),
    coverage: coverageChanges(before, after),
    exitCode: regressions.length > 0 ? 1 : 0,
  };
}

/** As {@link compareRuns}, of two results. */
export const compareResults = (before: RunResult, after: RunResult): Comparison =>
  compareRuns([recordOf(before), recordOf(after)]);
