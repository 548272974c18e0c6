import { adviceOn, type FileError, fileError } from './write-file.ts';

/** A report that could not be written; the message names the path, the reason and what to do. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly code: 'report-dir' | 'report-not-writable' | 'report-no-space' | 'report-write';

  constructor(code: ReportError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const CODES: Readonly<Record<FileError['code'], ReportError['code']>> = {
  'file-dir': 'report-dir',
  'file-not-writable': 'report-not-writable',
  'file-no-space': 'report-no-space',
  'file-write': 'report-write',
};

/** What an error of the file system means for a report, in one line. */
export function reportError(cause: unknown, path: string): ReportError {
  const error = fileError(cause, path);
  const message = `Reports cannot be written to ${path}: ${error.why}. ${adviceOn(error)} another --report-dir.`;
  return new ReportError(CODES[error.code], message, { cause });
}
