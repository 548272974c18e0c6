/** The record of what runs create on a target: a line of JSON for each animal, which `--remember` reads. */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CreatedAnimal } from '../../known/recall.ts';
import { whyNotWritten } from '../../result/files.ts';
import type { RunEvent } from '../../run/events.ts';
import { excerpt } from '../../text.ts';
import { invalid, quoted } from '../errors.ts';
import { kindOf, readTextOf } from '../options/files.ts';

/** Its name in the report folder. */
export const LEDGER = 'created.jsonl';

/** Longer names are cut; such an animal is not checked again. */
const LONGEST_NAME = 500;
/** How many animals a run checks again. */
const MOST_REMEMBERED = 25;

interface LedgerLine extends Readonly<Record<string, string>> {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly target: string;
  /** The tag of the run. */
  readonly run: string;
}

/**
 * Writes each line as soon as the service returns the animal, so that it survives whatever ends the run. Runs can share a
 * file. If it cannot be written, the run continues without it.
 */
export class Ledger {
  readonly #file: string;
  readonly #target: string;
  readonly #redact: (text: string) => string;
  /** Removes the lines of earlier runs before the first one. */
  #begin: () => void;
  /** Why lines could not be written. */
  readonly problems = new Set<string>();

  /** @param redact removes secrets @param isEmbedded the animals of earlier runs are gone, and so are their lines */
  constructor(file: string, target: string, redact: (text: string) => string, isEmbedded: boolean) {
    this.#file = file;
    this.#target = target;
    this.#redact = redact;
    this.#begin = () => {
      mkdirSync(dirname(file), { recursive: true });
      if (isEmbedded) rmSync(file, { force: true });
      this.#begin = () => {};
    };
  }

  record({ animal, run }: RunEvent & { readonly kind: 'created' }): void {
    const { name: given = '', ...members } = animal.fields;
    const name = excerpt(this.#redact(given), LONGEST_NAME);
    const isWhole = name === given && !/\p{Surrogate}/u.test(name);
    const { id, createdAt: time } = animal;
    const line: LedgerLine = { id, name, ...(isWhole && members), time, target: this.#target, run };
    try {
      this.#begin();
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      this.problems.add(`${this.#file} cannot be written: ${whyNotWritten(cause)}`);
    }
  }
}

/**
 * What the last run created on a target, as a ledger says: at most 25 animals, evenly spaced, the first and the last among
 * them; none if there is no ledger yet.
 * @throws UsageError if it cannot be read, or a line is of another form
 */
export function rememberedIn(path: string, target: string): readonly CreatedAnimal[] {
  if (kindOf(path) === 'missing') return [];
  const lines = readTextOf('--remember', path)
    .split('\n')
    .flatMap((text, at) => {
      if (text.trim() === '') return [];
      const line = lineOf(text);
      if (line !== undefined) return line;
      const what = `line ${at + 1} of ${quoted(path)} was not written by this version`;
      throw invalid('--remember', `${what}; remove it, or name another file`);
    });
  const own = lines.filter((line) => line.target === target);
  // Whether an animal is still the same after a reset, only a name with the mark of its run shows.
  const isMarked = ({ name, run, categoryId }: LedgerLine): boolean => name.includes(run) && categoryId !== undefined;
  const last = own.filter((line) => line.run === own.at(-1)?.run && isMarked(line));
  const step = Math.max(1, (last.length - 1) / (MOST_REMEMBERED - 1));
  return last
    .filter((_, at) => at === last.length - 1 || Math.floor(at / step) > Math.floor((at - 1) / step))
    .map(({ id, time, target: _target, run: _run, ...fields }) => ({ id, fields, createdAt: time }));
}

function lineOf(text: string): LedgerLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

const isLine = (data: unknown): data is LedgerLine =>
  typeof data === 'object' &&
  data !== null &&
  ['id', 'name', 'time', 'target', 'run'].every((member) => member in data) &&
  Object.values(data).every((value) => typeof value === 'string') &&
  'id' in data &&
  /^-?\d{1,19}$/.test(`${data.id}`);
