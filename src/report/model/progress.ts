/** What a run does, in this order; `soak` only where it is asked for. */
export type RunPhase =
  | 'preflight'
  | 'starting'
  | 'found'
  | 'fresh'
  | 'early'
  | 'main'
  | 'still'
  | 'quiet'
  | 'end'
  | 'soak'
  | 'reports';

/** How fast requests can be sent, where something holds them back. */
export interface HeldBack {
  /** Who asks for it: the service, by refusals, or the user, by an option. */
  readonly by: 'service' | 'user';
  /** Answers a second of late; undefined where that is not known yet. */
  readonly perSecond: number | undefined;
  /** How much longer nothing is sent at all (ms). */
  readonly pauseMs: number;
  /** What alone waits for that, as in "createPet without the right key"; missing where everything does. */
  readonly what?: string | undefined;
}

/** How far a run is. */
export interface RunProgress {
  readonly phase: RunPhase;
  /** Checks that have ended, and all checks. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  /** The checks that are running, or whatever else is under way. */
  readonly running: readonly string[];
  /** How much of what the phase belongs to is done, 0 to 1, where that can be told better than by the checks. */
  readonly share?: number | undefined;
  /** How long the run still takes (ms), where that can be told. */
  readonly leftMs?: number | undefined;
  readonly heldBack?: HeldBack | undefined;
  /** What the user should know at once, in a sentence without a full stop. */
  readonly news?: string | undefined;
}
