import type { Exchange } from '../http/exchange.ts';
import type { Frequency } from '../report/model/result.ts';
import { AnswerLog } from './answer-log.ts';
import type { Check } from './check.ts';
import type { Reply } from './reply.ts';
import { isSuspicion, type Suspicion, type Violation } from './violation.ts';
import { sizeOf, WrongAnswers } from './wrong-answers.ts';

/** What the run has learned of the service, by the answers so far. Rules read it. */
export interface RunState<R extends Reply> {
  /** Notes a call that is about to be sent. */
  begin?(call: R['call']): void;
  /** Learns from an answer that the rules have judged. */
  learn(reply: R): void;
  /** The exchange that created what a call names, where this run did. */
  sourceOf?(call: R['call']): Exchange | undefined;
}

/** How one check's rule fared over the whole run. */
export interface Tally {
  judged: number;
  violated: number;
  /** Suspicions that are being looked into, and those that could not be looked into to the end. */
  underSuspicion: number;
  undecided: number;
  /** Requests that were sent again after a suspicion had been cleared up. */
  askedAgain: number;
  /** How many answers were judged, by operation. */
  readonly judgedOf: Map<string, number>;
  /** Each distinct failure, by its key. */
  readonly failures: Map<string, Failure>;
  /** The key of the failure with which a call was answered, and when, by its equivalence. */
  readonly violatingCalls: Map<string, { readonly key: string; readonly answeredAt: number }>;
  /** Everything that was wrong, whether the rule or the exercise found it. */
  readonly wrong: WrongAnswers;
}

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

/** Told which check's rule is violated, and which check sent the request. */
type FoundBy = (checkId: string, violation: Violation, sentBy: string) => void;

/** What the rules made of one answer. */
export interface Received {
  /** The violation of the rule that belongs to the check which sent the request, if there is one. */
  readonly own: Violation | undefined;
  /** By check, what must be asked again before it is called a violation. */
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

/** Most failures of one rule that are told apart, and that are told. */
const FAILURES_KEPT = 200;
const FAILURES_TOLD = 12;
const VIOLATING_CALLS_KEPT = 500;

/**
 * Holds every answer against every rule. A violation belongs to the check that owns the rule, whichever check sent
 * the request, so that a fault fails the checks that it concerns and an unexpected answer in passing is not lost.
 */
export class EveryAnswer<R extends Reply, S extends RunState<R>> {
  readonly state: S;
  readonly log = new AnswerLog();
  readonly #checks: readonly Check<R, S, never>[];
  readonly #onViolation: FoundBy | undefined;
  readonly #tallies = new Map<string, Tally>();

  /** @param onViolation told of every violation, as soon as it is found */
  constructor(checks: readonly Check<R, S, never>[], state: S, onViolation?: FoundBy) {
    this.state = state;
    this.#checks = checks;
    this.#onViolation = onViolation;
  }

  /**
   * Judges an answer by every rule, and then lets the run learn from it: rules judge by what was known before.
   *
   * @param owner the check that sent the request
   * @param first by check, the exchange that raised a suspicion which this answer is to settle
   */
  receive(reply: R, owner: string, first: ReadonlyMap<string, Exchange> = new Map()): Received {
    this.log.add(reply);
    const suspicions = new Map<string, Suspicion>();
    let own: Violation | undefined;
    for (const { id, everyAnswer } of this.#checks) {
      const judgement = everyAnswer?.(reply, this.state) ?? 'irrelevant';
      if (judgement === 'irrelevant') continue;
      if (isSuspicion(judgement)) {
        suspicions.set(id, judgement);
        continue;
      }
      const violation = judgement === 'holds' ? undefined : toldSince(judgement, first.get(id));
      this.#count(this.tally(id), reply, violation);
      if (id === owner) own = violation;
      if (violation !== undefined) this.#onViolation?.(id, violation, owner);
    }
    this.state.learn(reply);
    return { own, suspicions };
  }

