import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_ID, loadAll, parseEvents } from 'js-yaml';
import { COMMAND, PACKAGE_ROOT } from '../../package.ts';
import type { ListedFailure } from '../../report/model/baseline.ts';
import type { Profile } from '../../report/model/result.ts';
import { excerptText, printable } from '../../report/model/text.ts';
import type { Catalogue } from '../catalogue.ts';

/** What a baseline may list. */
export interface KnownIds {
  readonly catalogue: Catalogue;
  readonly checks: readonly { readonly id: string; readonly requirement: string }[];
}

interface Entry {
  readonly requirement?: string;
  readonly check?: string;
  readonly reason?: string;
  readonly expires?: string;
  readonly profile?: Profile;
  readonly seed?: number;
}

const SCHEMA_FILE = new URL('spec/baseline.schema.json', PACKAGE_ROOT);

let compiled: ValidateFunction<readonly (string | Entry)[]> | undefined;

function validator(): NonNullable<typeof compiled> {
  const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }));
  compiled ??= ajv.compile<readonly (string | Entry)[]>(JSON.parse(readFileSync(SCHEMA_FILE, 'utf8')));
  return compiled;
}

/**
 * Reads a baseline: a list in YAML or JSON, as spec/baseline.schema.json describes it, or one id a line.
 *
 * @throws BaselineError naming the file and the line where it is none, or lists what does not exist
 */
export function readBaseline(file: string, known: KnownIds): readonly ListedFailure[] {
  return parseBaseline(readFileSync(file, 'utf8'), file, known);
}

/** As {@link readBaseline}; `file` is only for the messages. */
export function parseBaseline(given: string, file: string, known: KnownIds): readonly ListedFailure[] {
  const source = given.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  let content: unknown;
  try {
    // An empty file, or one of comments alone, holds no document.
    [content = null] = loadAll(source);
  } catch (error) {
    const why = error instanceof Error && 'reason' in error ? `: ${shown(String(error.reason))}` : '';
    const line = error instanceof Error && /\((\d+):\d+\)/.exec(error.message)?.[1];
    const place = line ? `${file}:${line}` : file;
    throw new BaselineError('baseline-not-yaml', `${place} is not YAML${why}; write a list of entries`);
  }
  if (content === null) return [];
  const list: unknown = typeof content === 'string' ? content.split(/\s+/) : content;
  const lines = entryLines(source);
  const validate = validator();
  if (!validate(list)) throw invalid(file, validate.errors ?? [], lines);
  const entries = list.map((entry, at) => listed(entry, lines[at] ?? NO_LINE, file, known));
  refuseRepeated(entries, file);
  return entries;
}

const NO_LINE: EntryLines = { line: 1, lastLine: 1, text: '' };

const shown = (text: string): string => printable(excerptText(text, 80));

/** The most specific of what a schema objects to in one entry. */
function invalid(file: string, errors: readonly ErrorObject[], lines: readonly EntryLines[]): BaselineError {
  const wrongType = errors.find(({ keyword }) => keyword === 'type');
  const error = wrongType ?? errors.find(({ keyword }) => keyword !== 'if' && keyword !== 'oneOf') ?? errors[0];
  const at = Number(/^\/(\d+)/.exec(error?.instancePath ?? '')?.[1] ?? Number.NaN);
  const { line } = lines[at] ?? {};
  const place = line === undefined ? file : `${file}:${line}`;
  return new BaselineError('baseline-invalid', `${place} ${objection(error, errors)}`);
}

function objection(error: ErrorObject | undefined, errors: readonly ErrorObject[]): string {
  const member = error?.instancePath.split('/')[2];
  const { keyword, params = {} } = error ?? {};
  if (keyword === 'type' && error?.instancePath === '') return 'is not a list of entries; write one id a line';
  if (keyword === 'additionalProperties') {
    return `has an unknown member "${shown(String(params['additionalProperty']))}"; an entry has requirement or check, reason, expires, profile and seed`;
  }
  if (keyword === 'required' && params['missingProperty'] === 'reason') return 'has no reason; add one';
  if (keyword === 'required' || keyword === 'oneOf' || errors.length === 0) {
    return 'must name either a requirement or a check; write requirement: LIST-2';
  }
  if (member === 'expires') return 'has a date that is none in expires; write it as 2030-12-05';
  if (member === 'reason') return 'has a reason that is no text; write a sentence';
  if (member === 'profile') return 'has a profile that does not exist; write smoke, standard or thorough';
  if (member === 'seed') return 'has a seed that is not a whole number; leave it out';
  if (member === undefined) return 'is no entry; write an id, or requirement: and reason:';
  return `has a ${member} that is no text; write an id such as LIST-2`;
}

