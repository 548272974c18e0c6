import type { Plan, Telemetry } from '../../engine/plan.ts';
import { FIRST_VIOLATION } from '../../report/model/first-violation.ts';
import type { Replay, RunResult } from '../../report/model/result.ts';
import { count } from '../../report/model/text.ts';

/** Why a run ended early, and its own remarks. */
export function notesOn(
  telemetry: Telemetry | undefined,
  { maxTimeMs }: Plan,
  by: RunResult['run']['interrupted'],
): readonly string[] {
  if (telemetry === undefined) return [];
  const { stopped, remarks } = telemetry;
  const reasons = {
    'out-of-time': `The time limit of ${maxTimeMs / 1_000} s (--max-time) ended the run before everything was judged.`,
    'key-lost': 'The service stopped accepting the key, which ended the run before everything was judged.',
    interrupted: `The run was ${by === 'abort' ? 'aborted' : `interrupted (${by ?? 'SIGINT'})`} before everything was judged.`,
  };
  return [
    // That of a first violation is part of the conclusion.
    ...(stopped === undefined || stopped === FIRST_VIOLATION ? [] : [reasons[stopped]]),
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
