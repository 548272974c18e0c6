import { judgeBaseline, type ListedFailure, listedId, sentProfile } from '../../report/model/baseline.ts';
import { failedChecks } from '../../report/model/queries.ts';
import type { RunResult } from '../../report/model/result.ts';
import { excerptText } from '../../report/model/text.ts';

const HEAD = `# Known failures of the service, an entry a line: they do not fail a run with --baseline. An entry that no longer
# fails makes the run fail, and so does one past its expires date (UTC). profile and seed: the run that showed it.
`;

/** A text in YAML and in JSON alike. */
const quoted = (text: string): string => JSON.stringify(text);

/** Without a reason, an entry is its id. */
const isBare = ({ reason, expires }: NewEntry): boolean => reason === undefined && expires === undefined;

function line(entry: NewEntry): string {
  if (isBare(entry)) return `- ${entry.requirement ?? entry.check}`;
  const members = Object.entries(entry).map(
    ([name, value]) => `${name}: ${name === 'reason' ? quoted(`${value}`) : value}`,
  );
  return `- { ${members.join(', ')} }`;
}

/**
 * A baseline as text.
 *
 * @param existing the file as it stands, whose remarks and entries are kept where it is a list of an entry a line or more
 */
export function baselineText(change: BaselineChange, existing = '', format: 'yaml' | 'json' = 'yaml'): string {
  const { kept, added, removed } = change;
  if (format === 'json') return jsonText([...kept.map(bare), ...added]);
  if (!isBlockList(existing, [...kept, ...removed])) {
    return withEntries(HEAD, [...kept.map(bare), ...added].map(line));
  }
  const gone = new Set(removed.flatMap(({ line: first, lastLine }) => range(first, lastLine)));
  const rest = existing.replaceAll('\r\n', '\n').replace(/\n*$/, '\n').split('\n');
  const text = rest.filter((_, at) => !gone.has(at + 1)).join('\n');
  return withEntries(text, added.map(line), kept.length);
}

const bare = ({ requirement, check, reason, expires, profile, seed }: ListedFailure): NewEntry => ({
  ...(requirement === undefined ? { check } : { requirement }),
  ...(reason === undefined ? {} : { reason }),
  ...(expires === undefined ? {} : { expires }),
  ...(profile === undefined ? {} : { profile }),
  ...(seed === undefined ? {} : { seed }),
});

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** Whether each entry stands on lines of its own, after a hyphen at their beginning. */
function isBlockList(text: string, entries: readonly ListedFailure[]): boolean {
  const lines = text.split('\n');
  return entries.length > 0 && entries.every(({ line: first }) => lines[first - 1]?.startsWith('- '));
}

function withEntries(text: string, lines: readonly string[], kept = 0): string {
  if (lines.length === 0 && kept === 0) return `${text}[]\n`;
  return lines.length === 0 ? text : `${text}${lines.join('\n')}\n`;
}

function jsonText(entries: readonly NewEntry[]): string {
  if (entries.length === 0) return '[]\n';
  const shown = entries.map((entry) => JSON.stringify(isBare(entry) ? (entry.requirement ?? entry.check) : entry));
  return `[\n  ${shown.join(',\n  ')}\n]\n`;
}

/** An entry as it is to be written. */
export type NewEntry = Pick<ListedFailure, 'requirement' | 'check' | 'reason' | 'expires' | 'profile' | 'seed'>;

/** What a baseline becomes by a result. */
export interface BaselineChange {
  /** In their order, as they stand in the file. */
  readonly kept: readonly ListedFailure[];
  /** What fails and is not listed. */
  readonly added: readonly NewEntry[];
  /** What is listed, and no longer fails. */
  readonly removed: readonly ListedFailure[];
}

const REASON_LENGTH = 200;

/**
 * The baseline that excuses all that fails in a result. Entries that exist stay as they are, but for those that no
 * longer fail; entries that the run could not judge stay too.
 *
 * @param given what new entries say instead of what is wrong, and until when they count
 */
export function baselineOf(
  result: RunResult,
  existing: readonly ListedFailure[],
  given: { readonly reason?: string | undefined; readonly expires?: string | undefined },
): BaselineChange {
  const { checks, run } = result;
  // On no day: an expired entry whose failure is still there is for a person to decide on.
  const { entries } = judgeBaseline('', existing, { checks, day: '', profile: sentProfile(run) });
  const isGone = (at: number): boolean => entries[at]?.state === 'stale';
  const kept = existing.filter((_, at) => !isGone(at));
  const listed = new Set(kept.flatMap((entry) => entry.checks));
  const added = failedChecks(result)
    .filter(({ check }) => !listed.has(check.id))
    .map(({ check, violations }): NewEntry => {
      const [first] = violations;
      const wrong = first === undefined ? check.title : `${first.message} (${first.code})`;
      const { reason = excerptText(wrong, REASON_LENGTH), expires } = given;
      const listing = check.id === check.requirement ? { requirement: check.requirement } : { check: check.id };
      return {
        ...listing,
        reason,
        ...(expires === undefined ? {} : { expires }),
        profile: run.profile,
        seed: run.seed,
      };
    });
  return { kept, added, removed: existing.filter((_, at) => isGone(at)) };
}

/** `1 kept, 2 added, 1 removed (LIST-2)` */
export function changeText({ kept, added, removed }: BaselineChange): string {
  const gone = removed.length === 0 ? '' : ` (${removed.map(listedId).join(', ')})`;
  return `${kept.length} kept, ${added.length} added, ${removed.length} removed${gone}`;
}
