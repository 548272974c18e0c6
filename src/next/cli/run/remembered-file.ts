/** What a run keeps for the next one, as a file. */
import { whyNotWritten, writeAtomically } from '../../report/files.ts';
import { REMEMBERED_FORMAT, type Remembered, type RememberedEntry } from '../conformance-options.ts';
import { invalid, quoted } from '../errors.ts';
import { kindOf, readTextOf } from '../options/files.ts';

const MOST_ENTRIES = 25;
const LONGEST_TEXT = 1_000;

const isObject = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

const isEntry = (data: unknown): data is RememberedEntry =>
  isObject(data) &&
  typeof data['id'] === 'string' &&
  /^-?\d{1,19}$/.test(data['id']) &&
  isObject(data['fields']) &&
  Object.values(data['fields']).every((text) => typeof text === 'string' && text.length <= LONGEST_TEXT) &&
  typeof data['addedAt'] === 'string' &&
  !Number.isNaN(Date.parse(data['addedAt']));

const isRemembered = (data: unknown): data is Remembered =>
  isObject(data) &&
  data['format'] === REMEMBERED_FORMAT &&
  typeof data['target'] === 'string' &&
  Array.isArray(data['entries']) &&
  data['entries'].length <= MOST_ENTRIES &&
  data['entries'].every(isEntry);

/** What an earlier run has kept, which may be nothing. @throws UsageError where it is damaged, or of another target */
export function readRemembered(path: string, baseUrl: string): Remembered | undefined {
  if (kindOf(path) === 'missing') return undefined;
  const wrong = (what: string) => invalid('--remember', `${quoted(path)} ${what}`);
  const damaged = wrong('is damaged, or was not written by --remember; name another file, or remove it');
  let data: unknown;
  try {
    data = JSON.parse(readTextOf('--remember', path));
  } catch {
    throw damaged;
  }
  if (!isRemembered(data)) throw damaged;
  if (data.target === baseUrl) return data;
  const whose = `is about ${quoted(data.target)}, not about ${quoted(baseUrl)}`;
  throw wrong(`${whose}; use a separate file for each target`);
}

/**
 * Keeps what a run has created; where there is nothing to keep, the file stays. What holds a secret is left out.
 * @returns why it could not be written
 */
export async function writeRemembered(
  path: string,
  remembered: Remembered | undefined,
  redact: (text: string) => string,
): Promise<readonly string[]> {
  const isClean = ({ fields }: RememberedEntry): boolean =>
    Object.values(fields).every((text) => redact(text) === text && text.length <= LONGEST_TEXT);
  const entries = remembered?.entries.filter(isClean).slice(0, MOST_ENTRIES) ?? [];
  if (remembered === undefined || entries.length === 0) return [];
  try {
    await writeAtomically(path, `${JSON.stringify({ ...remembered, entries }, undefined, 2)}\n`);
    return [];
  } catch (cause) {
    return [`--remember: ${path} cannot be written: ${whyNotWritten(cause)}; name another file`];
  }
}
