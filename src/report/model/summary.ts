import { inReportDir, LEDGER_FILE } from './files.ts';
import type { CheckResult, RequirementResult, RunResult, SpaceCoverage, Summary } from './result.ts';
import type { ReportContext } from './service.ts';
import { count, duration, grouped } from './text.ts';

/**
 * The figures of a run. Coverage (`judged` of `testable`) and conformance (`holding` of `judged`) stay apart, and the
 * denominator is what the catalogue can test, not what happened to run.
 *
 * @param counters what neither the requirements nor the checks hold
 */
export function summarise(
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  { requests, creations, throttled }: Pick<Summary, 'requests' | 'creations' | 'throttled'>,
): Summary {
  const having = (status: RequirementResult['status']) => requirements.filter((row) => row.status === status).length;
  const ending = (kind: CheckResult['outcome']['kind']) => checks.filter(({ outcome }) => outcome.kind === kind).length;
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
    requests,
    creations,
    throttled,
  };
}

/** Coverage and conformance: `49 of 51 requirements judged · 48 hold, 1 violated`. */
export function judgedLine({ judged, testable, holding, violated }: Summary): string {
  const coverage = `${judged} of ${count(testable, 'requirement')} judged`;
  if (judged === 0) return coverage;
  return `${coverage} · ${violated === 0 ? 'all of those hold' : `${holding} hold, ${violated} violated`}`;
}

/** Coverage, conformance and effort in one line; the ledger is named only where something was created. */
export function figuresLine({ summary, run }: RunResult, { service, reportDir }: ReportContext): string {
  const { requests, creations, throttled } = summary;
  const { one, many } = service.created;
  const created =
    creations === 0 ? '' : `, ${count(creations, one, many)} created (${inReportDir(reportDir, LEDGER_FILE)})`;
  const waited = throttled === 0 ? '' : `, ${grouped(throttled)} throttled`;
  return `${judgedLine(summary)} · ${count(requests, 'request')}${created}${waited} · ${duration(run.milliseconds)}`;
}

/** How much of a space of requests was sent: `412 of 412 pairs of list`. */
export function coverageText({ space, tuples, covered, possible }: SpaceCoverage): string {
  return `${coveredText({ covered, possible })} ${tuples} of ${space}`;
}

/** A fault in this share of all answers is looked for. */
const RARE = 1 / 100;

/** With which probability a fault in 1 of 100 such answers is seen, in percent, rounded down: `94 %`. */
export const seenText = (answers: number): string => `${Math.floor((1 - (1 - RARE) ** answers) * 100)} %`;

/** `412 of 412` */
export function coveredText({ covered, possible }: Pick<SpaceCoverage, 'covered' | 'possible'>): string {
  return `${grouped(covered)} of ${grouped(possible)}`;
}
