/** The timers of one running service, ended together. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>();
  #stopped = false;

  /** Resolves after so many milliseconds; never, once stopped. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return;
      const timer = setTimeout(() => {
        this.#running.delete(timer);
        resolve();
      }, milliseconds);
      this.#running.add(timer);
    });
  }

  /** Runs something every so many milliseconds until stopped. */
  every(milliseconds: number, action: () => void): void {
    if (!this.#stopped) this.#running.add(setInterval(action, milliseconds));
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
