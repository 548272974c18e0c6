import { appendFileSync } from 'node:fs';
import { integerAt, parseJson } from '../../contract/json.ts';
import type { Exchange } from '../../http/exchange.ts';
import { MEMBERS } from '../../petstore/fault-subject.ts';
import { excerptText } from '../../report/formats/excerpt.ts';

/** Most characters of a value that a line holds. */
const LONGEST = 2_000;

/** What every line of a ledger says beside the animal itself. */
export interface LedgerOptions {
  readonly file: string;
  readonly runId: string;
  readonly baseUrl: string;
  /** Takes every secret out of a text. */
  readonly redact: (text: string) => string;
}

/**
 * The record of every animal that a run leaves at the target: one JSON line for each, written the moment that its
 * 2xx comes, so that it outlives whatever ends the run. Lines are only ever added: there is no delete operation, so
 * what an earlier run left is still there, and two runs that share a file do not disturb each other.
 */
export class CreationLedger {
  readonly #options: LedgerOptions;
  /** Why a line could not be written; the run goes on without. */
  fault: string | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Writes a line where the exchange created an animal. */
  record({ request, answer }: Exchange): void {
    if (request.operation !== 'createPet' || answer.kind !== 'response') return;
    if (answer.status < 200 || answer.status >= 300) return;
    const { file, runId, baseUrl, redact } = this.#options;
    const text = (value: string | undefined): string | null =>
      value === undefined ? null : redact(excerptText(value, LONGEST));
    const answered = animalIn(answer.body);
    const sent = animalIn(request.body ?? new Uint8Array());
    const line = {
      id: text(answered.id),
      name: text(answered.name ?? sent.name),
      categoryId: text(answered.categoryId ?? sent.categoryId),
      status: text(answered.status ?? sent.status),
      time: new Date().toISOString(),
      run: runId,
      target: redact(baseUrl),
    };
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      this.fault ??= `An animal was created and could not be noted in ${file} (${code}).`;
    }
  }
}

interface Traits {
  readonly id?: string;
  readonly name?: string;
  readonly categoryId?: string;
  readonly status?: string;
}

/** What a body says of an animal, as far as it can be read. */
function animalIn(body: Uint8Array): Traits {
  const reading = parseJson(body, MEMBERS);
  if (reading.kind !== 'json' || typeof reading.value !== 'object' || reading.value === null) return {};
  const { id: shownId, name, status }: { id?: unknown; name?: unknown; status?: unknown } = reading.value;
  const id = integerAt(reading, '/id') ?? (typeof shownId === 'string' ? shownId : undefined);
  const categoryId = integerAt(reading, '/categoryId');
  return {
    ...(id === undefined ? {} : { id: `${id}` }),
    ...(typeof name === 'string' ? { name } : {}),
    ...(categoryId === undefined ? {} : { categoryId: `${categoryId}` }),
    ...(typeof status === 'string' ? { status } : {}),
  };
}
