import type { Call, Exchange } from '../http/exchange.ts';
import type { Connection } from '../http/network.ts';
import type { Checked } from './checked.ts';
import { type Group, type Member, SERVICE_DOWN, violationsByKey, weightOf } from './findings.ts';
import type { Session } from './session.ts';

/** Bounds on the evidence of a whole run. */
export interface NarrowingLimits {
  readonly requests: number;
  readonly milliseconds: number;
  readonly creations: number;
}

const NARROWING: NarrowingLimits = { requests: 100, milliseconds: 10_000, creations: 20 };
const MAX_TRIES = 15;
/** How many requests are sent again with the one before them. */
const MAX_PAIRS = 3;

/** A way to simplify a call: simpler calls, the simplest first. */
type Simplify = (call: Call) => readonly Call[];

/** Sends a call with new names, but with the animal of an exchange. */
type Send = (connection: Connection, call: Call, like: Exchange) => Promise<Checked | undefined>;

/** The result of narrowing a finding. */
export interface Narrowed {
  /** The simplest call found that shows it. */
  readonly member: Member;
  /** The plainest call that had shown it did not when sent again, alone. */
  readonly isIntermittent: boolean;
  /** It shows only after another request on the same connection, which is part of its evidence. */
  readonly needsPrevious?: boolean;
}

/**
 * Finds the simplest call that shows a finding by experiment: sends simpler and simpler ones, alone on a connection, as
 * long as the finding comes back and the request stays of its kind. One object a run, as its bounds are those of the run.
 */
export class Narrowing {
  readonly #session: Session;
  readonly #simpler: readonly Simplify[];
  readonly #send: Send;
  readonly #open: () => Connection;
  readonly #limits: NarrowingLimits;
  readonly #startedAt = performance.now();
  #requests = 0;
  readonly #creationsBefore: number;

  constructor(
    session: Session,
    simpler: readonly Simplify[],
    open: () => Connection,
    send: Send,
    limits: NarrowingLimits = NARROWING,
  ) {
    this.#session = session;
    this.#simpler = simpler;
    this.#open = open;
    this.#send = send;
    this.#limits = limits;
    this.#creationsBefore = session.budget.creations;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Sends a request again, alone on a new connection; undefined if no more may be sent. */
  async sendAgain(one: Checked): Promise<Checked | undefined> {
    if (!this.#mayTry(one)) return undefined;
    const connection = this.#open();
    this.#requests += 1;
    try {
      return await this.#send(connection, one.exchange.call, one.exchange);
    } finally {
      await connection.close();
    }
  }

  /** Narrows a finding; one that relies on earlier exchanges stays as it is. */
  async narrow({ key: group, members }: Group): Promise<Narrowed> {
    const [shortest] = members;
    if (shortest === undefined) throw new RangeError('a finding that nothing shows');
    // A finding may be of several keys, where an operation never responds.
    const keys = violationsByKey(shortest.checked);
    const key = keys.has(group) ? group : ([...keys.keys()][0] ?? group);
    const dependsOnEarlier = group === SERVICE_DOWN || shortest.violations.some(({ earlier }) => earlier.length > 0);
    if (dependsOnEarlier || !this.#mayTry(shortest.checked)) return { member: shortest, isIntermittent: false };
    const connection = this.#open();
    try {
      const narrowed = await this.#experiment(connection, key, shortest);
      return narrowed.isIntermittent ? ((await this.#afterPrevious(connection, key, members)) ?? narrowed) : narrowed;
    } finally {
      await connection.close();
    }
  }

  async #experiment(connection: Connection, key: string, shortest: Member): Promise<Narrowed> {
    const again = await this.#try(connection, shortest.checked.exchange.call, key, shortest);
    if (again === 'not sent') return { member: shortest, isIntermittent: false };
    if (again === undefined) return { member: shortest, isIntermittent: true };
    let best = shortest;
    let left = MAX_TRIES - 1;
    for (const way of this.#simpler) {
      // Once a call shows it, `at` points to the next of the ways to simplify that call.
      for (let at = 0; ; ) {
        const call = way(best.checked.exchange.call)[at];
        if (call === undefined) break;
        if (left === 0 || !this.#mayTry(best.checked)) return { member: best, isIntermittent: false };
        left -= 1;
        const shown = await this.#try(connection, call, key, best);
        if (shown === undefined || shown === 'not sent') at += 1;
        else best = shown;
      }
    }
    return { member: best, isIntermittent: false };
  }

  /** Sends what has shown it again after the request that preceded it, on a connection of their own. */
  async #afterPrevious(connection: Connection, key: string, members: readonly Member[]): Promise<Narrowed | undefined> {
    for (const member of members.slice(0, MAX_PAIRS)) {
      const previous = this.#session.previous(member.checked.exchange);
      if (previous === undefined || !this.#mayTry(previous) || !this.#mayTry(member.checked)) continue;
      await connection.close();
      this.#requests += 1;
      const first = await this.#send(connection, previous.exchange.call, previous.exchange);
      const shown = await this.#try(connection, member.checked.exchange.call, key, member);
      if (first === undefined || shown === undefined || shown === 'not sent') continue;
      const violations = shown.violations.map((one) => ({ ...one, earlier: [...one.earlier, first.exchange] }));
      return { member: { checked: shown.checked, violations }, isIntermittent: false, needsPrevious: true };
    }
    return undefined;
  }

  /** The same finding shown by another call, if it does; the request must stay of its kind. */
  async #try(connection: Connection, call: Call, key: string, from: Member): Promise<Member | 'not sent' | undefined> {
    this.#requests += 1;
    const checked = await this.#send(connection, call, from.checked.exchange);
    // Another kind of request says nothing about this one.
    if (checked === undefined || checked.kind !== from.checked.kind) return 'not sent';
    if (call !== from.checked.exchange.call && weightOf(checked) >= weightOf(from.checked)) return undefined;
    const violations = violationsByKey(checked).get(key);
    const requirement = from.violations[0]?.requirement;
    if (violations === undefined || !violations.some((one) => one.requirement === requirement)) return undefined;
    return { checked, violations };
  }

  #mayTry({ exchange }: Checked): boolean {
    const { requests, milliseconds, creations } = this.#limits;
    const added = this.#session.budget.creations - this.#creationsBefore;
    if (this.#requests >= requests || performance.now() - this.#startedAt > milliseconds) return false;
    return exchange.call.method === 'GET' || added < creations;
  }
}
