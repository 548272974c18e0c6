/** What a run keeps for the next one, as a file. */

import type { RememberedEntry } from '../../petstore/fill.ts';
import { FileError, whyNotWritten, writeAtomically } from '../../report/files.ts';
import { validatorOf } from '../../report/stored.ts';
import type { Remembered } from '../conformance-options.ts';
import { invalid, quoted } from '../errors.ts';
import { kindOf, readJsonOf } from '../options/files.ts';

/** What an earlier run has kept, which may be nothing. @throws UsageError where it is damaged, or of another target */
export function readRemembered(path: string, baseUrl: string): Remembered | undefined {
  if (kindOf(path) === 'missing') return undefined;
  const wrong = (what: string) => invalid('--remember', `${quoted(path)} ${what}`);
  const data = readJsonOf('--remember', path);
  const isRemembered = validatorOf<Remembered>('remembered');
  if (!isRemembered(data)) throw wrong('was not written by --remember, or is damaged; name another file, or remove it');
  if (data.target === baseUrl) return data;
  const whose = `is about ${quoted(data.target)}, not about ${quoted(baseUrl)}`;
  throw wrong(`${whose}; use a separate file for each target`);
}

/** Keeps what a run has created; what holds a secret is left out. @throws FileError where it cannot be written */
export async function writeRemembered(
  path: string,
  remembered: Remembered | undefined,
  redact: (text: string) => string,
): Promise<void> {
  const isClean = ({ fields }: RememberedEntry): boolean =>
    Object.values(fields).every((text) => redact(text) === text);
  const entries = remembered?.entries.filter(isClean) ?? [];
  // Where there is nothing to keep, what an earlier run has kept stays.
  if (entries.length === 0) return;
  await writeAtomically(path, `${JSON.stringify({ ...remembered, entries }, undefined, 2)}\n`).catch(
    (cause: unknown) => {
      throw new FileError(`${path} cannot be written: ${whyNotWritten(cause)}; name another file`, { cause });
    },
  );
}
