/** How many creations a run may still send. A creation under way is reserved, since it may yet succeed. */
export class CreationBudget {
  readonly limit: number;
  #created = 0;
  #reserved = 0;

  /** @param limit most creations of the run; 0 for none */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Creations so far. */
  get created(): number {
    return this.#created;
  }

  /** Creations so far, and those that are under way. */
  get begun(): number {
    return this.#created + this.#reserved;
  }

  get left(): number {
    return Math.max(0, this.limit - this.#created - this.#reserved);
  }

  /** Reserves creations until `release`; false, and none reserved, where not so many are left. */
  reserve(count: number): boolean {
    if (this.left < count) return false;
    this.#reserved += count;
    return true;
  }

  release(count: number): void {
    this.#reserved -= count;
  }

  /** Counts a creation that an answer reported. */
  spend(): void {
    this.#created += 1;
  }
}
