import type { Exchange } from '../http/exchange.ts';
import { isUnconnected } from '../http/failures.ts';
import type { Frequency } from '../report/model/result.ts';
import type { History } from './history.ts';
import type { Reply } from './reply.ts';
import { ENOUGH_AGAIN, type Unsettled } from './unsettled.ts';
import type { Violation } from './violation.ts';
import { sizeOf, WrongAnswers } from './wrong-answers.ts';

/** What distinguishes the failures of one rule. */
interface FailureKey {
  readonly code: string;
  readonly server?: { readonly operation: string; readonly kind: string; readonly said: string };
}

/** What failures of a server that comes and goes have in common. */
const likeness = ({ code, server }: FailureKey): string => JSON.stringify([code, server?.said]);

/** Violations of one rule that are alike. */
interface Failure {
  readonly key: FailureKey;
  count: number;
  /** The one with the shortest request, the easiest to read. */
  simplest: Violation;
}

/** A request that was answered wrongly. */
interface WrongCall {
  readonly failures: Map<string, { count: number; simplest: Violation }>;
  readonly reads: boolean;
  /** The first of them. */
  readonly first: Exchange;
  /** How often the same request, sent after that, was answered wrongly again, and whether it was rightly. */
  again: number;
  rightly: boolean;
}

const STEADY = 'steady ';
/** By what it is answered most of the time. */
function steadyKey({ failures }: WrongCall): string {
  const [[key] = ['']] = [...failures].toSorted(([, one], [, other]) => other.count - one.count);
  return `${STEADY}${key}`;
}

const isSteady = ({ again, rightly }: WrongCall): boolean => again >= ENOUGH_AGAIN && !rightly;

/** Failures that are reported as one. */
interface ReportedFailure {
  readonly violation: Violation;
  readonly frequency: Frequency;
  /** Of a server that comes and goes, whether these requests were answered so each time. */
  readonly isSteady: boolean;
}

/** How many distinct failures of one rule are kept, and how many are reported. */
const FAILURES_KEPT = 200;
const FAILURES_REPORTED = 12;
const WRONG_CALLS_KEPT = 500;
const RIGHT_CALLS_KEPT = 5_000;
/** What takes longer to fail (ms) is not worth the time to be asked again. */
const SOON_MS = 1_000;

/** How one check's rule fared over the whole run. */
export class Tally {
  judged = 0;
  violated = 0;
  /** Suspicions that are being looked into, and those that could not be looked into to the end. */
  underSuspicion = 0;
  undecided = 0;
  /** Requests that were sent again after a suspicion had been cleared up. */
  askedAgain = 0;
  /** Everything that was wrong, whether the rule or the exercise found it. */
  readonly wrong: WrongAnswers;
  readonly #history: Pick<History, 'note'>;
  /** How many answers were judged, by operation. */
  readonly #judgedOf = new Map<string, number>();
  /** Each distinct failure, by its key. */
  readonly #failures = new Map<string, Failure>();
  /** The equivalences of calls that were answered rightly, and the first read of those. */
  readonly #rightCalls = new Set<string>();
  #right: Exchange | undefined;
  /** By the equivalence of a call. */
  readonly #wrongCalls = new Map<string, WrongCall>();

  constructor(checkId: string, history: Pick<History, 'note'>) {
    this.wrong = new WrongAnswers(checkId);
    this.#history = history;
  }

