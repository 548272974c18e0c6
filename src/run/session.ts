import type { Checked, OpenQuestion } from '../check/checked.ts';
import type { Checker, Learned } from '../check/checker.ts';
import { mayPass } from '../http/failure-codes.ts';
import { type Connection, type Network, Stopped } from '../http/network.ts';
import type { ShownAnimal } from '../known/seen.ts';
import { type Call, operationOf } from '../reading/call.ts';
import { type Exchange, filled, type Order } from '../reading/exchange.ts';
import { mayAdd, mustBeOf } from '../reading/expected.ts';
import type { Terms } from '../reading/fill.ts';
import { textsOf } from '../reading/members.ts';
import type { Budget } from './budget.ts';
import type { OnEvent } from './events.ts';
import { Patience } from './patience.ts';
import type { RowNames } from './row-names.ts';
import type { ShutOut } from './shut-out.ts';
import { Suspicions } from './suspicions.ts';

const EXPECTATIONS = { accepted: 'must be accepted', rejected: 'must be rejected', either: 'may be accepted' };
/** Several requirements may ask the same. */
export const idOf = ({ requirement, key }: OpenQuestion): string => `${requirement} ${key}`;

/** The number of the connection of the preflight; those of the run are greater. */
const BEFORE_THE_RUN = 0;

interface SessionOptions {
  readonly checker: Checker;
  readonly names: RowNames;
  readonly terms: Terms;
  readonly budget: Budget;
  readonly network: Pick<Network, 'sentAlone' | 'mayBeCrowded' | 'isOutOfReach' | 'closesIdle'>;
  /** Knows whether this client is still served. */
  readonly shutOut?: Pick<ShutOut, 'check' | 'reason'>;
  /** Called for each checked exchange, each animal in a 201, and when the service stays unreachable. */
  readonly onEvent: OnEvent;
}

/** Sends calls, checks each exchange as it ends, and keeps the results. */
export class Session {
  readonly checked: Checked[] = [];
  /** What must be asked again, by requirement and key; with the connection on which it was seen, as a service may cache by it. */
  readonly questions = new Map<string, OpenQuestion & { readonly connection: Connection }>();
  /** Why calls were not sent, with their count. */
  readonly unsent = new Map<string, number>();
  /** Why bodies were not read, with their count. */
  readonly unread = new Map<string, number>();
  readonly budget: Budget;
  readonly #checker: Checker;
  readonly #terms: Terms;
  readonly #shutOut: SessionOptions['shutOut'];
  readonly #onEvent: OnEvent;
  readonly #suspicions: Suspicions;
  readonly #patience = new Patience();
  #number = 0;
  #sequences = 0;

