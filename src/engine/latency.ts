import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Exchange } from '../http/exchange.ts';
import type { Latency } from '../report/model/result.ts';

/** Collects the time to the last byte of every response, by operation, in bounded memory. */
export class Latencies {
  readonly #histograms: ReadonlyMap<string, RecordableHistogram>;
  /** The longest of each operation, which a histogram rounds. */
  readonly #longest = new Map<string, number>();
  /** Of each operation, how often each time was taken; undefined where they are not kept. */
  readonly #times: ReadonlyMap<string, Map<number, number>> | undefined;

  /**
   * @param operations those that are told, in this order
   * @param keepsTimes whether all times are told, rounded, so that percentiles of several runs can be computed
   */
  constructor(operations: readonly string[], keepsTimes = false) {
    this.#times = keepsTimes ? new Map(operations.map((operation) => [operation, new Map()])) : undefined;
    this.#histograms = new Map(operations.map((operation) => [operation, createHistogram()]));
  }

  add({ request: { operation }, answer }: Exchange): void {
    if (answer.kind !== 'response') return;
    // In microseconds; a histogram takes integers from 1.
    this.#histograms.get(operation)?.record(Math.max(1, Math.round(answer.milliseconds * 1_000)));
    this.#longest.set(operation, Math.max(answer.milliseconds, this.#longest.get(operation) ?? 0));
    const times = this.#times?.get(operation);
    if (times === undefined) return;
    const time = rounded(answer.milliseconds);
    times.set(time, (times.get(time) ?? 0) + 1);
  }

  /** Responses so far. */
  get total(): number {
    return [...this.#histograms.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Percentiles in milliseconds; an operation that never answered is left out. */
  percentiles(): readonly Latency[] {
    return [...this.#histograms].flatMap(([operation, histogram]) => {
      if (histogram.count === 0) return [];
      const max = Math.round((this.#longest.get(operation) ?? 0) * 10) / 10;
      const at = (percent: number): number => Math.min(max, Math.round(histogram.percentile(percent) / 100) / 10);
      const times = this.#times?.get(operation);
      const told = times && { times: [...times].toSorted(([one], [other]) => one - other) };
      return [{ operation, requests: histogram.count, p50: at(50), p95: at(95), p99: at(99), max, ...told }];
    });
  }
}

/** To a tenth of a millisecond, long times to 1 %, so that there are not many different ones. */
const rounded = (milliseconds: number): number =>
  milliseconds < 100 ? Math.round(milliseconds * 10) / 10 : Number(milliseconds.toPrecision(3));
