/** What a run found is told even where its reports cannot be written. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitHubJob } from '../../report/github-job.ts';
import type { RunConformance } from '../api/conformance-options.ts';
import { runConformance } from '../api/run-conformance.ts';
import { PROGRAM, runIn } from './program.fixture.ts';
import { runCommand } from './run.ts';
import {
  Captured,
  FakeSignals,
  mainHere,
  newFolder,
  quickOptions,
  resultIn,
  serviceWith,
} from './run-in-process.fixture.ts';

/** A report folder in which a folder stands where a report belongs. */
function blocked(report: string): string {
  const dir = newFolder();
  mkdirSync(join(dir, report, 'taken'), { recursive: true });
  return dir;
}

test('an error that nothing catches ends the run with the reports so far, and with 2', async () => {
  const dir = newFolder();
  const failing = "data:text/javascript,setTimeout(() => { throw new Error('out of nowhere'); }, 1_500)";
  const run = [PROGRAM, '--profile', 'thorough', '--report-dir', dir];
  const { code, printed } = await runIn(dir, process.execPath, '--import', failing, ...run);
  expect(code).toBe(2);
  expect(printed).toMatch(/^out of nowhere\n/m);
  expect(resultIn(dir)).toMatchObject({ run: { interrupted: 'abort' } });
});

test('a run whose report cannot be written tells its violations and then why, with 2', async () => {
  const { baseUrl } = await serviceWith(['limit-plus-one']);
  const options = ['--only', 'LIST-2', '--profile', 'smoke', '--report-dir', blocked('report.html')];
  const { code, printed } = await mainHere('--base-url', baseUrl, ...options);
  expect(code).toBe(2);
  expect(printed).toContain('Does not conform: 1 requirement is violated (LIST-2).');
  expect(printed).not.toContain('Reports in');
  expect(printed).not.toContain('internal error');
  expect(printed).toMatch(/--report-dir: Reports cannot be written to .*report\.html: .*another --report-dir\.\n/);
});

describe('the working folder', () => {
  test('that is removed before the run is named in one line', async () => {
    const removed = `rmdir "$PWD" && exec "${process.execPath}" "${PROGRAM}" --report-dir "${newFolder()}"`;
    expect(await runIn(newFolder(), 'sh', '-c', removed)).toMatchObject({
      code: 2,
      printed: 'The working folder does not exist any more; change to another one.\n',
    });
  });

  test('that is removed during the run takes the reports with it, and no verdict', async () => {
    const gone = newFolder();
    // Nothing is created before the checks have begun.
    const { baseUrl } = await serviceWith([], {}, (steps) => ({
      ...steps,
      store: (pet, call) => {
        rmSync(gone, { recursive: true, force: true });
        steps.store(pet, call);
      },
    }));
    const { code, printed } = await runIn(gone, process.execPath, PROGRAM, '-u', baseUrl, '--only', 'GET-2');
    expect(code).toBe(2);
    expect(printed).toContain('Conforms');
    expect(printed).not.toMatch(/internal error|maintainers/i);
    expect(printed).toMatch(/--report-dir: Reports cannot be written to reports: the folder does not exist any more/);
  });
});

/** Judges as usual, and does something else when the checks begin. */
const atStart =
  (act: () => void): RunConformance =>
  (given = {}) =>
    runConformance({
      ...given,
      onEvent: (event) => {
        if (event.type === 'phase-started' && event.phase === 'starting') act();
        given.onEvent?.(event);
      },
    });

test('a run that cannot be added to its history tells its verdict, and writes its reports', async () => {
  const home = newFolder();
  const screen = Object.assign(new Captured(), { columns: 120 });
  const history = join(home, 'history.jsonl');
  const options = quickOptions(undefined, { only: ['GET-2'], output: 'normal', reports: ['json'], history });
  const machinery = {
    runConformance: atStart(() => rmSync(home, { recursive: true })),
    signals: new FakeSignals(),
  };
  const running = runCommand([options], { stdout: screen, stderr: screen }, machinery);
  await expect(running).rejects.toMatchObject({ name: 'UsageError', code: 'file-unwritable' });
  expect(screen.text).toContain('Conforms');
  expect(resultIn(options.reportDir).verdict).toBe('conforms');
});

test('a run that its user ended, and that cannot write its reports, says both', async () => {
  const signals = new FakeSignals();
  const screen = Object.assign(new Captured(), { columns: 120 });
  const options = quickOptions(undefined, { only: ['GET-2'], output: 'normal', reportDir: blocked('report.html') });
  const machinery = { runConformance: atStart(() => signals.send('SIGINT')), signals };
  const code = await runCommand([options], { stdout: screen, stderr: screen }, machinery);
  expect(code).toBe(130);
  expect(screen.text).toContain('Interrupted');
  expect(screen.text).toContain('--report-dir: Reports cannot be written to');
});

test('in a job of GitHub Actions the page has the verdict even so', async () => {
  const summary = join(newFolder(), 'summary-of-job.md');
  const screen = new Captured();
  const options = quickOptions(undefined, { only: ['GET-2'], reportDir: blocked('report.html') });
  const streams = { stdout: screen, stderr: screen, github: new GitHubJob(summary) };
  const machinery = { runConformance, signals: new FakeSignals() };
  await expect(runCommand([options], streams, machinery)).rejects.toMatchObject({ code: 'file-unwritable' });
  expect(readFileSync(summary, 'utf8')).toContain('Pet Store conformance: conforms');
});

test('several targets whose common page cannot be written are told side by side first', async () => {
  const { baseUrl } = await serviceWith();
  const urls = [baseUrl, baseUrl.replace('127.0.0.1', 'localhost')];
  const dir = blocked('matrix.html');
  const targets = urls.flatMap((url) => ['--base-url', url]);
  const { code, printed } = await mainHere(...targets, '--only', 'GET-2', '--report', 'html', '--report-dir', dir);
  expect(code).toBe(2);
  expect(printed).toContain('Targets:');
  expect(printed).toMatch(/--report-dir: Reports cannot be written to .*matrix\.html/);
});

test('a matrix of faults whose page cannot be written tells its summary first', async () => {
  const dir = blocked('faults.html');
  const only = ['--only', 'limit-plus-one', '--profile', 'smoke', '--jobs', '1'];
  const { code, printed } = await mainHere('faults', '--run', ...only, '--report-dir', dir);
  expect(code).toBe(2);
  expect(printed).toContain('1 killed by their own check');
  expect(printed).toMatch(/--report-dir: Reports cannot be written to .*faults\.html/);
});
