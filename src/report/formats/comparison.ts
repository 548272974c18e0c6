import type { BeforeAndAfter, Change, Comparison } from '../compare.ts';
import { countOf, recordedName } from '../history/record-of.ts';
import { distinct } from '../model/queries.ts';
import type { SpaceCoverage } from '../model/result.ts';
import type { ComparisonFormat, RunRecord } from '../model/run-record.ts';
import { coveredText } from '../model/summary.ts';
import { count, duration, list, printable } from '../model/text.ts';
import { markdownText } from './markdown-text.ts';

/** What requirements say, by their ids. */
export type Sayings = ReadonlyMap<string, string>;

/** One line of a section: what changed, how, and what it says. */
interface Line {
  readonly name: string;
  readonly change: string;
  readonly says?: string | undefined;
}

interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** A comparison in one of the formats, ending in a line feed. */
export function renderComparison(comparison: Comparison, format: ComparisonFormat, says: Sayings): string {
  switch (format) {
    case 'text':
      return textOf(comparison, says);
    case 'md':
      return markdownOf(comparison, says);
    case 'json':
      return jsonOf(comparison);
  }
}

function changed<Value>({ before, after }: BeforeAndAfter<Value>, show: (value: Value) => string): string {
  return `${show(before)} → ${show(after)}`;
}

function lineOf(change: Change, says: Sayings): Line {
  if (change.kind === 'check') {
    return {
      name: change.id,
      change: change.after === 'failed' ? 'this check fails too' : 'this check no longer fails',
    };
  }
  const { id, after, reason } = change;
  const why = after === 'not judged' && reason !== undefined ? ` (${reason})` : '';
  return { name: id, change: `${changed(change, statusText)}${why}`, says: says.get(id) };
}

const statusText = (status: string | undefined): string => status ?? 'not in the catalogue';
const covered = (figures: SpaceCoverage | undefined): string => (figures === undefined ? 'none' : coveredText(figures));

/** Of a target that could not be judged at all, each verdict is lost, for one reason. */
const isUnjudged = (run: RunRecord): boolean =>
  run.verdict === 'not judged' && countOf(run, 'holds') + countOf(run, 'violated') === 0;

/** From this many on, requirements that changed alike, as after an outage, are counted and not named. */
const MANY = 12;

function grouped(lines: readonly Line[]): readonly Line[] {
  return distinct(lines.map(({ change }) => change)).flatMap((change) => {
    const alike = lines.filter((line) => line.change === change);
    return alike.length > MANY ? [{ name: count(alike.length, 'requirement'), change }] : alike;
  });
}

function sectionsOf(comparison: Comparison, says: Sayings): readonly Section[] {
  const { after, runs } = comparison;
  const lines = (changes: readonly Change[]) => changes.map((change) => lineOf(change, says));
  const few = (changes: readonly Change[]) => (isUnjudged(after) ? [] : grouped(lines(changes)));
  const sections: readonly (readonly [title: string, lines: readonly Line[]])[] = [
    isUnjudged(after)
      ? ['Nothing was judged this time', [{ name: '', change: after.conclusion }]]
      : ['Regressions', lines(comparison.regressions)],
    ['Fixed', lines(comparison.fixed)],
    ['New', few(comparison.added)],
    ['Gone', few(comparison.gone)],
    ['Judged in neither run', few(comparison.unjudged)],
    [
      'Readings changed, where the specification is silent',
      comparison.readings.map(({ requirement: name, before, after }) => {
        return { name, change: `before: ${before.join('; ')} · now: ${after.join('; ')}` };
      }),
    ],
    [
      'Environment changed',
      comparison.environment.map((one) => ({ name: one.what, change: changed(one, (value) => value ?? 'not given') })),
    ],
    [
      'Violated in between, and neither at first nor at last',
      comparison.unsteady.map(({ id, violated }) => {
        return { name: id, change: `in ${violated} of ${count(runs, 'run')}`, says: says.get(id) };
      }),
    ],
    ['Coverage changed', comparison.coverage.map((one) => ({ name: `${one.of}:`, change: changed(one, covered) }))],
    [
      'Latency',
      comparison.latencies.map(({ operation: name, p50, p95 }) => {
        return { name, change: `p50 ${changed(p50, duration)} · p95 ${changed(p95, duration)}` };
      }),
    ],
  ];
  return sections.flatMap(([title, own]) => (own.length === 0 ? [] : { title, lines: own }));
}