  #count(tally: Tally, { call: { equivalence }, exchange }: R, violation: Violation | undefined): void {
    const { failures, judgedOf, violatingCalls, wrong } = tally;
    const { operation } = exchange.request;
    const note = this.log.of(exchange);
    tally.judged += 1;
    judgedOf.set(operation, (judgedOf.get(operation) ?? 0) + 1);
    if (violation === undefined) {
      if (note !== undefined) wrong.noteRight(note);
      const wrongly = violatingCalls.get(equivalence);
      // Answers to requests that were under way together say nothing of which was first.
      if (wrongly === undefined || exchange.sentAt < wrongly.answeredAt) return;
      const failure = failures.get(wrongly.key);
      if (failure !== undefined) failure.intermittent = true;
      return;
    }
    tally.violated += 1;
    this.#noteWrong(wrong, violation, true);
    const failureKey = this.#keyOf(violation);
    const key = JSON.stringify(failureKey);
    if (violatingCalls.size < VIOLATING_CALLS_KEPT) {
      violatingCalls.set(violation.call.equivalence, { key, answeredAt: exchange.answeredAt });
    }
    const failure = failures.get(key);
    if (failure !== undefined) {
      failure.count += 1;
      if (sizeOf(violation) < sizeOf(failure.simplest)) failure.simplest = violation;
    } else if (failures.size < FAILURES_KEPT) {
      failures.set(key, { key: failureKey, count: 1, simplest: violation, intermittent: false });
    }
  }

  /** A server that fails is told apart by what it was asked, and what it said; any other violation by its code. */
  #keyOf({ code, proof }: Violation): FailureKey {
    const judged = proof.at(-1);
    const note = judged && this.log.of(judged);
    if (note?.status === undefined || note.status < 500) return { code };
    return { code, server: { operation: note.operation, kind: note.kind, said: note.said } };
  }

  /**
   * The distinct failures of one check's rule. What a server says at times, and at other times not to the same request,
   * is one failure, whatever it was asked.
   */
  #failuresOf(checkId: string): readonly ToldFailure[] {
    const { failures, judged, judgedOf } = this.tally(checkId);
    const all = [...failures.values()];
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
          judged: operation === undefined ? judged : (judgedOf.get(operation) ?? 0),
          ...(operation === undefined ? {} : { operation }),
          ...(intermittent || known?.frequency.intermittent === true ? { intermittent: true } : {}),
        },
      });
    }
    return [...told.values()];
  }

  #failureLike(checkId: string, violation: Violation): ToldFailure | undefined {
    const key = JSON.stringify(this.#keyOf(violation));
    return this.#failuresOf(checkId).find(({ keys }) => keys.includes(key));
  }

  /**
   * How often a check's rule was violated as by this violation, among the answers that it judged (of a server that
   * fails, those of the operation); undefined where the rule has found no such violation.
   */
  frequencyOf(checkId: string, violation: Violation): Frequency | undefined {
    return this.#failureLike(checkId, violation)?.frequency;
  }

  tally(checkId: string): Tally {
    const tally = this.#tallies.get(checkId) ?? {
      judged: 0,
      violated: 0,
      underSuspicion: 0,
      undecided: 0,
      askedAgain: 0,
      judgedOf: new Map<string, number>(),
      failures: new Map<string, Failure>(),
      violatingCalls: new Map<string, { key: string; answeredAt: number }>(),
      wrong: new WrongAnswers(checkId),
    };
    this.#tallies.set(checkId, tally);
    return tally;
  }

  /** Notes what the exercise of a check found, beside its rule. */
  noteFound(checkId: string, violations: readonly Violation[]): void {
    const { wrong } = this.tally(checkId);
    for (const violation of violations) this.#noteWrong(wrong, violation, false);
  }

  #noteWrong(wrong: WrongAnswers, violation: Violation, isByRule: boolean): void {
    const [judged, ...before] = violation.proof.toReversed();
    const note = judged && this.log.of(judged);
    if (note === undefined) return;
    wrong.noteWrong(violation, [note, ...before.flatMap((exchange) => this.log.of(exchange) ?? [])], isByRule);
  }

  /** The violations of one check's rule, one of each distinct failure, the simplest first. */
  violationsOf(checkId: string): readonly Violation[] {
    const all = this.#failuresOf(checkId).map(({ violation }) => violation);
    const [first] = all.toSorted((one, other) => sizeOf(one) - sizeOf(other));
    const others = all.filter((violation) => violation !== first).slice(0, FAILURES_TOLD - 1);
    return first === undefined ? [] : [first, ...others];
  }

  /** Those of a check's violations that are told beside this one. */
  othersThan(checkId: string, violation: Violation): readonly Violation[] {
    const like = this.#failureLike(checkId, violation)?.violation;
    return this.violationsOf(checkId).filter((other) => other !== like);
  }
}

/** A violation that was confirmed, told with the exchange that first raised the suspicion. */
function toldSince(violation: Violation, first: Exchange | undefined): Violation {
  return first === undefined ? violation : { ...violation, proof: [first, ...violation.proof] };
}
