/** One result against another: what became of each finding and of each requirement. */

import { distinct } from '../text.ts';
import { hasVerdict, type RunRecord } from './history.ts';
import type { ComparedFinding, RequirementResult } from './result.ts';
import { targetName } from './result.ts';

/** The outcomes of a requirement in two runs; undefined in a run that does not know it. */
export interface ComparedRequirement {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** `regression`: passed before, and now fails, or is not tested because of the service; `fixed`: failed before, and now passes. */
  readonly change: 'none' | 'regression' | 'fixed' | 'other';
  /** Why it is not tested, or was not. */
  readonly reason?: string | undefined;
}

/** A difference between two runs. */
export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  readonly format: 'petstore-conformance-comparison/3';
  readonly before: RunRecord;
  readonly after: RunRecord;
  readonly findings: readonly ComparedFinding[];
  readonly requirements: readonly ComparedRequirement[];
  /** By requirement, what the service does at open points in one of the runs only. */
  readonly readings: readonly Difference[];
  /** How the runs differ apart from the service. */
  readonly differences: readonly Difference[];
  /** 1 for a regression, 3 if the later run has no verdict. */
  readonly exitCode: 0 | 1 | 3;
}

/** What a comparison needs of an earlier finding. */
type EarlierFinding = Pick<ComparedFinding, 'key' | 'says' | 'requirements'> & {
  readonly intermittent?: boolean;
  readonly passedAgain?: boolean;
  readonly seenOnce?: boolean;
};

type Later = {
  readonly requirements: readonly Pick<RequirementResult, 'id' | 'outcome' | 'partly' | 'reason'>[];
  readonly findings: readonly Pick<ComparedFinding, 'key' | 'says' | 'requirements'>[];
};

/**
 * What a later result says of each earlier finding, by its key: what still fails first, then what is new.
 *
 * @param sentAgain the keys of findings of which a request was sent again, and could have shown them; undefined where that
 *   is not known
 */
export function comparedFindings(
  before: readonly EarlierFinding[],
  after: Later,
  sentAgain?: ReadonlySet<string>,
): readonly ComparedFinding[] {
  const earlier = before.map((finding): ComparedFinding => {
    const { key, says, requirements } = finding;
    return { key, says, requirements, ...endOf(finding, after, sentAgain) };
  });
  const fails = ({ end }: ComparedFinding): boolean => end === 'still fails';
  const isNew = ({ key }: { readonly key: string }): boolean => !before.some((one) => one.key === key);
  const added = after.findings.filter(isNew).map(({ key, says, requirements }) => {
    return { key, says, requirements, end: 'new' } as const;
  });
  return [...earlier.filter(fails), ...added, ...earlier.filter((one) => !fails(one))];
}

function endOf(
  { key, requirements, intermittent, passedAgain, seenOnce }: EarlierFinding,
  after: Later,
  sentAgain: ReadonlySet<string> | undefined,
): Pick<ComparedFinding, 'end' | 'reason'> {
  if (after.findings.some((finding) => finding.key === key)) return { end: 'still fails' };
  for (const id of requirements) {
    const { outcome, partly, reason = 'not tested' } = after.requirements.find((row) => row.id === id) ?? {};
    if (outcome !== 'failed' && (outcome !== 'passed' || partly === true))
      return { end: 'not tested', reason: `${id}: ${reason}` };
  }
  if (sentAgain?.has(key) === false)
    return { end: 'not tested', reason: 'no response to such a request could have shown it' };
  if (intermittent === true)
    return { end: 'did not fail this time', reason: 'it is intermittent, so it may come back' };
  if (passedAgain === true || seenOnce === true)
    return { end: 'did not fail this time', reason: 'it depends on what the collection holds, so it may come back' };
  return { end: 'passes' };
}

function comparedRequirements(before: RunRecord, after: RunRecord): readonly ComparedRequirement[] {
  const rowsOf = ({ requirements }: RunRecord) => new Map(requirements.map((row) => [row.id, row]));
  const [earlier, later] = [rowsOf(before), rowsOf(after)];
  return distinct([...later.keys(), ...earlier.keys()]).map((id) => {
    const [old, row] = [earlier.get(id), later.get(id)];
    const outcomes = { before: outcomeOf(old), after: outcomeOf(row) };
    return { id, ...outcomes, change: changeOf(outcomes, row?.reasonOf), reason: row?.reason ?? old?.reason };
  });
}

/** What was only partly tested says nothing. */
const outcomeOf = (row: RunRecord['requirements'][number] | undefined): string | undefined =>
  row?.partly === true ? 'not tested' : row?.outcome;

/** What is not tested because of the collection, the surroundings or the user is no regression. */
function changeOf(
  { before, after }: Pick<ComparedRequirement, 'before' | 'after'>,
  reasonOf: RequirementResult['reasonOf'],
): ComparedRequirement['change'] {
  if (before === after) return 'none';
  const isWorse = after === 'failed' || (after === 'not tested' && reasonOf === 'service');
  if (before === 'passed' && isWorse) return 'regression';
  return before === 'failed' && after === 'passed' ? 'fixed' : 'other';
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
  const now = facts(after);
  return [...facts(before)].flatMap(([what, old]) => {
    const later = now.get(what) ?? old;
    return later === old ? [] : { what, before: old, after: later };
  });
}

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
  const requirements = comparedRequirements(before, after);
  const hasRegression = requirements.some(({ change }) => change === 'regression');
  return {
    format: 'petstore-conformance-comparison/3',
    before,
    after,
    findings: comparedFindings(before.findings, after),
    requirements,
    readings: differingReadings(before, after),
    differences: differencesOf(before, after),
    exitCode: hasRegression ? 1 : hasVerdict(after) ? 0 : 3,
  };
}
