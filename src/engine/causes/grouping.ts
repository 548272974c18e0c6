import type { AnswerNote } from '../history.ts';
import { type Finding, type Series, sizeOf } from '../wrong-answers.ts';

/** A check that failed, as far as the cause depends on it. */
export interface FailedCheck {
  readonly id: string;
  readonly requirement: string;
  readonly kind: 'stated' | 'derived' | 'open';
  /** The requirements that could not be judged because of this one. */
  readonly blocks: readonly string[];
  readonly findings: readonly Finding[];
  readonly series: readonly Series[];
}

/** One way in which a check found answers wrong. */
export interface Member {
  readonly check: FailedCheck;
  readonly finding: Finding;
}

/** With fewer answers than this, it says nothing that all have the same status. */
const FEWEST_ANSWERS = 3;

/** Findings by cause; and those that are only wrong because an earlier answer was. */
interface Grouped {
  readonly groups: readonly (readonly Member[])[];
  readonly consequences: ReadonlySet<Member>;
}

/**
 * Groups findings that one fault explains: answers that are wrong in the same way, several things that are wrong with
 * the same answers, and what an earlier wrong answer led to.
 *
 * @param outage the failures with which the run ended
 */
export function groupByCause(
  members: readonly Member[],
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): Grouped {
  const groups = new Groups(members);
  const numbers = new Set(outage.map(({ number }) => number));
  groups.unite(...members.filter(({ finding }) => isWithin(finding.judged, numbers)));
  groups.uniteBy(likeness);
  groups.uniteBy(codeOfARequirement);
  uniteOnlyStatus(groups, members, answers);
  uniteSameAnswers(groups, members);
  const consequences = uniteConsequences(groups, members);
  return { groups: groups.all, consequences };
}

/** A service that answers everything with one status does not look at what it is asked. */
function uniteOnlyStatus(groups: Groups, members: readonly Member[], answers: readonly AnswerNote[]): void {
  if (answers.length < FEWEST_ANSWERS || new Set(answers.map(({ status }) => status)).size > 1) return;
  groups.unite(...members.filter(({ finding }) => finding.about === 'status'));
}

export const isWithin = (numbers: ReadonlySet<number>, others: ReadonlySet<number>): boolean =>
  numbers.size > 0 && [...numbers].every((number) => others.has(number));

/** How answers are wrong, whichever requirement says so, as text. */
export function likeness({ check, finding: { like, code, about, isByRule } }: Member): string {
  const { operation, status, isDocumented, mediaType, fault, changed, said } = like;
  if (about === 'form') return JSON.stringify([code, mediaType, fault]);
  if (about === 'status') {
    // A status that no operation documents has one source, whatever the operation.
    if (status !== undefined && status < 500 && !isDocumented) return JSON.stringify(['undocumented', status]);
    // A refusal does not say what was wrong with the request; what is accepted wrongly differs by what it lacks.
    const isAccepted = status !== undefined && status < 300;
    return JSON.stringify([operation, status, fault, said, isAccepted ? code : '']);
  }
  if (changed.length > 0) return JSON.stringify([operation, changed]);
  return JSON.stringify(isByRule ? [operation, code] : [check.requirement, code]);
}

/** What is wrong by one requirement in one way has one cause in all operations; a server may fail for many reasons. */
const codeOfARequirement = ({ check, finding: { code, like } }: Member): string =>
  JSON.stringify([check.requirement, code, ...(like.said === '' ? [] : [like.operation, like.said])]);

/** What is wrong with an answer explains all that is wrong with it. */
function uniteSameAnswers(groups: Groups, members: readonly Member[]): void {
  for (const member of members) {
    for (const other of members) {
      const [inner, outer] = [member.finding, other.finding];
      // A wrong status explains what else is wrong, and not the other way round.
      if (inner.about === 'status' && outer.about !== 'status') continue;
      // How answers are sent explains what is wrong with most of them, and not with a few.
      if (outer.about === 'form' && 2 * inner.judged.size < outer.judged.size) continue;
      if (isWithin(inner.judged, outer.judged)) groups.unite(member, other);
    }
  }
}

/**
 * Unites what is wrong by comparison with an earlier answer with what is wrong with that answer itself, or with the
 * creation that it belongs to. Returns the findings that are wrong only because of that.
 */
function uniteConsequences(groups: Groups, members: readonly Member[]): ReadonlySet<Member> {
  const consequences = new Set<Member>();
  for (const member of members) {
    const { before, judged, about, like } = member.finding;
    // Of other statuses, an earlier answer shows only that something exists.
    if (about === 'status' && like.status !== 404 && like.status !== 410) continue;
    for (const other of members) {
      const { judged: wrong, before: earlier, about: of, like: blamed } = other.finding;
      const isWrongSuccess = of === 'content' && blamed.status !== undefined && blamed.status < 300;
      if (other.check.requirement === member.check.requirement || !isWrongSuccess) continue;
      const isLedTo = (number: number): boolean =>
        wrong.has(number) || (blamed.effect !== 'reads' && earlier.has(number));
      const led = [...before].reduce((sum, [number, times]) => sum + (isLedTo(number) ? times : 0), 0);
      if (led === 0 || 2 * led < judged.size) continue;
      consequences.add(member);
      groups.unite(member, other);
    }
  }
  return consequences;
}

/** Findings that may turn out to have one cause. */
class Groups {
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
  uniteBy(traitOf: (member: Member) => string): void {
    const byTrait = new Map<string, Member[]>();
    for (const member of this.#members) {
      const trait = traitOf(member);
      byTrait.set(trait, [...(byTrait.get(trait) ?? []), member]);
    }
    for (const alike of byTrait.values()) this.unite(...alike);
  }
}

const KINDS = ['stated', 'derived', 'open'];

/**
 * Sorts what owns a fault before what it breaks in passing: what is wrong by itself before what another wrong answer
 * led to, what a rule says of one answer before what a check stumbled over, a wrong status before what else is wrong,
 * and what is stated before what follows from it.
 */
export function byOwnership(consequences: ReadonlySet<Member>): (one: Member, other: Member) => number {
  const ranksOf = (member: Member): readonly number[] => [
    Number(consequences.has(member)),
    Number(!member.finding.isByRule),
    Number(member.finding.about !== 'status'),
    KINDS.indexOf(member.check.kind),
    sizeOf(member.finding.simplest),
  ];
  return (one, other) => {
    const [left, right] = [ranksOf(one), ranksOf(other)];
    return left.map((rank, at) => rank - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  };
}
