import { ROW_STAGE_NAMES } from '../../check/stages.ts';
import { PLAIN_CALLS } from '../../reading/call.ts';
import { evidenceOf } from '../../report/evidence.ts';
import { type ConformanceRun, finish, resultOf, shownOf, UNTESTABLE } from '../../report/result-of.ts';
import { PROFILES } from '../../run/budget.ts';
import { networkOptions, termsOf } from '../../run/options.ts';
import { PetStore } from '../../run/pet-store.ts';
import { isError } from '../../run/pet-store-signs.ts';
import { PlannedRows } from '../../run/planned-rows.ts';
import { preflight } from '../../run/preflight.ts';
import { isUnauthorized } from '../../run/preflight-problems.ts';
import { INTERRUPTED, partsFor, Run, unlessStopped } from '../../run/run.ts';
import { pause } from '../../run/tools.ts';
import type { ConformanceOptions, PlannedOperation } from '../conformance-options.ts';

/** Tests a target from beginning to end. Rejects only if the suite itself fails before it has a result. */
export async function conformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const started = performance.now();
  const target = await preflight(termsOf(options), {
    network: networkOptions(options),
    isReadOnly: options.readOnly,
    hasWaited: options.waitForMs > 0,
  }).catch(unlessStopped);
  if (target === undefined) return finish(options, started, { ended: INTERRUPTED });
  if (target.kind === 'not testable') {
    const shown = target.exchanges.map((exchange) => evidenceOf(exchange, shownOf(options)));
    const { requests, advice: notes, conclusion: untestableTarget } = target;
    return finish(options, started, { ended: UNTESTABLE, preflight: shown, requests, notes, untestableTarget });
  }
  const run = new Run(options, target);
  try {
    await run.send();
    return resultOf(options, started, run, await run.find(), target.notes);
  } finally {
    await run.close();
  }
}

/** The pause between two trials of a target that is starting, and the time limit of their requests (ms). */
const TRIAL_PAUSE_MS = 250;
const TRIAL_TIMEOUT_MS = 2_000;

/**
 * Waits until a target responds like the service, if only to reject the key with an Error, at most as long as --wait-for
 * says: a gateway may respond for a service that is still starting. Sends GET requests only.
 */
export async function waitUntilUp(options: ConformanceOptions): Promise<void> {
  const { waitForMs, signal } = options;
  const until = performance.now() + waitForMs;
  for (let left = waitForMs; left > 0 && !signal.aborted; left = until - performance.now()) {
    const network = { ...networkOptions(options), requestTimeoutMs: Math.min(TRIAL_TIMEOUT_MS, left) };
    const target = await preflight(termsOf(options), { network, isReadOnly: true }).catch(unlessStopped);
    const isUp = target?.kind === 'ready' || target?.exchanges.some((one) => isUnauthorized(one) && isError(one));
    if (isUp === true) return;
    await pause(Math.min(TRIAL_PAUSE_MS, left), signal);
  }
}

/** How many requests of tables, and random ones, a run would send for each operation. */
export function plan(options: ConformanceOptions): readonly PlannedOperation[] {
  const requirements = partsFor(options).flatMap((part) => part.requirements);
  const store = new PetStore([], termsOf(options), 'plan0', '0000');
  const rows = new PlannedRows(requirements, PROFILES[options.profile], options.seed, store, options.readOnly);
  const all = ROW_STAGE_NAMES.flatMap((stage) => rows.of(stage));
  return Object.values(PLAIN_CALLS).map(({ operation }) => {
    const own = all.filter(({ call }) => call.operation === operation);
    return { operation, requests: own.length, creations: own.filter(({ adds }) => adds).length };
  });
}
