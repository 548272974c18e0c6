import type { AnswerNote } from '../history.ts';
import type { Finding } from '../wrong-answers.ts';
import { Groups, type Member } from './groups.ts';

/** So few answers say nothing of the service as a whole. */
const FEWEST_ANSWERS = 3;
/** What is wrong with more than this share of some answers is what is wrong with them. */
const MOST_OF = 0.8;
/** Of what was added, at most this share is taken to be missing. */
const MOST_MISSING = 0.75;

/** What is likely to have one cause; and what is wrong only because something else is. */
export interface Grouped {
  readonly groups: readonly (readonly Member[])[];
  readonly consequences: ReadonlySet<Member>;
}

/** Groups findings by what they share. @param outage the failures with which the run ended */
export function groupByCause(
  members: readonly Member[],
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): Grouped {
  const consequences = new Set<Member>();
  const groups = new Groups(members);
  uniteOutage(groups, members, outage);
  groups.uniteBy(sharedTrait);
  groups.uniteBy(sharedCode);
  uniteOnlyStatus(groups, members, answers);
  uniteSameAnswers(groups, members);
  uniteBesideStatus(groups, members);
  uniteConsequences(groups, members, consequences);
  uniteMissing(groups, members, answers, consequences);
  return { groups: groups.all, consequences };
}

function uniteOutage(groups: Groups, members: readonly Member[], outage: readonly AnswerNote[]): void {
  const numbers = new Set(outage.map(({ number }) => number));
  groups.unite(...members.filter(({ finding }) => isWithin(finding.judged, numbers)));
}

/** A service that answers everything with one status does not look at what it is asked. */
function uniteOnlyStatus(groups: Groups, members: readonly Member[], answers: readonly AnswerNote[]): void {
  if (answers.length < FEWEST_ANSWERS || new Set(answers.map(({ status }) => status)).size > 1) return;
  groups.unite(...members.filter(({ finding }) => finding.about === 'status'));
}

const isNotFound = ({ status }: AnswerNote): boolean => status === 404 || status === 410;

export const isWithin = (numbers: ReadonlySet<number>, others: ReadonlySet<number>): boolean =>
  numbers.size > 0 && [...numbers].every((number) => others.has(number));

/** What is the same in all findings that one fault may explain, as text; undefined where nothing is remarkable. */
export function sharedTrait({ check, finding }: Member): string | undefined {
  const { like, code, about } = finding;
  const isOfStatus = about === 'status';
  const { operation, status, isDocumented, mediaType, fault, changed, said } = like;
  if (status === undefined) return JSON.stringify(['no response', fault, operation]);
  if (status >= 500) return JSON.stringify(['failure', status, operation, said]);
  if (isOfStatus && status >= 400 && !isDocumented) return JSON.stringify(['undocumented', status]);
  if (isOfStatus && code === 'status') return JSON.stringify(['status', operation, status]);
  if (isOfStatus) return JSON.stringify(['status', Math.floor(status / 100), code]);
  if (about === 'form') return JSON.stringify(['transport', code, mediaType, fault]);
  if (changed.length > 0) return JSON.stringify(['changed', operation, changed]);
  // What one check finds wrong in one way has one cause, whatever the operation.
  return JSON.stringify(['code', check.requirement, code]);
}

/** What several checks find wrong in the answers of one operation under one code is wrong in one way. */
function sharedCode({ finding: { code, like, about, isByRule } }: Member): string | undefined {
  return about === 'content' && isByRule ? JSON.stringify([like.operation, code]) : undefined;
}

/**
 * What is not found although it was added is missing elsewhere too; and what other operations do not show either was
 * not kept, which explains that it is not found.
 */
function uniteMissing(
  groups: Groups,
  members: readonly Member[],
  answers: readonly AnswerNote[],
  consequences: Set<Member>,
): void {
  const added = new Set(answers.flatMap(({ effect, subject }) => (effect === 'reads' ? [] : (subject ?? []))));
  for (const missing of members) {
    const { like, about, subjects } = missing.finding;
    const isNotFound = about === 'status' && like.effect === 'reads' && like.status !== undefined && like.status < 500;
    // Where nearly nothing is found, any other fault would be about the same things by chance.
    if (!isNotFound || subjects.size > MOST_MISSING * added.size) continue;
    const alike = members.filter(({ finding }) => {
      const own = [...finding.subjects];
      return own.length > 0 && own.every((subject) => subjects.has(subject));
    });
    groups.unite(missing, ...alike);
    if (alike.every(({ finding }) => finding.like.operation === like.operation)) continue;
    for (const member of [missing, ...alike]) {
      if (member.finding.like.operation === like.operation) consequences.add(member);
    }
  }
}

