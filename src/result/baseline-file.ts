/** Baselines as files: a list of entries in YAML, of which JSON is a part. */
import type { ErrorObject } from 'ajv';
import { isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { excerpt, printable } from '../text.ts';
import type { ListedFailure } from './baseline.ts';
import { FileError } from './files.ts';
import type { Finding, RunResult } from './result.ts';
import { entryValidator } from './stored.ts';

type Entry = Omit<ListedFailure, 'line' | 'lastLine' | 'text'>;

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
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const place = `${file}:${lineAt(error.pos[0])}`;
    throw new FileError(`${place} is not YAML: ${shown(error.message)}; write a list of entries`);
  }
  const { contents } = document;
  // A file that is empty or has only comments.
  if (contents === null) return [];
  if (!isSeq<Node>(contents)) {
    throw new FileError(`${file} is not a list of entries; begin each with a hyphen: - { requirement: LIST-2, … }`);
  }
  const lines = source.split('\n');
  const entries = contents.items.map((node): ListedFailure => {
    const [from = 0, to = from + 1] = node.range ?? [];
    const [line, lastLine] = [lineAt(from), lineAt(Math.max(from, to - 1))];
    const entry = parseEntry(node.toJS(document), `${file}:${line}`, known);
    return { ...entry, line, lastLine, text: lines[line - 1]?.trim() ?? '' };
  });
  for (const [at, entry] of entries.entries()) {
    const first = entries.slice(0, at).find(({ finding }) => finding === entry.finding);
    if (first === undefined) continue;
    throw new FileError(`${file}:${entry.line} repeats the entry of line ${first.line}; remove one of them`);
  }
  return entries;
}

/** An entry is checked by its schema, whose descriptions say what to write instead of a wrong member. */
function parseEntry(given: unknown, place: string, known: readonly string[]): Entry {
  const wrong = (what: string): FileError => new FileError(`${place} ${what}`);
  const isEntry = entryValidator();
  if (!isEntry(given)) throw wrong(problemOf(isEntry.errors?.[0]));
  if (known.includes(given.requirement)) return given;
  throw wrong(
    `lists "${shown(given.requirement)}", which is not a testable requirement (npx petstore-conformance list shows them all)`,
  );
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
function entryText({ requirement, finding, reason, expires, profile }: Entry, format: 'yaml' | 'json') {
  const entry = { requirement, finding, reason, expires, profile };
  if (format === 'json') return JSON.stringify(entry);
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
