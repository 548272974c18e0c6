import type { Exchange } from '../reading/exchange.ts';
import type { OwnAnimal } from './facts.ts';
import { markIn, marksOf, nameMarkIn } from './marks.ts';
import type { Seen, ShownAnimal } from './seen.ts';

/** A rejected creation, and what was wrong with it. */
interface RejectedCreation {
  readonly exchange: Exchange;
  readonly fault: 'key' | 'body';
}

/** A creation whose 201 shows an id. */
interface ShownCreation {
  readonly exchange: Exchange;
  readonly id: bigint;
}

type Creation = Pick<Exchange, 'call' | 'names'>;

/** Creations by the mark of their animal, so that what they add, or should not add, is recognized. */
export class Creations {
  readonly #rejected = new Map<string, RejectedCreation>();
  readonly #firstAt = new Map<RejectedCreation['fault'], number>();
  /** Marks of creations that may have been carried out, with or without a proper 201. */
  readonly #carriedOut = new Set<string>();
  /** Those that each showed the id of their animal; and the marks of which more may have been added. */
  readonly #shown = new Map<string, readonly ShownCreation[]>();
  readonly #doubtful = new Set<string>();
  /** The ids that responses to creations showed, whatever their status. */
  readonly #ids = new Set<bigint>();
  /** How many creations are under way, by mark. */
  readonly #underWay = new Map<string, number>();
  readonly #tag: string;
  /** When the last rejection came (ms, monotonic). */
  lastRejectedAt = Number.NEGATIVE_INFINITY;

  constructor(tag: string) {
    this.#tag = tag;
  }

  /** A creation is sent; {@link learn} or {@link unanswered} follows, unless it does not reach the service. */
  send(creation: Creation): void {
    for (const mark of marksOf(creation, this.#tag)) this.#underWay.set(mark, (this.#underWay.get(mark) ?? 0) + 1);
  }

  /** A creation got no response that is checked, but may have been carried out. */
  unanswered(creation: Creation): void {
    for (const mark of marksOf(creation, this.#tag)) {
      this.#ended(mark);
      this.#carriedOut.add(mark);
      this.#doubtful.add(mark);
    }
  }

  /** Learns from the response to a creation: it was rejected for its key or its body, or may have been carried out. */
  learn({ exchange, reading, status, shape, animals: [animal] }: Seen): void {
    const isRejected = status !== undefined && status >= 400 && status < 500;
    const fault = reading.key.kind === 'right' ? 'body' : 'key';
    const isSure = status === 201 && shape === 'animal' && reading.kind === 'valid' && exchange.times === 1;
    if (animal?.id !== undefined) this.#ids.add(animal.id);
    for (const mark of marksOf(exchange, this.#tag)) {
      this.#ended(mark);
      if (isSure && animal?.id !== undefined)
        this.#shown.set(mark, [...(this.#shown.get(mark) ?? []), { exchange, id: animal.id }]);
      else this.#doubtful.add(mark);
      if (!isRejected) this.#carriedOut.add(mark);
      else if (!this.#rejected.has(mark)) {
        this.#rejected.set(mark, { exchange, fault });
        if (!this.#firstAt.has(fault)) this.#firstAt.set(fault, exchange.answeredAt);
      }
    }
    if (isRejected && (reading.kind !== 'valid' || fault === 'key'))
      this.lastRejectedAt = Math.max(this.lastRejectedAt, exchange.answeredAt);
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

  /**
   * The creation that was carried out twice, if an animal with a name of the run has an id that no response to a creation
   * showed, though every creation of that name was sent once, and got a 201 with an id.
   */
  creationCopiedBy({ id, name = '' }: ShownAnimal): ShownCreation | undefined {
    const mark = nameMarkIn(name, this.#tag);
    if (id === undefined || mark === undefined || this.#ids.has(id)) return undefined;
    const isOpen = this.#doubtful.has(mark) || (this.#underWay.get(mark) ?? 0) > 0;
    return isOpen ? undefined : this.#shown.get(mark)?.[0];
  }

  #ended(mark: string): void {
    this.#underWay.set(mark, Math.max(0, (this.#underWay.get(mark) ?? 0) - 1));
  }
}
