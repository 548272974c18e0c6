/** Verdict, exit code and conclusion by the policy. Precedence: 1, then 2, then 3, then 0. */

import { count, grouped } from '../text.ts';
import { staleSentence } from './baseline.ts';
import { WHOLE } from './outcomes.ts';
import type { ComparedFinding, RequirementResult, RunResult, Summary } from './result.ts';

type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'conclusion'>;

/** What a verdict depends on besides what was tested. */
export interface Told {
  /** How many of the planned requests were sent. */
  readonly planned?: { readonly done: number; readonly planned: number } | undefined;
  /** Why the run ended early, such as the time limit. */
  readonly because?: string | undefined;
  /** Why the target cannot be tested at all, found before the run. */
  readonly untestableTarget?: string | undefined;
  /** What the conclusion says first, such as that all remembered animals are gone. */
  readonly first?: string | undefined;
}

interface Concluding extends Told, Pick<RunResult, 'requirements' | 'findings' | 'baseline'> {
  readonly interrupted?: RunResult['run']['interrupted'];
}

type Outcomes = readonly Pick<RequirementResult, 'outcome' | 'partly'>[];

/** An outcome in words: what passed, but was not all sent, has passed so far. */
export const outcomeText = ({ outcome, partly }: Outcomes[number]): string =>
  partly === true ? `${outcome} so far` : outcome;

/** The figures of requirements; what was not selected was not tested. */
export function requirementFigures(
  rows: Outcomes,
): Pick<Summary, 'testable' | 'passed' | 'passedSoFar' | 'failed' | 'notTested' | 'notApplicable'> {
  const number = (...outcomes: readonly string[]) => rows.filter((row) => outcomes.includes(outcomeText(row))).length;
  return {
    testable: rows.length - number('untestable'),
    passed: number('passed'),
    passedSoFar: number('passed so far'),
    failed: number('failed'),
    notTested: number('not tested', 'not selected'),
    notApplicable: number('not applicable'),
  };
}

/** The share of what applies that a verdict needs, whatever kept the rest from being tested. */
const HALF = 0.5;

/** Whether enough was tested for a verdict, not counting what the user left out, nor, at first, what the collection cannot show. */
function isEnough(rows: readonly RequirementResult[]): boolean {
  const tested = rows.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed').length;
  const untested = rows.filter(({ outcome, reasonOf }) => outcome === 'not tested' && reasonOf !== 'user');
  const missing = untested.filter(({ reasonOf }) => reasonOf !== 'collection');
  return tested > 0 && tested >= WHOLE * (tested + missing.length) && tested >= HALF * (tested + untested.length);
}

function greenSentence(rows: readonly RequirementResult[]): string {
  const { testable, passed, passedSoFar, failed, notTested, notApplicable } = requirementFigures(rows);
  const known = failed === 0 ? '' : ` ${failed} failed as the baseline expects.`;
  const all = `${grouped(testable)} requirements`;
  const some =
    passedSoFar === 0 ? '' : ` ${passedSoFar} of these ${passedSoFar === 1 ? 'was' : 'were'} only partly tested.`;
  if (notTested + passedSoFar > 0)
    return `No ${known ? 'unexpected ' : ''}violations; ${passed + passedSoFar + failed} of ${all} ${passed + passedSoFar + failed === 1 ? 'was' : 'were'} tested.${some}${known}`;
  if (failed > 0) return `${passed} of ${all} passed.${known}`;
  return notApplicable > 0 ? `All ${passed} applicable requirements passed.` : `All ${all} passed.`;
}

