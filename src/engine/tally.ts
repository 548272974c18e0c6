import type { Exchange } from '../http/exchange.ts';
import type { Frequency } from '../report/model/result.ts';
import type { AnswerLog } from './answer-log.ts';
import type { Reply } from './reply.ts';
import type { Violation } from './violation.ts';
import { sizeOf, WrongAnswers } from './wrong-answers.ts';

/** What tells the failures of one rule apart. */
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
  /** When the first wrong answer came. */
  readonly answeredAt: number;
  /** What was answered to the same request, sent after that: wrongly again, or rightly. */
  again: boolean;
  rightly: boolean;
}

/** Whether it is the request itself that is answered wrongly, each time. */
const isSteady = ({ again, rightly }: WrongCall): boolean => again && !rightly;

/** Failures that are told as one. */
interface ToldFailure {
  readonly violation: Violation;
  readonly frequency: Frequency;
}

/** Most failures of one rule that are told apart, and that are told. */
const FAILURES_KEPT = 200;
const FAILURES_TOLD = 12;
const WRONG_CALLS_KEPT = 500;

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
  readonly #log: AnswerLog;
  /** How many answers were judged, by operation. */
  readonly #judgedOf = new Map<string, number>();
  /** Each distinct failure, by its key. */
  readonly #failures = new Map<string, Failure>();
  /** By the equivalence of a call. */
  readonly #wrongCalls = new Map<string, WrongCall>();

  constructor(checkId: string, log: AnswerLog) {
    this.wrong = new WrongAnswers(checkId);
    this.#log = log;
  }

  /** Counts an answer that the rule has judged, and what is wrong with it. */
  count({ call: { equivalence }, exchange }: Reply, violation: Violation | undefined): void {
    const { operation } = exchange.request;
    const note = this.#log.of(exchange);
    this.judged += 1;
    this.#judgedOf.set(operation, (this.#judgedOf.get(operation) ?? 0) + 1);
    if (violation === undefined) {
      if (note !== undefined) this.wrong.noteRight(note);
      const wrongly = this.#wrongCalls.get(equivalence);
      // Answers to requests that were under way together say nothing of which was first.
      if (wrongly !== undefined && exchange.sentAt >= wrongly.answeredAt) wrongly.rightly = true;
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

  #noteWrongCall(violation: Violation, { sentAt, answeredAt }: Exchange, key: string): void {
    const { equivalence } = violation.call;
    const known = this.#wrongCalls.get(equivalence);
    if (known === undefined && this.#wrongCalls.size >= WRONG_CALLS_KEPT) return;
    const call = known ?? { failures: new Map(), answeredAt, again: false, rightly: false };
    if (sentAt >= call.answeredAt) call.again = true;
    const failure = call.failures.get(key) ?? { count: 0, simplest: violation };
    failure.count += 1;
    call.failures.set(key, failure);
    this.#wrongCalls.set(equivalence, call);
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
    return this.#told.get(this.#toldAs(violation))?.frequency;
  }

  /** The violations, one of each distinct failure, the simplest first. */
  get violations(): readonly Violation[] {
    const all = [...this.#told.values()].map(({ violation }) => violation);
    const [first] = all.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    const others = all.filter((violation) => violation !== first).slice(0, FAILURES_TOLD - 1);
    return first === undefined ? [] : [first, ...others];
  }

  /** The violations that are told beside this one. */
  othersThan(violation: Violation): readonly Violation[] {
    const like = this.#told.get(this.#toldAs(violation))?.violation;
    return this.violations.filter((other) => other !== like);
  }

  /** What failures have in common that come and go: some request was answered both ways. */
  get #comingAndGoing(): ReadonlySet<string> {
    const calls = [...this.#wrongCalls.values()].filter(({ rightly }) => rightly);
    const keys = calls.flatMap(({ failures }) => [...failures.keys()]);
    return new Set(keys.flatMap((key) => this.#failures.get(key) ?? []).map(({ key }) => likeness(key)));
  }

  /** The failure that a violation is told as. */
  #toldAs(violation: Violation, comingAndGoing = this.#comingAndGoing): string {
    const key = this.#keyOf(violation);
    const call = this.#wrongCalls.get(violation.call.equivalence);
    return comingAndGoing.has(likeness(key)) && !(call !== undefined && isSteady(call))
      ? likeness(key)
      : JSON.stringify(key);
  }

  /**
   * The distinct failures. What a server says at times, and at other times not to the same request, is one failure,
   * whatever it was asked; but for the requests that were answered so each time.
   */
  get #told(): ReadonlyMap<string, ToldFailure> {
    const comingAndGoing = this.#comingAndGoing;
    const told = new Map<string, ToldFailure>();
    /** How many wrong answers there were to requests that were not sent again. */
    const rest: (readonly [told: string, count: number])[] = [];
    const add = (text: string, count: number, violation: Violation, more: Partial<Frequency>): void => {
      const known = told.get(text);
      const isSimpler = known === undefined || sizeOf(violation) < sizeOf(known.violation);
      told.set(text, {
        violation: isSimpler ? violation : known.violation,
        frequency: { judged: this.judged, ...more, violated: count + (known?.frequency.violated ?? 0) },
      });
    };
    for (const [text, { key, count, simplest }] of this.#failures) {
      const operation = key.server?.operation;
      const ofOperation = operation === undefined ? {} : { judged: this.#judgedOf.get(operation) ?? 0, operation };
      if (!comingAndGoing.has(likeness(key))) {
        add(text, count, simplest, ofOperation);
        continue;
      }
      let left = count;
      for (const call of this.#wrongCalls.values()) {
        const failure = call.failures.get(text);
        if (failure === undefined) continue;
        if (isSteady(call)) {
          add(text, failure.count, failure.simplest, ofOperation);
          left -= failure.count;
        } else if (call.rightly) {
          // What is shown was answered both ways.
          add(likeness(key), failure.count, failure.simplest, { intermittent: true });
          left -= failure.count;
        }
      }
      if (left > 0) rest.push([likeness(key), left]);
    }
    for (const [text, count] of rest) {
      const known = told.get(text);
      if (known !== undefined) add(text, count, known.violation, { intermittent: true });
    }
    return told;
  }

  /** A server that fails is told apart by what it was asked, and what it said; any other violation by its code. */
  #keyOf({ code, proof }: Violation): FailureKey {
    const judged = proof.at(-1);
    const note = judged && this.#log.of(judged);
    if (note?.status === undefined || note.status < 500) return { code };
    return { code, server: { operation: note.operation, kind: note.kind, said: note.said } };
  }

  #noteWrong(violation: Violation, isByRule: boolean): void {
    const [judged, ...before] = violation.proof.toReversed();
    const note = judged && this.#log.of(judged);
    if (note === undefined) return;
    this.wrong.noteWrong(violation, [note, ...before.flatMap((exchange) => this.#log.of(exchange) ?? [])], isByRule);
  }
}
