import { CHECKS } from '../../../suites/index.ts';
import { lingerTime, type Plan } from '../../engine/plan.ts';
import { PREFLIGHT_REQUESTS } from '../../engine/preflight.ts';
import { type RunChecks, runChecks } from '../../engine/run-checks.ts';
import { petStore } from '../../petstore/definition.ts';
import { startReference } from '../../reference/server.ts';
import type { Replay } from '../../report/model/result.ts';
import { count, duration, grouped, printable } from '../../report/model/text.ts';
import type { RunOptions } from '../run-options.ts';
import { table } from '../table.ts';
import { INTERRUPT_EXIT_CODES, type Interruption } from './interruption.ts';
import { openSession } from './open-session.ts';
import { planOf, selectOrReplay } from './plan.ts';
import { runReplay } from './replay-run.ts';

/** A shorter wait (ms) makes no difference to a user. */
const WORTH_A_WORD_MS = 2_000;

/**
 * Carries the plan out on the embedded reference service and prints what that took; nothing is sent to any target.
 * @param targets how many targets the run is meant for
 * @param run what carries the plan out; a test may replace it
 * @returns the exit code: 2 where the suite itself failed, as the figures are then too low
 */
export async function dryRun(
  given: RunOptions,
  targets: number,
  stdout: NodeJS.WritableStream,
  interruption: Interruption,
  run: typeof runChecks = runChecks,
): Promise<number> {
  const service = petStore(given);
  const selection = await selectOrReplay(given, service);
  const embedded = await startReference({ token: given.token, seed: selection.options.seed });
  try {
    // Headers, the rate limit and everything that concerns the connection are the target's.
    const options: RunOptions = {
      ...selection.options,
      headers: [],
      rateLimit: { kind: 'none' },
      caFile: undefined,
      insecure: false,
      certFile: undefined,
      unixSocket: undefined,
      lingerMs: 0,
      proxies: undefined,
      reports: [],
    };
    const plan = planOf({ ...selection, options }, service, { baseUrl: embedded.baseUrl, ledgerFile: undefined });
    const { signal: stop } = interruption;
    if (selection.replay !== undefined) {
      const { replay } = await runReplay(service, { plan, record: selection.replay, stop });
      if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
      stdout.write(describeReplay(replay, plan));
      return 0;
    }
    const session = await openSession(service, plan, { stop });
    const ran = await run(session);
    if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
    stdout.write(describeDryRun(ran, plan, selection.options, targets));
    const failed = ran.checks.flatMap(({ result: { id, outcome } }) =>
      outcome.kind === 'harness error' ? [printable(`${id}: ${outcome.message}`)] : [],
    );
    if (failed.length === 0) return 0;
    stdout.write(`\n${failed.map((line) => `Internal error of the suite: ${line}\n`).join('')}`);
    return 2;
  } finally {
    await embedded.stop();
  }
}

/** What a replay sends where nothing shows the failure any more: the most that it may take. */
function describeReplay({ attempts }: Replay, { maxCreates }: Plan): string {
  const rows = attempts.map(({ sends, requests, creations }) => [sends, `${requests}`, `${creations}`]);
  return `${[
    'Dry run: nothing was sent to any target.',
    table([['what is sent again, until it shows the failure', 'requests', 'creations'], ...rows], [1, 2]).trimEnd(),
    `Never more than ${count(maxCreates, 'creation')} (--max-creates).`,
  ].join('\n\n')}\n`;
}

/** Requests and creations by check, and the totals. */
function describeDryRun(
  { checks, telemetry }: RunChecks,
  { maxCreates }: Plan,
  options: RunOptions,
  targets: number,
): string {
  const { baseUrl, rateLimit, failFast, maxTimeMs } = options;
  const titles = new Map(CHECKS.map(({ id, title }) => [id, title]));
  const rows = [
    { id: '(before)', requests: PREFLIGHT_REQUESTS, creations: 0, title: 'a look at the target, which adds nothing' },
    { id: '(shared)', ...telemetry.shared, title: 'animals that several checks need' },
    ...checks.map(({ result, creations }) => ({
      id: result.id,
      requests: result.requests,
      creations,
      title: titles.get(result.id) ?? result.title,
    })),
  ];
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const creations = rows.reduce((sum, row) => sum + row.creations, 0);
  const cells = [...rows, { id: 'total', requests, creations, title: '' }].map((row) => [
    row.id,
    grouped(row.requests),
    grouped(row.creations),
    row.title,
  ]);
  const each = targets > 1 ? `, for each of ${targets} targets` : '';
  const paragraphs = [
    `Dry run: nothing was sent to ${targets > 1 ? 'the targets' : (baseUrl ?? 'any other service')}.`,
    table([['check', 'requests', 'creations', 'what it judges'], ...cells], [1, 2]).trimEnd(),
    `About ${count(requests, 'request')} and ${count(creations, 'creation')}${each}; never more than ${count(maxCreates, 'creation')} (--max-creates).`,
  ];
  if (maxTimeMs !== undefined) {
    paragraphs.push('Not narrowed by --max-time, which depends on the latency of the target: a run may send less.');
  }
  if (rateLimit.kind === 'fixed') {
    const { perSecond } = rateLimit;
    paragraphs.push(`At --rate-limit ${perSecond}/s that takes at least ${duration((requests / perSecond) * 1_000)}.`);
  }
  const lingerMs = lingerTime(options);
  if (lingerMs > WORTH_A_WORD_MS) {
    paragraphs.push(
      `A run also waits until its first animals are ${duration(lingerMs)} old, and looks again (--linger).`,
    );
  }
  if (failFast) {
    paragraphs.push('With --fail-fast a run sends less where the target violates a requirement: it ends at the first.');
  }
  paragraphs.push(
    'Counted with the same plan and seed on the embedded reference service, which answers correctly and immediately and starts with five animals. A target that throttles, shows new animals late or fails takes more requests (up to 150 to shrink one failing sample); one that holds more than a page of animals takes fewer creations.',
  );
  return `${paragraphs.join('\n\n')}\n`;
}
