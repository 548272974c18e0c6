import type { Check } from './check.ts';
import type { Reply } from './reply.ts';
import type { Violation } from './violation.ts';

/** What the run has learned of the service, by the answers so far. Rules read it. */
export interface RunState<R extends Reply> {
  /** Notes a call that is about to be sent. */
  begin?(call: R['call']): void;
  /** Learns from an answer that the rules have judged. */
  learn(reply: R): void;
}

/** How one check's rule fared over the whole run. */
export interface Tally {
  judged: number;
  violated: number;
  /** The violation with the shortest request (the easiest to read), and one more of each other code. */
  readonly violations: Map<string, Violation>;
  simplest: Violation | undefined;
  /** True once an equivalent call was answered rightly after it had been answered wrongly. */
  intermittent: boolean;
  readonly violatingCalls: Set<string>;
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
   * @returns the violation of the rule that belongs to the check `owner`, if there is one
   */
  receive(reply: R, owner: string): Violation | undefined {
    let own: Violation | undefined;
    for (const { id, everyAnswer } of this.#checks) {
      const judgement = everyAnswer?.(reply, this.state) ?? 'irrelevant';
      if (judgement === 'irrelevant') continue;
      this.#count(this.tally(id), reply, judgement === 'holds' ? undefined : judgement);
      if (judgement !== 'holds' && id === owner) own = judgement;
    }
    this.state.learn(reply);
    return own;
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

function sizeOf({ call: { request } }: Violation): number {
  return request.path.length + (request.body?.length ?? 0);
}
