import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNotWritten } from '../../report/files.ts';
import { excerpt } from '../../report/text.ts';
import type { Created } from '../conformance-options.ts';

const LONGEST_NAME = 2_000;

/**
 * The record of what runs leave at a target: a line of JSON for each animal, written as soon as it is confirmed, so that
 * it outlives whatever ends the run. Runs can share a file.
 */
export class Ledger {
  readonly #file: string;
  readonly #target: string;
  #hasBegun = false;
  /** Why lines could not be written; the run goes on without. */
  readonly problems = new Set<string>();

  constructor(file: string, target: string) {
    this.#file = file;
    this.#target = target;
  }

  /** @param animal without secrets @param isEmbedded what earlier runs created there is gone, and so are their lines */
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
