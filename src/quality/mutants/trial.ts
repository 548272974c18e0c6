import type { Contract } from '../../contract/contract.ts';
import type { Check } from '../../engine/check.ts';
import { judge } from '../../engine/judge.ts';
import type { Plan } from '../../engine/plan.ts';
import { type Fault, startReference } from '../../reference/index.ts';
import type { Seen } from './mutant.ts';

/** The key of every service that is tried; it has both letter cases and digits, as the checks of part 5 need. */
const KEY = 'Mutants-3f9c27d1a85be640-Key';
const BEFORE_REMOVAL = '2030-12-04';

/**
 * Judges the reference service with one fault by one check alone.
 *
 * @returns the breaches that the check reports; none where it does not fail
 */
export async function breachesOf(fault: Fault, check: Check, contract: Contract): Promise<readonly Seen[]> {
  const service = await startReference({ token: KEY, seed: 1, today: BEFORE_REMOVAL, faults: [fault] });
  try {
    const { checks } = await judge(planFor(service.baseUrl, check.id), contract, () => {}, undefined, [check]);
    return checks.flatMap(({ result: { outcome } }) => (outcome.kind === 'failed' ? outcome.violations : []));
  } finally {
    await service.stop();
  }
}

/** Impatient: what hangs, or never shows an animal, must not hold up the rest. */
function planFor(baseUrl: string, check: string): Plan {
  return {
    runId: 'mutants',
    baseUrl,
    token: KEY,
    headers: [],
    userAgent: 'petstore-conformance/mutants',
    profile: 'standard',
    readOnly: false,
    maxCreates: 1_000,
    categoryIds: [],
    seed: 1,
    replay: undefined,
    concurrency: 32,
    rateLimit: { kind: 'none' },
    requestTimeoutMs: 300,
    maxTimeMs: 10_000,
    settleMs: 100,
    strict: false,
    today: BEFORE_REMOVAL,
    caFile: undefined,
    insecure: false,
    checks: [check],
    recordTraffic: false,
  };
}
