import { baselineAdvice } from './baseline.ts';
import type {
  Cause,
  CheckResult,
  FailingInput,
  Observation,
  RequirementResult,
  RequirementStatus,
  RunResult,
  Violation,
} from './result.ts';
import type { ServiceDescription } from './service.ts';

/** A check that failed, with its requirement (undefined where the catalogue has no such row). */
export interface FailedCheck {
  readonly check: CheckResult;
  readonly requirement: RequirementResult | undefined;
  readonly violations: readonly Violation[];
  /** The baseline lists it: it does not fail the run. */
  readonly expected: boolean;
}

/** One part of the specification with its requirements and checks. */
export interface PartResult {
  readonly part: string;
  readonly title: string;
  /** The source file of its checks. */
  readonly file: string | undefined;
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
}

/** Each value once, in the order of its first occurrence. */
export function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}

/** What the service is called that is judged where no address is given. */
export const EMBEDDED_NAME = 'the embedded reference service';

/** The target as reports name it; its address is not escaped. */
export function targetName({ target }: RunResult): string {
  return target.embedded ? EMBEDDED_NAME : target.baseUrl;
}

/** How the run was made, in a few words: `standard · seed 7`. */
export function runName({ run: { profile, seed } }: RunResult): string {
  return `${profile} · seed ${seed}`;
}

/** True where nothing was tried, because the target cannot be judged at all: the conclusion is all there is to say. */
export function isUnjudgeable({ verdict, checks }: RunResult): boolean {
  return verdict === 'not judged' && checks.length === 0;
}

/** What to do about entries of the baseline that are stale or expired; undefined where there are none. */
export function staleAdvice(result: Pick<RunResult, 'baseline' | 'checks'>): string | undefined {
  const advice = baselineAdvice(result);
  return advice.length === 0 ? undefined : advice.join('; ');
}

/** What to do about internal errors of the suite. */
export function internalErrorAdvice({ suite, run }: RunResult): string {
  return `Please report them to the maintainers of ${suite.name} ${suite.version}, with seed ${run.seed} and conformance.json.`;
}

/** Every failed check in the order of the run, those in the baseline too. */
export function failedChecks({ checks, requirements, baseline }: RunResult): readonly FailedCheck[] {
  const excusing = baseline?.entries.filter(({ state }) => state === 'expected');
  return checks.flatMap((check) => {
    if (check.outcome.kind !== 'failed') return [];
    const requirement = requirements.find(({ id }) => id === check.requirement);
    const isListed = excusing?.some((entry) => entry.checks.includes(check.id));
    const expected = isListed ?? requirement?.expectedFailure ?? false;
    return [{ check, requirement, violations: check.outcome.violations, expected }];
  });
}

/** Whether a check failed as the baseline expects. */
export const isExpected = (result: RunResult, { id }: CheckResult): boolean =>
  failedChecks(result).some(({ check, expected }) => check.id === id && expected);

/**
 * Why checks failed, the cause that explains most first. A failed check that no cause explains is a cause of its own; one
 * that several explain is told with the first of them.
 */
export function causesOf({ checks, causes }: Pick<RunResult, 'checks' | 'causes'>): readonly Cause[] {
  const failed = checks.flatMap(({ id, requirement, outcome }) => {
    if (outcome.kind !== 'failed' || causes.some((cause) => cause.checks.includes(id))) return [];
    const [first] = outcome.violations;
    const exchange = first?.exchanges.findLast(({ role }) => role === 'judged');
    const says = first?.message ?? 'the requirement is violated';
    return [{ says, requirements: [requirement], checks: [id], ...(exchange === undefined ? {} : { exchange }) }];
  });
  return [...causes, ...failed];
}

/** A cause with the failed checks that are told under it. */
export interface CauseOfFailures {
  readonly cause: Cause;
  readonly failed: readonly FailedCheck[];
  /** The baseline lists all that it violates. */
  readonly expected: boolean;
}

/** The causes in their order, each failed check under the first that explains it; what is expected comes last. */
export function failuresByCause(result: RunResult): readonly CauseOfFailures[] {
  const failed = failedChecks(result);
  const told = new Set<string>();
  const groups = causesOf(result).map((cause) => {
    const own = cause.checks.filter((id) => !told.has(id));
    for (const id of own) told.add(id);
    const violated = result.requirements.filter(({ id }) => cause.requirements.includes(id));
    return {
      cause,
      failed: own.flatMap((id) => failed.filter(({ check }) => check.id === id)),
      expected: violated.length > 0 && violated.every(({ expectedFailure }) => expectedFailure),
    };
  });
  return groups.toSorted((one, other) => Number(one.expected) - Number(other.expected));
}

/** The failing inputs of a check beside those that its violations show: the first few, and how many more there are. */
export function furtherInputs({ check, violations }: FailedCheck, most: number) {
  const { inputs = [], inputsLeftOut = 0 } = check.outcome.kind === 'failed' ? check.outcome : {};
  const shown = violations.flatMap(({ exchanges }) => exchanges.findLast(({ role }) => role === 'judged') ?? []);
  const isShown = ({ sent }: FailingInput): boolean =>
    shown.some(({ request: { method, url, body } }) => {
      const text = body?.encoding === 'text' ? ` ${body.text}` : '';
      return sent.startsWith(`${method} `) && `${method} ${url}${text}`.endsWith(sent.slice(method.length + 1));
    });
  const further = inputs.filter((input) => !isShown(input));
  return { first: further.slice(0, most), more: Math.max(0, further.length - most) + inputsLeftOut };
}

/** The checks that ended in an internal error of the suite. */
export function internalErrors({ checks }: RunResult) {
  return checks.flatMap((check) => (check.outcome.kind === 'harness error' ? [{ check, ...check.outcome }] : []));
}

/** What was observed at open points: each pair of requirement and reading once, in the order of the run. */
export function observations({ checks }: Pick<RunResult, 'checks'>): readonly Observation[] {
  const all = checks.flatMap((check) => check.observations);
  return [...new Map(all.map((one) => [`${one.requirement}\u0000${one.reading}`, one])).values()];
}

/** The requirements of one status, grouped by their reason, in the order of the catalogue. */
export function groupedByReason({ requirements }: RunResult, status: RequirementStatus) {
  const rows = requirements.filter((row) => row.status === status);
  const reasonOf = (row: RequirementResult) => row.reason ?? 'no reason was recorded';
  return distinct(rows.map(reasonOf)).map((reason) => ({
    reason,
    ids: rows.filter((row) => reasonOf(row) === reason).map(({ id }) => id),
  }));
}

/**
 * Requirements and checks by part, in the order of the specification; parts that have neither are left out. A check
 * whose requirement is not in the catalogue comes last, under `Not in the catalogue`, so that it is never lost.
 */
export function byPart(result: RunResult, { parts }: ServiceDescription): readonly PartResult[] {
  const partOf = new Map(result.requirements.map(({ id, part }) => [id, part]));
  const described = new Map(parts.map((one) => [one.part, one]));
  const known = distinct([...described.keys(), ...partOf.values()]).map((part) => ({
    part,
    title: described.get(part)?.title ?? `Part ${part}`,
    file: described.get(part)?.file,
    requirements: result.requirements.filter((row) => row.part === part),
    checks: result.checks.filter(({ requirement }) => partOf.get(requirement) === part),
  }));
  const strays = result.checks.filter(({ requirement }) => !partOf.has(requirement));
  const stray = { part: '', title: 'Not in the catalogue', file: undefined, requirements: [], checks: strays };
  return [...known, stray].filter(({ requirements, checks }) => requirements.length + checks.length > 0);
}
