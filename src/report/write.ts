import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { reportError, writeAtomically } from './files.ts';
import { badgeReport } from './formats/badge.ts';
import { harReport } from './formats/har.ts';
import { htmlReport } from './formats/html/report.ts';
import { targetPage } from './formats/html/target-page.ts';
import { junitReport } from './formats/junit.ts';
import { markdownReport } from './formats/markdown.ts';
import { recordOf } from './history/record-of.ts';
import type { ExchangeEvidence } from './model/evidence.ts';
import type { ReportFormat, RunResult } from './model/result.ts';
import type { RunRecord } from './model/run-record.ts';
import type { ServiceDescription } from './model/service.ts';
import { withTexts } from './redact/redact-result.ts';
import { type ReportView, viewOf } from './view.ts';

export interface RenderOptions {
  /** The folder of the reports; it is created where it does not exist. */
  readonly dir: string;
  readonly service: ServiceDescription;
  /** Removes every secret from a text. */
  readonly redact: (text: string) => string;
  /** All recorded exchanges, for the HTTP archive. */
  readonly traffic?: readonly ExchangeEvidence[];
  /** Earlier runs, of any target, where a history is kept. */
  readonly history?: readonly RunRecord[] | undefined;
}

export interface WriteOptions extends RenderOptions {
  readonly formats: readonly ReportFormat[];
}

type Renderer = (view: ReportView, traffic: readonly ExchangeEvidence[]) => string;

const FORMATS: Readonly<Record<ReportFormat, { readonly file: string; readonly render: Renderer }>> = {
  junit: { file: 'junit.xml', render: junitReport },
  json: { file: 'conformance.json', render: jsonReport },
  html: { file: 'report.html', render: htmlReport },
  md: { file: 'summary.md', render: (view) => markdownReport(view) },
  badge: { file: 'badge.json', render: badgeReport },
  har: { file: 'traffic.har', render: harReport },
};

/** The result as it is, described by spec/conformance.schema.json. */
export function jsonReport({ result }: ReportView): string {
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

/**
 * The function that renders a report without secrets. Every free text is redacted before it is laid out, since the
 * layout's escapes could hide a secret; then the whole text once more. The second pass is left out where a secret
 * happens to be a word of the format itself (a key such as `testcase`), which is found by redacting the same report
 * without any free text: it would break the file and could not reveal anything.
 */
export function redactedRenderer(result: RunResult, options: RenderOptions): (render: Renderer) => string {
  const { dir, redact, service, traffic, history } = options;
  const redacted = withTexts({ result, traffic: traffic ?? [] }, redact);
  const last = recordOf(redacted.result);
  const runs = history && [...history.filter(({ target }) => target === last.target), last];
  const view = viewOf(redacted.result, { service, reportDir: redact(dir), history: runs });
  const frame = () =>
    viewOf(
      withTexts(result, () => ''),
      { service, reportDir: '' },
    );
  return (render) => redactedAgain(render(view, redacted.traffic), () => render(frame(), []), redact);
}

/** The second pass over a report; `frame` renders it without any free text. */
function redactedAgain(text: string, frame: () => string, redact: WriteOptions['redact']): string {
  const again = redact(text);
  if (again === text) return text;
  const bare = frame();
  return redact(bare) === bare ? again : text;
}

/** Writes one report as a whole or not at all. @throws FileError where it cannot be written */
export async function writeReport(dir: string, name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await writeAtomically(path, text).catch((cause: unknown) => {
    throw reportError(cause, path);
  });
  return path;
}

/**
 * Writes the page that shows several targets side by side, into the folder that has a folder for each.
 *
 * @returns its path
 * @throws FileError where it cannot be written
 */
export async function writeMatrix(
  targets: readonly { readonly result: RunResult; readonly folder: string }[],
  { dir, service, redact }: Pick<WriteOptions, 'dir' | 'service' | 'redact'>,
): Promise<string> {
  const rendered = (map: (text: string) => string): string => {
    const compared = targets.map(({ result, folder }) => ({
      result: withTexts(result, map),
      report: `${encodeURIComponent(map(folder))}/${FORMATS.html.file}`,
    }));
    return targetPage(compared, service);
  };
  return writeReport(
    dir,
    'matrix.html',
    redactedAgain(rendered(redact), () => rendered(() => ''), redact),
  );
}

/**
 * Writes the reports of a run into a folder, each as a whole or not at all: a reader never sees half a file, and two
 * runs that share a folder never mix theirs.
 *
 * @returns their paths
 * @throws FileError where the folder cannot be created or a file cannot be written
 */
export async function writeReports(result: RunResult, options: WriteOptions): Promise<readonly string[]> {
  const { dir, formats } = options;
  await mkdir(dir, { recursive: true }).catch((cause: unknown) => {
    throw reportError(cause, dir);
  });
  const rendered = redactedRenderer(result, options);
  const paths: string[] = [];
  for (const format of new Set(formats)) {
    const { file, render } = FORMATS[format];
    paths.push(await writeReport(dir, file, rendered(render)));
  }
  return paths;
}