function listed(entry: string | Entry, place: EntryLines, file: string, known: KnownIds): ListedFailure {
  const { catalogue, checks } = known;
  const wrong = (what: string) => new BaselineError('baseline-unknown-id', `${file}:${place.line} lists ${what}`);
  const given: Entry =
    typeof entry !== 'string' ? entry : isCheckOnly(entry, known) ? { check: entry } : { requirement: entry };
  const { requirement, check, ...others } = given;
  if (check !== undefined) {
    if (checks.some(({ id }) => id === check)) return { check, ...others, ...place, checks: [check] };
    throw wrong(`"${shown(check)}", which is not a check; conformance.json names all of them`);
  }
  const row = catalogue.find(requirement ?? '');
  if (row === undefined) {
    throw wrong(`"${shown(requirement ?? '')}", which is not a requirement; ${COMMAND} list shows all`);
  }
  const own = checks.filter((one) => one.requirement === row.id).map(({ id }) => id);
  if (own.length === 0) throw wrong(`"${row.id}", which no check tests; remove the line`);
  return { requirement: row.id, ...others, ...place, checks: own };
}

const isCheckOnly = (id: string, { catalogue, checks }: KnownIds): boolean =>
  catalogue.find(id) === undefined && checks.some((check) => check.id === id);

function refuseRepeated(entries: readonly ListedFailure[], file: string): void {
  const seen = new Map<string, number>();
  for (const { requirement, check, line } of entries) {
    const name = requirement ?? check ?? '';
    const first = seen.get(name);
    if (first !== undefined) {
      throw new BaselineError('baseline-repeated', `${file}:${line} lists ${name}, as line ${first} does; remove one`);
    }
    seen.set(name, line);
  }
}

/** Where an entry stands: 1-based lines, both included, and the text of the first. */
export interface EntryLines {
  readonly line: number;
  readonly lastLine: number;
  readonly text: string;
}

/** Where the entries of a list in YAML or JSON stand, or the words of a text that is no list. */
function entryLines(source: string): readonly EntryLines[] {
  const [lists, others] = [new Set<number>([EVENT_ID.SEQUENCE, EVENT_ID.MAPPING, EVENT_ID.DOCUMENT]), EVENT_ID.POP];
  const places: { start: number; end: number }[] = [];
  let depth = 0;
  for (const event of parseEvents(source, {})) {
    if (event.type === others) depth -= 1;
    const place =
      'start' in event
        ? { start: event.start, end: event.start + 1 }
        : 'valueStart' in event
          ? { start: event.valueStart, end: event.valueEnd }
          : undefined;
    // The document is the first level, its list the second.
    if (place !== undefined && depth === 1 && event.type === EVENT_ID.SCALAR) return wordLines(source, place.start);
    if (place !== undefined && depth === 2) places.push(place);
    const last = places.at(-1);
    if (last !== undefined && place !== undefined && place.end > last.end) last.end = place.end;
    if (lists.has(event.type)) depth += 1;
  }
  return places.map(({ start, end }) => between(source, start, end));
}

function wordLines(source: string, from: number): readonly EntryLines[] {
  return [...source.slice(from).matchAll(/\S+/g)].map(({ index, 0: word }) =>
    between(source, from + index, from + index + word.length),
  );
}

function between(source: string, start: number, end: number): EntryLines {
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length;
  const line = lineOf(start);
  return { line, lastLine: lineOf(Math.max(start, end - 1)), text: source.split('\n')[line - 1]?.trim() ?? '' };
}

/** A baseline that cannot be used; the message names the file, the line, what is wrong and what to do. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly code: 'baseline-not-yaml' | 'baseline-invalid' | 'baseline-unknown-id' | 'baseline-repeated';

  constructor(code: BaselineError['code'], message: string) {
    super(`${message} (${code})`);
    this.code = code;
  }
}
