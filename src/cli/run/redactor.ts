import type { RunSettings } from '../../engine/plan.ts';
import { revealingMisses } from '../../petstore/inputs/near-misses.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { secretsOf } from './secrets.ts';

/** What removes every secret of some runs from a text. */
export const redactorOf = (
  ...runs: readonly Pick<RunSettings, 'token' | 'headers' | 'proxies'>[]
): ((text: string) => string) =>
  createRedactor(runs.flatMap((options) => secretsOf(options, { secrets: revealingMisses })));
