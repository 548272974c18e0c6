import type { Drive } from '../cli/run/drive-vitest.ts';
import { loadContract } from '../contract/contract.ts';
import { judge } from './judge.ts';

/** Runs the checks of a plan in this thread, without a test runner: for a dry run, and for the suite's own tests. */
export const driveHere: Drive = async (plan, { onProgress, stop }) => {
  const { checks, telemetry } = await judge(plan, await loadContract(), onProgress, stop);
  return { checks, telemetry, faults: telemetry.faults };
};
