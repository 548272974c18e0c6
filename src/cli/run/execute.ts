/** A whole run, with the files that it reads before and writes after it. */
import { resolve } from 'node:path';
import { nearMisses } from '../../reading/reading-key.ts';
import { startEmbedded } from '../../reference/embedded.ts';
import type { ReportContext } from '../../report/blocks.ts';
import { createRedactor, redactResult } from '../../report/redact.ts';
import { type Written, writeReports } from '../../report/write.ts';
import { appendToHistory, type RunRecord, readHistory } from '../../result/history.ts';
import type { RunResult } from '../../result/result.ts';
import type { OnEvent } from '../../run/events.ts';
import type { RunProgress } from '../../run/state.ts';
import type { Engine, RunSettings } from '../engine.ts';
import { withFile } from '../errors.ts';
import { kindOf } from '../options/files.ts';
import { LEDGER, Ledger, rememberedIn } from './ledger.ts';
import { tryOutputs } from './try-outputs.ts';

/** Loads what tests a target. This takes a while, so the help and the other commands do without it. */
export async function loadEngine(): Promise<Engine> {
  const [{ conformance }, { plannedOperations }] = await Promise.all([
    import('../../result/conformance.ts'),
    import('../../run/dry-run.ts'),
  ]);
  return { conformance, plannedOperations };
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
  const { remember, reportDir, token } = settings;
  const { signal, onProgress } = parts;
  const history = await openHistory(settings.history);
  const remembered =
    remember === undefined || settings.baseUrl === undefined ? [] : rememberedIn(remember, settings.baseUrl);
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
  const file = remember ?? (reportDir === undefined ? undefined : resolve(reportDir, LEDGER));
  const ledger = file === undefined ? undefined : new Ledger(file, baseUrl, redactor.evidence, isEmbedded);
  const onEvent: OnEvent = (event) => {
    if (event.kind === 'progress') onProgress(event.progress);
    if (event.kind === 'created') ledger?.record(event);
  };
  try {
    const { conformance } = await loading;
    const found = await conformance({ ...settings, baseUrl, isEmbedded, remembered, signal, onEvent });
    onProgress({ phase: 'Writing the reports', done: 0, planned: 0, sent: 0 });
    const hasResult = reportDir !== undefined && settings.reports.includes('json');
    const context = { reportDir: reportDir ?? 'reports', history, hasResult };
    const executed = await finish(redactResult(found, redactor), context, settings);
    return { ...executed, problems: [...executed.problems, ...(ledger?.problems ?? [])] };
  } finally {
    await embedded?.stop();
  }
}

/** The earlier runs in the history that an option names, if it exists yet. @throws UsageError if it cannot be read */
async function openHistory(path: string | undefined): Promise<readonly RunRecord[]> {
  if (path === undefined || kindOf(path) === 'missing') return [];
  return withFile('--history', 'file-unreadable', () => readHistory(path));
}

/** Writes the reports of a result without secrets, and adds it to the history. */
async function finish(result: RunResult, context: ReportContext, settings: RunSettings): Promise<Executed> {
  const { reports: formats, reportDir, history } = settings;
  const written = await writeReports(result, { formats, dir: resolve(reportDir ?? '.'), context });
  const problems = written.problems.map((problem) => `--report-dir: ${problem}`);
  if (history !== undefined)
    await appendToHistory(history, result).catch((error: unknown) =>
      problems.push(`--history: ${error instanceof Error ? error.message : error}`),
    );
  return { result, context, written, problems };
}
