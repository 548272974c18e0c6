import type { Exchange } from '../reading/exchange.ts';

/** A free id is at least this far from every id that was seen, and from the ends of common integer ranges. */
const FAR = 1_000_000n;
const EDGES = [0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap((edge) => [edge, -edge]);

/** The ids that were requested, each with its first request, and those that responses showed. */
export class Ids {
  readonly #requested = new Map<bigint, Exchange>();
  readonly #seen = new Set<bigint>();

  learnRequested(id: bigint, exchange: Exchange): void {
    if (!this.#requested.has(id)) this.#requested.set(id, exchange);
  }

  learnSeen(id: bigint): void {
    this.#seen.add(id);
  }

  /** The first response to a request of this id, if it was not found then, before a point in time. */
  notFoundBefore(id: bigint, moment: number): Exchange | undefined {
    const first = this.#requested.get(id);
    return first?.outcome.status === 404 && first.answeredAt <= moment ? first : undefined;
  }

  /** Whether no animal is likely to have this id: it is far from all that were seen, and was never requested. */
  isFree(id: bigint): boolean {
    const far = (other: bigint): boolean => (id > other ? id - other : other - id) > FAR;
    return !this.#requested.has(id) && [...this.#seen].every(far) && EDGES.every(far);
  }
}
