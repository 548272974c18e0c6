import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Exchange } from '../http/exchange.ts';
import type { Latency } from '../report/model/result.ts';

/** Collects the time to the last byte of every response, by operation, in bounded memory. */
export class Latencies {
  readonly #histograms: ReadonlyMap<string, RecordableHistogram>;
  /** The longest of each operation, which a histogram rounds. */
  readonly #longest = new Map<string, number>();

  /** @param operations those that are told, in this order */
  constructor(operations: readonly string[]) {
    this.#histograms = new Map(operations.map((operation) => [operation, createHistogram()]));
  }

  add({ request: { operation }, answer }: Exchange): void {
    if (answer.kind !== 'response') return;
    // In microseconds; a histogram takes integers from 1.
    this.#histograms.get(operation)?.record(Math.max(1, Math.round(answer.milliseconds * 1_000)));
    this.#longest.set(operation, Math.max(answer.milliseconds, this.#longest.get(operation) ?? 0));
  }

  /** Percentiles in milliseconds; an operation that never answered is left out. */
  percentiles(): readonly Latency[] {
    return [...this.#histograms].flatMap(([operation, histogram]) => {
      if (histogram.count === 0) return [];
      const max = Math.round((this.#longest.get(operation) ?? 0) * 10) / 10;
      const at = (percent: number): number => Math.min(max, Math.round(histogram.percentile(percent) / 100) / 10);
      return [{ operation, requests: histogram.count, p50: at(50), p95: at(95), p99: at(99), max }];
    });
  }
}
