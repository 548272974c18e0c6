import { FileError } from '../../report/files.ts';
import { appendToHistory, type History, historyLine, readHistory } from '../../report/history/history-file.ts';
import type { RunResult } from '../../report/model/result.ts';
import { UsageError } from '../errors.ts';

/** The history that an option names. @throws UsageError where it cannot be read */
export async function readHistoryOf(source: string, path: string): Promise<History> {
  try {
    return await readHistory(path);
  } catch (error) {
    throw error instanceof FileError ? new UsageError('file-unreadable', `${source}: ${error.message}`) : error;
  }
}

/** A history that a run is added to. */
export interface OpenHistory extends History {
  /** Adds a run to it, without secrets. @throws UsageError where it cannot be written */
  add(result: RunResult, redact: (text: string) => string): Promise<void>;
}

/** Opens a history, which need not exist yet. @throws UsageError where it cannot be read */
export async function openHistory(path: string): Promise<OpenHistory> {
  const earlier = await readHistory(path).catch((error: unknown): History => {
    if (!(error instanceof FileError)) throw error;
    if (error.code === 'not-found') return { runs: [], damaged: [] };
    throw new UsageError('file-unreadable', `--history: ${error.message}`);
  });
  return {
    ...earlier,
    add: async (result, redact) => {
      try {
        await appendToHistory(path, historyLine(result, redact));
      } catch (error) {
        throw error instanceof FileError ? new UsageError('file-unwritable', `--history: ${error.message}`) : error;
      }
    },
  };
}
