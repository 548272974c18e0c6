import { firstFew, staleSentence } from './baseline.ts';
import { FIRST_VIOLATION } from './first-violation.ts';
import { distinct } from './queries.ts';
import type { CheckResult, Replay, RequirementResult, RunResult, Verdict } from './result.ts';
import { count, excerptText } from './text.ts';

type Judging = Pick<RunResult, 'requirements' | 'checks'>;

/** What a run says of a requirement, and why where that is not a verdict. */
export type RequirementOutcome = Pick<RequirementResult, 'status' | 'reason'>;

/** What the results of its checks say of a requirement; undefined where there are none. */
export function statusByChecks(checks: readonly CheckResult[]): RequirementOutcome | undefined {
  const outcomes = checks.map(({ outcome }) => outcome);
  if (outcomes.length === 0) return undefined;
  if (outcomes.some(({ kind }) => kind === 'failed')) return { status: 'violated' };
  const internal = outcomes.find((outcome) => outcome.kind === 'harness error')?.message;
  if (internal !== undefined) return { status: 'not judged', reason: `the suite itself failed (${internal})` };
  if (outcomes.some(({ kind }) => kind === 'passed')) return { status: 'holds' };
  const inconclusive = outcomes.find((outcome) => outcome.kind === 'inconclusive');
  if (inconclusive !== undefined) return { status: 'not judged', reason: inconclusive.reason };
  const notApplicable = outcomes.find((outcome) => outcome.kind === 'not applicable');
  return { status: 'not applicable', reason: notApplicable?.reason ?? 'it does not apply' };
}

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
  const unjudged = unjudgedSentence(result) + partlyJudgedSentence(result);
  return { ...verdict, conclusion: conclusion + (unjudged || (verdict.exitCode === 0 ? allJudged(result) : '')) };
}

/** Which checks had no verdict although others of their requirement had one; empty where there are none. */
function partlyJudgedSentence({ requirements, checks }: Judging): string {
  const holding = new Set(requirements.flatMap(({ id, status }) => (status === 'holds' ? [id] : [])));
  const left = checks.filter(
    ({ requirement, outcome }) =>
      holding.has(requirement) &&
      outcome.kind === 'inconclusive' &&
      !outcome.byOption &&
      outcome.code !== FIRST_VIOLATION &&
      outcome.code !== 'nothing-to-judge',
  );
  if (left.length === 0) return '';
  const lead = `${count(left.length, 'check')} of requirements that hold had no verdict`;
  return ` ${lead}: ${firstFew(left.map(({ id }) => id))}.`;
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

/** Reasons that a conclusion names; the others are counted. */
const MOST_REASONS = 3;
const REASON_LENGTH = 80;

function inconclusive({ checks }: Judging, id: string, of: (code: string, byOption: boolean) => boolean): boolean {
  const isMeant = ({ requirement, outcome }: CheckResult): boolean =>
    requirement === id && outcome.kind === 'inconclusive' && of(outcome.code, outcome.byOption);
  return checks.some(isMeant);
}

/** What a run set out to judge and did not: the user has not left it out by name, as with `--read-only`. */
export function leftOpen(result: Judging): readonly RequirementResult[] {
  return result.requirements.filter(
    ({ id, status }) => status === 'not judged' && !inconclusive(result, id, (_code, byOption) => byOption),
  );
}

/**
 * How many requirements were not judged, and why, the most frequent reason first: ` 3 requirements were not judged: 2
 * because of SERV-5, 1 because the run was interrupted.` Empty where there are none. What `--fail-fast` left out is
 * said by the violation that ended the run.
 */
export function unjudgedSentence(result: Judging): string {
  const rows = result.requirements.filter(
    ({ id, status }) => status === 'not judged' && !inconclusive(result, id, (code) => code === FIRST_VIOLATION),
  );
  if (rows.length === 0) return '';
  const reasons = rows.map((row) => becauseOf(result, row));
  const groups = distinct(reasons)
    .map((because) => ({ because, number: reasons.filter((other) => other === because).length }))
    .toSorted((one, other) => other.number - one.number);
  const lead = ` ${count(rows.length, 'requirement')} ${rows.length === 1 ? 'was' : 'were'} not judged`;
  const [only] = groups;
  if (groups.length === 1 && only !== undefined) return `${lead} ${only.because}.`;
  const named = groups.slice(0, groups.length > MOST_REASONS ? MOST_REASONS - 1 : MOST_REASONS);
  const others = rows.length - named.reduce((sum, { number }) => sum + number, 0);
  const phrases = named.map(({ because, number }) => `${number} ${because}`);
  if (others > 0) phrases.push(`${others} for ${count(groups.length - named.length, 'other reason')}`);
  return `${lead}: ${phrases.join(', ')}.`;
}

/** The violated requirements that stand in the way, or what else does. */
function becauseOf({ checks }: Judging, { id, reason = 'no reason was recorded' }: RequirementResult): string {
  const owners = checks.flatMap(({ requirement, outcome }) =>
    requirement === id && outcome.kind === 'inconclusive' ? (outcome.see ?? []) : [],
  );
  return owners.length === 0 ? `because ${shortened(reason)}` : `because of ${distinct(owners).join(' and ')}`;
}

/** What stands in the way, without its details and what would help. */
function shortened(reason: string): string {
  const [what = reason] = reason.split(/; | \(/, 1);
  return excerptText(what.replace(/\.$/, ''), REASON_LENGTH);
}
