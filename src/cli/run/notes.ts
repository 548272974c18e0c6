import type { Plan, Telemetry } from '../../engine/plan.ts';
import { FIRST_VIOLATION } from '../../report/model/first-violation.ts';
import type { Replay, RunResult, Soak } from '../../report/model/result.ts';
import type { ServiceDescription } from '../../report/model/service.ts';
import { count, duration, grouped } from '../../report/model/text.ts';

/** Why a run ended early, what its soak showed, and its own remarks. */
export function notesOn(
  telemetry: Telemetry | undefined,
  { maxTimeMs, soakMs }: Plan,
  { created }: ServiceDescription,
  by: RunResult['run']['interrupted'],
): readonly string[] {
  if (telemetry === undefined) return [];
  const { stopped, firstViolation, soak, remarks } = telemetry;
  const reasons = {
    'out-of-time': `The time limit of ${maxTimeMs / 1_000} s (--max-time) ended the run before everything was judged.`,
    interrupted: `The run was ${by === 'abort' ? 'aborted' : `interrupted (${by ?? 'SIGINT'})`} before everything was judged.`,
  };
  const isLeftOut = firstViolation !== undefined && soakMs !== undefined && soak === undefined;
  return [
    // That of a first violation is part of the conclusion.
    ...(stopped === undefined || stopped === FIRST_VIOLATION ? [] : [reasons[stopped]]),
    ...(isLeftOut ? ['--soak: the service was not kept under load, as the run had ended before that.'] : []),
    ...(soak === undefined ? [] : notesOnSoak(soak, created)),
    ...remarks,
  ];
}

/** What a replay sent, and what came of each part of it. */
export function notesOnReplay({ attempts }: Replay): readonly string[] {
  const words = { shown: 'shows it', 'not shown': 'does not show it', 'not judged': 'not judged' };
  return attempts.map(({ sends, end, reason, requests }) => {
    const why = end === 'not judged' && reason !== undefined ? `: ${reason}` : '';
    return `Replayed ${sends}: ${words[end]}${why} (${count(requests, 'request')}).`;
  });
}

/** Throughput, what was lost or doubled, and the latency of each operation. */
function notesOnSoak(soak: Soak, created: ServiceDescription['created']): readonly string[] {
  const { milliseconds, planned, perSecond, requests, unanswered, throughput, creations, lost, doubled, unverified } =
    soak;
  const cut = milliseconds < planned * 0.99 ? ` of ${duration(planned)}` : '';
  const asked = perSecond === undefined ? '' : ` (asked for: at most ${grouped(perSecond)})`;
  const silent = unanswered === 0 ? '' : `, ${count(unanswered, 'request')} unanswered`;
  const unseen = unverified === 0 ? '' : `, ${grouped(unverified)} not verified`;
  const left =
    creations === 0
      ? `no ${created.many} created`
      : `${count(creations, created.one, created.many)} created, ${lost} lost, ${doubled} doubled${unseen}`;
  return [
    `Soak of ${duration(milliseconds)}${cut}: ${count(requests, 'answer')}, ${grouped(throughput)} a second${asked}${silent}; ${left}.`,
    ...soak.latencies.map(
      (row) =>
        `Under load, ${row.operation}: p50 ${exactTime(row.p50)} · p95 ${exactTime(row.p95)} · p99 ${exactTime(row.p99)} · max ${exactTime(row.max)} · ${count(row.requests, 'answer')}.`,
    ),
  ];
}

/** Short times to a tenth of a millisecond. */
const exactTime = (milliseconds: number): string =>
  milliseconds < 100 ? `${milliseconds} ms` : duration(milliseconds);
