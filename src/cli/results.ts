import type { RunResult } from '../report/model/result.ts';
import { ResultFileError, readResult } from '../report/read-result.ts';
import { UsageError } from './errors.ts';

/** The result in a conformance.json. @throws UsageError where it cannot be used */
export async function readResultOf(command: string, path: string): Promise<RunResult> {
  try {
    return await readResult(path);
  } catch (error) {
    if (error instanceof ResultFileError) throw new UsageError('file-unreadable', `${command}: ${error.message}`);
    throw error;
  }
}
