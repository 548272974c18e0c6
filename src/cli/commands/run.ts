import { randomUUID } from 'node:crypto';
import { Stopped } from '../../http/network.ts';
import type { Document } from '../../report/blocks.ts';
import { documentOf } from '../../report/document.ts';
import { addSummary, annotations, beginLog, endLog } from '../../report/github.ts';
import { terminalText } from '../../report/terminal.ts';
import { reportsLine } from '../../report/write.ts';
import { targetName } from '../../result/result.ts';
import { PROFILES } from '../../run/budget.ts';
import { count } from '../../text.ts';
import type { RunSettings } from '../engine.ts';
import { UsageError } from '../errors.ts';
import { creationBudget, runSettings } from '../options/run-settings.ts';
import { RUN_OPTIONS } from '../options/tables.ts';
import { confirmCreations } from '../run/confirm.ts';
import { type Executed, execute } from '../run/execute.ts';
import { INTERRUPT_EXIT_CODES, listenForInterrupts } from '../run/interruption.ts';
import { progressFor, table, viewOf } from '../terminal.ts';
import { type Context, command } from './command.ts';

/** Tests a target; the default command. */
export const runCommand = command({
  name: 'run',
  summary: 'Black-box tests for any Pet Store service, covering its whole specification.',
  options: RUN_OPTIONS,
  perform: async (values, _args, context) => {
    const { environment, stdout } = context;
    const settings = await runSettings(values, context);
    context.secrets.push(...settings.secrets);
    if (settings.dryRun) return dryRun(settings, context);
    const github = environment['GITHUB_ACTIONS'] === 'true' ? randomUUID() : undefined;
    if (github !== undefined) stdout.write(beginLog(github));
    let notes = '';
    try {
      const { code, document } = await run(settings, context);
      const page = environment['GITHUB_STEP_SUMMARY'];
      if (github !== undefined && document !== undefined) {
        notes = annotations(document) + (page === undefined ? '' : await addSummary(document, page));
      }
      return code;
    } finally {
      if (github !== undefined) stdout.write(endLog(github, notes));
    }
  },
});

interface Ended {
  /** 0 conforms · 1 violations · 2 an error · 3 no verdict · 129, 130 or 143 if the user ended the run. */
  readonly code: number;
  readonly document?: Document;
}

async function run(settings: RunSettings, context: Context): Promise<Ended> {
  const { stderr, signals, environment } = context;
  let hasBegun = false;
  const areReportsDue = (): boolean => hasBegun && settings.reports.length > 0;
  const interruption = listenForInterrupts(stderr, signals, environment, areReportsDue);
  try {
    await confirmCreations(settings, context, interruption);
    hasBegun = true;
    const executed = await executeWithProgress(settings, context, interruption.signal);
    const document = report(executed, settings, context);
    const { exitCode } = executed.result;
    const code = executed.problems.length === 0 || exitCode === 1 ? exitCode : 2;
    return { document, code: interruption.endedBy === undefined ? code : INTERRUPT_EXIT_CODES[interruption.endedBy] };
  } catch (error) {
    // The run ended before it had a result, or at a question.
    const isEnd = error instanceof Stopped || error instanceof UsageError;
    if (interruption.endedBy === undefined || !isEnd) throw error;
    return { code: INTERRUPT_EXIT_CODES[interruption.endedBy] };
  } finally {
    interruption.end();
  }
}

/** Carries out a run, with its progress on standard error. */
async function executeWithProgress(settings: RunSettings, context: Context, signal: AbortSignal): Promise<Executed> {
  context.stdout.write(aboutRun(settings));
  const progress = progressFor(settings, context);
  signal.addEventListener('abort', progress.finish, { once: true });
  try {
    const onProgress: typeof progress.update = (state) => {
      if (!signal.aborted) progress.update(state);
    };
    return await execute(settings, { loadEngine: context.loadEngine, signal, onProgress });
  } finally {
    signal.removeEventListener('abort', progress.finish);
    progress.finish();
  }
}

/** What a run is about to do, where that is not what the user has just typed. */
function aboutRun(settings: RunSettings): string {
  const { baseUrl, replay, embedded, seed, profile } = settings;
  // So that nobody mistakes the verdict for one on their own service.
  const why = embedded || replay !== undefined ? '' : ', as no --base-url is given';
  const reference = baseUrl === undefined ? `Testing the embedded reference service${why}.\n` : '';
  // Without a finding, nothing is sent.
  if (replay === undefined || replay.findings.length === 0) return reference;
  const { target } = replay;
  const isOther = target.embedded ? baseUrl !== undefined : baseUrl !== target.baseUrl;
  const other = `The result is of ${targetName({ target })}; this run tests ${baseUrl ?? 'the embedded service'}.\n`;
  return `${reference}Running again with seed ${seed}, ${profile}: ${mostOf(settings)}.\n${isOther ? other : ''}`;
}

/** The bounds of a run, in words. */
const mostOf = (settings: RunSettings): string =>
  `up to ${count(PROFILES[settings.profile].requests, 'request')} and ${count(creationBudget(settings), 'animal')}`;

/** Prints the report, and after it what could not be written. */
function report({ result, context, written, problems }: Executed, settings: RunSettings, terminal: Context): Document {
  const document = documentOf(result, context);
  const options = { ...viewOf(settings, terminal), reports: reportsLine(written, context) };
  terminal.stdout.write(terminalText(document, options));
  for (const problem of problems) terminal.stderr.write(`${problem}\n`);
  return document;
}

/** Prints what a run would send and create; nothing is sent. */
async function dryRun(settings: RunSettings, context: Context): Promise<number> {
  // What is sent does not depend on the host.
  const { baseUrl = 'http://127.0.0.1/v1' } = settings;
  const { plannedOperations } = await context.loadEngine();
  const { signal } = new AbortController();
  const plan = plannedOperations({ ...settings, baseUrl, remembered: [], signal, onEvent: () => {} });
  const sumOf = (of: 'requests' | 'creations'): number => plan.reduce((sum, one) => sum + one[of], 0);
  const total = { operation: 'total', requests: sumOf('requests'), creations: sumOf('creations') };
  const rows = [...plan, total].map(({ operation, requests, creations }) => [operation, `${requests}`, `${creations}`]);
  const text = table([['operation', 'requests', 'may create'], ...rows], [1, 2]);
  context.stdout.write(
    `Nothing was sent. A run would send:\n\n${text}\n` +
      `Requests that depend on responses come on top, ${mostOf(settings)} in all.\n`,
  );
  return 0;
}
