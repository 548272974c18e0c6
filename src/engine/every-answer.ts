import type { Exchange } from '../http/exchange.ts';

import type { Check } from './check.ts';
import { type Entry, History } from './history.ts';
import type { Reply } from './reply.ts';
import { Tally } from './tally.ts';
import { isSuspicion, type Suspicion, type Violation } from './violation.ts';

/** What the run has learned of the service, by the answers so far. Rules read it. */
export interface RunState<R extends Reply> {
  /** Notes a call that is about to be sent. */
  begin?(call: R['call']): void;
  /** Learns from an answer that the rules have judged. */
  learn(reply: R): void;
  /** The exchange that created what a call names, where this run did. */
  sourceOf?(call: R['call']): Exchange | undefined;
  /** How many entries the service held before the run added any, where an answer showed all of them. */
  readonly sizeAtStart?: number | undefined;
  /** An answer which shows that the service accepts what is valid: it stays true whatever others do. */
  control?: Exchange | undefined;
}

/** Told which check's rule is violated, and which check sent the request. */
type FoundBy = (checkId: string, violation: Violation, sentBy: string) => void;

/** What the rules made of one answer. */
export interface Received {
  /** By check, what is wrong with it. Whose it is may have to be found out before it counts. */
  readonly violations: ReadonlyMap<string, Violation>;
  /** By check, what must be asked again before it is called a violation. */
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

/**
 * Holds every answer against every rule. A violation belongs to the check that owns the rule, whichever check sent
 * the request, so that a fault fails the checks that it concerns and an unexpected answer in passing is not lost.
 */
export class EveryAnswer<R extends Reply, S extends RunState<R>> {
  readonly state: S;
  readonly #history: History<R>;
  readonly #checks: readonly Check<R, S, never>[];
  readonly #onViolation: FoundBy | undefined;
  readonly #tallies = new Map<string, Tally>();

  /** @param onViolation called with every violation, as soon as it is found */
  constructor(
    checks: readonly Check<R, S, never>[],
    state: S,
    { history = new History<R>(), onViolation }: { history?: History<R>; onViolation?: FoundBy | undefined } = {},
  ) {
    this.state = state;
    this.#history = history;
    this.#checks = checks;
    this.#onViolation = onViolation;
  }

  /**
   * Appends an answer to the history, and judges it by every rule; then the run learns from it: rules judge by what was
   * known before.
   *
   * @param first by check, the exchange that raised a suspicion which this answer is to settle
   */
  receive(entry: Entry<R>, first: ReadonlyMap<string, Exchange> = new Map()): Received {
    const { reply } = entry;
    this.#history.append(entry);
    const suspicions = new Map<string, Suspicion>();
    const violations = new Map<string, Violation>();
    for (const { id, everyAnswer } of this.#checks) {
      const judgement = everyAnswer?.(reply, this.state) ?? 'irrelevant';
      if (judgement === 'irrelevant') continue;
      if (judgement === 'holds') this.tally(id).count(reply, undefined);
      else if (isSuspicion(judgement)) suspicions.set(id, judgement);
      else violations.set(id, toldSince(judgement, first.get(id)));
    }
    this.state.learn(reply);
    return { violations, suspicions };
  }

  /**
   * Counts a violation against the check that owns the rule.
   *
   * @param sentBy the check that sent the request
   */
  accuse(reply: R, checkId: string, violation: Violation, sentBy: string): void {
    this.tally(checkId).count(reply, violation);
    this.#onViolation?.(checkId, violation, sentBy);
  }

  /** How the rule of a check fared so far. */
  tally(checkId: string): Tally {
    const tally = this.#tallies.get(checkId) ?? new Tally(checkId, this.#history);
    this.#tallies.set(checkId, tally);
    return tally;
  }
}

/** A violation that was confirmed, with the exchange that first raised the suspicion. */
function toldSince(violation: Violation, first: Exchange | undefined): Violation {
  return first === undefined ? violation : { ...violation, proof: [first, ...violation.proof] };
}
