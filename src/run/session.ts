import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Checked, OpenQuestion } from '../check/checked.ts';
import type { Learned } from '../check/checker.ts';
import { mayPass } from '../http/failure-codes.ts';
import { type Crowd, headerOf } from '../http/message.ts';
import { type Connection, type Network, Stopped } from '../http/network.ts';
import type { ShownAnimal } from '../known/seen.ts';
import { type Call, list, operationOf } from '../reading/call.ts';
import type { Exchange, Order } from '../reading/exchange.ts';
import { textsOf } from '../reading/members.ts';
import type { Budget } from './budget.ts';
import type { OnEvent } from './events.ts';
import { Patience } from './patience.ts';
import type { PetStore } from './pet-store.ts';
import type { ShutOut } from './shut-out.ts';

/** The plainest call: a list without parameters. */
const PLAIN = { call: list(), names: {} };
/** How often it may be looked into why a connection was closed in place of a response, with the same result. */
const MAX_CLOSES_EXPLAINED = 12;
const CLOSED_IN_A_ROW = 3;
/** How often a request is sent alone, if the new connection waits until it is closed, as this machine is busy. */
const MAX_SENT_ALONE = 4;
/** The number of the connection of the preflight; those of the run are greater. */
const BEFORE_THE_RUN = 0;
/** How long such a connection rests after a response: once, twice and three times as long (ms), before others may close it. */
const REST_MS = 20;

/** Sends calls, checks each exchange as it ends, and keeps the results. */
export class Session {
  readonly checked: Checked[] = [];
  /** What must be asked again, by key, with the connection on which it was seen, as a service may cache by connection. */
  readonly questions = new Map<string, OpenQuestion & { readonly connection: Connection }>();
  /** Why calls were not sent, with their count. */
  readonly unsent = new Map<string, number>();
  /** Called for each checked exchange, each animal in a 201, and when the service stays unreachable. */
  onEvent: OnEvent = () => {};
  /** Knows whether this client is still served. */
  shutOut: Pick<ShutOut, 'check' | 'reason'> | undefined;
  readonly budget: Budget;
  readonly #store: PetStore;
  readonly #network: Pick<Network, 'sentAlone' | 'mayBeCrowded' | 'isOutOfReach' | 'closesIdle'>;
  readonly #patience = new Patience();
  #alone: Promise<unknown> = Promise.resolve();
  /** How many closes were explained as those of idle connections, and how many as the service's fault. */
  #closes = 0;
  #faultyCloses = 0;
  #number = 0;
  #sequences = 0;

