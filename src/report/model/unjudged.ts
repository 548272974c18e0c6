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

/** What a run set out to judge and did not: the user has not left it out by name, as with `--read-only`. */
export function leftOpen(result: Judging): readonly RequirementResult[] {
  return result.requirements.filter(
    ({ id, status }) => status === 'not judged' && !inconclusive(result, id, (_code, byOption) => byOption),
  );
}

/**
 * How many requirements were not judged, and why, the most frequent reason first: ` 3 requirements were not judged: 2
 * because of SERV-5, 1 because the run was interrupted.` Empty where there are none. What `--fail-fast` left out is told by
 * the violation that ended the run.
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
  const told = named.map(({ because, number }) => `${number} ${because}`);
  if (others > 0) told.push(`${others} for ${count(groups.length - named.length, 'other reason')}`);
  return `${lead}: ${told.join(', ')}.`;
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
