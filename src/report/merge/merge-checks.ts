import { distinct, observations } from '../model/queries.ts';
import type { CheckResult, FailingInput, Frequency, Outcome, RunResult, Violation } from '../model/result.ts';
import { NOTHING_TO_JUDGE } from '../model/unjudged.ts';
import { sum } from './merge-figures.ts';

/** What a shard found by one check. */
interface Version {
  readonly check: CheckResult;
  /** Whether the check sent its requests there; elsewhere only its rule was held against the answers. */
  readonly isOwn: boolean;
}

/** Most violations of one check that are told. */
const MOST_TOLD = 12;

const OUTCOMES: readonly Outcome['kind'][] = ['failed', 'harness error', 'passed', 'inconclusive', 'not applicable'];
/** Reasons of a rule that had nothing to go by, which answers in another shard refute. */
const WITHOUT_ANSWERS: readonly string[] = [NOTHING_TO_JUDGE, 'undecided'];

/** Every check once, in the order of the catalogue and then by id, whatever the order of the shards. */
export function mergeChecks(results: readonly RunResult[], catalogue: readonly string[]): readonly CheckResult[] {
  const ids = distinct(results.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const merged = ids.flatMap((id) => mergeVersions(versionsOf(id, results)));
  const place = ({ requirement }: CheckResult) => catalogue.indexOf(requirement) + 1 || catalogue.length + 1;
  return merged.toSorted((one, other) => place(one) - place(other) || (one.id < other.id ? -1 : 1));
}

/** What each shard found by a check, that of the shard which sent its requests first. */
function versionsOf(id: string, results: readonly RunResult[]): readonly Version[] {
  const versions = results.flatMap(({ checks, run: { shard } }) =>
    checks.flatMap((check) => (check.id === id ? { check, isOwn: shard?.others.includes(id) !== true } : [])),
  );
  return versions.toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn));
}

/** The place, among the results, of the one whose failure of a check is told first; -1 where none failed. */
export function firstFailure(id: string, results: readonly RunResult[]): number {
  const failed = versionsOf(id, results).find(({ check }) => check.outcome.kind === 'failed');
  return results.findIndex(({ checks }) => checks.some((check) => check === failed?.check));
}

function mergeVersions(versions: readonly Version[]): readonly CheckResult[] {
  const checks = versions.map(({ check }) => check);
  const [first] = checks;
  if (first === undefined) return [];
  const judged = checks.flatMap((check) => check.judged ?? []);
  return [
    {
      ...first,
      outcome: mergeOutcomes(versions, sum(judged, Number)),
      observations: observations({ checks }),
      ...(judged.length === 0 ? {} : { judged: sum(judged, Number) }),
      requests: sum(checks, ({ requests }) => requests),
      milliseconds: sum(checks, ({ milliseconds }) => milliseconds),
    },
  ];
}

/** A violation counts wherever it was found; otherwise it counts what came of the check's own requests. */
function mergeOutcomes(versions: readonly Version[], judged: number): Outcome {
  const all = versions.map(({ check }) => check.outcome);
  const failed = all.flatMap((outcome) => (outcome.kind === 'failed' ? outcome : []));
  if (failed.length > 0) return mergeFailures(failed, judged);
  const fault = all.find(({ kind }) => kind === 'harness error');
  if (fault !== undefined) return fault;
  const own = versions.flatMap(({ check, isOwn }) => (isOwn ? check.outcome : []));
  const outcomes = own.length === 0 ? all : own;
  const strongest = OUTCOMES.flatMap((kind) => outcomes.find((outcome) => outcome.kind === kind) ?? []).at(0);
  const isRefuted = strongest?.kind === 'inconclusive' && WITHOUT_ANSWERS.includes(strongest.code) && judged > 0;
  return strongest === undefined || isRefuted ? { kind: 'passed' } : strongest;
}

function mergeFailures(failed: readonly Extract<Outcome, { kind: 'failed' }>[], judged: number): Outcome {
  const inputs = failed.flatMap((outcome) => outcome.inputs ?? []);
  const leftOut = sum(failed, ({ inputsLeftOut = 0 }) => inputsLeftOut);
  return {
    kind: 'failed',
    violations: mergeViolations(
      failed.map(({ violations }) => violations),
      judged,
    ),
    ...(inputs.length === 0 ? {} : { inputs: mergeInputs(inputs) }),
    ...(leftOut === 0 ? {} : { inputsLeftOut: leftOut }),
  };
}

/** What is told once in a run is told once of all shards: by its code, or by its message where a code has several. */
function mergeViolations(shards: readonly (readonly Violation[])[], judged: number): readonly Violation[] {
  const all = shards.flat();
  const kindOf = ({ code, frequency }: Violation): string => [code, frequency?.operation, frequency?.of].join(' ');
  const isOneOfSeveral = (violation: Violation): boolean =>
    shards.some((told) => told.filter((other) => kindOf(other) === kindOf(violation)).length > 1);
  const keyOf = (violation: Violation): string =>
    isOneOfSeveral(violation) ? `${kindOf(violation)} ${violation.message}` : kindOf(violation);
  return distinct(all.map(keyOf))
    .slice(0, MOST_TOLD)
    .flatMap((key) => {
      const alike = all.filter((violation) => keyOf(violation) === key);
      const [first] = alike;
      if (first === undefined) return [];
      const frequency = mergeFrequencies(
        alike.flatMap((violation) => violation.frequency ?? []),
        judged,
      );
      return [{ ...first, ...(frequency === undefined ? {} : { frequency }) }];
    });
}

/** @param judged how many answers the rule was judged on in all shards, also in those where it was not violated */
function mergeFrequencies(frequencies: readonly Frequency[], judged: number): Frequency | undefined {
  const [first] = frequencies;
  if (first === undefined) return undefined;
  const isOfAll = first.operation === undefined && first.of === undefined;
  const own = sum(frequencies, (frequency) => frequency.judged);
  return {
    ...first,
    violated: sum(frequencies, ({ violated }) => violated),
    judged: isOfAll ? Math.max(own, judged) : own,
    ...(frequencies.some(({ intermittent }) => intermittent === true) ? { intermittent: true } : {}),
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
