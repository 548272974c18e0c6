import type { Call, Exchange } from '../http/exchange.ts';
import { mayPass } from '../http/failures.ts';
import type { WireRequest } from '../http/message.ts';
import type { Connection } from '../http/network.ts';
import type { Budget } from './budget.ts';
import type { Checked, Doubt } from './checked.ts';
import type { KeyLost } from './key-lost.ts';

/** How a session fills in calls, and checks exchanges. */
export interface Subject {
  /** The bytes of a call; undefined if it cannot be made with this key, or there is no animal that it could name. */
  fill(call: Call, names: Exchange['names']): WireRequest | undefined;
  check(exchange: Exchange): Checked;
  /** Requests of one lane may be rate-limited separately. */
  laneOf(request: WireRequest): string;
}

/** After this many timeouts in a row, no more requests of that kind are sent. */
const MAX_SILENT = 6;

/** Sends calls, checks each exchange as it ends, and keeps the results. */
export class Session {
  readonly checked: Checked[] = [];
  /** What must be rechecked, by key. */
  readonly doubts = new Map<string, Doubt & { readonly connection: Connection }>();
  /** Keys of doubts that a recheck found to be violations. */
  readonly confirmed = new Set<string>();
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
  readonly #silent = new Map<string, number>();
  #number = 0;
  #inFlight = 0;

  constructor(subject: Subject, budget: Budget) {
    this.#subject = subject;
    this.budget = budget;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Sends a call; undefined if it was not sent. Rejects with Stopped if the run ended. */
  async send(
    connection: Connection,
    call: Call,
    names: Exchange['names'],
    quiet = false,
  ): Promise<Checked | undefined> {
    const request = this.#subject.fill(call, names);
    if (request === undefined) return undefined;
    if (this.keyLost?.reason !== undefined) return this.#notSent(this.keyLost.reason);
    const lane = this.#subject.laneOf(request);
    const kind = `${call.operation}, ${lane}`;
    if ((this.#silent.get(kind) ?? 0) >= MAX_SILENT) return this.#notSent(`${call.operation} has stopped responding`);
    const creates = request.method === 'POST';
    if (creates && !this.budget.begin()) return this.#notSent('the run has used up its budget of creations');
    let mayHaveAdded = true;
    this.#inFlight += 1;
    try {
      const sent = await connection.send(request, lane);
      const { outcome } = sent;
      mayHaveAdded = outcome.kind === 'answer' ? outcome.status < 300 : outcome.reached;
      const isSilent = outcome.kind === 'failure' && outcome.reached && outcome.code === 'timeout';
      this.#silent.set(kind, isSilent ? (this.#silent.get(kind) ?? 0) + 1 : 0);
      if (outcome.kind === 'failure' && !outcome.reached) {
        if (mayPass(outcome.code)) this.onUnreachable(outcome.sentence);
        return this.#notSent(outcome.sentence);
      }
      this.#number += 1;
      const exchange = { ...sent, number: this.#number, call, names, request, quiet };
      const lost = await this.keyLost?.check(exchange);
      return lost === undefined ? this.#learn(exchange, connection) : this.#notSent(lost);
    } finally {
      this.#inFlight -= 1;
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
    for (const doubt of checked.doubts)
      if (!this.doubts.has(doubt.key)) this.doubts.set(doubt.key, { ...doubt, connection });
    this.onChecked(checked);
    return checked;
  }

  #notSent(reason: string): undefined {
    this.unsent.set(reason, (this.unsent.get(reason) ?? 0) + 1);
    return undefined;
  }
}
