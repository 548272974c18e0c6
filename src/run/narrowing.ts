import { isDeepStrictEqual } from 'node:util';
import { type Checked, isControl, requestKind } from '../check/checked.ts';
import type { Connection, Network } from '../http/network.ts';
import { type Call, operationOf } from '../reading/call.ts';
import type { Exchange } from '../reading/exchange.ts';
import { type Group, type Instance, oddityOf, SERVICE_DOWN, violationsFor } from './findings.ts';
import type { Session } from './session.ts';

/** Bounds on the evidence of a whole run. */
export interface NarrowingLimits {
  readonly requests: number;
  readonly milliseconds: number;
  readonly creations: number;
}

const NARROWING: NarrowingLimits = { requests: 100, milliseconds: 10_000, creations: 20 };
const MAX_TRIES = 18;
/** How often a list that passed when it was requested again is requested once more. */
const MAX_REPEATS = 4;
/** How many kinds of requests are sent again until one shows it. */
const MAX_KINDS = 5;
/** How many requests are sent again with the one before them. */
const MAX_PAIRS = 3;

/** A way to simplify a call: simpler calls, the simplest first. */
type Simplify = (call: Call) => readonly Call[];

/** Sends a call with new names, but with the animal of an exchange. */
type Send = (connection: Connection, call: Call, like: Exchange) => Promise<Checked | undefined>;

/** Without which other request a finding does not show, though it is part of its evidence. */
type Previous = 'on its connection' | 'with the same body';

/** The result of narrowing a finding. */
export interface Narrowed {
  /** The simplest call found that shows it. */
  readonly member: Instance;
  /**
   * What became of the plainest call when it was sent again, alone. `passes`: it did not show it, but what a list shows
   * depends on the collection, which may have changed since.
   */
  readonly again: 'fails' | 'fails at times' | 'passes' | 'not sent';
  readonly needsPrevious?: Previous;
}

/**
 * Finds the simplest call that shows a finding by experiment: sends simpler and simpler ones, alone on a connection, as
 * long as the finding comes back. One object a run, as its bounds are those of the run.
 */
export class Narrowing {
  readonly #session: Session;
  readonly #simpler: readonly Simplify[];
  readonly #send: Send;
  readonly #network: Pick<Network, 'fresh'>;
  readonly #limits: NarrowingLimits;
  readonly #startedAt = performance.now();
  #requests = 0;
  readonly #creationsBefore: number;

  constructor(
    session: Session,
    simpler: readonly Simplify[],
    network: Pick<Network, 'fresh'>,
    send: Send,
    limits: NarrowingLimits = NARROWING,
  ) {
    this.#session = session;
    this.#simpler = simpler;
    this.#network = network;
    this.#send = send;
    this.#limits = limits;
    this.#creationsBefore = session.budget.creations;
  }

