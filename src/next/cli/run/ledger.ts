import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNotWritten } from '../../report/files.ts';
import { excerpt } from '../../report/text.ts';
import type { Created } from '../conformance-options.ts';

const LONGEST_NAME = 2_000;

interface LedgerOptions {
  readonly file: string;
  readonly target: string;
  /** What earlier runs created at the embedded service is gone, and so are their lines. */
  readonly isEmbedded: boolean;
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string;
}

/**
 * The record of what runs leave at a target: a line of JSON for each animal, written as soon as it is confirmed, so that
 * it outlives whatever ends the run. Runs can share a file.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  #hasBegun = false;
  #problem: string | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Why a line could not be written; the run goes on without. */
  get problems(): readonly string[] {
    return this.#problem === undefined ? [] : [this.#problem];
  }

  record({ id, name, at }: Created): void {
    const { file, target, redact } = this.#options;
    const line = { id, name: redact(excerpt(name, LONGEST_NAME)), time: at, target };
    try {
      this.#begin();
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      this.#problem ??= `${file} cannot be written: ${whyNotWritten(cause)}; choose another --report-dir`;
    }
  }

  #begin(): void {
    if (this.#hasBegun) return;
    const { file, isEmbedded } = this.#options;
    mkdirSync(dirname(file), { recursive: true });
    if (isEmbedded) rmSync(file, { force: true });
    this.#hasBegun = true;
  }
}
