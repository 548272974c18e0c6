import { FileError } from '../../report/files.ts';
import type { RunResult } from '../../report/model/result.ts';
import { readResult } from '../../report/read-result.ts';
import { UsageError } from '../errors.ts';

/** The result that a command was given. @throws UsageError where it cannot be read */
export async function readResultOf(command: string, path: string): Promise<RunResult> {
  try {
    return await readResult(path);
  } catch (error) {
    throw error instanceof FileError ? new UsageError('file-unreadable', `${command}: ${error.message}`) : error;
  }
}
