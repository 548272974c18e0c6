/** Writes the reports of a run into a folder. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNotWritten, writeAtomically } from '../result/files.ts';
import type { RunResult } from '../result/result.ts';
import type { ReportContext } from './blocks.ts';
import { documentOf } from './document.ts';
import { FORMATS, type ReportFormat } from './formats.ts';
import { htmlPage } from './html/page.ts';
import { junitXml } from './junit.ts';
import { markdownOf } from './markdown.ts';

/** The result as it is, described by spec/conformance.schema.json. */
export const jsonText = (result: RunResult): string => `${JSON.stringify(result, undefined, 2)}\n`;

const WRITERS: Readonly<Record<ReportFormat, (result: RunResult, context: ReportContext) => string>> = {
  junit: junitXml,
  json: jsonText,
  html: (result, context) => htmlPage(documentOf(result, context)),
  md: (result, context) => markdownOf(documentOf(result, context)),
};

export interface Written {
  /** The names of the files, in order. */
  readonly files: readonly string[];
  /** What could not be written, and why: `reports/junit.xml cannot be written: no space is left (ENOSPC)`. */
  readonly problems: readonly string[];
}

/**
 * Writes the reports, each as a whole or not at all: a reader never sees half a file, and two runs that share a folder
 * never mix their files. An error of the file system is returned as a problem, and the other files are written.
 *
 * @param result without secrets
 * @param dir the absolute path of `context.reportDir`
 */
export async function writeReports(
  result: RunResult,
  {
    formats,
    dir,
    context,
  }: { readonly formats: readonly ReportFormat[]; readonly dir: string; readonly context: ReportContext },
): Promise<Written> {
  const [files, problems]: [string[], string[]] = [[], []];
  const fail = (path: string) => (cause: unknown) => {
    problems.push(`${path} cannot be written: ${whyNotWritten(cause)}; choose another --report-dir`);
  };
  if (formats.length === 0) return { files, problems };
  await mkdir(dir, { recursive: true }).catch(fail(context.reportDir));
  for (const format of problems.length > 0 ? [] : new Set(formats)) {
    const file = FORMATS[format];
    const write = writeAtomically(join(dir, file), WRITERS[format](result, context));
    await write.then(() => files.push(file), fail(join(context.reportDir, file)));
  }
  return { files, problems };
}

/** The last line of a report: `Reports in reports/: junit.xml, report.html`. */
export function reportsLine({ files }: Written, { reportDir }: Pick<ReportContext, 'reportDir'>): string | undefined {
  return files.length === 0 ? undefined : `Reports in ${reportDir.replace(/\/*$/, '/')}: ${files.join(', ')}`;
}