  /** Sends a request again, alone on a new connection; undefined if no more may be sent. */
  async sendAgain(one: Checked): Promise<Checked | undefined> {
    if (!this.#mayTry(one)) return undefined;
    this.#requests += 1;
    return this.#network.fresh((connection) => this.#send(connection, one.exchange.call, one.exchange));
  }

  /** Narrows a finding, beginning with the plainest requests; one that relies on earlier exchanges stays as it is. */
  async narrow(group: Group): Promise<Narrowed> {
    const { key, members } = group;
    const [shortest] = members;
    if (shortest === undefined) throw new RangeError('a finding that nothing shows');
    const isShownByOthers = shortest.checked.exchange.reading.head.mayBeClosed || key === SERVICE_DOWN;
    const dependsOnEarlier = isShownByOthers || (shortest.violations[0]?.earlier.length ?? 0) > 0;
    if (dependsOnEarlier || !this.#mayTry(shortest.checked)) return { member: shortest, again: 'not sent' };
    return this.#network.fresh((connection) => this.#narrowOn(connection, group, shortest));
  }

  async #narrowOn(connection: Connection, { key, members }: Group, shortest: Instance): Promise<Narrowed> {
    const [first, ...others] = ofEachKind(members).slice(0, MAX_KINDS);
    const narrowed = await this.#experiment(connection, key, first ?? shortest);
    if (narrowed.again !== 'passes') return narrowed;
    const after =
      (await this.#afterPrevious(connection, key, members)) ?? (await this.#withSameBody(connection, key, shortest));
    if (after !== undefined) return after;
    for (const other of others) {
      const shown = await this.#experiment(connection, key, other);
      if (shown.again === 'fails') return shown;
    }
    return { ...narrowed, again: await this.#repeated(connection, key, shortest) };
  }

  async #experiment(connection: Connection, key: string, shortest: Instance): Promise<Narrowed> {
    const again = await this.#try(connection, shortest.checked.exchange.call, key, shortest);
    if (again === 'not sent') return { member: shortest, again: 'not sent' };
    if (again === undefined) return { member: shortest, again: 'passes' };
    let best = shortest;
    let left = MAX_TRIES - 1;
    const tried = new Set([JSON.stringify(shortest.checked.exchange.call)]);
    for (const way of this.#simpler) {
      // Once a call shows it, `at` points to the next of the ways to simplify that call.
      for (let at = 0; ; ) {
        const call = way(best.checked.exchange.call)[at];
        if (call === undefined) break;
        at += 1;
        const text = JSON.stringify(call);
        if (tried.has(text)) continue;
        tried.add(text);
        if (left === 0 || !this.#mayTry(best.checked)) return { member: best, again: 'fails' };
        left -= 1;
        const shown = await this.#try(connection, call, key, best);
        if (shown === undefined || shown === 'not sent') continue;
        best = shown;
        at = 0;
      }
    }
    return { member: best, again: 'fails' };
  }

  /** What is sent again in the same state and passes fails at times; of a list, the state is known only meanwhile. */
  async #repeated(connection: Connection, key: string, member: Instance): Promise<Narrowed['again']> {
    const { call, names } = member.checked.exchange;
    if (operationOf(call).success.shape !== 'page' || names['ID'] !== undefined) return 'fails at times';
    for (let repeat = 0; repeat < MAX_REPEATS && this.#mayTry(member.checked); repeat += 1) {
      const shown = await this.#try(connection, call, key, member);
      if (shown !== undefined && shown !== 'not sent') return 'fails at times';
    }
    return 'passes';
  }

  /** Sends what has shown it again after the request that preceded it, on a connection of their own. */
  async #afterPrevious(
    connection: Connection,
    key: string,
    members: readonly Instance[],
  ): Promise<Narrowed | undefined> {
    for (const member of members.slice(0, MAX_PAIRS)) {
      const previous = this.#session.previous(member.checked.exchange);
      if (previous === undefined || !this.#mayTry(previous) || !this.#mayTry(member.checked)) continue;
      await connection.renew();
      this.#requests += 1;
      const first = await this.#send(connection, previous.exchange.call, previous.exchange);
      const shown = await this.#try(connection, member.checked.exchange.call, key, member);
      if (first === undefined || shown === undefined || shown === 'not sent') continue;
      const violations = shown.violations.map((one) => ({ ...one, earlier: [...one.earlier, first.exchange] }));
      return { member: { checked: shown.checked, violations }, again: 'fails', needsPrevious: 'on its connection' };
    }
    return undefined;
  }

  /** Sends a creation again letter by letter, where it may have failed because its body had been sent before. */
  async #withSameBody(connection: Connection, key: string, member: Instance): Promise<Narrowed | undefined> {
    const { call, names, request } = member.checked.exchange;
    if (!operationOf(call).adds) return undefined;
    const before = this.#session.checked.find(
      (one) =>
        isControl(one) &&
        one.exchange.number < member.checked.exchange.number &&
        isDeepStrictEqual(one.exchange.request.body, request.body),
    );
    if (before === undefined || !this.#mayTry(member.checked)) return undefined;
    this.#requests += 1;
    const { checked } = (await this.#session.send(connection, call, names)) ?? {};
    const violations = checked && violationsFor(key, checked);
    if (checked === undefined || violations === undefined) return undefined;
    const shown = violations.map((one) => ({ ...one, earlier: [before.exchange, ...one.earlier] }));
    return { member: { checked, violations: shown }, again: 'fails', needsPrevious: 'with the same body' };
  }

  /** The same finding shown by another call, if it does, and if that is no odder. */
  async #try(
    connection: Connection,
    call: Call,
    key: string,
    from: Instance,
  ): Promise<Instance | 'not sent' | undefined> {
    this.#requests += 1;
    const checked = await this.#send(connection, call, from.checked.exchange);
    if (checked === undefined) return 'not sent';
    const violations = violationsFor(key, checked);
    if (violations === undefined || oddityOf(checked) > oddityOf(from.checked)) return undefined;
    return { checked, violations };
  }

  #mayTry({ exchange }: Checked): boolean {
    const { requests, milliseconds, creations } = this.#limits;
    const added = this.#session.budget.creations - this.#creationsBefore;
    if (this.#requests >= requests || performance.now() - this.#startedAt > milliseconds) return false;
    return !operationOf(exchange.call).adds || added < creations;
  }
}

/** The plainest of each kind of request. @param members the plainest first */
export function ofEachKind(members: readonly Instance[]): readonly Instance[] {
  const plainest = new Map(members.toReversed().map((one) => [requestKind(one.checked), one]));
  return members.filter((one) => plainest.get(requestKind(one.checked)) === one);
}
