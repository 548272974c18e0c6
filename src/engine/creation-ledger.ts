import { appendFileSync } from 'node:fs';
import type { Exchange } from '../http/exchange.ts';
import { excerptText } from '../report/model/text.ts';

/** How many characters of a value a line holds. */
const LONGEST_VALUE = 2_000;

export interface CreationLedgerOptions {
  readonly file: string;
  readonly runId: string;
  readonly baseUrl: string;
  /** What a line says of a creation; undefined where the exchange created nothing. */
  readonly entry: (exchange: Exchange) => Readonly<Record<string, string | undefined>> | undefined;
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string;
}

/**
 * The record of what a run leaves at the target: one JSON line for each creation, written as soon as its 2xx comes, so
 * that it outlives whatever ends the run. Lines are only ever appended: runs can share a file.
 */
export class CreationLedger {
  readonly #options: CreationLedgerOptions;
  readonly #target: string;
  /** Why a line could not be written; the run goes on without. */
  fault: string | undefined;

  constructor(options: CreationLedgerOptions) {
    this.#options = options;
    this.#target = options.redact(options.baseUrl);
  }

  /** Writes a line where the exchange created something. */
  record(exchange: Exchange): void {
    const { file, runId, entry, redact } = this.#options;
    const values = Object.entries(entry(exchange) ?? {});
    if (values.length === 0) return;
    const line = {
      ...Object.fromEntries(
        values.map(([name, value]) => [name, value === undefined ? null : redact(excerptText(value, LONGEST_VALUE))]),
      ),
      time: new Date().toISOString(),
      run: runId,
      target: this.#target,
    };
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      this.fault ??= `A creation could not be recorded in ${file} (${code}).`;
    }
  }
}
