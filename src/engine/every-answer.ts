import type { Exchange } from '../http/exchange.ts';
import type { Check } from './check.ts';
import type { Reply } from './reply.ts';
import { isSuspicion, type Suspicion, type Violation } from './violation.ts';

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
  /** The violation with the shortest request (the easiest to read), and one more of each other code. */
  readonly violations: Map<string, Violation>;
  simplest: Violation | undefined;
  /** True once an equivalent call was answered rightly after it had been answered wrongly. */
  intermittent: boolean;
  readonly violatingCalls: Set<string>;
}

/** What the rules made of one answer. */
export interface Received {
  /** The violation of the rule that belongs to the check which sent the request, if there is one. */
  readonly own: Violation | undefined;
  /** By check, what must be asked again before it is called a violation. */
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

const CODES_KEPT = 5;
const VIOLATING_CALLS_KEPT = 500;

/**
 * Holds every answer against every rule. A violation belongs to the check that owns the rule, whichever check sent
 * the request, so that a fault fails the checks that it concerns and an unexpected answer in passing is not lost.
 */
export class EveryAnswer<R extends Reply, S extends RunState<R>> {
  readonly state: S;
  readonly #checks: readonly Check<R, S, never>[];
  readonly #tallies = new Map<string, Tally>();

  constructor(checks: readonly Check<R, S, never>[], state: S) {
    this.state = state;
    this.#checks = checks;
  }

  /**
   * Judges an answer by every rule, and then lets the run learn from it: rules judge by what was known before.
   *
   * @param owner the check that sent the request
   * @param first by check, the exchange that raised a suspicion which this answer is to settle
   */
  receive(reply: R, owner: string, first: ReadonlyMap<string, Exchange> = new Map()): Received {
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
    }
    this.state.learn(reply);
    return { own, suspicions };
  }

  #count(tally: Tally, { call: { equivalence } }: R, violation: Violation | undefined): void {
    const { simplest, violations, violatingCalls } = tally;
    tally.judged += 1;
    if (violation === undefined) {
      tally.intermittent ||= violatingCalls.has(equivalence);
      return;
    }
    tally.violated += 1;
    if (violatingCalls.size < VIOLATING_CALLS_KEPT) violatingCalls.add(violation.call.equivalence);
    if (simplest === undefined || sizeOf(violation) < sizeOf(simplest)) tally.simplest = violation;
    if (violations.size < CODES_KEPT && !violations.has(violation.code)) violations.set(violation.code, violation);
  }

  tally(checkId: string): Tally {
    const tally = this.#tallies.get(checkId) ?? {
      judged: 0,
      violated: 0,
      underSuspicion: 0,
      undecided: 0,
      askedAgain: 0,
      violations: new Map<string, Violation>(),
      simplest: undefined,
      intermittent: false,
      violatingCalls: new Set<string>(),
    };
    this.#tallies.set(checkId, tally);
    return tally;
  }

  /** The violations of one check's rule, one of each code, the simplest first. */
  violationsOf(checkId: string): readonly Violation[] {
    const { simplest, violations } = this.tally(checkId);
    if (simplest === undefined) return [];
    return [simplest, ...[...violations.values()].filter(({ code }) => code !== simplest.code)];
  }
}

/** A violation that was confirmed, told with the exchange that first raised the suspicion. */
function toldSince(violation: Violation, first: Exchange | undefined): Violation {
  return first === undefined ? violation : { ...violation, proof: [first, ...violation.proof] };
}

function sizeOf({ call: { request } }: Violation): number {
  return request.path.length + (request.body?.length ?? 0);
}
