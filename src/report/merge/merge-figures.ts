import { distinct } from '../model/queries.ts';
import type { Latency, RunResult, Soak, SpaceCoverage } from '../model/result.ts';

export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/**
 * The percentiles of all. Where a result does not have every time, as of versions before 1.4, they are the greatest of
 * any result: those of the whole are never above it.
 */
export function mergeLatencies(all: readonly Latency[]): readonly Latency[] {
  return distinct(all.map(({ operation }) => operation)).map((operation) => {
    const rows = all.filter((row) => row.operation === operation);
    const greatest = (of: 'p50' | 'p95' | 'p99' | 'max') => Math.max(...rows.map((row) => row[of]));
    const [requests, max] = [sum(rows, (row) => row.requests), greatest('max')];
    const times = rows.flatMap((row) => row.times ?? []).toSorted(([one], [other]) => one - other);
    if (!hasEveryTime(rows)) {
      return { operation, requests, p50: greatest('p50'), p95: greatest('p95'), p99: greatest('p99'), max };
    }
    const at = (percent: number): number => Math.min(max, percentile(times, (requests * percent) / 100));
    return { operation, requests, p50: at(50), p95: at(95), p99: at(99), max };
  });
}

/** Whether percentiles of all can be computed. */
export const hasEveryTime = (rows: readonly Latency[]): boolean => rows.every(({ times }) => times !== undefined);

/** The time of the nearest rank. */
function percentile(times: NonNullable<Latency['times']>, rank: number): number {
  let seen = 0;
  for (const [time, count] of times) {
    seen += count;
    if (seen >= rank) return time;
  }
  return times.at(-1)?.[0] ?? 0;
}

/**
 * What was covered in any of the results. Where one does not tell which tuples it has covered, as of versions before 1.4,
 * the sum is told: the most that they can have covered together.
 */
export function mergeCoverage(all: readonly SpaceCoverage[]): readonly SpaceCoverage[] {
  const keyOf = ({ space, tuples }: SpaceCoverage) => `${space}\u0000${tuples}`;
  return [...new Map(all.map((one) => [keyOf(one), one])).values()].map(({ space, tuples }) => {
    const rows = all.filter((row) => row.space === space && row.tuples === tuples);
    const possible = Math.max(...rows.map((row) => row.possible));
    const most = Math.min(
      possible,
      sum(rows, ({ covered }) => covered),
    );
    return { space, tuples, covered: saysWhich(rows) ? unitedCount(rows) : most, possible };
  });
}

/** Whether what several results have covered of one space can be united. */
export const saysWhich = (rows: readonly SpaceCoverage[]): boolean =>
  rows.every(({ which, possible }) => which !== undefined && possible === rows[0]?.possible);

/** How many bits are set in any of the rows. */
function unitedCount(rows: readonly SpaceCoverage[]): number {
  const bits = rows.map(({ which = '' }) => Buffer.from(which, 'base64'));
  const longest = Math.max(...bits.map(({ length }) => length));
  let count = 0;
  for (let at = 0; at < longest; at += 1) {
    const united = bits.reduce((byte, bytes) => byte | (bytes[at] ?? 0), 0);
    count += united.toString(2).replaceAll('0', '').length;
  }
  return count;
}

// Shards may have kept the service under load at the same time or in turn; throughput is that of all answers in the
// total time of the shards.
export function mergeSoaks(soaks: readonly Soak[]): Soak | undefined {
  if (soaks.length < 2) return soaks[0];
  const total = (of: Exclude<keyof Soak, 'latencies' | 'perSecond'>) => sum(soaks, (soak) => soak[of]);
  const rates = distinct(soaks.map(({ perSecond }) => perSecond));
  const milliseconds = total('milliseconds');
  const requests = total('requests');
  return {
    milliseconds,
    planned: total('planned'),
    ...(rates.length === 1 && rates[0] !== undefined ? { perSecond: rates[0] } : {}),
    requests,
    unanswered: total('unanswered'),
    throughput: milliseconds === 0 ? 0 : Math.round((requests / milliseconds) * 10_000) / 10,
    creations: total('creations'),
    lost: total('lost'),
    doubled: total('doubled'),
    unverified: total('unverified'),
    latencies: mergeLatencies(soaks.flatMap(({ latencies }) => latencies)),
  };
}

/** From the first start to the last end. */
export function mergeTimes(runs: readonly RunResult['run'][]): Pick<RunResult['run'], 'startedAt' | 'milliseconds'> {
  const longest = Math.max(...runs.map(({ milliseconds }) => milliseconds));
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const ends = runs.map(({ startedAt, milliseconds }) => Date.parse(startedAt) + milliseconds);
  const whole = Math.max(...ends) - Math.min(...starts);
  return {
    startedAt: runs.map(({ startedAt }) => startedAt).toSorted()[0] ?? '',
    milliseconds: Number.isFinite(whole) ? Math.max(longest, whole) : longest,
  };
}
