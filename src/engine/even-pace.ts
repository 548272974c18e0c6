/** Gives out turns at an even pace, until a moment; what was missed is not made up for. Times are monotonic (ms). */
export class EvenPace {
  readonly #everyMs: number;
  readonly #until: number;
  readonly #pause: (milliseconds: number) => Promise<void>;
  #nextAt = 0;

  /**
   * @param perSecond turns a second; Infinity for any number
   * @param pause resolves after that many milliseconds, or earlier where the work ends
   */
  constructor(perSecond: number, until: number, pause: (milliseconds: number) => Promise<void>) {
    this.#everyMs = 1_000 / perSecond;
    this.#until = until;
    this.#pause = pause;
  }

  /** Waits for the caller's turn, or to the end where none is left; false then. */
  async turn(): Promise<boolean> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#everyMs;
    if (at > now) await this.#pause(Math.min(at, this.#until) - now);
    return at < this.#until;
  }
}
