import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Address } from '../http/connect/route.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { trimExchange } from '../http/evidence/trim.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import type { AnswerCount, Latency } from '../report/model/result.ts';

/** Collects the time to the last byte of every response, by operation, in bounded memory. */
export class Latencies {
  readonly #histograms: ReadonlyMap<string, RecordableHistogram>;
  /** The longest of each operation, which a histogram rounds. */
  readonly #longest = new Map<string, number>();

  /** @param operations those that are reported, in this order */
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

/** Counts the answers of each operation by their status. */
export class Answers {
  readonly #counts: ReadonlyMap<string, Map<number, number>>;

  /** @param operations those that are reported, in this order */
  constructor(operations: readonly string[]) {
    this.#counts = new Map(operations.map((operation) => [operation, new Map()]));
  }

  add({ request: { operation }, answer }: Exchange): void {
    const counts = this.#counts.get(operation);
    if (answer.kind === 'response') counts?.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
  }

  /** By operation, and by ascending status. */
  get counts(): readonly AnswerCount[] {
    return [...this.#counts].flatMap(([operation, counts]) =>
      [...counts].toSorted(([one], [other]) => one - other).map(([status, count]) => ({ operation, status, count })),
    );
  }
}

/** How many characters of exchanges, as JSON, are kept for an HTTP archive: writing it takes many times as much. */
const KEPT = 6_000_000;

/** The exchanges of a run, as far as an HTTP archive has room for them. */
export class Traffic {
  readonly exchanges: ExchangeEvidence[] = [];
  readonly #address: Address;
  #size = 0;

  constructor(address: Address) {
    this.#address = address;
  }

  record(exchange: Exchange): void {
    if (this.#isFull) return;
    const evidence = evidenceOf(trimExchange(exchange), 'context', this.#address);
    this.#size += JSON.stringify(evidence).length;
    this.exchanges.push(evidence);
  }

  get #isFull(): boolean {
    return this.#size >= KEPT;
  }

  /** What a reader of the archive must know: that it does not hold everything. */
  get remarks(): readonly string[] {
    if (!this.#isFull) return [];
    const shown = this.exchanges.length.toLocaleString('en-GB');
    return [`traffic.har was full after ${shown} exchanges; it holds those and every proof.`];
  }
}

/** What a check has sent, and how much of it was not answered, as the service locks wrong keys out. */
interface Counts {
  readonly requirement: string;
  readonly requests: number;
  readonly lockedOut: number;
}

/** How much was answered of what checks sent without the right key, where a service locks such keys out. */
export function lockoutRemark(checks: readonly Counts[]): readonly string[] {
  const lockedOut = checks.filter((check) => check.lockedOut > 0);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const figures = [...new Set(lockedOut.map(({ requirement }) => requirement))].map((id) => {
    const own = lockedOut.filter(({ requirement }) => requirement === id);
    const requests = sum(own.map((check) => check.requests));
    return `${requests - sum(own.map((check) => check.lockedOut))} of ${requests} for ${id}`;
  });
  if (figures.length === 0) return [];
  const refused = 'The service answers further requests without the right key with 429, and the right key as before.';
  return [`${refused} Requests that were answered: ${figures.join(', ')}.`];
}
