import { existsSync } from 'node:fs';
import { notWritten, schemaValidator, writeAtomically } from '../../report/files.ts';
import { REMEMBERED_FORMAT, type Remembered, type RememberedEntry } from '../../report/model/remembered.ts';
import { invalid, quoted, UsageError } from '../errors.ts';
import { readFileOf } from '../values/files.ts';

const validator = schemaValidator<Remembered>('remembered.schema.json');

/** What an earlier run has kept for this one, and what keeps that of this run for the next. */
export interface Remembering {
  readonly entries: readonly RememberedEntry[];
  /** Writes the file anew, as a whole; where there is nothing to keep, it stays. @throws UsageError */
  keep(entries: readonly RememberedEntry[]): Promise<void>;
}

/**
 * Opens what runs on a target remember, which need not exist yet. The file holds no secret: what has one is not kept.
 *
 * @throws UsageError where it cannot be read, is damaged, or is about another target
 */
export function openRemembered(path: string, baseUrl: string, redact: (text: string) => string): Remembering {
  const target = redact(baseUrl);
  const remembered = existsSync(path) ? parsed(readFileOf('--remember', path)) : undefined;
  if (typeof remembered === 'string') {
    throw invalid('--remember', `${quoted(path)} ${remembered}; name another file, or remove it to begin anew`);
  }
  if (remembered !== undefined && remembered.target !== target) {
    const whose = `${quoted(path)} is about ${quoted(remembered.target)}, not about ${quoted(target)}`;
    throw invalid('--remember', `${whose}; name a file of its own for each target`);
  }
  return {
    entries: remembered?.entries ?? [],
    keep: async (entries) => {
      const kept = entries.filter((entry) => Object.values(entry.fields).every((text) => redact(text) === text));
      if (kept.length === 0) return;
      const file: Remembered = { format: REMEMBERED_FORMAT, target, entries: kept };
      try {
        await writeAtomically(path, `${JSON.stringify(file, undefined, 2)}\n`);
      } catch (error) {
        const { message } = notWritten(error, `${path} cannot be written`, 'file');
        throw new UsageError('file-unwritable', `--remember: ${message}`, { cause: error });
      }
    },
  };
}

/** What a text holds, or what it is instead. */
function parsed(text: string): Remembered | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'is damaged: it is not JSON';
  }
  return validator()(data) ? data : 'is damaged, or not what a run with --remember has written';
}
