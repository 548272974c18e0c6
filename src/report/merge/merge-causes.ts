import { causesOf, distinct } from '../model/queries.ts';
import type { Cause, CheckResult, RequirementResult, RunResult } from '../model/result.ts';
import { grouped } from '../model/text.ts';
import { sum } from './merge-figures.ts';

/** How a cause ends: in how many of the answers it was seen. */
const FREQUENCY = / \((\d[\d,]*) of (\d[\d,]*) ([^()]+)\)$/;

/**
 * Causes that say the same are one, and so is what comes and goes: which request it hits is chance, and another one in
 * each result. What one result found is part of a cause that explains more in another. The cause that explains most comes
 * first.
 */
export function mergeCauses(
  results: readonly RunResult[],
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
): readonly Cause[] {
  const byResult = results.map((result) => causesOf(result));
  const all = byResult.flat();
  const isOpen = (id: string): boolean => requirements.some((row) => row.id === id && row.status === 'not judged');
  const keys = new Map(
    byResult.flatMap((own) => {
      const candidates = (cause: Cause) => all.filter((other) => other === cause || !own.includes(other));
      return own.map((cause) => [cause, keyOf(widest(cause, candidates(cause)), checks)] as const);
    }),
  );
  const united = distinct([...keys.values()]).flatMap((key) => {
    const alike = all.filter((cause) => keys.get(cause) === key);
    const [first] = alike;
    if (first === undefined) return [];
    const { unjudged: _, ...told } = first;
    const unjudged = distinct(alike.flatMap((cause) => cause.unjudged ?? [])).filter(isOpen);
    return [
      {
        ...told,
        says: withFrequencyOf(alike.map(({ says }) => says)),
        requirements: distinct(alike.flatMap((cause) => cause.requirements)),
        checks: distinct(alike.flatMap((cause) => cause.checks)),
        ...(unjudged.length === 0 ? {} : { unjudged }),
      },
    ];
  });
  return united.toSorted((one, other) => other.requirements.length - one.requirements.length);
}

/** Of the causes about like answers that have the same owner, or explain all that this one does, the one that explains most. */
function widest(cause: Cause, candidates: readonly Cause[]): Cause {
  const isAlike = ({ requirements }: Cause): boolean =>
    requirements[0] === cause.requirements[0] || cause.requirements.every((id) => requirements.includes(id));
  const [first = cause, ...others] = candidates.filter((other) => whereOf(other) === whereOf(cause) && isAlike(other));
  return others.reduce((most, other) => (other.requirements.length > most.requirements.length ? other : most), first);
}

function whereOf({ exchange }: Cause): string {
  return [exchange?.operation, exchange?.answer.kind === 'response' ? exchange.answer.status : ''].join(' ');
}

function keyOf(cause: Cause, checks: readonly CheckResult[]): string {
  const { says, requirements } = cause;
  const where = whereOf(cause);
  if (isComingAndGoing(cause, checks)) return `${requirements[0]} ${where}`;
  return `${where} ${says.replace(FREQUENCY, '').replaceAll(/\d+/g, '#')}`;
}

/** Whether every violation that it explains was seen at times, and at other times not. */
function isComingAndGoing({ checks: ids }: Cause, checks: readonly CheckResult[]): boolean {
  const violations = checks.flatMap(({ id, outcome }) =>
    ids.includes(id) && outcome.kind === 'failed' ? outcome.violations : [],
  );
  return violations.length > 0 && violations.every(({ frequency }) => frequency?.intermittent === true);
}

/** The first of the sentences, with the answers of all. */
function withFrequencyOf(sentences: readonly string[]): string {
  const [first = ''] = sentences;
  const found = sentences.flatMap((says) => {
    const [, violated = '', judged = ''] = FREQUENCY.exec(says) ?? [];
    return violated === '' ? [] : [[violated, judged].map((digits) => Number(digits.replaceAll(',', '')))];
  });
  const total = (at: number): string => grouped(sum(found, (numbers) => numbers[at] ?? 0));
  return first.replace(FREQUENCY, (_all, _violated, _judged, what: string) => ` (${total(0)} of ${total(1)} ${what})`);
}
