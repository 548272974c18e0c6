/** What a baseline says of a run: which failures it excuses, and which of its entries must be removed. */
import type { Baseline, BaselineEntry, CheckResult, Profile, RequirementResult, RunResult } from './result.ts';
import { count, excerptText } from './text.ts';

/** An entry as it stands in the file. */
export type ListedFailure = Omit<BaselineEntry, 'state'>;

type Listed = Pick<ListedFailure, 'requirement' | 'check'>;

/** The requirement or the check that an entry lists. */
export const listedId = ({ requirement, check }: Listed): string => requirement ?? check ?? '';

/** Whether an entry counts no longer. @param day the UTC date of the run, `YYYY-MM-DD` */
export const isExpired = ({ expires }: Pick<ListedFailure, 'expires'>, day: string): boolean =>
  expires !== undefined && day > expires;

interface Findings {
  readonly checks: readonly CheckResult[];
  /** The UTC date of the run. */
  readonly day: string;
  /** By which the checks were sent. */
  readonly profile: Profile;
}

/** The entries of a baseline, each with what a run says of it. */
export function judgeBaseline(file: string, entries: readonly ListedFailure[], findings: Findings): Baseline {
  const judged = entries.map((entry): BaselineEntry => ({ ...entry, state: stateOf(entry, findings) }));
  const having = (state: BaselineEntry['state']) => judged.filter((entry) => entry.state === state).map(listedId);
  return { file, expected: having('expected'), stale: having('stale'), entries: judged };
}

const FROM_NARROW_TO_WIDE: readonly Profile[] = ['smoke', 'standard', 'thorough'];

/** Whether a run has sent what showed the failure. An entry that does not name its profile is of the default one. */
const hasSentAsMuch = ({ profile = 'standard' }: ListedFailure, sent: Profile): boolean =>
  FROM_NARROW_TO_WIDE.indexOf(sent) >= FROM_NARROW_TO_WIDE.indexOf(profile);

/** The profile by which all checks of a run were sent: where time was short, a narrower one than was asked for. */
export const sentProfile = ({ profile, narrowedTo }: Pick<RunResult['run'], 'profile' | 'narrowedTo'>): Profile =>
  narrowedTo ?? profile;

function stateOf(entry: ListedFailure, { checks, day, profile }: Findings): BaselineEntry['state'] {
  const own = checks.filter(({ id }) => entry.checks.includes(id)).map(({ outcome }) => outcome.kind);
  if (own.length > 0 && isExpired(entry, day)) return 'expired';
  if (own.includes('failed')) return 'expected';
  // It no longer fails only where each of its checks could have.
  const isWhole = own.length === entry.checks.length && own.includes('passed');
  const hasHeld = own.every((kind) => kind === 'passed' || kind === 'not applicable');
  return isWhole && hasHeld && hasSentAsMuch(entry, profile) ? 'stale' : 'not seen';
}

/** Whether the baseline lists a requirement, and, where it is violated, each check that fails. */
export function isExpectedFailure(
  { id, status }: Pick<RequirementResult, 'id' | 'status'>,
  checks: readonly CheckResult[],
  entries: readonly ListedFailure[],
  day: string,
): boolean {
  const counting = entries.filter((entry) => !isExpired(entry, day));
  const covers = (check: CheckResult): boolean => counting.some((entry) => entry.checks.includes(check.id));
  const own = checks.filter(({ requirement }) => requirement === id);
  const failed = own.filter(({ outcome }) => outcome.kind === 'failed');
  if (status === 'violated') return failed.length > 0 && failed.every(covers);
  return own.some(covers) || counting.some(({ requirement }) => requirement === id);
}

/** The run that showed the failure, so that it can be repeated. */
const recordedWith = ({ profile, seed }: ListedFailure): string =>
  profile === undefined || seed === undefined ? '' : ` (it did with --profile ${profile} --seed ${seed})`;

/** The entries for which a run fails. */
const toRemove = ({ entries }: Baseline): readonly BaselineEntry[] =>
  entries.filter(({ state }) => state === 'stale' || state === 'expired');

const placeOf = (file: string, { line, lastLine }: ListedFailure): string =>
  `${file}:${line}${lastLine > line ? `-${lastLine}` : ''}`;

/** What to do about each entry for which the run fails, in the order of the file. */
export function baselineAdvice({ baseline, checks }: Pick<RunResult, 'baseline' | 'checks'>): readonly string[] {
  if (baseline === undefined) return [];
  const { file } = baseline;
  return toRemove(baseline).map((entry) => {
    const { state, expires, text } = entry;
    const place = `${placeOf(file, entry)}: remove ${entry.lastLine > entry.line ? 'the entry' : 'the line'} "${excerptText(text, 200)}"`;
    if (state === 'stale') return `${place}: ${listedId(entry)} no longer fails${recordedWith(entry)}`;
    const fails = checks.some(({ id, outcome }) => outcome.kind === 'failed' && entry.checks.includes(id));
    const still = fails ? 'still fails: fix it, or give it a later date' : 'no longer fails';
    return `${place}: it expired on ${expires}, and ${listedId(entry)} ${still}`;
  });
}

/** `2 entries of the baseline must be removed: known.yaml:3 (LIST-2), …`; undefined where none must. */
export function staleSentence(baseline: Baseline | undefined): string | undefined {
  if (baseline === undefined) return undefined;
  const { file } = baseline;
  const gone = toRemove(baseline);
  if (gone.length === 0) return undefined;
  const named = gone.map((entry) => {
    return `${placeOf(file, entry)} (${listedId(entry)} ${entry.state === 'stale' ? 'no longer fails' : `expired on ${entry.expires}`})`;
  });
  return `${count(gone.length, 'entry', 'entries')} of the baseline must be removed: ${firstFew(named)}.`;
}

/** The first names of a list, and how many more there are. */
export function firstFew(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

/** Each expected failure that was seen, with its reason and its last day. */
export function expectedTexts({ expected, entries }: Baseline): readonly string[] {
  return expected.map((id) => {
    const entry = entries.find((one) => one.state === 'expected' && listedId(one) === id);
    const { reason, expires } = entry ?? {};
    const why = [reason === undefined ? [] : excerptText(reason, 200), expires === undefined ? [] : `until ${expires}`];
    const reasons = why.flat().join(', ');
    return reasons === '' ? id : `${id} (${reasons})`;
  });
}
