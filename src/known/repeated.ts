import type { Exchange } from '../reading/exchange.ts';

/** Exchanges in a row on one connection, the last of which says it. */
export type Sequence = readonly Exchange[];

/** How often in a row something must be said before lag, a cache or another client no longer explains it. */
const TIMES = 5;

/** Counts what was said in answer to the same question, asked again and again while nothing else was in flight. */
export class Repeated {
  readonly #settleMs: number;
  readonly #sequences = new Map<string, readonly Sequence[]>();

  /** @param settleMs over how long it must be said (ms) */
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** @param sequence undefined if this time, it was not said */
  learn(key: string, sequence: Sequence | undefined): void {
    if (sequence === undefined) this.#sequences.delete(key);
    else this.#sequences.set(key, [...(this.#sequences.get(key) ?? []), sequence]);
  }

  /** The sequences that said it, if they are enough in a row over the settle time. */
  lasting(key: string): readonly Sequence[] | undefined {
    const said = this.#sequences.get(key) ?? [];
    // Between them lies the whole settle time, however long their responses took.
    const [first, last] = [said[0]?.at(-1), said.at(-1)?.[0]];
    const isEnough = said.length >= TIMES && first !== undefined && last !== undefined;
    return isEnough && last.sentAt - first.answeredAt >= this.#settleMs ? said : undefined;
  }
}
