import { count, duration } from '../formats/excerpt.ts';
import type { CheckResult, RequirementResult, RunResult, Summary } from './result.ts';

/** What a summary takes over from the run, since neither requirements nor checks hold it. */
export interface Counters {
  readonly requests: number;
  readonly creations: number;
  readonly throttled: number;
}

/**
 * The figures of a run. Coverage (`judged` of `testable`) and conformance (`holding` of `judged`) stay apart, and the
 * denominator is what the catalogue can test, not what happened to run.
 */
export function summarise(
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  counters: Counters,
): Summary {
  const having = (status: RequirementResult['status']) => requirements.filter((row) => row.status === status).length;
  const ending = (kind: CheckResult['outcome']['kind']) => checks.filter((check) => check.outcome.kind === kind).length;
  const holding = having('holds');
  const violated = having('violated');
  return {
    testable: requirements.length - having('untestable'),
    judged: holding + violated,
    holding,
    violated,
    checks: {
      passed: ending('passed'),
      failed: ending('failed'),
      inconclusive: ending('inconclusive'),
      notApplicable: ending('not applicable'),
      harnessErrors: ending('harness error'),
    },
    requests: counters.requests,
    creations: counters.creations,
    throttled: counters.throttled,
  };
}

/** `49 of 51 requirements judged`. */
export function coverage(summary: Summary): string {
  return `${summary.judged} of ${count(summary.testable, 'requirement')} judged`;
}

/** `48 hold, 1 violated`, or `all hold`. */
export function conformance(summary: Summary): string {
  if (summary.judged === 0) return 'none hold, none violated';
  return summary.violated === 0 ? 'all of those hold' : `${summary.holding} hold, ${summary.violated} violated`;
}

/** `812 requests, 104 animals created (reports/created.jsonl) · 3.1 s`; the ledger only where something was created. */
export function effort(result: RunResult, reportDir: string): string {
  const { requests, creations, throttled } = result.summary;
  const folder = reportDir.replace(/\/+$/, '');
  const created =
    creations === 0
      ? ''
      : `, ${count(creations, 'animal')} created (${folder === '' ? '' : `${folder}/`}created.jsonl)`;
  const held = throttled === 0 ? '' : `, ${throttled.toLocaleString('en-GB')} throttled`;
  return `${count(requests, 'request')}${created}${held} · ${duration(result.run.milliseconds)}`;
}

/** The line of figures: coverage, conformance, effort. */
export function figuresLine(result: RunResult, reportDir: string): string {
  return [coverage(result.summary), conformance(result.summary), effort(result, reportDir)].join(' · ');
}
