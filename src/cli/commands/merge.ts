import type { Writable } from 'node:stream';
import { terminalReport } from '../../report/formats/terminal.ts';
import { MergeError, mergeResults } from '../../report/merge.ts';
import type { RunResult } from '../../report/model/result.ts';
import { ReportError, writeReports } from '../../report/write.ts';
import { UsageError } from '../errors.ts';
import { readResultOf } from '../results.ts';
import type { Command } from './command.ts';

/** Makes one result of the shards of a run, reports it, and answers with its exit code. */
export async function merge(command: Extract<Command, { kind: 'merge' }>, stdout: Writable): Promise<number> {
  const shards: RunResult[] = [];
  for (const file of command.files) shards.push(await readResultOf('merge', file));
  try {
    const result = mergeResults(shards);
    // What a result holds was redacted when it was written.
    await writeReports(result, { formats: command.reports, dir: command.reportDir, redact: (text) => text });
    const { color, reportDir } = command;
    stdout.write(terminalReport(result, { color, output: 'normal', reportDir, written: true }));
    return result.exitCode;
  } catch (error) {
    if (error instanceof MergeError) throw new UsageError('results-differ', `merge: ${error.message}`);
    if (error instanceof ReportError) throw new UsageError('file-unwritable', `--report-dir: ${error.message}`);
    throw error;
  }
}