function redSentence({ requirements, findings }: Concluding): string {
  const { testable, notTested } = requirementFigures(requirements);
  const failed = requirements.filter(({ outcome, expectedFailure }) => outcome === 'failed' && !expectedFailure).length;
  const unexpected = findings.filter(({ expected }) => !expected).length;
  const untested = notTested === 0 ? '' : `, ${grouped(notTested)} not tested`;
  const lead = unexpected === 0 ? '' : `${count(unexpected, 'finding')}: `;
  const how = requirements.some(({ expectedFailure }) => expectedFailure) ? ' unexpectedly' : '';
  return `${lead}${failed} of ${grouped(testable)} requirements failed${how}${untested}.`;
}

function verdictOf(run: Concluding): Conclusion {
  const { requirements, baseline, interrupted, untestableTarget, planned } = run;
  const stale = staleSentence(baseline);
  const isRed = requirements.some(({ outcome, expectedFailure }) => outcome === 'failed' && !expectedFailure);
  const early = run.because === undefined ? '' : ` The run ended early: ${run.because}.`;
  const ended = interrupted === undefined ? early : ` The run was ended early (${interrupted}).`;
  // After "No verdict: …".
  const because = interrupted === undefined && run.because !== undefined ? `: ${run.because}.` : `.${ended}`;
  if (isRed || stale !== undefined) {
    const sentences = [...(isRed ? [redSentence(run)] : []), ...(stale === undefined ? [] : [`${stale}.`])];
    return { verdict: 'violations', exitCode: 1, conclusion: sentences.join(' ') + ended };
  }
  if (untestableTarget !== undefined) return { verdict: 'not tested', exitCode: 3, conclusion: untestableTarget };
  if (planned !== undefined && planned.done < WHOLE * planned.planned) {
    const share = Math.floor((100 * planned.done) / planned.planned);
    const some = `only ${share} % of the planned requests were sent`;
    return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${some}${because}` };
  }
  if (interrupted !== undefined || !isEnough(requirements)) {
    const { testable, passed, passedSoFar, failed, notApplicable } = requirementFigures(requirements);
    const tested = passed + passedSoFar + failed;
    const why =
      tested === 0
        ? 'no requirement was tested'
        : `only ${tested} of ${grouped(testable - notApplicable)} applicable requirements were tested`;
    return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${why}${because}` };
  }
  return { verdict: 'conforms', exitCode: 0, conclusion: greenSentence(requirements) + ended };
}

/** The verdict of a run. */
export function conclude(run: Concluding): Conclusion {
  const { conclusion, ...verdict } = verdictOf(run);
  return { ...verdict, conclusion: run.first === undefined ? conclusion : `${run.first} ${conclusion}` };
}

/** The verdict of a run that repeats another one. @param untestableTarget why the target cannot be tested, if it cannot */
export function concludeReplay(findings: readonly ComparedFinding[], untestableTarget: string | undefined): Conclusion {
  const number = (end: ComparedFinding['end']) => findings.filter((one) => one.end === end).length;
  const [still, added, passing] = [number('still fails'), number('new'), number('passes')];
  const recorded = findings.length - added;
  const all = count(recorded, 'recorded finding');
  const some = (size: number, one: string, several: string): readonly string[] =>
    size === 0 ? [] : [`${size} of ${all} ${size === 1 ? one : several}`];
  const ends = [
    ...some(still, 'still fails', 'still fail'),
    ...some(passing, 'passes', 'pass'),
    ...some(number('did not fail this time'), 'did not fail this time', 'did not fail this time'),
    ...some(number('not tested'), 'was not tested', 'were not tested'),
    ...(added === 0 ? [] : [count(added, 'new finding')]),
  ];
  if (still + added > 0) return { verdict: 'violations', exitCode: 1, conclusion: `${ends.join('; ')}.` };
  if (untestableTarget !== undefined) return { verdict: 'not tested', exitCode: 3, conclusion: untestableTarget };
  if (passing === recorded && recorded > 0) {
    const conclusion = recorded === 1 ? 'The recorded finding passes now.' : `All ${all} pass now.`;
    return { verdict: 'conforms', exitCode: 0, conclusion };
  }
  return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${ends.join('; ')}.` };
}
