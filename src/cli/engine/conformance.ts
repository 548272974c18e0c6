import { operationOf } from '../../reading/call.ts';
import { evidenceOf } from '../../report/evidence.ts';
import { type ConformanceRun, finish, resultOf, shownOf, UNTESTABLE } from '../../report/result-of.ts';
import { PROFILES } from '../../run/budget.ts';
import { networkOptions, termsOf } from '../../run/options.ts';
import { callsSent } from '../../run/plan.ts';
import { preflight } from '../../run/preflight.ts';
import { INTERRUPTED, partsFor, Run, unlessStopped } from '../../run/run.ts';
import { pause } from '../../run/tools.ts';
import type { ConformanceOptions, PlannedRequirement } from '../conformance-options.ts';

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
 * Waits until a target responds like the service, if only to reject the key, at most as long as --wait-for says: a gateway
 * may respond for a service that is still starting. Sends GET requests only.
 */
export async function waitUntilUp(options: ConformanceOptions): Promise<void> {
  const { waitForMs, signal } = options;
  const until = performance.now() + waitForMs;
  for (let left = waitForMs; left > 0 && !signal.aborted; left = until - performance.now()) {
    const network = { ...networkOptions(options), requestTimeoutMs: Math.min(TRIAL_TIMEOUT_MS, left) };
    const target = await preflight(termsOf(options), { network, isReadOnly: true }).catch(unlessStopped);
    const isUp = target?.kind === 'ready' || target?.exchanges.some(({ outcome: { status } }) => status === 401);
    if (isUp === true) return;
    await pause(Math.min(TRIAL_PAUSE_MS, left), signal);
  }
}

/** How many rows a run would send for each requirement, by stage. */
export function plan(options: ConformanceOptions): readonly PlannedRequirement[] {
  const counts = new Map<string, Record<string, number>>();
  const withScript = new Set<string>();
  for (const { id, sends, script } of partsFor(options).flatMap(({ requirements }) => requirements)) {
    const stages = counts.get(id) ?? {};
    counts.set(id, stages);
    if (script !== undefined && (script.isLong !== true || PROFILES[options.profile].hasLongScripts))
      withScript.add(id);
    for (const rows of sends) {
      const sent = callsSent(rows, PROFILES[options.profile]).filter(
        (call) => operationOf(call).isSafe || !options.readOnly,
      );
      stages[rows.stage] = (stages[rows.stage] ?? 0) + sent.length;
    }
  }
  return [...counts].map(([id, requests]) => ({ id, requests, hasScript: withScript.has(id) }));
}
