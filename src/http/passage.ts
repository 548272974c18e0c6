/** Lets requests through side by side, and one of them alone where it must be. First come, first served. */
export class Passage {
  readonly #waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];
  #inside = 0;
  #hasOneAlone = false;
  /** Most that are inside at once. */
  most = Number.POSITIVE_INFINITY;

  /** Resolves when there is a place, and with `alone` when all others have left; `leave` must follow. */
  async enter(alone: boolean): Promise<void> {
    const entered = new Promise<void>((enter) => this.#waiting.push({ alone, enter }));
    this.#letIn();
    await entered;
  }

  leave(): void {
    this.#inside -= 1;
    this.#hasOneAlone = false;
    this.#letIn();
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#isFreeFor(next.alone); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#inside += 1;
      this.#hasOneAlone = next.alone;
      next.enter();
    }
  }

  #isFreeFor(alone: boolean): boolean {
    return this.#inside === 0 || (!alone && !this.#hasOneAlone && this.#inside < this.most);
  }
}
