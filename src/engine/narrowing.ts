import type { Call, Exchange } from '../http/exchange.ts';
import type { Connection } from '../http/network.ts';
import type { Checked } from './checked.ts';
import { type Group, type Member, SERVICE_DOWN, violationsByKey, weightOf } from './findings.ts';
import type { Session } from './session.ts';

/** Bounds of a whole run for evidence. */
export interface NarrowingLimits {
  readonly requests: number;
  readonly milliseconds: number;
  readonly creations: number;
}

const NARROWING: NarrowingLimits = { requests: 100, milliseconds: 10_000, creations: 20 };
const MAX_TRIES = 15;
/** Of so many requests is the one before them sent again as well. */
const MAX_PAIRS = 3;

/** A way to say less: calls that are simpler, those that say least first. */
type Simplify = (call: Call) => readonly Call[];

/** Sends a call; what its names stand for is that of an exchange where it names an animal, else new. */
type Send = (connection: Connection, call: Call, like: Exchange) => Promise<Checked | undefined>;

/** What came of the experiments with a finding. */
export interface Narrowed {
  /** The simplest call that shows it, as far as was tried. */
  readonly member: Member;
  /** The shortest call that had shown it did not when it was sent again, alone. */
  readonly isIntermittent: boolean;
  /** It shows only after another request on the same connection, which is its evidence. */
  readonly needsPrevious?: boolean;
}

/**
 * Finds out by experiment what is needed to show a finding: simpler calls are sent, alone on a connection, for as long as
 * the same finding comes back and the request stays of its kind. One object for a run, as its bounds are the run's.
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

  /** Sends a request again, alone on a new connection; undefined where no more may be sent. */
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

  /** Narrows a finding; one that rests on earlier exchanges is left as it is. */
  async narrow({ key, members }: Group): Promise<Narrowed> {
    const [shortest] = members;
    if (shortest === undefined) throw new RangeError('a finding that nothing shows');
    const dependsOnEarlier = key === SERVICE_DOWN || shortest.violations.some(({ earlier }) => earlier.length > 0);
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
      // Where a call shows it, what followed it has its place among those that are simpler still.
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

  /** Sends what has shown it behind the request that went before on its connection, on a connection of their own. */
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

  /** The same finding of another call, if that shows it; the reading must stay of its kind. */
  async #try(connection: Connection, call: Call, key: string, from: Member): Promise<Member | 'not sent' | undefined> {
    this.#requests += 1;
    const checked = await this.#send(connection, call, from.checked.exchange);
    // What is another kind of request by now says nothing of this one.
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
