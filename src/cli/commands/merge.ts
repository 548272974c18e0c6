import type { Writable } from 'node:stream';
import { PET_STORE } from '../../petstore/description.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import type { GitHubJob } from '../../report/github-job.ts';
import { mergeResults } from '../../report/merge/merge.ts';
import { MergeError } from '../../report/merge/merge-error.ts';
import { writeReports } from '../../report/write.ts';
import { UsageError } from '../errors.ts';
import { terminalColumns } from '../terminal.ts';
import type { Command } from './command.ts';
import { filesOf, type StoredResult, withFiles, writeFiles } from './merged-files.ts';
import { openHistory } from './stored-history.ts';
import { readResultOf } from './stored-result.ts';
import { unwritable } from './unwritable.ts';

/** Merges the results of shards into one, reports it, and returns its exit code. */
export async function merge(
  command: Extract<Command, { kind: 'merge' }>,
  stdout: Writable,
  github?: GitHubJob,
): Promise<number> {
  const { files, reports: formats, reportDir, color, history } = command;
  const opened = history === undefined ? undefined : await openHistory(history);
  const stored: StoredResult[] = [];
  for (const file of files) stored.push({ file, result: await readResultOf('merge', file) });
  try {
    const merged = mergeResults(stored.map(({ result }) => result));
    const beside = await filesOf(merged, stored);
    const whole = withFiles(merged, beside);
    const result = { ...whole, notes: [...whole.notes, ...(opened?.damaged ?? [])] };
    const service = PET_STORE;
    // What a result holds was redacted when it was written.
    const writing = { dir: reportDir, redact: (text: string) => text, service, history: opened?.runs };
    await writeReports(result, { ...writing, formats });
    await opened?.add(result, writing.redact);
    await writeFiles(beside, reportDir);
    const look = { color, output: 'normal', columns: terminalColumns(stdout) } as const;
    const report = terminalReport(result, { service, ...look, reportDir, written: true });
    await github?.add(result, writing);
    stdout.write(github === undefined ? report : `${github.begin()}${report}${github.end()}`);
    return result.exitCode;
  } catch (error) {
    if (error instanceof MergeError) throw new UsageError('results-differ', `merge: ${error.message}`);
    throw unwritable(error);
  }
}
