import { open, readFile } from 'node:fs/promises';
import { HISTORY_FORMAT, type RunRecord } from '../model/run-record.ts';
import { excerptText, printable } from '../model/text.ts';
import { schemaValidator } from '../schema-validator.ts';

/** A history that cannot be read or written; the message names the file, the reason and what to do. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: 'history-not-found' | 'history-not-readable' | 'history-not-writable';

  constructor(code: HistoryError['code'], message: string, options?: ErrorOptions) {
    super(`${message} (${code})`, options);
    this.code = code;
  }
}

export interface History {
  /** In the order of the file. */
  readonly runs: readonly RunRecord[];
  /** What is wrong with each line that is not a run, such as `history.jsonl:7 is damaged …`. */
  readonly damaged: readonly string[];
}

/** The validator of a line. */
export const recordValidator = schemaValidator<RunRecord>('history.schema.json');

/**
 * Reads a history. Lines that are damaged, as by a run that was killed while it wrote, are left out and named.
 *
 * @throws HistoryError where there is none, or it cannot be read
 */
export async function readHistory(path: string): Promise<History> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const message = `There is no history at ${path}; a run with --history ${path} begins one`;
      throw new HistoryError('history-not-found', message, { cause });
    }
    throw new HistoryError(
      'history-not-readable',
      `The history ${path} cannot be read: ${code}; name a file that you may read`,
      { cause },
    );
  });
  return parseHistory(text, path);
}

/** The runs in a text; `path` is only for the messages. */
export function parseHistory(text: string, path: string): History {
  const runs: RunRecord[] = [];
  const damaged: string[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parseLine(line);
    if (typeof read === 'string') damaged.push(`${path}:${at + 1} is ${read}, and was left out`);
    else runs.push(read);
  }
  return { runs, damaged };
}

/** A run, or what the line is instead. */
function parseLine(line: string): RunRecord | string {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch {
    return 'damaged (it is not JSON)';
  }
  const validate = recordValidator();
  if (validate(data)) return data;
  const format = typeof data === 'object' && data !== null && 'format' in data ? data.format : undefined;
  if (typeof format === 'string' && format !== HISTORY_FORMAT) {
    return `of another format (${printable(excerptText(format, 60))}; this suite reads ${HISTORY_FORMAT})`;
  }
  return 'damaged (it is not the record of a run)';
}

/**
 * Adds a line to a history, in one write, so that runs that end at the same time do not mix theirs. Where the last line
 * has no end, as of a run that was killed, the new one begins on a line of its own.
 *
 * @param line ends in a line feed
 * @throws HistoryError where it cannot be written
 */
export async function appendToHistory(path: string, line: string): Promise<void> {
  try {
    const file = await open(path, 'a+');
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      const bytes = Buffer.from(size > 0 && last.toString() !== '\n' ? `\n${line}` : line);
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    } finally {
      await file.close();
    }
  } catch (cause) {
    const why = codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    const message = `The history ${path} cannot be written: ${why}; name another file`;
    throw new HistoryError('history-not-writable', message, { cause });
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
