/** Baselines as files: a list in YAML or JSON, of requirements or of entries with a reason. */
import type { ErrorObject } from 'ajv';
import { EVENT_ID, loadAll, parseEvents, YAMLException } from 'js-yaml';
import type { Finding, RunResult } from '../run/result.ts';
import { excerpt, printable } from '../text.ts';
import type { ListedFailure } from './baseline.ts';
import { FileError } from './files.ts';
import { entryValidator } from './stored.ts';

interface EntryLines {
  /** 1-based, both included. */
  readonly line: number;
  readonly lastLine: number;
  /** The first of them. */
  readonly text: string;
}

const shown = (value: unknown): string => printable(excerpt(String(value), 80));

/**
 * The entries of a baseline.
 *
 * @param file only for the messages
 * @param known the requirements that can be tested
 * @throws FileError
 */
export function parseBaseline(given: string, file: string, known: readonly string[]): readonly ListedFailure[] {
  const source = given.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  let content: unknown;
  try {
    // A file that is empty or has only comments contains no document.
    [content = null] = loadAll(source);
  } catch (error) {
    const { reason, mark } = error instanceof YAMLException ? error : { reason: 'it cannot be read', mark: undefined };
    const line = mark === undefined ? '' : `:${mark.line + 1}`;
    throw new FileError(`${file}${line} is not YAML: ${shown(reason)}; write a list of entries`);
  }
  if (content === null) return [];
  if (!Array.isArray(content)) {
    throw new FileError(`${file} is not a list of entries; begin each line with a hyphen: - LIST-2`);
  }
  const lines = entryLines(source);
  const list: readonly unknown[] = content;
  const entries = list.map((entry, at) => {
    const place = lines[at] ?? { line: 1, lastLine: 1, text: '' };
    return { ...parseEntry(entry, `${file}:${place.line}`, known), ...place };
  });
  for (const [at, entry] of entries.entries()) {
    const first = entries.slice(0, at).find((other) => nameOf(other) === nameOf(entry));
    if (first === undefined) continue;
    throw new FileError(`${file}:${entry.line} repeats the entry of line ${first.line}; remove one of them`);
  }
  return entries;
}

const nameOf = ({ requirement, operation, finding }: Entry): string =>
  [requirement, operation ?? '', finding ?? ''].join('\n');

type Entry = Omit<ListedFailure, keyof EntryLines>;

/** An entry is checked by its schema, whose descriptions say what to write instead of a wrong member. */
function parseEntry(entry: unknown, place: string, known: readonly string[]): Entry {
  const wrong = (what: string): FileError => new FileError(`${place} ${what}`);
  // An id alone is an entry without a reason.
  const isEntry = entryValidator();
  const given: unknown = typeof entry === 'string' ? { requirement: entry, reason: entry } : entry;
  if (!isEntry(given)) throw wrong(problemOf(isEntry.errors?.[0]));
  const { requirement, reason, operation, finding, expires, profile } = given;
  if (!known.includes(requirement)) {
    throw wrong(
      `lists "${shown(requirement)}", which is not a testable requirement (npx petstore-conformance list shows them all)`,
    );
  }
  return { requirement, reason: typeof entry === 'string' ? undefined : reason, operation, finding, expires, profile };
}

function problemOf({ keyword, params = {}, instancePath = '', parentSchema, data }: Partial<ErrorObject> = {}): string {
  const properties: Readonly<Record<string, { readonly description?: string }>> = parentSchema?.['properties'] ?? {};
  const { missingProperty: missing, additionalProperty: unknown }: Record<string, string> = params;
  if (missing !== undefined) return `has no ${missing}; write ${properties[missing]?.description}`;
  if (keyword === 'additionalProperties')
    return `has an unknown member "${shown(unknown)}"; the members are ${Object.keys(properties).join(', ')}`;
  const what = instancePath === '' ? 'is not an entry' : `has ${instancePath.slice(1)}: ${shown(data)}`;
  return `${what}; write ${parentSchema?.['description']}`;
}

