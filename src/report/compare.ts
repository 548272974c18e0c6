/** What changed from one run to another. */

import { count, dateOf, distinct, targetName } from '../text.ts';
import type { Document, Item, Section } from './blocks.ts';
import { idOf } from './document.ts';
import { hasVerdict, type RunRecord } from './history.ts';
import { requirementFigures } from './verdict.ts';

/** A requirement whose outcome changed; undefined if a run does not know it. */
export interface Change {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Why it is not tested, or was not. */
  readonly reason?: string | undefined;
}

/** A difference between two runs. */
interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  readonly format: 'petstore-conformance-comparison/2';
  readonly before: RunRecord;
  readonly after: RunRecord;
  /** Passed before, and now fail, or are not tested because of the service. */
  readonly regressions: readonly Change[];
  readonly fixed: readonly Change[];
  /** Every other change. */
  readonly changed: readonly Change[];
  /** Keys of new findings whose requirements failed before as well. */
  readonly newFindings: readonly string[];
  /** By requirement, what the service does at open points in one of the runs only. */
  readonly readings: readonly Difference[];
  /** How the runs differ apart from the service. */
  readonly differences: readonly Difference[];
  /** 1 for a regression, 3 if the later run has no verdict. */
  readonly exitCode: 0 | 1 | 3;
}

/** What is not tested because of the collection, the surroundings or the user is no regression. */
function isRegression({ id, before, after }: Change, { requirements }: RunRecord): boolean {
  const isService = requirements.find((row) => row.id === id)?.reasonOf === 'service';
  return before === 'passed' && (after === 'failed' || (after === 'not tested' && isService));
}

function changesOf(before: RunRecord, after: RunRecord): readonly Change[] {
  // What was only partly tested says nothing.
  const rowsOf = (run: RunRecord) =>
    new Map(run.requirements.map((row) => [row.id, row.partly === true ? { ...row, outcome: 'not tested' } : row]));
  const [earlier, later] = [rowsOf(before), rowsOf(after)];
  return distinct([...later.keys(), ...earlier.keys()]).flatMap((id) => {
    const [old, row] = [earlier.get(id), later.get(id)];
    const reason = row?.reason ?? old?.reason;
    return old?.outcome === row?.outcome ? [] : { id, before: old?.outcome, after: row?.outcome, reason };
  });
}

const NONE = '–';
/** Options that are compared separately, or make no difference. */
const IMMATERIAL = /^--(base-url|profile|seed|report|report-dir|history)\b/;

function differencesOf(before: RunRecord, after: RunRecord): readonly Difference[] {
  const facts = ({ target, run, suite }: RunRecord): ReadonlyMap<string, string> =>
    new Map([
      ['target', targetName({ target })],
      ['profile', run.profile],
      ['suite', suite.version],
      ['specification', suite.specification],
      ['options', run.options.filter((option) => !IMMATERIAL.test(option)).join(' ') || NONE],
    ]);
  return differing(facts(before), facts(after));
}

/** Facts that both runs have, and that differ; what only one run shows says nothing. */
const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly Difference[] =>
  [...before].flatMap(([what, old]) => {
    const now = after.get(what) ?? old;
    return now === old ? [] : { what, before: old, after: now };
  });

/** What is read at the open points of requirements that both runs have, and in one of them only. */
function differingReadings(before: RunRecord, after: RunRecord): readonly Difference[] {
  const readingsOf = ({ requirements }: RunRecord, id: string): readonly string[] =>
    distinct(requirements.find((row) => row.id === id)?.recorded.map(({ reading }) => reading) ?? []).toSorted();
  return before.requirements.flatMap(({ id: what }) => {
    const [old, now] = [readingsOf(before, what), readingsOf(after, what)];
    const without = (some: readonly string[], others: readonly string[]): string =>
      some.filter((one) => !others.includes(one)).join('; ') || NONE;
    const difference = { what, before: without(old, now), after: without(now, old) };
    const isSame = difference.before === NONE && difference.after === NONE;
    return old.length === 0 || now.length === 0 || isSame ? [] : difference;
  });
}

