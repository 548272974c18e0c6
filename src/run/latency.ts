import type { Latency, OperationId } from '../report/model.ts';
import type { Exchange } from '../target/exchange.ts';

const OPERATIONS: readonly OperationId[] = ['listPets', 'createPet', 'getPet'];

/** Collects the time to the last byte of every response, by operation. */
export class Latencies {
  readonly #times = new Map<OperationId, number[]>(OPERATIONS.map((operation) => [operation, []]));

  add({ request, answer }: Exchange): void {
    if (answer.kind === 'response') this.#times.get(request.operation)?.push(answer.milliseconds);
  }

  /** Percentiles by the nearest rank, in milliseconds; an operation that never answered is left out. */
  percentiles(): readonly Latency[] {
    return OPERATIONS.flatMap((operation) => {
      const sorted = (this.#times.get(operation) ?? []).toSorted((a, b) => a - b);
      if (sorted.length === 0) return [];
      const at = (share: number): number => round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
      return [{ operation, requests: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }];
    });
  }
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
