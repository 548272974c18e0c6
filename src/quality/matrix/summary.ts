import pc from 'picocolors';
import { count, duration } from '../../report/formats/excerpt.ts';
import { printable } from '../../report/formats/printable.ts';
import type { FaultOutcome, MatrixResult } from './model.ts';

/** The one sentence that says whether the suite is as good as it must be. */
export function conclusionOf({ passed, complete, shortcomings }: MatrixResult): string {
  if (!passed) return `The suite falls short in ${count(shortcomings.length, 'point')}.`;
  return complete
    ? 'Every fault is noticed, every requirement has a fault that its own check kills, and no correct service fails.'
    : 'Every fault that was tried is noticed, and no correct service that was tried fails.';
}

/** How well the checks point at what is wrong. */
export function diagnosis({ summary: { bystanders } }: MatrixResult): string {
  return `Checks that fail beside a fault's own: median ${bystanders.median}, nine in ten at most ${bystanders.p90}, most ${bystanders.most}.`;
}

/** The matrix for a terminal, in a few lines; what falls short is named. */
export function summaryText(result: MatrixResult, options: { readonly color: boolean }): string {
  const colors = pc.createColors(options.color);
  const { summary } = result;
  const faultsEnding = (outcome: FaultOutcome) =>
    result.faults.filter((fault) => fault.outcome === outcome).map(({ name, breaks }) => `${name} (${breaks})`);
  const without = result.requirements.filter(({ needsFault, killedByOwn }) => needsFault && killedByOwn.length === 0);
  const alarms = result.variants.filter(({ outcome }) => outcome === 'false alarm');
  const unjudged = result.variants.filter(({ outcome }) => outcome === 'not judged');
  const suiteFaults = [...result.faults, ...result.variants].flatMap(({ name, suiteFaults: faults }) =>
    faults.map((fault) => `${name}: ${fault}`),
  );
  const list = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${printable(line)}`)];
  const lines = [
    `Faults    ${summary.faults}: ${summary.killedByOwn} killed by their own check, ${summary.killedByOthers} by others only, ${summary.refused} refused by the preflight, ${summary.survived} survived`,
    `Variants  ${summary.variants}: ${count(summary.falseAlarms, 'false alarm')}, ${summary.variantsNotJudged} without a verdict`,
    ...(result.complete
      ? [
          `Coverage  ${summary.requirementsWithFault} of ${count(summary.requirementsNeedingFault, 'stated or derived requirement')} have a fault that their own check kills`,
        ]
      : []),
    `Diagnosis ${diagnosis(result)}`,
    ...list('Survived', faultsEnding('survived')),
    ...list('Killed by others only', faultsEnding('killed by others only')),
    ...list(
      'Without a fault that their own check kills',
      result.complete ? without.map(({ id, says }) => `${id}  ${says}`) : [],
    ),
    ...list(
      'False alarms',
      alarms.flatMap(({ name, alarms: failed }) => failed.map(({ check, message }) => `${name}  ${check}: ${message}`)),
    ),
    ...list(
      'Correct, and without a verdict',
      unjudged.map(({ name, refused, unjudged: checks }) => `${name}  ${refused ?? checks[0]?.reason ?? ''}`),
    ),
    ...list('Faults of the suite itself', suiteFaults),
    '',
    `${summary.requests.toLocaleString('en-GB')} requests · ${duration(result.milliseconds)} · ${count(result.jobs, 'worker')}`,
    result.passed ? colors.green(conclusionOf(result)) : colors.red(conclusionOf(result)),
  ];
  return `${lines.join('\n')}\n`;
}
