/** A request was not sent, or its response not awaited, for a reason that says nothing about the service. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** The run ended, or the service kept responding with 429. */
  readonly code: 'ended' | 'throttled';

  constructor(code: Stopped['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The end of a run. Many requests listen for it; an event listener for each would cost far more than a set. */
export class End {
  readonly #callbacks = new Set<() => void>();
  #hasCome = false;

  constructor(signal: AbortSignal) {
    if (signal.aborted) this.come();
    else signal.addEventListener('abort', () => this.come(), { once: true });
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  come(): void {
    this.#hasCome = true;
    for (const call of this.#callbacks) call();
    this.#callbacks.clear();
  }

  /** @returns stops listening */
  listen(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  /** Resolves after that many milliseconds, or at the end of the run. */
  wait(milliseconds: number): Promise<void> {
    if (this.#hasCome || milliseconds <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const ended = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(ended, milliseconds);
      const stop = this.listen(ended);
    });
  }
}

/** The error of a request that the end of the run has stopped. */
export const ended = (): Stopped => new Stopped('ended', 'the run ended first');