  constructor(
    store: PetStore,
    budget: Budget,
    network: Pick<Network, 'sentAlone' | 'mayBeCrowded' | 'isOutOfReach' | 'closesIdle'>,
  ) {
    this.#store = store;
    this.#network = network;
    this.budget = budget;
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
    if (exchange.request.mayBeClosed === true && isClosed(exchange)) return this.#learn(exchange, connection);
    if ((exchange.place > 0 || exchange.hadWaited === true) && (isClosed(exchange) || isNoticeOfClosing(exchange)))
      return this.#oneByOne(() => this.#explainClose(exchange, connection));
    const { crowd, outcome } = exchange;
    if (crowd !== undefined && outcome.kind === 'failure') return this.#sendAlone(exchange, crowd, connection);
    if (crowd !== undefined) await this.#comparePlain(exchange, crowd, connection);
    return this.#learn(exchange, connection);
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
    const filled = this.#store.fill(call, names);
    if (filled === undefined) return undefined;
    if (this.shutOut?.reason !== undefined) return this.leaveOut(this.shutOut.reason);
    const { request, reading } = filled;
    // A service may throttle wrong keys separately.
    const lane = reading.key.kind === 'bad' ? `${reading.operation}, wrong key` : reading.operation;
    const expectation = (): string => `${lane}, ${this.#store.expectationOf(reading)}`;
    const why = this.#patience.whyNot(reading.operation, lane, expectation);
    if (why !== undefined) return this.leaveOut(why);
    const { adds } = operationOf(call);
    if (adds && !this.budget.begin())
      return this.leaveOut(`the run may create no more (at most ${this.budget.most}; --max-creates changes it)`);
    let result: 'accepted' | 'rejected' | 'unknown' = 'unknown';
    if (adds) this.#store.known.creations.send({ call, names });
    const ended = this.#store.mayAdd(reading) ? this.#store.known.creating() : undefined;
    try {
      const sent = await connection.send(request, lane, isAlone);
      const { outcome } = sent;
      if (outcome.kind === 'answer') result = outcome.status < 300 ? 'accepted' : 'rejected';
      else if (!outcome.reached) result = 'rejected';
      if (sent.crowd === undefined) this.#patience.learn(lane, expectation, sent);
      if (outcome.kind === 'failure' && !outcome.reached) {
        if (mayPass(outcome.code)) this.onEvent({ kind: 'lost', reason: outcome.sentence });
        return this.leaveOut(outcome.sentence);
      }
      this.#number += 1;
      const exchange = { ...sent, ...filled, number: this.#number, call, names, ...order };
      // It is not always checked, but may have been carried out.
      if (adds && outcome.kind === 'failure') this.#store.known.creations.unanswered(exchange);
      const reason = await this.shutOut?.check(exchange, connection);
      return reason === undefined ? exchange : this.leaveOut(reason);
    } catch (error) {
      if (error instanceof Stopped && error.code === 'throttled') this.onEvent({ kind: 'lost', reason: error.message });
      throw error;
    } finally {
      if (adds) this.budget.end(result);
      ended?.();
    }
  }

  /** It may have waited for another connection to be closed: the plain call, sent alone, does not then. */
  #comparePlain({ sentAt, answeredAt }: Exchange, crowd: Crowd, connection: Connection): Promise<void> {
    return this.#oneByOne(async () => {
      const [plain] = await this.#inARow(connection, [PLAIN], true);
      const took = plain === undefined ? Number.POSITIVE_INFINITY : plain.answeredAt - plain.sentAt;
      if (took < (answeredAt - sentAt) / 4) this.#network.sentAlone(crowd, true);
    });
  }

  /** There may have been too many connections, so that it was not served: sends it again alone, unless this never helps. */
  #sendAlone(exchange: Exchange, crowd: Crowd, connection: Connection): Promise<Learned | undefined> {
    return this.#oneByOne(async () => {
      if (!this.#network.mayBeCrowded) return this.#learn(exchange, connection);
      const [alone] = await this.#inARow(connection, [exchange], true, 0, orderOf(exchange));
      if (alone === undefined) return this.#isGone ? this.#learn(exchange, connection) : undefined;
      this.#network.sentAlone(crowd, alone.outcome.kind === 'answer');
      return this.#learn(alone, connection);
    });
  }

  /** Whether the service is not reached any more, so that what was in flight when this began stays unanswered. */
  get #isGone(): boolean {
    return this.#network.isOutOfReach || this.shutOut?.reason !== undefined;
  }

  /** What is sent alone is sent one after the other: each shows whether the next is worthwhile. */
  #oneByOne<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#alone.then(work);
    this.#alone = done.catch(() => undefined);
    return done;
  }

  /**
   * A connection that had answered before was closed without a byte: the service may have closed it after the response
   * before. So the request is sent again alone on a new connection; if it is answered there, after the request before and
   * a rest, in which a service that closes connections after responses does so.
   */
  async #explainClose(closed: Exchange, connection: Connection): Promise<Learned | undefined> {
    if (this.#faultyCloses >= MAX_CLOSES_EXPLAINED) return this.#learn(closed, connection);
    const alone = await this.#sentOnFreshConnection(closed, connection);
    // The service went away for good; or the run may send no more, and says so.
    if (alone === undefined) return this.#isGone ? this.#learn(closed, connection) : undefined;
    if (isClosed(alone)) {
      // The first one may have cut others short.
      this.#learn(closed, connection);
      return this.#learn(alone, connection);
    }
    if (isNoticeOfClosing(closed)) return this.#learn(alone, connection);
    const most = this.#closes < MAX_CLOSES_EXPLAINED ? CLOSED_IN_A_ROW : 0;
    const before = this.previous(closed)?.exchange ?? PLAIN;
    let last: readonly Exchange[] = [];
    for (let nth = 1; nth <= most; nth += 1) {
      last = await this.#inARow(connection, [before, closed], false, nth * REST_MS);
      if (!isClosedAfterRest(last)) break;
    }
    // If it closes idle connections, this machine may have been busy for as long: then without a rest, too.
    for (let nth = 1; nth <= most && this.#network.closesIdle && isClosedAfterRest(last); nth += 1)
      last = await this.#inARow(connection, [before, closed]);
    if (isClosedAfterRest(last)) {
      this.#faultyCloses += 1;
      return last.map((one) => this.#learn(one, connection)).at(-1);
    }
    this.#closes += 1;
    return this.#learn(alone, connection);
  }

  /** Checks what brought other requests down: that it is no valid HTTP permits to close its own connection alone. */
  checkAsValid({ exchange }: Checked): Checked {
    return this.#store.check({ ...exchange, request: { ...exchange.request, mayBeClosed: false } }).checked;
  }

  /** Sends a request again alone, on a new connection that did not wait, if this can be had. */
  async #sentOnFreshConnection(exchange: Exchange, connection: Connection): Promise<Exchange | undefined> {
    let alone: Exchange | undefined;
    for (let nth = 0; nth < MAX_SENT_ALONE; nth += 1) {
      [alone] = await this.#inARow(connection, [exchange], true, 0, orderOf(exchange));
      if (alone === undefined || !isClosed(alone) || alone.hadWaited !== true) break;
    }
    return alone;
  }

  /** Sends calls in a row, beginning on a new connection, with a rest (ms) between them, until one is not answered. */
  async #inARow(
    connection: Connection,
    calls: readonly Pick<Exchange, 'call' | 'names'>[],
    isAlone = false,
    restMs = 0,
    order: Order = {},
  ): Promise<readonly Exchange[]> {
    const sequence: Exchange[] = [];
    await connection.renew();
    try {
      for (const { call, names } of calls) {
        if (sequence.length > 0) await rest(restMs);
        const again = this.#store.namesAgain(call, names);
        const exchange = await this.#exchange(connection, call, again, order, isAlone);
        if (exchange === undefined) return [];
        sequence.push(exchange);
        if (isClosed(exchange)) break;
      }
      return sequence;
    } finally {
      await connection.close();
    }
  }

  /** The exchange before this one on its connection; undefined for the first. */
  previous({ connection, place }: Exchange): Checked | undefined {
    return this.checked.find(({ exchange }) => exchange.connection === connection && exchange.place === place - 1);
  }

  #learn(exchange: Exchange, connection: Connection): Learned {
    const learned = this.#store.check(exchange);
    this.checked.push(learned.checked);
    for (const question of learned.checked.questions)
      if (!this.questions.has(question.key)) this.questions.set(question.key, { ...question, connection });
    for (const { key, isContradictedBy } of this.questions.values())
      if (isContradictedBy?.(learned.seen) === true) this.questions.delete(key);
    this.onEvent({ kind: 'checked', checked: learned.checked });
    const [animal] = operationOf(exchange.call).adds ? learned.seen.animals : [];
    if (animal?.id !== undefined) this.#tellCreated(animal, `${animal.id}`);
    return learned;
  }

  #tellCreated(animal: ShownAnimal, id: string): void {
    const created = { id, fields: textsOf(animal), createdAt: new Date().toISOString() };
    this.onEvent({ kind: 'created', animal: created, run: this.#store.known.tag });
  }

  /** Counts a request that is not sent. */
  leaveOut(reason: string): undefined {
    this.unsent.set(reason, (this.unsent.get(reason) ?? 0) + 1);
    return undefined;
  }
}

const orderOf = ({ sequence, isQuiet, again }: Exchange): Order => ({ sequence, isQuiet, again });

/** The request closed it, as it was open until then: one that was closed before would have been opened again. */
const isClosedAfterRest = ([, last]: readonly Exchange[]): boolean =>
  last !== undefined && last.place > 0 && isClosed(last);

/** Waits, and then until what came meanwhile, such as the end of a connection, was read. */
async function rest(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds);
  await setImmediate();
}

const isClosed = ({ outcome }: Exchange): boolean => outcome.kind === 'failure' && outcome.code === 'reset';

/** A whole 408 with which a service closes a connection that was idle (RFC 9110, 15.5.9), perhaps just as a request came. */
const isNoticeOfClosing = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'answer' &&
  outcome.status === 408 &&
  /\bclose\b/i.test(headerOf(outcome.headers, 'connection') ?? '');
