import { FIRST_VIOLATION } from './first-violation.ts';
import { distinct } from './queries.ts';
import type { CheckResult, RequirementResult, RunResult } from './result.ts';
import { count, excerptText } from './text.ts';

type Judging = Pick<RunResult, 'requirements' | 'checks'>;

/** Reasons that a conclusion names; the others are counted. */
const MOST_REASONS = 3;
const REASON_LENGTH = 80;

function inconclusive({ checks }: Judging, id: string, of: (code: string, byOption: boolean) => boolean): boolean {
  const isMeant = ({ requirement, outcome }: CheckResult): boolean =>
    requirement === id && outcome.kind === 'inconclusive' && of(outcome.code, outcome.byOption);
  return checks.some(isMeant);
}

/** What a run set out to judge and did not: an option of the user's, such as `--read-only`, is not the reason. */
export function leftOpen(result: Judging): readonly RequirementResult[] {
  return result.requirements.filter(
    ({ id, status }) => status === 'not judged' && !inconclusive(result, id, (_code, byOption) => byOption),
  );
}

/**
 * How many requirements were not judged, and why, the most frequent reason first: ` 3 were not judged: 2 (…), 1 (…).`
 * Empty where there are none. What `--fail-fast` left out is told by the violation that ended the run.
 */
export function unjudgedSentence(result: Judging): string {
  const rows = result.requirements.filter(
    ({ id, status }) => status === 'not judged' && !inconclusive(result, id, (code) => code === FIRST_VIOLATION),
  );
  if (rows.length === 0) return '';
  const reasonOf = ({ reason = 'no reason was recorded' }: RequirementResult) => shortened(reason);
  const groups = distinct(rows.map(reasonOf))
    .map((reason) => ({ reason, number: rows.filter((row) => reasonOf(row) === reason).length }))
    .toSorted((one, other) => other.number - one.number);
  const named = groups.slice(0, groups.length > MOST_REASONS ? MOST_REASONS - 1 : MOST_REASONS);
  const others = rows.length - named.reduce((sum, { number }) => sum + number, 0);
  const told = named.map(({ reason, number }) => (groups.length === 1 ? reason : `${number} (${reason})`));
  if (others > 0) told.push(`${others} for ${count(groups.length - named.length, 'other reason')}`);
  return ` ${count(rows.length, 'requirement')} ${rows.length === 1 ? 'was' : 'were'} not judged: ${told.join(', ')}.`;
}

/** What stands in the way, without what would help. */
function shortened(reason: string): string {
  const [what = reason] = reason.split('; ', 1);
  return excerptText(what.replace(/\.$/, ''), REASON_LENGTH);
}
