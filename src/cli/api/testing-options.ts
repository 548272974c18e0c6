import type { Values } from '../options/option.ts';
import type { RUN_OPTIONS } from '../options/tables.ts';

// Not that of the settings of a run: what this file imports is a part of the types of the package.
type RunValues = Values<typeof RUN_OPTIONS>;

/** Options of the command alone: another way to give the key, and what concerns its terminal. */
export const COMMAND_ONLY = ['tokenFile', 'dryRun', 'yes', 'quiet', 'verbose', 'color'] as const;

/** How a service is tested: the options of the command line, with the same defaults; times are in milliseconds. */
export type TestingOptions = {
  readonly [Field in Exclude<keyof RunValues, (typeof COMMAND_ONLY)[number]>]?: RunValues[Field] | undefined;
};
