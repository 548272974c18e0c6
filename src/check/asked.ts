import { isLasting, type Sequence } from '../known/lasting.ts';

/** Counts what was said in answer to the same question, asked again and again while nothing else was in flight. */
export class Asked {
  readonly #settleMs: number;
  readonly #said = new Map<string, readonly Sequence[]>();

  /** @param settleMs over how long it must be said (ms) */
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** @param sequence undefined if this time, it was not said */
  learn(key: string, sequence: Sequence | undefined): void {
    if (sequence === undefined) this.#said.delete(key);
    else this.#said.set(key, [...(this.#said.get(key) ?? []), sequence]);
  }

  /** The sequences that said it, if they are enough in a row over the settle time. */
  lasting(key: string): readonly Sequence[] | undefined {
    const said = this.#said.get(key) ?? [];
    return isLasting(said, this.#settleMs) ? said : undefined;
  }
}
