/** A comparison as a document. */

import { type ComparedRequirement, type Comparison, compareRuns, type Difference } from '../result/comparison.ts';
import { hasVerdict, lastComparable, type RunRecord } from '../result/history.ts';
import { targetName } from '../result/result.ts';
import { requirementFigures } from '../result/verdict.ts';
import { count, dateOf, distinct } from '../text.ts';
import type { Block, Document, Item } from './blocks.ts';
import { idOf } from './blocks.ts';

/** More requirements with the same change, as after an outage, share one line. */
const MOST_NAMED = 8;

function requirementItems(all: readonly ComparedRequirement[], change: ComparedRequirement['change']): readonly Item[] {
  const own = all.filter((one) => one.change === change);
  const changeText = ({ before = 'unknown', after = 'unknown', reason }: ComparedRequirement): string =>
    `${before} → ${after}${reason === undefined ? '' : ` (${reason})`}`;
  return distinct(own.map(changeText)).flatMap((text): readonly Item[] => {
    const ids = own.filter((one) => changeText(one) === text).map(({ id }) => id);
    return ids.length > MOST_NAMED ? [{ lead: `${ids.length}`, text, ids }] : ids.map((id) => ({ lead: id, text }));
  });
}

const differenceItems = (all: readonly Difference[]): readonly Item[] =>
  all.map(({ what, before, after }) => ({ lead: what, text: `${before} → ${after}` }));

/** What became of each finding, as its lead says. */
export const findingItems = (findings: Comparison['findings']): readonly Item[] =>
  findings.map(({ end, says, reason, requirements }) => ({
    lead: `${end}:`,
    text: reason === undefined ? says : `${says} (${reason})`,
    ids: requirements,
  }));

/** What changed, by heading; headings without an item are left out. */
function listsOf(comparison: Comparison): readonly (readonly [heading: string, items: readonly Item[]])[] {
  const { findings, requirements, readings, differences } = comparison;
  const lists: readonly (readonly [string, readonly Item[]])[] = [
    ['Findings', findingItems(findings)],
    ['Regressions', requirementItems(requirements, 'regression')],
    ['Fixed', requirementItems(requirements, 'fixed')],
    ['Other changes', requirementItems(requirements, 'other')],
    ['Changed at open points', differenceItems(readings)],
    ['The runs differ in', differenceItems(differences)],
  ];
  return lists.filter(([, items]) => items.length > 0);
}

/** What changed since the last run of the same target and profile; nothing if there is none. */
export function sinceLastRun(result: RunRecord, history: readonly RunRecord[]): readonly Block[] {
  const [last, ...later] = lastComparable([...history.filter(({ run }) => run.id !== result.run.id), result]);
  if (last === undefined || later.length === 0) return [];
  const comparison = compareRuns(last, result);
  const items = listsOf(comparison).flatMap(([heading, own]) =>
    heading === 'Findings' ? own : own.map((item) => ({ ...item, lead: `${heading.toLowerCase()}: ${item.lead}` })),
  );
  return [{ kind: 'list', items: [{ text: `${dateOf(last.run.startedAt)}: ${conclusionOf(comparison)}` }, ...items] }];
}

function conclusionOf({ requirements, findings, exitCode, before, after, differences }: Comparison): string {
  const number = (change: ComparedRequirement['change']) => requirements.filter((one) => one.change === change).length;
  const added = findings.filter(({ end }) => end === 'new').length;
  const better = number('fixed') === 0 ? '' : `, ${number('fixed')} fixed`;
  const more = added === 0 ? '' : `, ${count(added, 'new finding')}`;
  const nothing = hasVerdict(before) ? '' : ' The earlier run has no verdict: what it did not test cannot be compared.';
  const noVerdict = exitCode === 3 ? ` The later run has no verdict: ${after.conclusion}` : '';
  const why = differences.length === 0 ? '' : ` The runs differ in ${differences.map(({ what }) => what).join(', ')}.`;
  const verdict = number('regression') === 0 ? 'No regressions' : count(number('regression'), 'regression');
  return `${verdict}${better}${more}.${nothing}${noVerdict}${why}`;
}

function runItem(lead: string, { target, run, requirements }: RunRecord): Item {
  const { passed, passedSoFar, failed, notTested } = requirementFigures(requirements);
  const soFar = passedSoFar === 0 ? '' : ` ${passedSoFar} passed so far,`;
  const made = `${targetName({ target })}, ${run.profile}, ${dateOf(run.startedAt)}`;
  return { lead, text: `${made}: ${passed} passed,${soFar} ${failed} failed, ${notTested} not tested` };
}

export function comparisonDocument(comparison: Comparison): Document {
  const { before, after, exitCode } = comparison;
  const runs = ['Runs', [runItem('before', before), runItem('after', after)]] as const;
  return {
    heading: 'Comparison',
    about: [`${dateOf(before.run.startedAt)} and ${dateOf(after.run.startedAt)}`],
    began: dateOf(after.run.startedAt),
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure',
    conclusion: conclusionOf(comparison),
    figures: [],
    sections: [runs, ...listsOf(comparison)].map(([heading, items]) => {
      return { id: idOf(heading), heading, level: 'brief', blocks: [{ kind: 'list', items }] };
    }),
    footer: `${after.suite.name} ${after.suite.version}`,
  };
}
