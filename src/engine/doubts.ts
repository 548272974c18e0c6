import type { Connection } from '../http/network.ts';
import type { Doubt } from './checked.ts';
import type { Session } from './session.ts';

/** A doubt with the connection on which it arose, as a service may cache by connection. */
type OpenDoubt = Doubt & { readonly connection: Connection };

/** Bounds on the rechecks of a whole run. */
const MAX_AT_ONCE = 8;
const MAX_REQUESTS = 300;
const MAX_TRIES = 14;
const FIRST_PAUSE_MS = 60;
/** The most settle times to wait in all. */
const SETTLE_TIMES = 4;

/**
 * Rechecks what replication delay, a cache or another client could explain, while nothing else is in flight and for as
 * long as that explanation lasts: all doubts together, with pauses that double. Rules report what remains. One object a
 * run, as its bounds are those of the run.
 */
export class Doubts {
  readonly #settleMs: number;
  readonly #waitMs: (milliseconds: number) => Promise<void>;
  #requests = 0;
  #waitedMs = 0;

  constructor(settleMs: number, wait: (milliseconds: number) => Promise<void>) {
    this.#settleMs = settleMs;
    this.#waitMs = wait;
  }

  async recheck(session: Session): Promise<void> {
    const tries = new Map<string, number>();
    let pause = FIRST_PAUSE_MS;
    while (session.doubts.size > 0 && this.#requests < MAX_REQUESTS) {
      const chosen = [...session.doubts.values()]
        .sort((one, other) => Number(other.isUrgent) - Number(one.isUrgent))
        .slice(0, MAX_AT_ONCE);
      for (const doubt of chosen) await this.#recheckOne(session, doubt, tries);
      if (session.doubts.size === 0 || this.#waitedMs >= SETTLE_TIMES * this.#settleMs) break;
      await this.#waitMs(pause);
      this.#waitedMs += pause;
      pause = Math.min(2 * pause, this.#settleMs / 2);
    }
    session.doubts.clear();
  }

  async #recheckOne(session: Session, doubt: OpenDoubt, tries: Map<string, number>): Promise<void> {
    const count = (tries.get(doubt.key) ?? 0) + 1;
    tries.set(doubt.key, count);
    session.doubts.delete(doubt.key);
    if (count > MAX_TRIES) return;
    for (const { call, names } of doubt.calls) {
      this.#requests += 1;
      const checked = await session.send(doubt.connection, call, names, true);
      // A response that is wrong by itself says nothing about the doubt.
      const isConfirmed = checked?.violations.some(({ about, earlier }) => about === 'content' && earlier.length > 0);
      if (isConfirmed === true) session.confirmed.add(doubt.key);
      if (checked === undefined || session.confirmed.has(doubt.key)) session.doubts.delete(doubt.key);
    }
  }
}
