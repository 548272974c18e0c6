/** A whole run: what precedes the engine, and the files that follow. */
import { resolve } from 'node:path';
import { nearMisses } from '../../reading/reading-key.ts';
import { startEmbedded } from '../../reference/embedded.ts';
import type { ReportContext } from '../../report/blocks.ts';
import { appendToHistory, type History } from '../../report/history.ts';
import { createRedactor, type Redactor, redactResult } from '../../report/redact.ts';
import type { ConformanceRun } from '../../report/result-of.ts';
import { type Written, writeReports } from '../../report/write.ts';
import type { RunProgress, RunResult } from '../../run/result.ts';
import { contextOf } from '../catalogue.ts';
import type { ConformanceOptions, Engine, RunSettings } from '../conformance-options.ts';
import { withFile } from '../errors.ts';
import { LEDGER, Ledger, openHistory, readRemembered, writeRemembered, writeReplays } from './kept-files.ts';
import { tryOutputs } from './try-outputs.ts';

/** Loads the engine. This takes a while, so the help and the other commands do without it. */
export async function loadEngine(): Promise<Engine> {
  const [{ conformance, plan, waitUntilUp }, { replay }] = await Promise.all([
    import('../engine/conformance.ts'),
    import('../engine/replay.ts'),
  ]);
  return { conformance, plan, replay, waitUntilUp };
}

interface RunParts {
  readonly loadEngine: () => Promise<Engine>;
  /** When aborted, nothing more is sent. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
}

export interface Executed {
  /** Without secrets. */
  readonly result: RunResult;
  readonly context: ReportContext;
  readonly written: Written;
  /** What could not be written, and why; printed after the verdict. */
  readonly problems: readonly string[];
}

/** Tests one target and writes the reports. @throws UsageError if a file that an option names cannot be used */
export async function execute(settings: RunSettings, parts: RunParts): Promise<Executed> {
  const { remember, replay, reportDir, token, waitForMs } = settings;
  const { signal, onProgress } = parts;
  const history = await openHistory(settings.history);
  const remembered =
    remember === undefined || settings.baseUrl === undefined ? undefined : readRemembered(remember, settings.baseUrl);
  tryOutputs(settings);
  const loading = parts.loadEngine();
  // If the service cannot be started, that error is reported instead.
  loading.catch(() => undefined);
  const embedded = settings.baseUrl === undefined ? await startEmbedded(token, settings.seed) : undefined;
  const baseUrl = settings.baseUrl ?? embedded?.baseUrl ?? '';
  // Near misses that contain the key are redacted with it.
  const near = [...nearMisses(token)].filter((key) => !key.includes(token));
  const redactor = createRedactor({ secrets: settings.secrets, nearMisses: near });
  const isEmbedded = embedded !== undefined;
  const ledger = reportDir === undefined ? undefined : new Ledger(resolve(reportDir, LEDGER), baseUrl);
  try {
    const started = performance.now();
    const options: ConformanceOptions = {
      ...settings,
      baseUrl,
      isEmbedded,
      remembered,
      signal,
      onProgress,
      onCreated: (animal) => ledger?.record({ ...animal, name: redactor.evidence(animal.name) }, isEmbedded),
    };
    const engine = await loading;
    if (waitForMs > 0 && !isEmbedded) {
      const phase = `Waiting for ${baseUrl} (up to ${waitForMs / 1_000} s)`;
      onProgress({ phase, done: 0, planned: 0, news: `${phase} …` });
      await engine.waitUntilUp(options);
    }
    const maxTimeMs = Math.max(1, Math.round(settings.maxTimeMs - (performance.now() - started)));
    const live = { ...options, maxTimeMs };
    const run =
      replay.length > 0
        ? await withFile('--replay', 'replay-invalid', () => engine.replay(replay, live))
        : await engine.conformance(live);
    onProgress({ phase: 'Writing the reports', done: 0, planned: 0 });
    return await finish(run, settings, { history, redactor, ledger });
  } finally {
    await embedded?.stop();
  }
}

interface Finishing {
  readonly history: History;
  readonly redactor: Redactor;
  readonly ledger: Ledger | undefined;
}

/** Removes secrets from the result, and writes all files. */
async function finish(
  { result: found, replays, remembered }: ConformanceRun,
  settings: RunSettings,
  { history, redactor, ledger }: Finishing,
): Promise<Executed> {
  const { reports: formats, reportDir, readOnly, remember } = settings;
  const result = redactResult({ ...found, notes: [...found.notes, ...history.damaged] }, redactor);
  const context = contextOf(reportDir ?? 'reports', history.runs);
  const dir = resolve(reportDir ?? '.');
  const written = await writeReports(result, { formats, dir, context });
  const problems = written.problems.map((problem) => `--report-dir: ${problem}`);
  const collectProblem = (option: string, writing: Promise<void>): Promise<unknown> =>
    writing.catch((error: unknown) => problems.push(`${option}: ${error instanceof Error ? error.message : error}`));
  if (reportDir !== undefined && problems.length === 0) {
    await collectProblem('--report-dir', writeReplays(dir, replays, settings.replay.length > 0, redactor));
  }
  problems.push(...(ledger?.problems ?? []));
  if (remember !== undefined && !readOnly) {
    await collectProblem('--remember', writeRemembered(remember, remembered, redactor.evidence));
  }
  if (settings.history !== undefined) await collectProblem('--history', appendToHistory(settings.history, result));
  return { result, context, written, problems };
}
