import type { AnswerNote } from '../history.ts';
import { type Finding, type Series, sizeOf } from '../wrong-answers.ts';

/** A check that failed, as far as the cause depends on it. */
export interface FailedCheck {
  readonly id: string;
  readonly requirement: string;
  readonly kind: 'stated' | 'derived' | 'open';
  /** The operation that the requirement is stated for; undefined where it is about several. */
  readonly operation: string | undefined;
  /** On how many answers it was judged, and how many of them were wrong. */
  readonly judged: number;
  readonly violated: number;
  /** The requirements that could not be judged because of this one. */
  readonly blocks: readonly string[];
  readonly findings: readonly Finding[];
  readonly series: readonly Series[];
}

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

/** Something that a check found wrong. */
export interface Member {
  readonly check: FailedCheck;
  readonly finding: Finding;
}

/** Findings that may turn out to have one cause. */
export class Groups {
  readonly #members: readonly Member[];
  readonly #groups = new Map<Member, Set<Member>>();

  constructor(members: readonly Member[]) {
    this.#members = members;
    for (const member of members) this.#groups.set(member, new Set([member]));
  }

  /** In the order of their first members. */
  get all(): readonly (readonly Member[])[] {
    return [...new Set(this.#groups.values())].map((group) => this.#members.filter((member) => group.has(member)));
  }

  areOne(one: Member, other: Member): boolean {
    return this.#groups.get(one) === this.#groups.get(other);
  }

  unite(...members: readonly Member[]): void {
    const groups = [...new Set(members.flatMap((member) => this.#groups.get(member) ?? []))];
    const [first, ...others] = groups;
    for (const group of others) {
      for (const member of group) {
        first?.add(member);
        if (first !== undefined) this.#groups.set(member, first);
      }
    }
  }

  /** Unites the members for which `traitOf` gives the same text. */
  uniteBy(traitOf: (member: Member) => string | undefined): void {
    const byTrait = new Map<string, Member[]>();
    for (const member of this.#members) {
      const trait = traitOf(member);
      if (trait !== undefined) byTrait.set(trait, [...(byTrait.get(trait) ?? []), member]);
    }
    for (const alike of byTrait.values()) this.unite(...alike);
  }
}

/** Sorts what owns a fault before what it breaks in passing. */
export function byOwnership(consequences: ReadonlySet<Member>): (one: Member, other: Member) => number {
  const kinds = ['stated', 'derived', 'open'];
  const ranksOf = (member: Member): readonly number[] => {
    const { check, finding } = member;
    const isOfAnother = check.operation !== finding.like.operation;
    return [
      Number(consequences.has(member)),
      Number(check.kind === 'open'),
      // What a check finds by asking for it may stumble over the fault of another; a rule looks at one answer.
      Number(!finding.isByRule),
      Number(!finding.isByRule && isOfAnother),
      magnitudeOf(check.judged / check.violated),
      kinds.indexOf(check.kind),
      Number(isOfAnother),
      -finding.judged.size,
      sizeOf(finding.simplest),
    ];
  };
  return (one, other) => {
    const [left, right] = [ranksOf(one), ranksOf(other)];
    return left.map((rank, at) => rank - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  };
}

/** The power of two that is nearest: one in 116 and one in 133 are alike. Last where nothing was violated by a rule. */
function magnitudeOf(ratio: number): number {
  return Number.isFinite(ratio) ? Math.round(Math.log2(Math.max(1, ratio))) : Number.MAX_SAFE_INTEGER;
}
