import { FileError } from '../../report/files.ts';
import { UsageError } from '../errors.ts';

/** A report that cannot be written, as an error about `--report-dir`; any other error as it is. */
export const unwritable = (error: unknown): unknown =>
  error instanceof FileError
    ? new UsageError('file-unwritable', `--report-dir: ${error.message}`, { cause: error })
    : error;
