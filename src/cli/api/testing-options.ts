import type { RunValues } from '../options/run-settings.ts';

/** Options of the command alone: another way to give the key, and what concerns its terminal. */
export const COMMAND_ONLY = ['tokenFile', 'dryRun', 'yes', 'quiet', 'verbose', 'color'] as const;

/** How a service is tested: the options of the command line, with the same defaults; times are in milliseconds. */
export type TestingOptions = {
  readonly [Field in Exclude<keyof RunValues, (typeof COMMAND_ONLY)[number]>]?: RunValues[Field] | undefined;
};
