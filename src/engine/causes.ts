import { count, excerptText } from '../report/model/text.ts';
import type { AnswerNote } from './answer-log.ts';
import { firstSeenAfter, isForGood } from './since.ts';
import type { Violation } from './violation.ts';
import { type Finding, type Series, sizeOf } from './wrong-answers.ts';

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

/** What several findings have in common. */
export interface FoundCause {
  readonly says: string;
  readonly requirements: readonly string[];
  readonly checks: readonly string[];
  readonly unjudged: readonly string[];
  readonly since: string | undefined;
  /** The violation that shows it best. */
  readonly shownBy: Violation;
}

/** A service that has stopped working leaves at least so many failures at the end. */
const FEWEST_FAILURES = 5;
/** So many answers of a class make it worth saying that every one of them is wrong. */
const FEWEST_OF_A_CLASS = 3;
/** What is wrong with more than this share of some answers is what is wrong with them. */
const MOST_OF = 0.8;
/** Of what was added, at most this share is taken to be missing. */
const MOST_MISSING = 0.75;

interface Member {
  readonly check: FailedCheck;
  readonly finding: Finding;
}

/**
 * Groups what the checks of a run found by what they share, the cause that explains most first; in each, what owns the
 * fault comes before what it breaks in passing. Whatever a cause says is true of the answers of the run.
 */
export function causesOf(failed: readonly FailedCheck[], answers: readonly AnswerNote[]): readonly FoundCause[] {
  const members = failed.flatMap((check) => check.findings.map((finding) => ({ check, finding })));
  const outage = outageOf(answers);
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
  const ranked = groups.all.map((group) => group.toSorted(byOwnership(consequences)));
  const size = (group: readonly Member[]): number => {
    const requirements = new Map(group.map(({ check }) => [check.requirement, check.kind === 'open' ? 0.5 : 1]));
    const violated = [...requirements.values()].reduce((sum, weight) => sum + weight, 0);
    return violated + blockedBy(group).length;
  };
  const ordered = ranked.toSorted(
    (one, other) => size(other) - size(one) || compareFirst(one, other, byOwnership(consequences)),
  );
  const told = new Set<string>();
  return ordered.map((group) => {
    // What could not be judged is told once, with the cause that explains most.
    const unjudged = blockedBy(group).filter((id) => !told.has(id));
    for (const id of unjudged) told.add(id);
    return { ...toldCause(group, answers, outage), unjudged };
  });
}

/** The requirements that could not be judged because of what a group violates. */
function blockedBy(group: readonly Member[]): readonly string[] {
  return [...new Set(group.flatMap(({ check }) => check.blocks))];
}

