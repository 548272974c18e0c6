import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { renderMatrix } from '../../report/formats/matrix.ts';
import type { RunResult } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import { writeMatrix } from '../../report/write.ts';
import { unwritable } from '../commands/unwritable.ts';
import type { RunOptions } from '../run-options.ts';
import { terminalColumns } from '../terminal.ts';
import { redactorOf } from './redactor.ts';

/** One of several targets, once it is judged. */
export interface JudgedTarget {
  readonly result: RunResult;
  /** Where its reports are, in the report folder. */
  readonly folder: string;
}

/**
 * Shows several targets side by side: prints the matrix, but with --quiet, and writes its page where HTML is written.
 * @throws UsageError where the page cannot be written
 */
export async function showSideBySide(
  judged: readonly JudgedTarget[],
  targets: readonly RunOptions[],
  stdout: NodeJS.WritableStream,
): Promise<void> {
  const [first] = targets;
  const redact = redactorOf(...targets);
  const isQuiet = first?.output === 'quiet';
  if (!isQuiet) {
    const redacted = judged.map(({ result }) => withTexts(result, redact));
    stdout.write(redact(`\n${renderMatrix(redacted, terminalColumns(stdout))}\n`));
  }
  if (first === undefined || !first.reports.includes('html')) return;
  const { description: service } = PET_STORE_OUTLINE;
  const path = await writeMatrix(judged, { dir: first.reportDir, service, redact }).catch((error: unknown) => {
    throw unwritable(error);
  });
  if (!isQuiet) stdout.write(redact(`Side by side in ${path}\n`));
}
