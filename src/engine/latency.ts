import type { Exchange } from '../http/exchange.ts';
import type { Latency, OperationId } from '../report/model/result.ts';

const OPERATIONS: readonly OperationId[] = ['listPets', 'createPet', 'getPet'];

/** The times (ms) that are told apart: from a twentieth of a millisecond, each bucket wider than the last by 2 %. */
const LEAST_MS = 0.05;
const GROWTH = Math.log(1.02);

/**
 * Times by how often they came, in buckets that grow with the time: however many there are, they take a few
 * kilobytes, and a percentile is off by at most 1 %.
 */
class Histogram {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = 0;

  get total(): number {
    return this.#total;
  }

  get greatest(): number {
    return this.#greatest;
  }

  add(milliseconds: number): void {
    const bucket = Math.max(0, Math.floor(Math.log(milliseconds / LEAST_MS) / GROWTH));
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#total += 1;
    this.#least = Math.min(this.#least, milliseconds);
    this.#greatest = Math.max(this.#greatest, milliseconds);
  }

  /** The time (ms) that this share of all times does not exceed, by the nearest rank. */
  percentile(share: number): number {
    const rank = Math.max(1, Math.ceil(this.#total * share));
    let reached = 0;
    for (const bucket of [...this.#counts.keys()].toSorted((a, b) => a - b)) {
      reached += this.#counts.get(bucket) ?? 0;
      if (reached < rank) continue;
      const middle = LEAST_MS * Math.exp((bucket + 0.5) * GROWTH);
      return Math.min(this.#greatest, Math.max(this.#least, middle));
    }
    return this.#greatest;
  }
}

/** Collects the time to the last byte of every response, by operation, in bounded memory. */
export class Latencies {
  readonly #times = new Map<OperationId, Histogram>(OPERATIONS.map((operation) => [operation, new Histogram()]));

  add({ request, answer }: Exchange): void {
    if (answer.kind === 'response') this.#times.get(request.operation)?.add(answer.milliseconds);
  }

  /** Responses so far. */
  get total(): number {
    return [...this.#times.values()].reduce((sum, { total }) => sum + total, 0);
  }

  /** Percentiles in milliseconds, within 1 %; an operation that never answered is left out. */
  percentiles(): readonly Latency[] {
    return OPERATIONS.flatMap((operation) => {
      const times = this.#times.get(operation);
      if (times === undefined || times.total === 0) return [];
      const at = (share: number): number => round(times.percentile(share));
      return [
        {
          operation,
          requests: times.total,
          p50: at(0.5),
          p95: at(0.95),
          p99: at(0.99),
          max: round(times.greatest),
        },
      ];
    });
  }
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
