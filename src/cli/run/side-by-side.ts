import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { renderMatrix } from '../../report/formats/matrix.ts';
import type { RunResult } from '../../report/model/result.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { mapResultText } from '../../report/redact/redact-result.ts';
import { writeMatrix } from '../../report/write.ts';
import type { RunOptions } from '../run-options.ts';
import { terminalColumns } from '../terminal.ts';
import { secretsOf } from './secrets.ts';
import { folderFor } from './target-folder.ts';

/**
 * Shows several targets side by side: prints the matrix, and writes its page where HTML reports are written.
 * @throws ReportError where the page cannot be written
 */
export async function showSideBySide(
  results: readonly RunResult[],
  targets: readonly RunOptions[],
  stdout: NodeJS.WritableStream,
): Promise<void> {
  const [first] = targets;
  const redact = createRedactor(targets.flatMap((options) => secretsOf(options, PET_STORE_OUTLINE)));
  const redacted = results.map((result) => mapResultText(result, redact));
  stdout.write(redact(`\n${renderMatrix(redacted, terminalColumns(stdout))}\n`));
  if (first === undefined || !first.reports.includes('html')) return;
  const folders = results.map((result) => ({ result, folder: folderFor(result.target.baseUrl) }));
  const { description: service } = PET_STORE_OUTLINE;
  const path = await writeMatrix(folders, { dir: first.reportDir, service, redact });
  stdout.write(redact(`Side by side in ${path}\n`));
}
