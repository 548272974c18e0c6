import type { Exchange } from '../http/exchange.ts';

/** An animal that this run created, as its 201 described it. */
export interface Created {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: string | undefined;
  readonly exchange: Exchange;
}

/** Every animal that this run created, in the order of the 201s, and the budget that bounds them. */
export class Ledger {
  readonly #byId = new Map<bigint, Created>();
  readonly #budget: number;
  #reserved = 0;
  #count = 0;

  /** @param budget most animals that may be created; 0 for none */
  constructor(budget: number) {
    this.#budget = budget;
  }

  get count(): number {
    return this.#count;
  }

  get left(): number {
    return Math.max(0, this.#budget - this.#count - this.#reserved);
  }

  get budget(): number {
    return this.#budget;
  }

  /** Takes one creation out of the budget until `settle`; false where none is left. */
  reserve(): boolean {
    if (this.left === 0) return false;
    this.#reserved += 1;
    return true;
  }

  /** Ends a reservation. */
  settle(): void {
    this.#reserved -= 1;
  }

  /** Counts a creation, and records the animal where its 201 was readable. */
  add(created: Created | undefined): void {
    this.#count += 1;
    if (created !== undefined && !this.#byId.has(created.id)) this.#byId.set(created.id, created);
  }

  find(id: bigint): Created | undefined {
    return this.#byId.get(id);
  }

  all(): readonly Created[] {
    return [...this.#byId.values()];
  }
}
