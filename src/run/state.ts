/** How far a run is. */
export interface RunProgress {
  /** What the run is doing, such as `Reading full pages`. */
  readonly phase: string;
  /** How many of the planned requests are done; while nothing is planned yet, `planned` is 0. */
  readonly done: number;
  readonly planned: number;
  /** How many requests were sent in all. */
  readonly sent: number;
  /** Why it sends slowly or not at all, such as `listPets answered 429: waiting 20 s`. */
  readonly heldBack?: string | undefined;
  /** What to print at once, on a line of its own. */
  readonly news?: string | undefined;
}

/** Why something was not tested: an option, this machine and network, what the collection contains, or the service. */
export type ReasonOf = 'user' | 'surroundings' | 'collection' | 'service';

/** Why a run ended early. */
export interface Ending {
  readonly reason: string;
  readonly reasonOf: ReasonOf;
}
