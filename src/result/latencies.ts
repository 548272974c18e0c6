import type { Exchange } from '../reading/exchange.ts';
import type { Latency } from './result.ts';

/** The times to the last byte of a run's responses, by operation (ms). */
export function latenciesOf(exchanges: readonly Exchange[]): readonly Latency[] {
  const times = new Map<string, number[]>();
  for (const { call, outcome, sentAt, answeredAt } of exchanges) {
    if (outcome.kind !== 'answer') continue;
    const own = times.get(call.operation) ?? [];
    own.push(answeredAt - sentAt);
    times.set(call.operation, own);
  }
  return [...times].map(([operation, all]) => {
    const sorted = all.toSorted((one, other) => one - other);
    const at = (share: number): number =>
      rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
    return {
      operation,
      requests: all.length,
      p50: at(0.5),
      p95: at(0.95),
      max: at(1),
    };
  });
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
