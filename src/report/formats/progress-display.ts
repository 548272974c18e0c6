import type { RunProgress } from '../model/progress.ts';

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  /** Whether lines may be redrawn in place. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
}

export interface Progress {
  update(state: RunProgress): void;
  /** The user has ended the run: clears the lines for a message, and says so from then on. */
  interrupt(): void;
  /** Clears the lines, so that the report starts on a clean screen. */
  finish(): void;
}
