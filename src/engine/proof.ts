import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Rule } from './check.ts';
import type { RunState } from './every-answer.ts';
import type { History } from './history.ts';
import type { Reply } from './reply.ts';
import { isSuspicion, type Judgement, type Violation } from './violation.ts';

/** How the exchanges of a proof are read again. */
export interface ProofReader<R extends Reply> {
  readReply(call: R['call'], exchange: Exchange, contract: Contract): R;
}

/** Judges the exchanges of proofs again, before they are printed: they must show the violation by themselves. */
export class Proofs<R extends Reply, S extends RunState<R>> {
  readonly #service: ProofReader<R>;
  readonly #contract: Contract;
  readonly #newState: () => S;
  readonly #history: Pick<History<R>, 'entry'>;

  /** @param newState what a run knows that has seen nothing yet */
  constructor(service: ProofReader<R>, contract: Contract, history: Pick<History<R>, 'entry'>, newState: () => S) {
    this.#service = service;
    this.#contract = contract;
    this.#history = history;
    this.#newState = newState;
  }

  /** A reply read anew from its exchange, where that holds all of the body. */
  readAgain = (reply: R): R => {
    const { answer } = reply.exchange;
    const isWhole = answer.kind === 'response' && answer.fullSize === undefined;
    return isWhole ? this.#service.readReply(reply.call, reply.exchange, this.#contract) : reply;
  };

  /**
   * Judges the proof of a violation by what judged it first: its own expectation, or the rule in a run that has seen
   * nothing but the proof.
   *
   * @param control what is known beside the proof: an answer which shows that what is valid is accepted
   * @returns why the proof does not show the violation; undefined where it does
   */
  faultOf(violation: Violation, rule: Rule<R, S> | undefined, control?: Exchange): string | undefined {
    const { proof, call, code } = violation;
    const replies = proof.map((exchange) => this.#history.entry(exchange)?.reply);
    const judged = replies.at(-1);
    if (judged?.call !== call) return 'it ends with another request than the one that was judged';
    if (!replies.every((reply) => reply !== undefined)) return 'one of its exchanges is not of this run';
    const judgement = violation.again?.() ?? this.#judge(replies, rule, control);
    if (typeof judgement === 'object' && judgement.code === code) return undefined;
    return `judged again, it shows ${typeof judgement === 'object' ? `"${judgement.code}" instead of "${code}"` : 'nothing wrong'}`;
  }

  #judge(replies: readonly R[], rule: Rule<R, S> | undefined, control: Exchange | undefined): Judgement {
    const state = this.#newState();
    state.control = control;
    const again = replies.map(this.readAgain);
    const judged = again.pop();
    for (const reply of again) {
      state.begin?.(reply.call);
      state.learn(reply);
    }
    if (judged === undefined || rule === undefined) return 'irrelevant';
    state.begin?.(judged.call);
    const judgement = rule(judged, state);
    return isSuspicion(judgement) ? judgement.violation : judgement;
  }
}
