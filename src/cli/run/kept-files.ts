/** The files besides the reports that runs keep. */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Remembered } from '../../check/remember.ts';
import type { RememberedEntry } from '../../reading/fill.ts';
import { FileError, whyNotWritten, writeAtomically } from '../../report/files.ts';
import type { ReplayFile } from '../../report/finding.ts';
import { type History, readHistory } from '../../report/history.ts';
import type { Redactor } from '../../report/redact.ts';
import { validatorOf } from '../../report/stored.ts';
import type { Created } from '../../run/options.ts';
import { excerpt } from '../../text.ts';

import { invalid, quoted, withFile } from '../errors.ts';
import { kindOf, readJsonOf } from '../options/files.ts';

/** The name of the {@link Ledger} in the report folder. */
export const LEDGER = 'created.jsonl';

const LONGEST_NAME = 2_000;

/**
 * The record of what runs create on a target: a line of JSON for each animal, written as soon as the service returns
 * it, so that it survives whatever ends the run. Runs can share a file.
 */
export class Ledger {
  readonly #file: string;
  readonly #target: string;
  #hasBegun = false;
  /** Why lines could not be written; the run continues without them. */
  readonly problems = new Set<string>();

  constructor(file: string, target: string) {
    this.#file = file;
    this.#target = target;
  }

  /** @param animal without secrets @param isEmbedded removes the lines of earlier runs, whose animals are gone */
  record({ id, name, at }: Created, isEmbedded: boolean): void {
    const line = { id, name: excerpt(name, LONGEST_NAME), time: at, target: this.#target };
    try {
      if (!this.#hasBegun) mkdirSync(dirname(this.#file), { recursive: true });
      if (!this.#hasBegun && isEmbedded) rmSync(this.#file, { force: true });
      this.#hasBegun = true;
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      this.problems.add(`${this.#file} cannot be written: ${whyNotWritten(cause)}; choose another --report-dir`);
    }
  }
}

/** What an earlier run has saved, if anything. @throws UsageError if it is damaged, or of another target */
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

/** Saves animals for the next run, except those that contain a secret. @throws FileError if it cannot be written */
export async function writeRemembered(
  path: string,
  remembered: Remembered | undefined,
  redact: (text: string) => string,
): Promise<void> {
  const isClean = ({ fields }: RememberedEntry): boolean =>
    Object.values(fields).every((text) => redact(text) === text);
  const entries = remembered?.entries.filter(isClean) ?? [];
  // With nothing to save, the file of an earlier run stays.
  if (entries.length === 0) return;
  await writeAtomically(path, `${JSON.stringify({ ...remembered, entries }, undefined, 2)}\n`).catch(
    (cause: unknown) => {
      throw new FileError(`${path} cannot be written: ${whyNotWritten(cause)}; name another file`, { cause });
    },
  );
}

/**
 * Writes the recorded failures. A run removes those of the run before; a replay does not. Files that no run has written
 * stay as they are.
 * @throws FileError if one cannot be written
 */
export async function writeReplays(
  dir: string,
  replays: readonly ReplayFile[],
  isReplay: boolean,
  { sentence }: Redactor,
) {
  // Only what a finding says may quote the service; in the requests, the key is a name.
  const redacted = (name: string, value: unknown) =>
    name === 'says' && typeof value === 'string' ? sentence(value) : value;
  const folder = join(dir, 'failures');
  const next = 'choose another --report-dir';
  try {
    if (!isReplay) await removeReplays(folder);
    for (const { file, content } of replays) {
      const path = join(dir, file);
      await mkdir(dirname(path), { recursive: true });
      if (kindOf(path) !== 'missing' && !(await isOfARun(path))) {
        throw new FileError(`${path} was not written by a run, and is kept; move it, or ${next}`);
      }
      await writeFile(path, `${JSON.stringify(content, redacted, 2)}\n`);
    }
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    throw new FileError(`${folder} cannot be written: ${whyNotWritten(cause)}; ${next}`, { cause });
  }
}

/** Removes the recorded failures in a folder, and the folder if nothing else is in it. */
async function removeReplays(folder: string): Promise<void> {
  if (kindOf(folder) !== 'folder') return;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (/^\d+\.json$/.test(name) && (await isOfARun(path))) await rm(path, { force: true });
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

/** Whether a file is a recorded failure, of any version. */
async function isOfARun(path: string): Promise<boolean> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    const format = typeof content === 'object' && content !== null && 'format' in content ? content.format : undefined;
    return typeof format === 'string' && format.startsWith('petstore-conformance-replay/');
  } catch {
    return false;
  }
}

/** The history that an option names, if it exists yet. @throws UsageError if it cannot be read */
export async function openHistory(path: string | undefined): Promise<History> {
  if (path === undefined || kindOf(path) === 'missing') return { runs: [], damaged: [] };
  return withFile('--history', 'file-unreadable', () => readHistory(path));
}
