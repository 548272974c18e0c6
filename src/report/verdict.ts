/** Verdict, exit code and conclusion by the policy. Precedence: 1, then 2, then 3, then 0. */
import { staleSentence } from './baseline.ts';
import type { RequirementResult, RunResult, Summary } from './result.ts';
import { count, grouped } from './text.ts';

type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'conclusion'>;

export interface Concluding extends Pick<RunResult, 'requirements' | 'findings' | 'baseline'> {
  readonly interrupted?: RunResult['run']['interrupted'];
  /** How many of the planned requests were sent. */
  readonly planned?: { readonly done: number; readonly planned: number } | undefined;
  /** What ended the run early, such as the time limit. */
  readonly because?: string | undefined;
  /** Why the target cannot be tested at all, found before the run. */
  readonly untestableTarget?: string | undefined;
  /** What went wrong in the suite itself. */
  readonly fault?: string | undefined;
  /** What the conclusion says first, such as that all remembered animals are gone. */
  readonly first?: string | undefined;
}

type Outcomes = readonly Pick<RequirementResult, 'outcome'>[];

/** The figures of requirements; what was not selected was not tested. */
export function requirementFigures(
  rows: Outcomes,
): Pick<Summary, 'testable' | 'passed' | 'failed' | 'notTested' | 'notApplicable'> {
  const number = (...outcomes: readonly string[]) => rows.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    testable: rows.length - number('untestable'),
    passed: number('passed'),
    failed: number('failed'),
    notTested: number('not tested', 'not selected'),
    notApplicable: number('not applicable'),
  };
}

/** To pass, a run must have tested this share of what the user did not leave out. */
const LEAST_TESTED = 0.9;

/** Whether enough was tested for a verdict, not counting what the user left out or an accepted failure prevented. */
function isEnough(rows: readonly RequirementResult[]): boolean {
  const accepted = new Set(rows.filter(({ expectedFailure }) => expectedFailure).map(({ id }) => id));
  const tested = rows.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed').length;
  const missing = rows.filter(({ outcome, reasonOf, dueTo = [] }) => {
    const isAccepted = dueTo.length > 0 && dueTo.every((id) => accepted.has(id));
    return outcome === 'not tested' && reasonOf !== 'user' && !isAccepted;
  });
  return tested > 0 && tested >= LEAST_TESTED * (tested + missing.length);
}

function greenSentence(rows: readonly RequirementResult[]): string {
  const { testable, passed, failed, notTested, notApplicable } = requirementFigures(rows);
  const known = failed === 0 ? '' : ` ${failed} failed as the baseline expects.`;
  const all = `${grouped(testable)} requirements`;
  if (notTested > 0)
    return `No ${known ? 'unexpected ' : ''}violations in the ${passed + failed} of ${all} that were tested.${known}`;
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
  const { requirements, baseline, interrupted, untestableTarget, fault, planned } = run;
  const because = run.because === undefined ? '' : `: ${run.because}`;
  const stale = staleSentence(baseline);
  const isRed = requirements.some(({ outcome, expectedFailure }) => outcome === 'failed' && !expectedFailure);
  const ended = interrupted === undefined ? '' : ` The run was ended early (${interrupted}).`;
  if (isRed || stale !== undefined) {
    const sentences = [...(isRed ? [redSentence(run)] : []), ...(stale === undefined ? [] : [`${stale}.`])];
    return { verdict: 'violations', exitCode: 1, conclusion: sentences.join(' ') + ended };
  }
  if (fault !== undefined) {
    return { verdict: 'suite fault', exitCode: 2, conclusion: `The suite itself failed: ${fault}.${ended}` };
  }
  if (untestableTarget !== undefined) return { verdict: 'not tested', exitCode: 3, conclusion: untestableTarget };
  if (planned !== undefined && planned.done < LEAST_TESTED * planned.planned) {
    const some = `only ${grouped(planned.done)} of ${grouped(planned.planned)} planned requests were sent`;
    return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${some}${because}.${ended}` };
  }
  if (interrupted !== undefined || !isEnough(requirements)) {
    const { testable, passed, failed } = requirementFigures(requirements);
    const some = `only ${passed + failed} of ${grouped(testable)} requirements were tested`;
    const why = passed + failed === 0 ? 'no requirement was tested' : some;
    return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${why}${because}.${ended}` };
  }
  return { verdict: 'conforms', exitCode: 0, conclusion: greenSentence(requirements) };
}

/** The verdict of a run. */
export function conclude(run: Concluding): Conclusion {
  const { conclusion, ...verdict } = verdictOf(run);
  return { ...verdict, conclusion: run.first === undefined ? conclusion : `${run.first} ${conclusion}` };
}

/** The verdict of a replay of recorded failures. */
export function concludeReplays(replays: NonNullable<RunResult['replays']>): Conclusion {
  const number = (end: string) => replays.filter((replay) => replay.end === end).length;
  const all = count(replays.length, 'recorded failure');
  const [still, fixed, untested] = [number('still fails'), number('fixed'), number('not tested')];
  const rest = untested === 0 ? '' : `; ${untested} could not be tested`;
  if (still > 0)
    return {
      verdict: 'violations',
      exitCode: 1,
      conclusion: `${still} of ${all} still ${still === 1 ? 'fails' : 'fail'}${rest}.`,
    };
  if (untested > 0 || replays.length === 0) {
    const some = untested === 0 ? 'no recorded failure was tested' : `${untested} of ${all} could not be tested`;
    const others = fixed === 0 ? '' : `; ${fixed} fixed`;
    return { verdict: 'not tested', exitCode: 3, conclusion: `No verdict: ${some}${others}.` };
  }
  const conclusion = fixed === 1 ? 'The recorded failure is fixed.' : `All ${all} are fixed.`;
  return { verdict: 'conforms', exitCode: 0, conclusion };
}
