import { count, duration } from '../report/formats/excerpt.ts';
import type { Soak } from '../report/model/result.ts';

/** What a soak says to a reader: throughput, animals lost or doubled, and the latency of each operation. */
export function soakNotes(soak: Soak): readonly string[] {
  const { milliseconds, planned, requests, unanswered, throughput, creations, lost, doubled, unverified } = soak;
  const cut = milliseconds < planned * 0.99 ? ` of ${duration(planned)}` : '';
  const silent = unanswered === 0 ? '' : `, ${count(unanswered, 'request')} unanswered`;
  const unseen = unverified === 0 ? '' : `, ${unverified.toLocaleString('en-GB')} not looked for to the end`;
  const animals =
    creations === 0
      ? 'no animals created'
      : `${count(creations, 'animal')} created, ${lost} lost, ${doubled} doubled${unseen}`;
  return [
    `Soak of ${duration(milliseconds)}${cut}: ${count(requests, 'answer')}, ${throughput.toLocaleString('en-GB')} a second${silent}; ${animals}.`,
    ...soak.latencies.map(
      (row) =>
        `Under load, ${row.operation}: p50 ${milli(row.p50)} · p95 ${milli(row.p95)} · p99 ${milli(row.p99)} · max ${milli(row.max)} · ${count(row.requests, 'answer')}.`,
    ),
  ];
}

/** Short times to a tenth of a millisecond. */
function milli(milliseconds: number): string {
  return milliseconds < 100 ? `${milliseconds} ms` : duration(milliseconds);
}
