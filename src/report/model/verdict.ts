import { firstFew, staleSentence } from './baseline.ts';
import type { CheckResult, Replay, RunResult, Verdict } from './result.ts';
import { count } from './text.ts';
import { leftOpen, unjudgedSentence } from './unjudged.ts';

/** A verdict with its exit code and the sentence that says why. */
export type Conclusion = Pick<RunResult, 'verdict' | 'exitCode' | 'conclusion'>;

/** How many percent of the requirements that a run sets out to judge must be judged for a verdict, unless it says. */
export const MIN_JUDGED = 90;

/** What a replay says of the failure that it was made for. */
export function concludeReplay({ check, end, attempts }: Replay, checks: readonly CheckResult[]): Conclusion {
  const [judged] = checks;
  const what = judged === undefined ? check : `${check}, ${judged.title}`;
  const last = attempts.at(-1);
  if (end === 'still so') {
    return { verdict: 'violations', exitCode: 1, conclusion: `Still fails: ${what} (shown by ${last?.sends}).` };
  }
  if (end === 'no longer so') {
    const sent = attempts.flatMap((attempt) => (attempt.end === 'not shown' ? attempt.sends : [])).join('; ');
    return { verdict: 'conforms', exitCode: 0, conclusion: `Fixed: ${what} (sent again: ${sent}).` };
  }
  const why = judged !== undefined && 'reason' in judged.outcome ? judged.outcome.reason : 'nothing was sent';
  return { verdict: 'not judged', exitCode: 3, conclusion: `No verdict: ${check} could not be judged again: ${why}.` };
}

/** How people read a verdict; its literals are those of the format. */
export const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  conforms: 'conforms',
  violations: 'violations',
  'not judged': 'not judged',
  'suite fault': 'internal error',
};

/**
 * The verdict by the policy, strongest first: a violation that the baseline does not list (1), a stale or expired
 * entry in the baseline (1), an internal error of the suite (2), nothing or too little judged (3), and only then conformance (0).
 *
 * What the user left out by name (`--read-only`) does not count as too little; what time, a default or the service left
 * out does, and so does that nothing at all was judged. Whatever the verdict, the conclusion says how many requirements were not judged, and why.
 *
 * @param minJudged percent of the requirements that the run set out to judge
 */
export function concludeVerdict(
  result: Pick<RunResult, 'requirements' | 'checks' | 'baseline'>,
  minJudged = MIN_JUDGED,
): Conclusion {
  const { conclusion, ...verdict } = judgement(result, minJudged);
  const unjudged = unjudgedSentence(result) || (verdict.exitCode === 0 ? allJudged(result) : '');
  return { ...verdict, conclusion: conclusion + unjudged };
}

function allJudged({ requirements }: Pick<RunResult, 'requirements'>): string {
  const isPart = requirements.some(({ status }) => status === 'not selected');
  return ` Every ${isPart ? 'selected requirement' : 'requirement that applies'} was judged.`;
}

function judgement(
  { requirements, checks, baseline }: Pick<RunResult, 'requirements' | 'checks' | 'baseline'>,
  minJudged: number,
): Conclusion {
  const violated = requirements.filter(({ status }) => status === 'violated');
  const unexpected = violated.filter((row) => !row.expectedFailure).map(({ id }) => id);
  const stale = staleSentence(baseline);
  const errors = checks.filter(({ outcome }) => outcome.kind === 'harness error').map(({ id }) => id);
  const alsoErrors = errors.length === 0 ? '' : ` The suite itself failed in ${firstFew(errors)}.`;
  const violations = (why: string): Conclusion => ({
    verdict: 'violations',
    exitCode: 1,
    conclusion: why + alsoErrors,
  });
  const notJudged = (conclusion: string): Conclusion => ({ verdict: 'not judged', exitCode: 3, conclusion });
  if (unexpected.length > 0) {
    const number = `${count(unexpected.length, 'requirement')} ${unexpected.length === 1 ? 'is' : 'are'} violated`;
    return violations(`Does not conform: ${number} (${firstFew(unexpected)}).`);
  }
  if (stale !== undefined) return violations(stale);
  if (errors.length > 0) {
    const conclusion = `No verdict: the suite itself failed in ${firstFew(errors)}. This is an internal error, not your service's.`;
    return { verdict: 'suite fault', exitCode: 2, conclusion };
  }
  const judged = requirements.filter(({ status }) => status === 'holds').length + violated.length;
  const open = leftOpen({ requirements, checks }).length;
  if (judged === 0) return notJudged('No verdict: no requirement could be judged.');
  if (judged * 100 < (judged + open) * minJudged) {
    const share = `${judged} of ${count(judged + open, 'requirement')} could be judged`;
    return notJudged(`No verdict: only ${share}, and ${minJudged} % must be (--min-judged).`);
  }
  const exceptions = `Conforms, except for ${count(violated.length, 'expected failure')}.`;
  const conclusion = violated.length === 0 ? 'Conforms: every requirement that was judged holds.' : exceptions;
  return { verdict: 'conforms', exitCode: 0, conclusion };
}
