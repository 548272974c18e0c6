/** The files besides the reports that runs keep. */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RememberedEntry } from '../../petstore/fill.ts';
import type { ReplayFile } from '../../petstore/finding.ts';
import { FileError, whyNotWritten, writeAtomically } from '../../report/files.ts';
import { type History, readHistory } from '../../report/history.ts';
import type { Redactor } from '../../report/redact.ts';
import { validatorOf } from '../../report/stored.ts';
import { excerpt } from '../../report/text.ts';
import type { Created, Remembered } from '../conformance-options.ts';
import { invalid, quoted, withFile } from '../errors.ts';
import { kindOf, readJsonOf } from '../options/files.ts';

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

/** Writes the recorded failures. A run removes those of the run before; a replay does not. */
export async function writeReplays(
  dir: string,
  replays: readonly ReplayFile[],
  isReplay: boolean,
  { sentence }: Redactor,
) {
  // Only what a finding says may quote the service; in the requests, the key is a name.
  const redacted = (name: string, value: unknown) =>
    name === 'says' && typeof value === 'string' ? sentence(value) : value;
  try {
    if (!isReplay) await rm(join(dir, 'failures'), { recursive: true, force: true });
    for (const { file, content } of replays) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), `${JSON.stringify(content, redacted, 2)}\n`);
    }
  } catch (cause) {
    throw new FileError(`${join(dir, 'failures')} cannot be written: ${whyNotWritten(cause)}; choose another`);
  }
}

/** The history that an option names, if it exists yet. @throws UsageError if it cannot be read */
export async function openHistory(path: string | undefined): Promise<History> {
  if (path === undefined || kindOf(path) === 'missing') return { runs: [], damaged: [] };
  return withFile('--history', 'file-unreadable', () => readHistory(path));
}