function compareFirst<T>(one: readonly T[], other: readonly T[], compare: (one: T, other: T) => number): number {
  const [[first], [second]] = [one, other];
  return first === undefined || second === undefined ? 0 : compare(first, second);
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

const isFailure = ({ status }: AnswerNote): boolean => status === undefined || status >= 500 || status === 429;

/** The failures with which the run ended: nothing that was asked for after the first of them was answered otherwise. */
function outageOf(answers: readonly AnswerNote[]): readonly AnswerNote[] {
  const lastAnswered = answers.reduce((last, note) => (isFailure(note) ? last : Math.max(last, note.sentAt)), 0);
  const failures = answers.filter((note) => isFailure(note) && note.answeredAt > lastAnswered);
  return failures.length < FEWEST_FAILURES ? [] : failures;
}

function uniteOutage(groups: Groups, members: readonly Member[], outage: readonly AnswerNote[]): void {
  const numbers = new Set(outage.map(({ number }) => number));
  groups.unite(...members.filter(({ finding }) => isWithin(finding.judged, numbers)));
}

/** A service that answers everything with one status does not look at what it is asked. */
function uniteOnlyStatus(groups: Groups, members: readonly Member[], answers: readonly AnswerNote[]): void {
  if (answers.length < FEWEST_OF_A_CLASS || new Set(answers.map(({ status }) => status)).size > 1) return;
  groups.unite(...members.filter(({ finding }) => finding.about === 'status'));
}

const isWithin = (numbers: ReadonlySet<number>, others: ReadonlySet<number>): boolean =>
  numbers.size > 0 && [...numbers].every((number) => others.has(number));

/** What is the same in all findings that one fault may explain, as text; undefined where nothing is remarkable. */
function sharedTrait({ check, finding }: Member): string | undefined {
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

/** Unites what is wrong beside their status with the answers that should not have had that status at all. */
function uniteBesideStatus(groups: Groups, members: readonly Member[]): void {
  for (const member of members.filter(({ finding }) => finding.about !== 'status')) {
    const { like } = member.finding;
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
    const { before, judged } = member.finding;
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

/** Sorts what owns a fault before what it breaks in passing. */
function byOwnership(consequences: ReadonlySet<Member>): (one: Member, other: Member) => number {
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

function toldCause(
  group: readonly Member[],
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): Omit<FoundCause, 'unjudged'> {
  const [first] = group;
  if (first === undefined) throw new Error('a cause explains at least one finding');
  const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];
  return {
    says: sentenceOf(group, first, answers, outage),
    requirements: distinct(group.map(({ check }) => check.requirement)),
    checks: distinct(group.map(({ check }) => check.id)),
    since: sinceOf(first, answers, outage),
    shownBy: simplestOf(group, first),
  };
}

/** The violation with the shortest request of those that are like the first in what they share. */
function simplestOf(group: readonly Member[], first: Member): Violation {
  const trait = sharedTrait(first);
  const alike = group.filter(
    (one) => sharedTrait(one) === trait && (one.check.kind === 'open') === (first.check.kind === 'open'),
  );
  const [simplest] = alike.map(({ finding }) => finding.simplest).toSorted((one, other) => sizeOf(one) - sizeOf(other));
  return simplest ?? first.finding.simplest;
}

/** From when on it was seen, where answers were right before and never after. */
function sinceOf(
  { check, finding }: Member,
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): string | undefined {
  const { operation } = finding.like;
  const series = check.series.find(({ firstWrong }) => firstWrong?.operation === operation);
  if (series?.firstWrong === undefined || !isForGood(series)) return undefined;
  const trigger = firstSeenAfter(series, answers);
  if (trigger !== undefined) return `seen only after ${trigger.description} was answered ${trigger.status}`;
  // Of an outage, the cause says itself since when it lasts.
  if (outage.includes(series.firstWrong)) return undefined;
  const before = `${count(series.right, 'answer')} before that ${series.right === 1 ? 'was' : 'were'} right`;
  return `seen from ${clock(series.firstWrong.answeredAt)} on: ${before}, and none after it`;
}

/** Answers of which something may be true of every one, from the most general. */
const CLASSES: readonly (readonly [name: string, holds: (note: AnswerNote) => boolean])[] = [
  ['answer', () => true],
  ['refusal', ({ status = 0 }) => status >= 400 && status < 500],
  ['success', ({ status = 0 }) => status >= 200 && status < 300],
];

function sentenceOf(
  group: readonly Member[],
  first: Member,
  answers: readonly AnswerNote[],
  outage: readonly AnswerNote[],
): string {
  const findings = group.map(({ finding }) => finding);
  const judged = new Set(findings.flatMap((finding) => [...finding.judged]));
  if (outage[0] !== undefined && isWithin(judged, new Set(outage.map(({ number }) => number)))) {
    const from = outage.length === answers.length ? '' : ` from ${clock(outage[0].answeredAt)} on`;
    return everyText(`answer${from}`, outage);
  }
  const { finding } = first;
  const { operation, changed, status } = finding.like;
  const remarkable = findings.filter(isRemarkable);
  const wrong = answersOf(remarkable.length === 0 ? findings : remarkable, answers);
  const rate = share(wrong, answers);
  const general = isRemarkable(finding) ? generalSentence(finding, wrong, answers) : undefined;
  if (general !== undefined) return general;
  const isOfOne = new Set(group.map(({ check }) => check.id)).size === 1;
  const { message, call } = finding.simplest;
  if (status !== undefined && status >= 500) return `answers ${status} to ${shortened(call.description)} ${rate}`;
  if (isRemarkable(finding) && (!isOfOne || finding.about === 'form')) {
    const operations = [...new Set(wrong.map((note) => note.operation))];
    const expected = new Set(
      findings.filter(({ about }) => about === 'status').map(({ simplest }) => simplest.expected),
    );
    const right = expected.size === 1 ? ` where ${[...expected][0]} is right` : '';
    return `${listed(operations)} answer${operations.length === 1 ? 's' : ''} ${answerWords(wrong)}${right} ${rate}`;
  }
  if (changed.length > 0 && !isOfOne) return `${operation} gives another ${listed(changed)} than was sent ${rate}`;
  const alike = findings.filter(({ check, code }) => check === finding.check && code === finding.code);
  return `${shortened(message)} ${share(answersOf(alike, answers), answers)}`;
}

function answersOf(findings: readonly Finding[], answers: readonly AnswerNote[]): readonly AnswerNote[] {
  return answers.filter(({ number }) => findings.some(({ judged }) => judged.has(number)));
}

/** Whether the answer is wrong by what can be said of it without its body's contents. */
const isRemarkable = ({ about }: Finding): boolean => about !== 'content';

/** What is true of every one of these answers. */
function everyText(what: string, notes: readonly AnswerNote[]): string {
  if (notes.some(({ status }) => status !== undefined)) return `every ${what} is ${answerWords(notes)}`;
  const faults = [...new Set(notes.flatMap(({ fault }) => fault ?? []))];
  return `no ${what} is one whole response (${faults.join(', ')})`;
}

/** What is wrong with every answer of a class, if that is so. */
function generalSentence(
  { like, about, simplest }: Finding,
  wrong: readonly AnswerNote[],
  answers: readonly AnswerNote[],
): string | undefined {
  const operations = [undefined, ...new Set(wrong.map(({ operation }) => operation))];
  const isLike = (note: AnswerNote): boolean =>
    about === 'status' ? note.status === like.status : note.mediaType === like.mediaType && note.fault === like.fault;
  for (const only of operations) {
    for (const [name, holds] of CLASSES) {
      // Of a request that should have succeeded, it says nothing that it was refused as others are.
      if (about === 'status' && name === 'refusal' && !/\b4\d\d\b/.test(simplest.expected)) continue;
      const all = answers.filter((note) => (only === undefined || note.operation === only) && holds(note));
      if (all.length < FEWEST_OF_A_CLASS || !all.every(isLike)) continue;
      // What is right for most of the class is not remarkable.
      if (2 * wrong.length < all.length || !wrong.every((note) => all.includes(note))) continue;
      return everyText(`${name}${only === undefined ? '' : ` of ${only}`}`, all);
    }
  }
  return undefined;
}

/** What these answers are, as far as they are alike: `422 text/plain`. */
function answerWords(notes: readonly AnswerNote[]): string {
  const only = <T>(values: readonly T[]): T | undefined => (new Set(values).size === 1 ? values[0] : undefined);
  const statuses = [...new Set(notes.map(({ status }) => status))];
  const fault = only(notes.map((note) => note.fault));
  if (statuses.every((one) => one === undefined))
    return `with no whole response${fault === undefined ? '' : ` (${fault})`}`;
  const type = only(notes.map(({ mediaType }) => mediaType ?? 'no Content-Type'));
  const isJson = type === 'application/json';
  const shown = statuses.length > MOST_STATUSES ? [] : statuses.map((one) => `${one ?? 'no response'}`);
  const words = [
    ...(shown.length === 0 ? [] : [shown.join(' or ')]),
    ...(type === undefined || (isJson && shown.length > 0) ? [] : [type]),
    ...(fault === undefined || (!isJson && fault === 'not-json') ? [] : [`(${fault})`]),
  ];
  return words.join(' ');
}

/** How many of the answers that could have been wrong in this way were: those of the same operations. */
function share(wrong: readonly AnswerNote[], answers: readonly AnswerNote[]): string {
  const operations = new Set(wrong.map(({ operation }) => operation));
  const all = answers.filter(({ operation }) => operations.has(operation));
  const of = operations.size === 1 ? ` of ${[...operations][0]}` : '';
  return `(${wrong.length.toLocaleString('en-GB')} of ${count(all.length, 'answer')}${of})`;
}

const MOST_WORDS = 160;
const shortened = (text: string): string => excerptText(text, MOST_WORDS);

/** So many statuses are told; answers with more are alike in other respects. */
const MOST_STATUSES = 2;

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** A moment of the run as a time of day. */
function clock(moment: number): string {
  return `${new Date(performance.timeOrigin + moment).toISOString().slice(11, 19)} UTC`;
}
