/** A request was not sent, or its answer not waited for, for a reason that says nothing of the service. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** The run ended, or the service answered 429 to the end. */
  readonly code: 'ended' | 'throttled';

  constructor(code: Stopped['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The end of a run. Very many requests listen to it: an event listener for each would cost far more than a place in a set. */
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

/** The run ended. */
export const ended = (): Stopped => new Stopped('ended', 'the run ended first');
