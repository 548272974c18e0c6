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
  /** True once an equivalent call, sent after it had been answered wrongly, was answered rightly. */
  intermittent: boolean;
}

/** Failures that are told as one. */
interface ToldFailure {
  readonly violation: Violation;
  readonly keys: readonly string[];
  readonly frequency: Frequency;
}

/** Most failures of one rule that are told apart, and that are told. */
const FAILURES_KEPT = 200;
const FAILURES_TOLD = 12;
const VIOLATING_CALLS_KEPT = 500;

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
  /** The key of the failure with which a call was answered, and when, by its equivalence. */
  readonly #violatingCalls = new Map<string, { readonly key: string; readonly answeredAt: number }>();

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
      const wrongly = this.#violatingCalls.get(equivalence);
      // Answers to requests that were under way together say nothing of which was first.
      if (wrongly === undefined || exchange.sentAt < wrongly.answeredAt) return;
      const failure = this.#failures.get(wrongly.key);
      if (failure !== undefined) failure.intermittent = true;
      return;
    }
    this.violated += 1;
    this.#noteWrong(violation, true);
    const failureKey = this.#keyOf(violation);
    const key = JSON.stringify(failureKey);
    if (this.#violatingCalls.size < VIOLATING_CALLS_KEPT) {
      this.#violatingCalls.set(violation.call.equivalence, { key, answeredAt: exchange.answeredAt });
    }
    const failure = this.#failures.get(key);
    if (failure !== undefined) {
      failure.count += 1;
      if (sizeOf(violation) < sizeOf(failure.simplest)) failure.simplest = violation;
    } else if (this.#failures.size < FAILURES_KEPT) {
      this.#failures.set(key, { key: failureKey, count: 1, simplest: violation, intermittent: false });
    }
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
    return this.#failureLike(violation)?.frequency;
  }

  /** The violations, one of each distinct failure, the simplest first. */
  get violations(): readonly Violation[] {
    const all = this.#told.map(({ violation }) => violation);
    const [first] = all.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    const others = all.filter((violation) => violation !== first).slice(0, FAILURES_TOLD - 1);
    return first === undefined ? [] : [first, ...others];
  }

  /** The violations that are told beside this one. */
  othersThan(violation: Violation): readonly Violation[] {
    const like = this.#failureLike(violation)?.violation;
    return this.violations.filter((other) => other !== like);
  }

  /**
   * The distinct failures. What a server says at times, and at other times not to the same request,
   * is one failure, whatever it was asked.
   */
  get #told(): readonly ToldFailure[] {
    const all = [...this.#failures.values()];
    const comingAndGoing = new Set(all.flatMap(({ intermittent, key }) => (intermittent ? likeness(key) : [])));
    const told = new Map<string, ToldFailure>();
    for (const { key, count, simplest, intermittent } of all) {
      const isOne = comingAndGoing.has(likeness(key));
      const text = isOne ? likeness(key) : JSON.stringify(key);
      const known = told.get(text);
      const isSimpler = known === undefined || sizeOf(simplest) < sizeOf(known.violation);
      const operation = isOne ? undefined : key.server?.operation;
      told.set(text, {
        violation: isSimpler ? simplest : known.violation,
        keys: [...(known?.keys ?? []), JSON.stringify(key)],
        frequency: {
          violated: count + (known?.frequency.violated ?? 0),
          judged: operation === undefined ? this.judged : (this.#judgedOf.get(operation) ?? 0),
          ...(operation === undefined ? {} : { operation }),
          ...(intermittent || known?.frequency.intermittent === true ? { intermittent: true } : {}),
        },
      });
    }
    return [...told.values()];
  }

  #failureLike(violation: Violation): ToldFailure | undefined {
    const key = JSON.stringify(this.#keyOf(violation));
    return this.#told.find(({ keys }) => keys.includes(key));
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
