import type { SeenPage } from './facts.ts';
import { isLasting } from './lasting.ts';

/**
 * The pages in a row that left an animal out, by their query: each was requested while nothing else was in flight. What was
 * left out for long enough stays known, as a later page may show that the earlier ones had room.
 */
export class Omissions {
  readonly #settleMs: number;
  readonly #inARow = new Map<string, readonly SeenPage[]>();
  readonly #lasting = new Map<string, ReadonlyMap<bigint, readonly SeenPage[]>>();

  /** @param settleMs over how long an animal must be left out (ms) */
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  leftOut(query: string, id: bigint, page: SeenPage): void {
    const key = `${query} ${id}`;
    const pages = [...(this.#inARow.get(key) ?? []), page];
    this.#inARow.set(key, pages);
    if (
      isLasting(
        pages.map(({ exchange }) => [exchange]),
        this.#settleMs,
      )
    )
      this.#lasting.set(query, new Map([...(this.#lasting.get(query) ?? []), [id, pages]]));
  }

  /** A page shows it, or it does not exist any more. */
  ended(query: string, id: bigint): void {
    this.#inARow.delete(`${query} ${id}`);
  }

  /** The animals that pages of a query left out for long enough, with these pages. */
  lasting(query: string): ReadonlyMap<bigint, readonly SeenPage[]> {
    return this.#lasting.get(query) ?? new Map();
  }

  /** The queries whose pages left something out for long enough. */
  get queries(): readonly string[] {
    return [...this.#lasting.keys()];
  }
}
