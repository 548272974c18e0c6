import { open, readFile } from 'node:fs/promises';
import { codeOf, FileError, schemaValidator } from '../files.ts';
import type { RunResult } from '../model/result.ts';
import { HISTORY_FORMAT, type RunRecord } from '../model/run-record.ts';
import { excerptText, printable } from '../model/text.ts';
import { withTexts } from '../redact/redact-result.ts';
import { recordOf } from './record-of.ts';

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
 * @throws FileError where there is none, or it cannot be read
 */
export async function readHistory(path: string): Promise<History> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const message = `There is no history at ${path}; a run with --history ${path} begins one (history-not-found)`;
      throw new FileError('not-found', message, { cause });
    }
    const message = `The history ${path} cannot be read: ${code}; name a file that you may read (history-not-readable)`;
    throw new FileError('not-usable', message, { cause });
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
 * @throws FileError where it cannot be written
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
    const message = `The history ${path} cannot be written: ${why}; name another file (history-not-writable)`;
    throw new FileError('not-written', message, { cause });
  }
}

/** The longest line, in bytes, with its end. */
export const LONGEST_LINE = 16_384;

/** Where a line is too long, this is emptied, the first first; what the requirements came to is the last. */
const DISPENSABLE = [
  'coverage',
  'readings',
  'reasons',
  'latencies',
  'options',
  'failing',
  'expected',
  'requirements',
] as const;

/** A service, or a command line, decides how long a text is. */
const TEXT_LENGTH = 500;

/** What is kept of a run, without secrets, as a line that ends in a line feed. */
export function historyLine(result: RunResult, redact: (text: string) => string): string {
  let record = withTexts(recordOf(withTexts(result, redact)), (text) => excerptText(text, TEXT_LENGTH));
  const isTooLong = (): boolean => Buffer.byteLength(textOf(record)) > LONGEST_LINE;
  for (const member of DISPENSABLE) {
    const cut = [...(record.cut ?? []), member];
    if (isTooLong()) record = { ...record, [member]: member === 'requirements' ? {} : [], cut };
  }
  const line = textOf(record);
  const again = redact(line);
  // A key that is a word of the format must not break the line; in a text it has been replaced already.
  return typeof parseLine(again) === 'string' ? line : again;
}

const textOf = (record: RunRecord): string => `${JSON.stringify(record)}\n`;
