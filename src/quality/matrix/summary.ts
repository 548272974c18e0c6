import pc from 'picocolors';
import { table } from '../../cli/table.ts';
import { count, duration, printable } from '../../report/model/text.ts';
import type { ClassRow, MatrixResult } from './classify.ts';

/** One sentence that says whether the suite has shortcomings. */
export function conclusionOf({ passed, complete, shortcomings }: MatrixResult): string {
  if (!passed) return `The suite has ${count(shortcomings.length, 'shortcoming')}.`;
  return complete
    ? 'Every fault is found, every requirement has a fault killed by its own check, and no correct service fails.'
    : 'Every fault that was tried is found, and no correct service that was tried fails.';
}

/** How precisely the checks point at what is wrong. */
export function diagnosis({ summary: { bystanders } }: MatrixResult): string {
  const { faults, median, p90, most } = bystanders;
  return `Other failing checks per fault: median ${median}, 90th percentile ${p90}, maximum ${most} (${count(faults, 'fault')} tried with all checks to the end).`;
}

/** How often the first cause of a report leads to what is wrong. */
function causesText({ summary: { firstCauses } }: MatrixResult): string {
  const { faults, clear } = firstCauses;
  return `${clear} of ${count(faults, 'first cause')} name the requirement that the fault breaks and show a request that violates it`;
}

/** What the replays said: on the service with the fault, and without it. */
export function replaysText({ summary: { replays } }: MatrixResult): string {
  const { failures, stillSo, noLongerSo, byRecordedExchanges } = replays;
  return `${count(failures, 'failure')}: ${stillSo} still fail with the fault (${byRecordedExchanges} by the recorded exchanges), ${noLongerSo} fixed without it`;
}

/** For how many requirements it is shown that a check of their own finds a fault. */
export function coverageText({ complete, summary }: MatrixResult): string {
  if (!complete) return 'Only some faults and variants were tried, so nothing is said of requirements.';
  const needing = count(summary.requirementsNeedingFault, 'stated or derived requirement');
  return `${summary.requirementsWithFault} of ${needing} have a fault killed by their own check`;
}

/** The columns of the table of classes, and what of a class stands in each. */
export const CLASS_COLUMNS: readonly (readonly [heading: string, figure: Exclude<keyof ClassRow, 'name'>])[] = [
  ['faults', 'faults'],
  ['own check', 'killedByOwn'],
  ['others only', 'killedByOthers'],
  ['refused', 'refused'],
  ['survived', 'survived'],
  ['variants', 'variants'],
  ['false alarms', 'falseAlarms'],
  ['no verdict', 'variantsNotJudged'],
];

/** The classes of which anything was tried. */
export const triedClasses = ({ classes }: MatrixResult): readonly ClassRow[] =>
  classes.filter(({ faults, variants }) => faults + variants > 0);

/** A line for each class of requirements; a figure that is 0 is left out. */
function classLines(result: MatrixResult): readonly string[] {
  const rows = triedClasses(result).map((row) => [
    row.name,
    ...CLASS_COLUMNS.map(([, figure]) => (row[figure] === 0 ? '' : row[figure].toLocaleString('en-GB'))),
  ]);
  const headings = ['Class', ...CLASS_COLUMNS.map(([heading]) => heading)];
  return table([headings, ...rows], [1, 2, 3, 4, 5, 6, 7, 8])
    .trimEnd()
    .split('\n');
}

/** The matrix for a terminal, in a few lines; shortcomings are listed. */
export function summaryText(result: MatrixResult, options: { readonly color: boolean }): string {
  const { summary } = result;
  const colors = pc.createColors(options.color);
  const list = (title: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${printable(item)}`)];
  const killedByOthers = result.faults.flatMap(({ name, breaks, outcome }) =>
    outcome === 'killed by others only' ? `${name} (${breaks})` : [],
  );
  const lines = [
    `Faults    ${summary.faults}: ${summary.killedByOwn} killed by their own check, ${summary.killedByOthers} by other checks only, ${summary.refused} refused by the preflight, ${summary.survived} survived`,
    `Variants  ${summary.variants}: ${count(summary.falseAlarms, 'false alarm')}, ${summary.variantsNotJudged} without a verdict`,
    ...(result.complete ? [`Coverage  ${coverageText(result)}`] : []),
    ...(summary.replays.failures === 0 ? [] : [`Replays   ${replaysText(result)}`]),
    `Diagnosis ${diagnosis(result)}`,
    ...(summary.firstCauses.faults === 0 ? [] : [`Causes    ${causesText(result)}`]),
    '',
    ...classLines(result),
    ...list('Killed by other checks only', killedByOthers),
    ...list('Shortcomings', result.shortcomings),
    '',
    `${summary.requests.toLocaleString('en-GB')} requests · ${duration(result.milliseconds)} · ${count(result.jobs, 'worker')} · profile ${result.profile}`,
    (result.passed ? colors.green : colors.red)(conclusionOf(result)),
  ];
  return `${lines.join('\n')}\n`;
}
