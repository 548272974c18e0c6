import type { Checked } from '../check/checked.ts';
import type { Stage } from '../check/stages.ts';
import type { CreatedAnimal } from '../known/recall.ts';
import type { RunProgress } from './state.ts';

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
