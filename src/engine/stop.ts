import { INTERRUPTED } from '../http/not-sent.ts';

/** Why a run ended before its checks did. */
export type StopReason = 'out-of-time' | typeof INTERRUPTED;

/** The value as a reason to send nothing more, where it is one. */
export function stopReasonIn(value: unknown): StopReason | undefined {
  return value === INTERRUPTED || value === 'out-of-time' ? value : undefined;
}
