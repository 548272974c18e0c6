import type { Exchange } from '../reading/exchange.ts';
import type { OwnAnimal } from './facts.ts';
import { markIn, marksOf } from './marks.ts';
import type { ShownAnimal } from './seen.ts';

/** A rejected creation, and what was wrong with it. */
interface RejectedCreation {
  readonly exchange: Exchange;
  readonly fault: 'key' | 'body';
}

type Creation = Pick<Exchange, 'call' | 'names'>;

/** Rejected creations by the mark of their animal, so that any effect of them is recognized. */
export class Rejections {
  readonly #rejected = new Map<string, RejectedCreation>();
  readonly #firstAt = new Map<RejectedCreation['fault'], number>();
  /** Marks of creations that may have been carried out, with or without a proper 201. */
  readonly #carriedOut = new Set<string>();
  /** How many creations are under way, by mark. */
  readonly #underWay = new Map<string, number>();
  readonly #tag: string;
  /** When the last rejection came (ms, monotonic). */
  lastRejectedAt = Number.NEGATIVE_INFINITY;

  constructor(tag: string) {
    this.#tag = tag;
  }

  /** A creation is sent; {@link learn} follows, unless it does not reach the service. */
  send(creation: Creation): void {
    for (const mark of marksOf(creation, this.#tag)) this.#underWay.set(mark, (this.#underWay.get(mark) ?? 0) + 1);
  }

  /** Learns that a creation was rejected for its key or its body, or may have been carried out. */
  learn(exchange: Exchange, fault: RejectedCreation['fault'] | undefined): void {
    for (const mark of marksOf(exchange, this.#tag)) {
      this.#underWay.set(mark, Math.max(0, (this.#underWay.get(mark) ?? 0) - 1));
      if (fault === undefined) this.#carriedOut.add(mark);
      else if (!this.#rejected.has(mark)) {
        this.#rejected.set(mark, { exchange, fault });
        if (!this.#firstAt.has(fault)) this.#firstAt.set(fault, exchange.answeredAt);
      }
    }
  }

  /** Whether a creation with a mark was rejected for this before a point in time. */
  hasBefore(fault: RejectedCreation['fault'], moment: number): boolean {
    return (this.#firstAt.get(fault) ?? Number.POSITIVE_INFINITY) <= moment;
  }

  /** The rejected creation that created or changed an animal all the same. @param own the run's animal with its id */
  creationBehind({ name, categoryId }: ShownAnimal, own: OwnAnimal | undefined): RejectedCreation | undefined {
    if (own !== undefined && own.name === name && own.categoryId === categoryId) return undefined;
    for (const text of [name, categoryId?.toString()]) {
      const mark = text === undefined ? undefined : markIn(text, this.#tag);
      if (mark === undefined || this.#carriedOut.has(mark) || (this.#underWay.get(mark) ?? 0) > 0) continue;
      const rejected = this.#rejected.get(mark);
      const isUnchanged = own !== undefined && (own.name === text || own.categoryId.toString() === text);
      if (rejected !== undefined && !isUnchanged) return rejected;
    }
    return undefined;
  }
}
