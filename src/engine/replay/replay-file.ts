import type { Profile } from '../../report/model/result.ts';
import type { Recording, RunSettings } from '../plan.ts';

/** Settings of the run without which the failure may not show, or not be one. */
type JudgedWith = Pick<RunSettings, 'strict' | 'today' | 'settleMs' | 'requestTimeoutMs'>;

/** A recorded failure: which check failed, how it was judged, and what to send again. It holds no key. */
export interface ReplayRecord extends Recording {
  readonly format: string;
  readonly check: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly judgedWith: JudgedWith;
}

/** The file is not a recorded failure of this suite. */
export class ReplayFileError extends Error {
  override readonly name = 'ReplayFileError';
  readonly code = 'replay-invalid';
}

/** What names the format of a replay file. */
export const formatOf = (program: string): string => `${program}-replay/1`;

export function replayRecord(
  program: string,
  check: string,
  run: JudgedWith & { readonly seed: number; readonly profile: Profile },
  recording: Recording,
): ReplayRecord {
  const { seed, profile, strict, today, settleMs, requestTimeoutMs } = run;
  const judgedWith = { strict, today, settleMs, requestTimeoutMs };
  return { format: formatOf(program), check, seed, profile, judgedWith, ...recording };
}
