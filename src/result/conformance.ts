import type { OnEvent } from '../run/events.ts';
import { networkOptions, termsOf } from '../run/options.ts';
import { type NotTestable, preflight } from '../run/preflight.ts';
import { Run, unlessStopped } from '../run/run.ts';
import { waitUntilUp } from '../run/wait-until-up.ts';
import { type ConformanceOptions, interruptedResult, testedResult, untestableResult } from './builders.ts';
import { ALL_FAILED_AGAIN, Replay } from './replay.ts';
import type { RunResult } from './result.ts';

/**
 * Tests a target from beginning to end. The result is not redacted yet: responses may repeat the key. Rejects only if the
 * suite itself fails before it has a result.
 */
export async function conformance(given: ConformanceOptions): Promise<RunResult> {
  const waited = given.waitForMs > 0 && !given.isEmbedded ? await waitUntilUp(given) : 0;
  const options = { ...given, maxTimeMs: Math.max(1, Math.round(given.maxTimeMs - waited)) };
  const started = performance.now();
  if (options.replay?.findings.length === 0) return untestableResult(options, started, NOTHING_TO_REPEAT);
  const target = await preflight(termsOf(options), {
    network: networkOptions(options),
    isReadOnly: options.readOnly,
    hasWaited: options.waitForMs > 0,
  }).catch(unlessStopped);
  if (target === undefined) return interruptedResult(options, started);
  if (target.kind === 'not testable') return untestableResult(options, started, target);
  const replay = new Replay(options.replay?.findings ?? []);
  const onEvent: OnEvent = (event) => {
    options.onEvent(event);
    if (options.replay === undefined || event.kind !== 'checked') return;
    replay.learn(event.checked);
    const isNews = event.checked.violations.length > 0;
    if (isNews && replay.haveAllFailedAgain(run.course.session.checked)) run.stop(ALL_FAILED_AGAIN);
  };
  const run: Run = new Run({ ...options, onEvent }, target);
  try {
    await run.send();
    const { sentAgain } = replay;
    return testedResult(options, started, run, await run.find(), { notes: target.notes, sentAgain });
  } finally {
    await run.close();
  }
}

const NOTHING_TO_REPEAT: NotTestable = {
  kind: 'not testable',
  conclusion: 'No verdict: the recorded result has no finding, so nothing was sent.',
  exchanges: [],
  requests: 0,
  advice: [],
};