function titleOf(run: RunRecord): string {
  const { startedAt, profile, seed, suite } = run;
  return `${recordedName(run)} (${startedAt}, ${profile}, seed ${seed}, suite ${suite})`;
}

/** The result of the comparison in a sentence, and in what the runs differ, which may be why. */
function verdictOf({ regressions, fixed, added, gone, readings, environment, exitCode, after }: Comparison): string {
  const better = fixed.length > 0 ? `, and ${count(fixed.length, 'point')} fixed` : '';
  const worse = isUnjudged(after) ? 'no verdict this time' : count(regressions.length, 'regression');
  const verdict = exitCode === 0 ? `No regressions${better}.` : `Worse than before: ${worse}${better}.`;
  if (environment.length === 0) return verdict;
  const hasChanged = [regressions, fixed, added, gone, readings].some(({ length }) => length > 0);
  const names = environment.map(({ what }) => what).join(', ');
  return `${verdict} The runs differ in ${names}${hasChanged ? ', which may be why something changed' : ''}.`;
}

const ofMany = (runs: number): readonly string[] =>
  runs > 2 ? [`${runs} runs: the first of them against the last.`] : [];

function textOf(comparison: Comparison, says: Sayings): string {
  const sections = sectionsOf(comparison, says).flatMap(({ title, lines }) =>
    list(
      `${title}:`,
      lines.map(({ name, change, says: said }) => {
        return `  ${printable(name).padEnd(name === '' ? 0 : 10)} ${printable(change)}${said === undefined ? '' : `  ${printable(said)}`}`;
      }),
    ),
  );
  const { before, after, runs } = comparison;
  const head = `before  ${printable(titleOf(before))}\nafter   ${printable(titleOf(after))}`;
  return `${[head, ...ofMany(runs), ...sections, printable(verdictOf(comparison))].join('\n\n')}\n`;
}

function markdownOf(comparison: Comparison, says: Sayings): string {
  const { before, after, runs, exitCode } = comparison;
  const sections = sectionsOf(comparison, says).map(({ title, lines }) => {
    const items = lines.map(({ name, change, says: said }) => {
      const lead = name === '' ? '' : `**${markdownText(name)}** `;
      return `- ${lead}${markdownText(change)}${said === undefined ? '' : `: ${markdownText(said)}`}`;
    });
    return `### ${markdownText(title)}\n\n${items.join('\n')}`;
  });
  const runsCompared = `- before: ${markdownText(titleOf(before))}\n- after: ${markdownText(titleOf(after))}`;
  const head = `## ${exitCode === 0 ? '✓' : '✗'} ${markdownText(verdictOf(comparison))}`;
  return `${[head, runsCompared, ...ofMany(runs), ...sections].join('\n\n')}\n`;
}

function jsonOf(comparison: Comparison): string {
  const runOf = (run: RunRecord) => {
    const { id, startedAt, target, profile, seed, suite, specification, verdict, exitCode, conclusion } = run;
    const figures = { holding: countOf(run, 'holds'), violated: countOf(run, 'violated') };
    return { id, startedAt, target, profile, seed, suite, specification, verdict, exitCode, conclusion, ...figures };
  };
  const { before, after, ...others } = comparison;
  return `${JSON.stringify({ ...others, before: runOf(before), after: runOf(after) }, undefined, 2)}\n`;
}
