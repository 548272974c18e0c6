import { randomUUID } from 'node:crypto';
import { PROFILES } from '../../engine/budget.ts';
import { Stopped } from '../../http/network.ts';
import type { Document } from '../../report/blocks.ts';
import { documentOf } from '../../report/document.ts';
import { addSummary, annotations, beginLog, endLog } from '../../report/github.ts';
import { createProgress } from '../../report/progress.ts';
import { terminalText } from '../../report/terminal.ts';
import { count } from '../../report/text.ts';
import { reportsLine } from '../../report/write.ts';
import { UsageError } from '../errors.ts';
import { creationBudget, type RunSettings, type RunValues, runSettings } from '../options/run-settings.ts';
import { RUN_OPTIONS } from '../options/tables.ts';
import { confirmCreations } from '../run/confirm.ts';
import { type Executed, execute } from '../run/execute.ts';
import { INTERRUPT_EXIT_CODES, type Interruption, interruptedBy, listenForInterrupts } from '../run/interruption.ts';
import { isContinuousIntegration, table, type View, viewOf } from '../view.ts';
import { type Context, command } from './command.ts';

/** Tests a target: what the program does where no other command is named. */
export const runCommand = command({
  name: 'run',
  summary: 'Black-box tests for any Pet Store service, covering its whole specification.',
  options: RUN_OPTIONS,
  perform: async (values, _args, context) => {
    const { environment, testsEmbedded, secrets } = context;
    const settings = await runSettings(values, values.reportDir ?? context.reportDir, { environment, testsEmbedded });
    secrets.push(...settings.secrets);
    if (values.dryRun) return dryRun(settings, context);
    const github = environment['GITHUB_ACTIONS'] === 'true' ? randomUUID() : undefined;
    if (github !== undefined) context.stdout.write(beginLog(github));
    let notes = '';
    try {
      const { code, document } = await run(settings, values, context);
      const page = environment['GITHUB_STEP_SUMMARY'];
      if (github !== undefined && document !== undefined) {
        notes = annotations(document) + (page === undefined ? '' : await addSummary(document, page));
      }
      return code;
    } finally {
      if (github !== undefined) context.stdout.write(endLog(github, notes));
    }
  },
});

interface Ended {
  /** 0 conforms · 1 violations · 2 an error · 3 no verdict · 129, 130 or 143 where the user ended the run. */
  readonly code: number;
  readonly document?: Document;
}

async function run(settings: RunSettings, values: RunValues, context: Context): Promise<Ended> {
  const { stderr, signals, environment } = context;
  let hasBegun = false;
  const areReportsDue = (): boolean => hasBegun && settings.reports.length > 0;
  const interruption = listenForInterrupts(stderr, signals, environment, areReportsDue);
  try {
    await confirm(settings, values, context, interruption);
    hasBegun = true;
    const executed = await shown(settings, viewOf(values, context), context, interruption);
    const document = report(executed, viewOf(values, context), context);
    const [problem] = executed.problems;
    const code = problem === undefined ? executed.result.exitCode : 2;
    return { document, code: interruption.by === undefined ? code : INTERRUPT_EXIT_CODES[interruption.by] };
  } catch (error) {
    // Before it had a result, or where the user ended the run at a question.
    const isEnd = error instanceof Stopped || error instanceof UsageError;
    if (interruption.by === undefined || !isEnd) throw error;
    return { code: INTERRUPT_EXIT_CODES[interruption.by] };
  } finally {
    interruption.end();
  }
}

async function confirm({ baseUrl, engine }: RunSettings, { yes }: RunValues, context: Context, end: Interruption) {
  const { stdin, stdout, environment } = context;
  const mayAsk = !yes && stdout.isTTY === true && stdin?.isTTY === true && !isContinuousIntegration(environment);
  if (!mayAsk || baseUrl === undefined || stdin === undefined) return;
  const onInterrupt = (): void => end.interrupt('SIGINT');
  await confirmCreations(baseUrl, creationBudget(engine), { stdin, stdout, onInterrupt });
}

/** Carries a run out, with its progress on standard error. */
async function shown(settings: RunSettings, view: View, context: Context, end: Interruption): Promise<Executed> {
  const { stdout, stderr, loadEngine } = context;
  // Nobody must take the verdict on the embedded service for one on their own.
  if (settings.baseUrl === undefined) {
    const why = settings.isAskedFor ? '' : ', as no --base-url is given';
    stdout.write(`Testing the embedded reference service${why}.\n`);
  }
  const { interactive, progressColor, output } = view;
  const progress = createProgress({ stream: stderr, interactive, color: progressColor, quiet: output === 'quiet' });
  const { signal } = end;
  signal.addEventListener('abort', progress.finish, { once: true });
  try {
    const onProgress: typeof progress.update = (state) => {
      if (!signal.aborted) progress.update(state);
    };
    return await execute(settings, { loadEngine, signal, interruptedBy: () => interruptedBy(end), onProgress });
  } finally {
    signal.removeEventListener('abort', progress.finish);
    progress.finish();
  }
}

/** Prints what a run found, and after the verdict what could not be written. */
function report({ result, context, written, problems }: Executed, view: View, { stdout, stderr }: Context): Document {
  const document = documentOf(result, context);
  stdout.write(terminalText(document, { ...view, reports: reportsLine(written, context) }));
  for (const problem of problems) stderr.write(`${problem}\n`);
  return document;
}

/** Prints what would be sent for each requirement; nothing is sent. */
async function dryRun({ baseUrl = '', engine: options }: RunSettings, context: Context): Promise<number> {
  const engine = await context.loadEngine();
  const { signal } = new AbortController();
  const plan = await engine.plan({ ...options, baseUrl, isEmbedded: baseUrl === '', signal });
  const stages = [...new Set(plan.flatMap(({ requests }) => Object.keys(requests)))];
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
  const rows = plan.map(({ id, requests }) => [id, ...stages.map((stage) => requests[stage] ?? 0)] as const);
  const totals = stages.map((_, at) => sumOf(rows.map((row) => Number(row[at + 1] ?? 0))));
  const cells = [['requirement', ...stages], ...rows, ['total', ...totals]].map((row) => row.map(String));
  const figures = stages.map((_, at) => at + 1);
  const most = `at most ${count(PROFILES[options.profile].requests, 'request')} and ${count(creationBudget(options), 'animal')}`;
  context.stdout.write(
    `Dry run: nothing was sent.\n\n${table(cells, figures)}\n` +
      `${count(sumOf(totals), 'request')} from tables. Random ones, and those that follow from responses, come on top: ` +
      `${most} in all.\n`,
  );
  return 0;
}