  constructor({ checker, names, terms, budget, network, shutOut, onEvent }: SessionOptions) {
    this.#checker = checker;
    this.#terms = terms;
    this.#shutOut = shutOut;
    this.#onEvent = onEvent;
    this.#suspicions = new Suspicions({
      network,
      send: (connection, { call, names: own }, order, isAlone) =>
        this.#exchange(connection, call, names.again(call, own), order, isAlone),
      previous: (exchange) => this.previous(exchange)?.exchange,
      isGone: () => network.isOutOfReach || this.lostBecause !== undefined,
    });
    this.budget = budget;
  }

  /** Why this client is no longer served; undefined while it is. */
  get lostBecause(): string | undefined {
    return this.#shutOut?.reason;
  }

  /** The number of another sequence, for what is sent in order. */
  newSequence(): number {
    this.#sequences += 1;
    return this.#sequences;
  }

  /** Sends a call; undefined if it was not sent. Rejects with Stopped if the run ended. */
  async send(
    connection: Connection,
    call: Call,
    names: Exchange['names'],
    order: Order = {},
  ): Promise<Learned | undefined> {
    const exchange = await this.#exchange(connection, call, names, order);
    if (exchange === undefined) return undefined;
    const counting = await this.#suspicions.explained(exchange, connection);
    return counting.map((one) => this.#learn(one, connection)).at(-1);
  }

  /** Checks the responses of the preflight, which were received on a connection that is closed. */
  checkPreflight(exchanges: readonly Exchange[], connection: Connection): void {
    for (const exchange of exchanges.filter(({ outcome }) => outcome.kind === 'answer')) {
      this.#number += 1;
      this.#learn({ ...exchange, number: this.#number, connection: BEFORE_THE_RUN }, connection);
    }
  }

  async #exchange(
    connection: Connection,
    call: Call,
    names: Exchange['names'],
    order: Order,
    isAlone = false,
  ): Promise<Exchange | undefined> {
    const made = filled(call, names, this.#terms);
    if (made === undefined) return undefined;
    if (this.lostBecause !== undefined) return this.leaveOut(this.lostBecause);
    const { request, reading } = made;
    // A service may throttle wrong keys separately.
    const lane = reading.key.kind === 'bad' ? `${reading.operation}, wrong key` : reading.operation;
    const expectation = (): string => `${lane}, ${EXPECTATIONS[mustBeOf(reading)]}`;
    const why = this.#patience.whyNot(reading.operation, lane, expectation);
    if (why !== undefined) return this.leaveOut(why);
    const { adds } = operationOf(call);
    if (adds && !this.budget.begin())
      return this.leaveOut(`the run may create no more (at most ${this.budget.most}; --max-creates changes it)`);
    let result: 'accepted' | 'rejected' | 'unknown' = 'unknown';
    const { known } = this.#checker;
    if (adds) known.creations.send({ call, names });
    const ended = mayAdd(reading) ? known.creating() : undefined;
    try {
      const sent = await connection.send(request, lane, isAlone);
      const { outcome } = sent;
      if (outcome.kind === 'answer') result = outcome.status < 300 ? 'accepted' : 'rejected';
      else if (!outcome.reached) result = 'rejected';
      if (sent.crowd === undefined) this.#patience.learn(lane, expectation, sent);
      if (outcome.kind === 'failure' && !outcome.reached) {
        if (mayPass(outcome.code)) this.#onEvent({ kind: 'lost', reason: outcome.sentence });
        return this.leaveOut(outcome.sentence);
      }
      this.#number += 1;
      const exchange = { ...sent, ...made, number: this.#number, call, names, ...order };
      // It is not always checked, but may have been carried out.
      if (adds && outcome.kind === 'failure') known.creations.unanswered(exchange);
      const reason = await this.#shutOut?.check(exchange, connection);
      return reason === undefined ? exchange : this.leaveOut(reason);
    } catch (error) {
      if (error instanceof Stopped && error.code === 'throttled')
        this.#onEvent({ kind: 'lost', reason: error.message });
      throw error;
    } finally {
      if (adds) this.budget.end(result);
      ended?.();
    }
  }

  /** Checks what brought other requests down: that it is no valid HTTP permits to close its own connection alone. */
  checkAsValid({ exchange }: Checked): Checked {
    return this.#checker.check({ ...exchange, request: { ...exchange.request, mayBeClosed: false } }).checked;
  }

  /** The exchange before this one on its connection; undefined for the first. */
  previous({ connection, place }: Exchange): Checked | undefined {
    return this.checked.find(({ exchange }) => exchange.connection === connection && exchange.place === place - 1);
  }

  #learn(exchange: Exchange, connection: Connection): Learned {
    const learned = this.#checker.check(exchange);
    this.checked.push(learned.checked);
    const { unread } = learned.seen;
    if (unread !== undefined) this.unread.set(unread, (this.unread.get(unread) ?? 0) + 1);
    for (const question of learned.checked.questions) {
      const id = idOf(question);
      const before = this.questions.get(id);
      // What was no suspicion may be one now.
      if (before === undefined || before.isMoot === true)
        this.questions.set(id, { ...question, connection: before?.connection ?? connection });
    }
    for (const [id, { isContradictedBy }] of this.questions)
      if (isContradictedBy?.(learned.seen) === true) this.questions.delete(id);
    this.#onEvent({ kind: 'checked', checked: learned.checked });
    const [animal] = operationOf(exchange.call).adds ? learned.seen.animals : [];
    if (animal?.id !== undefined) this.#tellCreated(animal, `${animal.id}`);
    return learned;
  }

  #tellCreated(animal: ShownAnimal, id: string): void {
    const created = { id, fields: textsOf(animal), createdAt: new Date().toISOString() };
    this.#onEvent({ kind: 'created', animal: created, run: this.#checker.known.tag });
  }

  /** Counts a request that is not sent. */
  leaveOut(reason: string): undefined {
    this.unsent.set(reason, (this.unsent.get(reason) ?? 0) + 1);
    return undefined;
  }
}