/** The lines of the entries of a list in YAML or JSON. */
function entryLines(source: string): readonly EntryLines[] {
  const opening = new Set<number>([EVENT_ID.SEQUENCE, EVENT_ID.MAPPING, EVENT_ID.DOCUMENT]);
  const places: { start: number; end: number }[] = [];
  let depth = 0;
  for (const event of parseEvents(source, {})) {
    if (event.type === EVENT_ID.POP) depth -= 1;
    const start = 'start' in event ? event.start : 'valueStart' in event ? event.valueStart : undefined;
    const end = 'valueStart' in event ? event.valueEnd : (start ?? 0) + 1;
    // The document is the first level, its list the second.
    if (start !== undefined && depth === 2) places.push({ start, end });
    const last = places.at(-1);
    if (last !== undefined && start !== undefined && end > last.end) last.end = end;
    if (opening.has(event.type)) depth += 1;
  }
  const all = source.split('\n');
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length;
  return places.map(({ start, end }) => {
    const line = lineOf(start);
    return { line, lastLine: lineOf(Math.max(start, end - 1)), text: all[line - 1]?.trim() ?? '' };
  });
}

/** How a result changes a baseline. */
interface BaselineChange {
  /** As in the file, in its order. */
  readonly kept: readonly ListedFailure[];
  readonly added: readonly Entry[];
  readonly removed: readonly ListedFailure[];
}

/**
 * The baseline that accepts everything that fails in a result. Each finding that no entry accepts gets one. Entries
 * that no longer fail are removed; all others stay as they are, even expired ones, as a person has to decide on those.
 *
 * @param result with {@link ListedFailure existing} entries applied
 */
export function baselineChange(
  { findings, run, baseline }: Pick<RunResult, 'findings' | 'run' | 'baseline'>,
  given: { readonly reason?: string | undefined; readonly expires?: string | undefined } = {},
): BaselineChange {
  const entries = baseline?.entries ?? [];
  const entryOf = ({ requirements: [requirement = ''], key, says }: Finding): Entry => {
    return { requirement, finding: key, reason: given.reason ?? says, expires: given.expires, profile: run.profile };
  };
  const isListed = ({ key }: Finding): boolean => entries.some((entry) => entry.finding === key);
  return {
    kept: entries.filter(({ state }) => state !== 'stale'),
    added: findings.filter((finding) => !finding.expected && !isListed(finding)).map(entryOf),
    removed: entries.filter(({ state }) => state === 'stale'),
  };
}

const HEAD = `# Known failures of the service, one entry per line. They do not fail a run with --baseline.
# An entry that no longer fails makes the run fail, and so does one past its expires date (UTC).
`;

/** Texts are quoted as in JSON, which is YAML too. */
function entryText({ requirement, operation, finding, reason, expires, profile }: Entry, format: 'yaml' | 'json') {
  const entry = { requirement, operation, finding, reason, expires, profile };
  if (format === 'json') return JSON.stringify(reason === undefined ? requirement : entry);
  if (reason === undefined) return `- ${requirement}`;
  const members = Object.entries(entry).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${/^(requirement|profile)$/.test(name) ? value : JSON.stringify(value)}`,
  );
  return `- { ${members.join(', ')} }`;
}

/** A baseline as text. @param existing the present file; its comments and entries are kept, line by line */
export function baselineText(
  { kept, added, removed }: BaselineChange,
  existing = '',
  format: 'yaml' | 'json' = 'yaml',
) {
  if (format === 'json') {
    const all = [...kept, ...added].map((entry) => entryText(entry, 'json'));
    return all.length === 0 ? '[]\n' : `[\n  ${all.join(',\n  ')}\n]\n`;
  }
  const lines = existing.replaceAll('\r\n', '\n').replace(/\n*$/, '\n').split('\n');
  const listed = [...kept, ...removed];
  const isBlockList = listed.length > 0 && listed.every(({ line }) => lines[line - 1]?.startsWith('- '));
  const isGone = (at: number): boolean => removed.some(({ line, lastLine }) => line <= at && at <= lastLine);
  const before = isBlockList ? lines.filter((_, at) => !isGone(at + 1)).join('\n') : HEAD;
  const texts = [...(isBlockList ? [] : kept), ...added].map((entry) => `${entryText(entry, 'yaml')}\n`);
  return kept.length + added.length === 0 ? `${before}[]\n` : before + texts.join('');
}

/** `1 kept, 2 added, 1 removed (LIST-2)` */
export function changeText({ kept, added, removed }: BaselineChange): string {
  const gone = removed.length === 0 ? '' : ` (${removed.map(({ requirement }) => requirement).join(', ')})`;
  return `${kept.length} kept, ${added.length} added, ${removed.length} removed${gone}`;
}
