import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { harReport } from './formats/har.ts';
import { htmlReport } from './formats/html.ts';
import { jsonReport } from './formats/json.ts';
import { junitReport } from './formats/junit.ts';
import { markdownReport } from './formats/markdown.ts';
import type { ExchangeEvidence, ReportFormat, RunResult } from './model/result.ts';
import { mapExchangeText, mapResultText } from './redact/redact-result.ts';

export interface WriteOptions {
  readonly formats: readonly ReportFormat[];
  /** The folder to write into; it is made where it does not exist. */
  readonly dir: string;
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string;
  /** All recorded exchanges, for the HTTP archive. */
  readonly traffic?: readonly ExchangeEvidence[];
}

export interface WrittenReport {
  readonly format: ReportFormat;
  readonly path: string;
  readonly bytes: number;
}

export type ReportErrorCode = 'report-dir' | 'report-not-writable' | 'report-no-space' | 'report-write';

/** A report that could not be written; the message names the path, the reason and what to do. */
export class ReportError extends Error {
  readonly code: ReportErrorCode;
  readonly path: string;

  constructor(code: ReportErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportError';
    this.code = code;
    this.path = path;
  }
}

const FILE_NAMES: Readonly<Record<ReportFormat, string>> = {
  junit: 'junit.xml',
  json: 'conformance.json',
  html: 'report.html',
  md: 'summary.md',
  har: 'traffic.har',
};

/** What a fault of the file system means for a report, in one line. */
export function reportError(cause: unknown, path: string): ReportError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR': {
      const message = `Reports cannot be written to ${path}: part of the path is a file, not a folder. Choose another --report-dir.`;
      return new ReportError('report-dir', path, message, { cause });
    }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS': {
      const message = `Reports cannot be written to ${path}: writing is not permitted there (${code}). Choose another --report-dir.`;
      return new ReportError('report-not-writable', path, message, { cause });
    }
    case 'ENOSPC':
    case 'EDQUOT': {
      const message = `Reports cannot be written to ${path}: no space is left (${code}). Make room or choose another --report-dir.`;
      return new ReportError('report-no-space', path, message, { cause });
    }
    default: {
      const message = `Reports cannot be written to ${path} (${code}). Choose another --report-dir.`;
      return new ReportError('report-write', path, message, { cause });
    }
  }
}

type Renderer = (result: RunResult, traffic: readonly ExchangeEvidence[]) => string;

function renderer(format: ReportFormat, dir: string): Renderer {
  switch (format) {
    case 'junit':
      return (result) => junitReport(result, dir);
    case 'json':
      return (result) => jsonReport(result);
    case 'html':
      return (result) => htmlReport(result, dir);
    case 'md':
      return (result) => markdownReport(result, dir);
    case 'har':
      return harReport;
  }
}

/**
 * A report without secrets. Every free text is redacted before it is laid out, since the layout's escapes could
 * hide a secret; then the whole text once more. The second pass is left out where a secret happens to be a word of
 * the format itself (a key such as `testcase`), which is found by redacting the same report without any free text:
 * it would break the file and could not reveal anything.
 */
function renderRedacted(
  format: ReportFormat,
  result: RunResult,
  traffic: readonly ExchangeEvidence[],
  { dir, redact }: WriteOptions,
): string {
  const render = renderer(format, redact(dir));
  const known = new Map<ExchangeEvidence, ExchangeEvidence>();
  const once = (exchange: ExchangeEvidence): ExchangeEvidence => {
    const mapped = known.get(exchange) ?? mapExchangeText(exchange, redact);
    known.set(exchange, mapped);
    return mapped;
  };
  const text = render(mapResultText(result, redact, once), traffic.map(once));
  const frame = renderer(format, '')(
    mapResultText(result, () => ''),
    [],
  );
  return redact(frame) === frame ? redact(text) : text;
}

/**
 * Writes one file as a whole or not at all.
 *
 * @returns its size in bytes
 * @throws ReportError where it cannot be written
 */
export async function writeAtomically(dir: string, name: string, text: string): Promise<number> {
  const path = join(dir, name);
  const temporary = join(dir, `.${name}.${randomUUID()}.tmp`);
  const bytes = Buffer.from(text, 'utf8');
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw reportError(cause, path);
  }
  return bytes.length;
}

/**
 * Writes the reports of a run into a folder, each as a whole or not at all: a reader never sees half a file, and two
 * runs that share a folder never mix theirs.
 *
 * @throws ReportError where the folder cannot be made or a file cannot be written.
 */
export async function writeReports(result: RunResult, options: WriteOptions): Promise<readonly WrittenReport[]> {
  try {
    await mkdir(options.dir, { recursive: true });
  } catch (cause) {
    throw reportError(cause, options.dir);
  }
  const written: WrittenReport[] = [];
  for (const format of new Set(options.formats)) {
    const text = renderRedacted(format, result, options.traffic ?? [], options);
    const name = FILE_NAMES[format];
    const bytes = await writeAtomically(options.dir, name, text);
    written.push({ format, path: join(options.dir, name), bytes });
  }
  return written;
}