/** What changed from one run to another, of the same target or of two. */
export function compareRuns(before: RunRecord, after: RunRecord): Comparison {
  const changes = changesOf(before, after);
  const regressions = changes.filter((change) => isRegression(change, after));
  const fixed = changes.filter((change) => change.before === 'failed' && change.after === 'passed');
  const known = before.findings.map(({ key }) => key);
  const failedBefore = before.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const isNew = ({ key, requirements }: RunRecord['findings'][number]): boolean =>
    !known.includes(key) && requirements.every((id) => failedBefore.includes(id));
  return {
    format: 'petstore-conformance-comparison/2',
    before,
    after,
    regressions,
    fixed,
    changed: changes.filter((change) => !regressions.includes(change) && !fixed.includes(change)),
    newFindings: after.findings.filter(isNew).map(({ key }) => key),
    readings: differingReadings(before, after),
    differences: differencesOf(before, after),
    exitCode: regressions.length > 0 ? 1 : hasVerdict(after) ? 0 : 3,
  };
}

/** More requirements with the same change, as after an outage, share one line. */
const MOST_NAMED = 8;

/** @param findings shown in place of what a requirement says */
function changeItems(
  changes: readonly Change[],
  says: ReadonlyMap<string, string>,
  findings: RunRecord['findings'] = [],
): readonly Item[] {
  const textOf = ({ before = 'unknown', after = 'unknown', reason }: Change): string =>
    `${before} → ${after}${reason === undefined ? '' : ` (${reason})`}`;
  return distinct(changes.map(textOf)).flatMap((text): readonly Item[] => {
    const ids = changes.filter((change) => textOf(change) === text).map(({ id }) => id);
    if (ids.length > MOST_NAMED) return [{ lead: `${ids.length}`, text, ids }];
    return ids.map((id) => {
      const finding = findings.find(({ requirements }) => requirements.includes(id));
      const what = finding?.says ?? says.get(id);
      return { lead: id, text: what === undefined ? text : `${text}: ${what}` };
    });
  });
}

function conclusionOf({ regressions, fixed, newFindings, exitCode, before, after, differences }: Comparison): string {
  const better = fixed.length === 0 ? '' : `, ${fixed.length} fixed`;
  const more = newFindings.length === 0 ? '' : `, ${count(newFindings.length, 'new finding')} in what failed before`;
  const nothing = hasVerdict(before) ? '' : ' The earlier run has no verdict: what it did not test cannot be compared.';
  const noVerdict = exitCode === 3 ? ` The later run has no verdict: ${after.conclusion}` : '';
  const why = differences.length === 0 ? '' : ` The runs differ in ${differences.map(({ what }) => what).join(', ')}.`;
  const verdict = regressions.length === 0 ? 'No regressions' : count(regressions.length, 'regression');
  return `${verdict}${better}${more}.${nothing}${noVerdict}${why}`;
}

function runItem(lead: string, { target, run, requirements }: RunRecord): Item {
  const { passed, passedSoFar, failed, notTested } = requirementFigures(requirements);
  const soFar = passedSoFar === 0 ? '' : ` ${passedSoFar} passed so far,`;
  const made = `${targetName({ target })}, ${run.profile}, ${dateOf(run.startedAt)}`;
  return { lead, text: `${made}: ${passed} passed,${soFar} ${failed} failed, ${notTested} not tested` };
}

/** A comparison as a document. @param says what requirements say */
export function comparisonDocument(comparison: Comparison, says: ReadonlyMap<string, string>): Document {
  const { before, after, exitCode, regressions, fixed, changed, newFindings } = comparison;
  const differences = (all: readonly Difference[]) =>
    all.map(({ what, before: old, after: now }) => ({ lead: what, text: `${old} → ${now}` }));
  const lists: readonly (readonly [heading: string, items: readonly Item[]])[] = [
    ['Runs', [runItem('before', before), runItem('after', after)]],
    ['Regressions', changeItems(regressions, says, after.findings)],
    ['Fixed', changeItems(fixed, says)],
    ['Other changes', changeItems(changed, says)],
    ['New findings', newFindings.map((text) => ({ text }))],
    ['Changed at open points', differences(comparison.readings)],
    ['The runs differ in', differences(comparison.differences)],
  ];
  const sectionOf = ([heading, items]: (typeof lists)[number]): Section => ({
    id: idOf(heading),
    heading,
    level: 'brief',
    blocks: [{ kind: 'list', items }],
  });
  return {
    heading: 'Comparison',
    about: [`${dateOf(before.run.startedAt)} and ${dateOf(after.run.startedAt)}`],
    began: dateOf(after.run.startedAt),
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'unsure',
    conclusion: conclusionOf(comparison),
    figures: [],
    sections: lists.filter(([, items]) => items.length > 0).map(sectionOf),
    footer: `${after.suite.name} ${after.suite.version}`,
  };
}