/** Unites findings about the same answers: what is wrong with an answer explains all that is wrong with it. */
function uniteSameAnswers(groups: Groups, members: readonly Member[]): void {
  const extents = new Map(members.map(({ finding }) => [finding, extentOf(finding, members)]));
  const extent = (finding: Finding): ReadonlySet<number> => extents.get(finding) ?? finding.judged;
  for (const member of members) {
    for (const other of members) {
      const [inner, outer] = [member.finding, other.finding];
      if (groups.areOne(member, other) || !isWithin(extent(inner), outer.judged)) continue;
      // A wrong status explains what else is wrong, and not the other way round.
      if (inner.about === 'status' && outer.about !== 'status') continue;
      if (outer.about === 'status' && isUnderSeveralStatuses(inner, members)) continue;
      // How answers are sent explains what is wrong with most of them, and not with a few.
      if (outer.about === 'form' && 2 * inner.judged.size < extent(outer).size) continue;
      groups.unite(member, other);
    }
  }
}

/** The answers that are wrong like these; how answers are sent does not end at a status or an operation. */
function extentOf({ check, code, about, judged }: Finding, members: readonly Member[]): ReadonlySet<number> {
  if (about !== 'form') return judged;
  const alike = members.filter(({ finding }) => finding.check === check && finding.code === code);
  return new Set(alike.flatMap(({ finding }) => [...finding.judged]));
}

/** Whether answers of an operation say what is wrong under several statuses: then it is owed to none of these. */
const isUnderSeveralStatuses = ({ check, code, about, like }: Finding, members: readonly Member[]): boolean =>
  about === 'content' &&
  members.some(
    ({ finding }) =>
      finding.check === check &&
      finding.code === code &&
      finding.like.operation === like.operation &&
      finding.like.status !== like.status,
  );

/** Unites what is wrong beside their status with the answers that should not have had that status at all. */
function uniteBesideStatus(groups: Groups, members: readonly Member[]): void {
  for (const member of members.filter(({ finding }) => finding.about !== 'status')) {
    const { like } = member.finding;
    if (isUnderSeveralStatuses(member.finding, members)) continue;
    const judged = extentOf(member.finding, members);
    const alike = members.filter(
      (other) => other.finding.about === 'status' && other.finding.like.status === like.status,
    );
    for (const first of alike) {
      if (groups.areOne(member, first)) continue;
      const group = alike.filter((other) => groups.areOne(first, other));
      const shared = [...judged].filter((number) => group.some(({ finding }) => finding.judged.has(number)));
      if (shared.length > MOST_OF * judged.size) groups.unite(member, first);
    }
  }
}

/**
 * Unites what is wrong by comparison with an answer that was wrong itself with what was wrong there; and what reading
 * something shows with what was wrong when it was created.
 */
function uniteConsequences(groups: Groups, members: readonly Member[], consequences: Set<Member>): void {
  for (const member of members) {
    const { before, judged, about, like: own } = member.finding;
    // An earlier answer may show only that something exists: then what is wrong with it explains no other status.
    if (about === 'status' && !isNotFound(own)) continue;
    for (const other of members) {
      const { like, judged: blamed, before: earlier } = other.finding;
      const isWrongSuccess = like.status !== undefined && like.status < 300 && other.finding.about === 'content';
      if (other.check.id === member.check.id || !isWrongSuccess) continue;
      const isOfCreation = like.effect !== 'reads' && member.finding.like.effect === 'reads';
      const led = [...before].filter(([number]) => blamed.has(number) || (isOfCreation && earlier.has(number)));
      const explained = led.reduce((sum, [, times]) => sum + times, 0);
      if (explained === 0 || 2 * explained < judged.size) continue;
      consequences.add(member);
      groups.unite(member, other);
    }
  }
}
