/** Lets several requests, each admitted when it is its turn, begin at one moment. */
export class SameMoment {
  readonly #expected: number;
  readonly #patienceMs: number;
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #hasCome = false;

  /** @param patienceMs after which the first no longer waits: where that many are never in flight at once */
  constructor(expected: number, patienceMs: number) {
    this.#expected = expected;
    this.#patienceMs = patienceMs;
  }

  /** Resolves when all have arrived, or the first has waited long enough. */
  arrive(): Promise<void> {
    if (this.#hasCome) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length >= this.#expected) this.#come();
      else this.#timer ??= setTimeout(() => this.#come(), this.#patienceMs);
    });
  }

  #come(): void {
    this.#hasCome = true;
    clearTimeout(this.#timer);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
