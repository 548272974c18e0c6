import type { Call, Exchange } from '../http/exchange.ts';
import { mayPass } from '../http/failures.ts';
import type { WireRequest } from '../http/message.ts';
import type { Connection } from '../http/network.ts';
import type { Budget } from './budget.ts';
import type { Checked, Unsure } from './checked.ts';
import type { KeyLost } from './key-lost.ts';
import { Patience } from './patience.ts';

/** How a session fills in calls, and checks exchanges. */
export interface Subject {
  /** The bytes of a call; undefined if it cannot be made with this key, or there is no animal that it could name. */
  fill(call: Call, names: Exchange['names']): WireRequest | undefined;
  check(exchange: Exchange): Checked;
  /** Requests of one lane may be rate-limited separately. */
  laneOf(request: WireRequest): string;
  /** What a request is expected to do: requests that never end are given up by it. */
  expectationOf(request: WireRequest): string;
}

/** Sends calls, checks each exchange as it ends, and keeps the results. */
export class Session {
  readonly checked: Checked[] = [];
  /** What must be asked again, by key, with the connection on which it was seen, as a service may cache by connection. */
  readonly unsure = new Map<string, Unsure & { readonly connection: Connection }>();
  /** Why calls were not sent, with their count. */
  readonly unsent = new Map<string, number>();
  /** Called for each checked exchange. */
  onChecked: (checked: Checked) => void = () => {};
  /** Called with the reason when the service stays unreachable. */
  onUnreachable: (why: string) => void = () => {};
  /** Knows when the service has stopped accepting the key. */
  keyLost: Pick<KeyLost, 'check' | 'reason'> | undefined;
  readonly budget: Budget;
  readonly #subject: Subject;
  readonly #patience = new Patience();
  #number = 0;

  constructor(subject: Subject, budget: Budget) {
    this.#subject = subject;
    this.budget = budget;
  }

  /**
   * Sends a call; undefined if it was not sent. Rejects with Stopped if the run ended.
   *
   * @param again the question whose answer it completes, while nothing else is in flight
   */
  async send(
    connection: Connection,
    call: Call,
    names: Exchange['names'],
    again?: string,
  ): Promise<Checked | undefined> {
    const request = this.#subject.fill(call, names);
    if (request === undefined) return undefined;
    if (this.keyLost?.reason !== undefined) return this.#notSent(this.keyLost.reason);
    const lane = this.#subject.laneOf(request);
    const expectation = `${lane}, ${this.#subject.expectationOf(request)}`;
    const why = this.#patience.whyNot(lane, expectation);
    if (why !== undefined) return this.#notSent(why);
    const creates = request.method === 'POST';
    if (creates && !this.budget.begin()) return this.#notSent('the run has used up its budget of creations');
    let mayHaveAdded = true;
    try {
      const sent = await connection.send(request, lane);
      const { outcome } = sent;
      mayHaveAdded = outcome.kind === 'answer' ? outcome.status < 300 : outcome.reached;
      this.#patience.learn(lane, expectation, sent);
      if (outcome.kind === 'failure' && !outcome.reached) {
        if (mayPass(outcome.code)) this.onUnreachable(outcome.sentence);
        return this.#notSent(outcome.sentence);
      }
      this.#number += 1;
      const exchange = { ...sent, number: this.#number, call, names, request, again };
      const lost = await this.keyLost?.check(exchange);
      return lost === undefined ? this.#learn(exchange, connection) : this.#notSent(lost);
    } finally {
      if (creates) this.budget.end(mayHaveAdded);
    }
  }

  /** The exchange before this one on its connection; undefined for the first. */
  previous({ connection, place }: Exchange): Checked | undefined {
    return this.checked.find(({ exchange }) => exchange.connection === connection && exchange.place === place - 1);
  }

  #learn(exchange: Exchange, connection: Connection): Checked {
    const checked = this.#subject.check(exchange);
    this.checked.push(checked);
    for (const unsure of checked.unsure) this.unsure.set(unsure.key, { ...unsure, connection });
    this.onChecked(checked);
    return checked;
  }

  #notSent(reason: string): undefined {
    this.unsent.set(reason, (this.unsent.get(reason) ?? 0) + 1);
    return undefined;
  }
}
