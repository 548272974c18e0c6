import type { Exchange } from '../reading/exchange.ts';
import type { SeenPage } from './facts.ts';
import type { Seen } from './seen.ts';

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
   * @param now the page that is being checked
   * @param bytes how large the animal is by itself (0 if not known)
   * @param smaller which pages may be the one that leaves it out; by default, the latest
   */
  roomFor(
    query: string,
    now: SeenPage,
    bytes: number,
    smaller: readonly SeenPage[] | undefined,
    leavesItOut: (page: SeenPage) => boolean,
  ): { readonly smaller: SeenPage; readonly larger: SeenPage } | undefined {
    const larger = [this.#largest.get(query) ?? now, now].reduce((most, page) =>
      page.length > most.length ? page : most,
    );
    const found = (smaller ?? [...(this.#latest.get(query) ?? []), now]).find(
      (page) => hasRoom(page, larger, Math.max(page.bytesLeftOut, bytes)) && leavesItOut(page),
    );
    return found && { smaller: found, larger };
  }
}

/** Whether a page has fewer animals than permitted, but some. */
export const isShortPage = ({ reading: { query }, shape, length = 0 }: Seen): boolean =>
  query?.kind === 'valid' && shape === 'page' && length > 0 && length < query.atMost;

/** Whether a page would have been no larger than another one of its query with so many bytes more. */
const hasRoom = (page: SeenPage, larger: SeenPage, bytes: number): boolean =>
  larger.length > page.length && page.bytes + bytes <= larger.bytes;

/**
 * When the oldest of these was added, if they may be in descending order, so that a page may have ended before all older
 * ones; and those that show it. Of requests that overlapped, either may have been processed first. A page without any of
 * them has not ended before them, unless it is filtered: the animals of other clients may fill the window it is taken from.
 */
export function endOf(shown: readonly Exchange[], isFiltered: boolean): Pick<SeenPage, 'endsAt' | 'endShownBy'> {
  const at = shown.findIndex((one, nth) => (shown[nth - 1]?.answeredAt ?? Number.POSITIVE_INFINITY) < one.sentAt);
  if (at >= 0) return { endsAt: Number.NEGATIVE_INFINITY, endShownBy: shown.slice(at - 1, at + 1) };
  const [oldest] = shown.toSorted((one, other) => one.answeredAt - other.answeredAt);
  if (oldest !== undefined) return { endsAt: oldest.answeredAt, endShownBy: [oldest] };
  return { endsAt: isFiltered ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, endShownBy: [] };
}