  /** Counts an answer that the rule has judged, and what is wrong with it. */
  count({ call: { equivalence, effect }, exchange }: Reply, violation: Violation | undefined): void {
    const { operation } = exchange.request;
    const note = this.#history.note(exchange);
    this.judged += 1;
    this.#judgedOf.set(operation, (this.#judgedOf.get(operation) ?? 0) + 1);
    if (violation === undefined) {
      if (note !== undefined) this.wrong.noteRight(note);
      if (this.#rightCalls.size < RIGHT_CALLS_KEPT) this.#rightCalls.add(equivalence);
      if (effect === 'reads') this.#right ??= exchange;
      const wrongly = this.#wrongCalls.get(equivalence);
      // Answers to requests that were in flight together say nothing of which was first.
      if (wrongly !== undefined && exchange.sentAt >= wrongly.first.answeredAt) wrongly.rightly = true;
      return;
    }
    this.violated += 1;
    this.#noteWrong(violation, true);
    const failureKey = this.#keyOf(violation);
    const key = JSON.stringify(failureKey);
    this.#noteWrongCall(violation, exchange, key);
    const failure = this.#failures.get(key);
    if (failure !== undefined) {
      failure.count += 1;
      if (sizeOf(violation) < sizeOf(failure.simplest)) failure.simplest = violation;
    } else if (this.#failures.size < FAILURES_KEPT) {
      this.#failures.set(key, { key: failureKey, count: 1, simplest: violation });
    }
  }

  #noteWrongCall(violation: Violation, exchange: Exchange, key: string): void {
    const { equivalence } = violation.call;
    const known = this.#wrongCalls.get(equivalence);
    if (known === undefined && this.#wrongCalls.size >= WRONG_CALLS_KEPT) return;
    const call = known ?? {
      failures: new Map(),
      reads: violation.call.effect === 'reads',
      first: exchange,
      again: 0,
      rightly: false,
    };
    if (exchange.sentAt >= call.first.answeredAt) call.again += 1;
    const failure = call.failures.get(key) ?? { count: 0, simplest: violation };
    failure.count += 1;
    call.failures.set(key, failure);
    this.#wrongCalls.set(equivalence, call);
  }

  /** What the causes of a run are made of. */
  get found() {
    return { findings: this.wrong.findings, series: this.wrong.series };
  }

  /** Notes what the exercise of the check found, beside its rule. */
  noteFound(violations: readonly Violation[]): void {
    for (const violation of violations) this.#noteWrong(violation, false);
  }

  /**
   * How often the rule was violated as by this violation, among the answers that it judged (of a server that
   * fails, those of the operation); undefined where the rule has found no such violation.
   */
  frequencyOf(violation: Violation): Frequency | undefined {
    return this.#reported.get(this.#reportedAs(violation))?.frequency;
  }

  /** The violations, one of each distinct failure, the simplest first; before what comes and goes, what does not. */
  get violations(): readonly Violation[] {
    const all = [...this.#reported.values()];
    const [first] = all.toSorted(
      (one, other) => Number(other.isSteady) - Number(one.isSteady) || sizeOf(one.violation) - sizeOf(other.violation),
    );
    const others = all.filter((one) => one !== first).slice(0, FAILURES_REPORTED - 1);
    return first === undefined ? [] : [first, ...others].map(({ violation }) => violation);
  }

  /**
   * Reads that were only answered wrongly, the first before others, where something comes and goes, or brings the service
   * down; and one that was answered rightly.
   */
  get unsettled(): Unsettled | undefined {
    const comesAndGoes = this.#comingAndGoing.size > 0;
    const others = [...this.#wrongCalls]
      .filter(([equivalence, one]) => one.reads && !this.#rightCalls.has(equivalence) && !isSteady(one))
      .map(([, { first }]) => first)
      .filter(({ answer }) => {
        if (answer.milliseconds >= SOON_MS) return false;
        return answer.kind === 'no response' ? !isUnconnected(answer.code) : comesAndGoes;
      });
    return this.#right === undefined || others.length === 0 ? undefined : { known: this.#right, others };
  }

  /** The violations with another one that the check has found: in the place of one that is alike, if it is simpler. */
  violationsWith(own: Violation): readonly Violation[] {
    const like = this.#reported.get(this.#reportedAs(own))?.violation;
    if (like !== undefined && sizeOf(like) < sizeOf(own)) return this.violations;
    return [own, ...this.violations.filter((other) => other !== like)];
  }

  /** What failures have in common that come and go: some request was answered both ways. */
  get #comingAndGoing(): ReadonlySet<string> {
    const calls = [...this.#wrongCalls.values()].filter(({ rightly }) => rightly);
    const keys = calls.flatMap(({ failures }) => [...failures.keys()]);
    return new Set(keys.flatMap((key) => this.#failures.get(key) ?? []).map(({ key }) => likeness(key)));
  }

  /** The failure that a violation is reported as. */
  #reportedAs(violation: Violation): string {
    const key = this.#keyOf(violation);
    const comingAndGoing = this.#comingAndGoing;
    const call = this.#wrongCalls.get(violation.call.equivalence);
    if (comingAndGoing.size > 0 && call !== undefined && isSteady(call)) return steadyKey(call);
    return comingAndGoing.has(likeness(key)) ? likeness(key) : JSON.stringify(key);
  }

  /**
   * The distinct failures. What a server says at times, and at other times not to the same request, is one failure,
   * whatever it was asked; but for the requests that were answered wrongly each time.
   */
  get #reported(): ReadonlyMap<string, ReportedFailure> {
    const comingAndGoing = this.#comingAndGoing;
    const reported = new Map<string, ReportedFailure>();
    const add = (
      text: string,
      count: number,
      violation: Violation,
      more: Partial<ReportedFailure & Frequency>,
    ): void => {
      const { isSteady = false, ...frequency } = more;
      const known = reported.get(text);
      const isSimpler = known === undefined || sizeOf(violation) < sizeOf(known.violation);
      reported.set(text, {
        violation: isSimpler ? violation : known.violation,
        isSteady,
        frequency: { judged: this.judged, ...frequency, violated: count + (known?.frequency.violated ?? 0) },
      });
    };
    const calls = comingAndGoing.size === 0 ? [] : [...this.#wrongCalls.values()];
    for (const call of calls.filter(isSteady)) {
      const text = steadyKey(call);
      for (const { count, simplest } of call.failures.values()) {
        // What it is answered most of the time shows it.
        add(text, count, call.failures.get(text.slice(STEADY.length))?.simplest ?? simplest, { isSteady: true });
      }
    }
    for (const [text, { key, count, simplest }] of this.#failures) {
      const operation = key.server?.operation;
      const countOf = (some: readonly WrongCall[]): number =>
        some.reduce((sum, { failures }) => sum + (failures.get(text)?.count ?? 0), 0);
      const left = count - countOf(calls.filter(isSteady));
      if (left === 0) continue;
      if (!comingAndGoing.has(likeness(key))) {
        add(
          text,
          left,
          simplest,
          operation === undefined ? {} : { judged: this.#judgedOf.get(operation) ?? 0, operation },
        );
        continue;
      }
      add(likeness(key), left, this.#answeredBothWays(likeness(key)) ?? simplest, { intermittent: true });
    }
    return reported;
  }

  /** The simplest failure of a kind of which the request was answered rightly too. */
  #answeredBothWays(like: string): Violation | undefined {
    const all = [...this.#wrongCalls.values()].filter(({ rightly }) => rightly);
    const alike = all.flatMap(({ failures }) =>
      [...failures].flatMap(([text, { simplest }]) => {
        const failure = this.#failures.get(text);
        return failure !== undefined && likeness(failure.key) === like ? simplest : [];
      }),
    );
    return alike.toSorted((one, other) => sizeOf(one) - sizeOf(other))[0];
  }

  /** The failures of a server differ by what it was asked and what it said; any other violation by its code. */
  #keyOf({ code, proof }: Violation): FailureKey {
    const judged = proof.at(-1);
    const note = judged && this.#history.note(judged);
    if (note?.status === undefined || note.status < 500) return { code };
    return { code, server: { operation: note.operation, kind: note.kind, said: note.said } };
  }

  #noteWrong(violation: Violation, isByRule: boolean): void {
    const [judged, ...before] = violation.proof.toReversed();
    const note = judged && this.#history.note(judged);
    if (note === undefined) return;
    this.wrong.noteWrong(
      violation,
      [note, ...before.flatMap((exchange) => this.#history.note(exchange) ?? [])],
      isByRule,
    );
  }
}
