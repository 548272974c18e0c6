import type { RequirementIds } from './requirement-patterns.ts';

/** What the command line is read against. */
export interface Surroundings {
  /** Called only where a pattern of requirements is given. */
  catalogue(): Promise<RequirementIds>;
  /** Whether the output goes to a terminal. */
  readonly isTerminal: boolean;
  /** Whether the input comes from one; where not given, it does not. */
  readonly isInputTerminal?: boolean;
  /** The version of the suite. */
  readonly version: string;
}
