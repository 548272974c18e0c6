import type { RunPhase, RunProgress } from '../../report/model/progress.ts';
import type { CheckResult, Profile, RunResult, Violation } from '../../report/model/result.ts';
import type { RequirementId } from '../../report/model/scalars.ts';

/**
 * The parts of a run, in order: the look at the target, the start, the phases of the checks, the rules about every
 * answer, and the reports. A replay has one part of its own after the start.
 */
export type ConformancePhase = RunPhase | 'replay' | 'every answer';

/** First of all: what is judged, and with which checks. */
export interface RunStarted {
  readonly type: 'run-started';
  readonly runId: string;
  /** What is judged; `embedded` is the reference service of this package. */
  readonly target: RunResult['target'];
  readonly seed: number;
  readonly profile: Profile;
  /** Ids of the checks, in the order of the specification. */
  readonly checks: readonly string[];
}

/** A part of the run begins. */
export interface PhaseStarted {
  readonly type: 'phase-started';
  readonly phase: ConformancePhase;
}

/** How far the run is, a few times a second. */
export interface ProgressMade extends RunProgress {
  readonly type: 'progress';
}

/** A check is concluded: at once, or at the end of the run if it has a rule about every answer. */
export interface CheckEnded {
  readonly type: 'check-ended';
  readonly check: CheckResult;
}

/** A check is concluded as failed. Each of its violations follows, after the end of the check. */
export interface ViolationFound {
  readonly type: 'violation-found';
  readonly requirement: RequirementId;
  /** Id of the check. */
  readonly check: string;
  readonly violation: Violation;
}

/** Last of all, also of a run that was aborted: everything that it found out. */
export interface RunEnded {
  readonly type: 'run-ended';
  readonly result: RunResult;
  /** Whether all files that were asked for are written; if not, the run is rejected with the reason. */
  readonly written: boolean;
}

/** What `onEvent` is called with. No event holds a secret. */
export type ConformanceEvent = RunStarted | PhaseStarted | ProgressMade | CheckEnded | ViolationFound | RunEnded;

/** What is known of a check that is concluded. */
export function eventsOf(check: CheckResult): readonly ConformanceEvent[] {
  const { id, requirement, outcome } = check;
  const violations = outcome.kind === 'failed' ? outcome.violations : [];
  return [
    { type: 'check-ended', check },
    ...violations.map((violation): ViolationFound => ({ type: 'violation-found', requirement, check: id, violation })),
  ];
}
