import type { Checked } from '../check/checked.ts';
import type { Stage } from '../check/stages.ts';
import type { CreatedAnimal } from '../reading/members.ts';

/** How far a run is. */
export interface RunProgress {
  /** What the run is doing, such as `Reading full pages`. */
  readonly phase: string;
  /** How many of the planned requests are done; while nothing is planned yet, `planned` is 0. */
  readonly done: number;
  readonly planned: number;
  /** Why it sends slowly or not at all, such as `listPets answered 429: waiting 20 s`. */
  readonly heldBack?: string | undefined;
  /** What to print at once, on a line of its own. */
  readonly news?: string | undefined;
}

/** What happens during a run, as it happens. */
export type RunEvent =
  | { readonly kind: 'checked'; readonly checked: Checked }
  /** The service has confirmed an animal with its id. */
  | { readonly kind: 'created'; readonly animal: CreatedAnimal; readonly run: string }
  | { readonly kind: 'stage'; readonly stage: Stage }
  /** This client is not served any more, or the service stays unreachable. */
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'progress'; readonly progress: RunProgress };

export type OnEvent = (event: RunEvent) => void;

/** Why something was not tested: an option, this machine and network, what the collection contains, or the service. */
export type ReasonOf = 'user' | 'surroundings' | 'collection' | 'service';

/** Why a run ended early. */
export interface Ending {
  readonly reason: string;
  readonly reasonOf: ReasonOf;
}
