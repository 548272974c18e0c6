import type { Exchange } from '../reading/exchange.ts';
import type { SeenPage } from './facts.ts';

/** How many pages of a query are kept. */
const MAX_PAGES = 10;

/** The pages that listPets returned, by query: the largest, and the latest. */
export class Pages {
  readonly #largest = new Map<string, SeenPage>();
  readonly #latest = new Map<string, readonly SeenPage[]>();

  largest(query: string): SeenPage | undefined {
    return this.#largest.get(query);
  }

  learn(query: string, page: SeenPage): void {
    const largest = this.#largest.get(query);
    if (largest === undefined || largest.length < page.length) this.#largest.set(query, page);
    this.#latest.set(query, [...(this.#latest.get(query) ?? []), page].slice(-MAX_PAGES));
  }

  /**
   * Two pages of one query that show room for an animal: one that leaves it out, and a larger one.
   *
   * @param first the exchange that first showed the animal
   * @param now the page that is being checked
   * @param bytes how large the animal is by itself (0 if not known)
   * @param again only one of these, requested again, may be the one that leaves it out
   * @param mayLeaveOut whether a page may be the one that leaves it out
   */
  roomFor(
    query: string,
    first: Exchange,
    now: SeenPage,
    bytes: number,
    again: readonly Exchange[] | undefined,
    mayLeaveOut: (page: SeenPage) => boolean,
  ): { readonly smaller: SeenPage; readonly larger: SeenPage } | undefined {
    const pages = [...(this.#latest.get(query) ?? []), now];
    const larger = [...pages, this.#largest.get(query) ?? now].reduce((most, page) =>
      page.length > most.length ? page : most,
    );
    const smaller = pages.find(
      (page) =>
        (again === undefined || again.includes(page.exchange)) &&
        page.exchange.sentAt >= first.answeredAt &&
        hasRoom(page, larger, Math.max(page.bytesLeftOut, bytes)) &&
        mayLeaveOut(page),
    );
    return smaller && { smaller, larger };
  }
}

/** Whether a page would have been no larger than another one of its query with so many bytes more. */
export const hasRoom = (page: SeenPage, larger: SeenPage | undefined, bytes: number): boolean =>
  larger !== undefined && larger.length > page.length && page.bytes + bytes <= larger.bytes;

/**
 * When the oldest of these was added, if they may be in descending order, so that a page may have ended before all older
 * ones. Of requests that overlapped, either may have been processed first.
 */
export function endOf(shown: readonly Exchange[]): number {
  const ascends = shown.some((one, at) => (shown[at - 1]?.answeredAt ?? Number.POSITIVE_INFINITY) < one.sentAt);
  return ascends ? Number.NEGATIVE_INFINITY : Math.min(...shown.map(({ answeredAt }) => answeredAt));
}
