/** What a baseline means for a run: which failures it accepts, and which of its entries must be removed. */
import type { Profile } from '../run/budget.ts';
import { count, excerpt, named } from '../text.ts';
import { comparedFindings } from './comparison.ts';
import type { BaselineEntry, Finding, RequirementResult, RunResult } from './result.ts';

/** An entry as in the file. */
export type ListedFailure = Omit<BaselineEntry, 'state'>;

/** The known failures of a service. */
export interface Baseline {
  /** As the user named it. */
  readonly file: string;
  readonly entries: readonly ListedFailure[];
}

type Tested = Pick<RunResult, 'requirements' | 'findings'>;

interface CurrentRun {
  /** The UTC date by which entries expire, `YYYY-MM-DD`. */
  readonly day: string;
  readonly profile: Profile;
  /** Whether the run was ended early; it then cannot show that anything no longer fails. */
  readonly interrupted: boolean;
}

const isAbout = ({ requirement, finding: key }: ListedFailure, finding: Finding): boolean =>
  finding.key === key && finding.requirements.includes(requirement);

const NARROW_TO_WIDE: readonly Profile[] = ['smoke', 'standard', 'thorough'];

/** An entry is stale if a comparison says of it that it passes, in a run of at least its profile. */
function stateOf(entry: ListedFailure, tested: Tested, run: CurrentRun): BaselineEntry['state'] {
  if (entry.expires !== undefined && run.day > entry.expires) return 'expired';
  if (tested.findings.some((finding) => isAbout(entry, finding))) return 'expected';
  const known = { key: entry.finding, says: entry.reason, requirements: [entry.requirement] };
  const [compared] = comparedFindings([known], { ...tested, findings: [] });
  const isWide = NARROW_TO_WIDE.indexOf(run.profile) >= NARROW_TO_WIDE.indexOf(entry.profile ?? 'standard');
  return compared?.end === 'passes' && isWide && !run.interrupted ? 'stale' : 'not seen';
}

/** Marks what the baseline accepts as expected, and gives each entry its state. */
export function applyBaseline(
  { requirements, findings }: Tested,
  { file, entries }: { readonly file: string; readonly entries: readonly ListedFailure[] },
  run: CurrentRun,
): Required<Pick<RunResult, 'requirements' | 'findings' | 'baseline'>> {
  const counting = entries.filter(({ expires }) => expires === undefined || run.day <= expires);
  const marked = findings.map((finding) => ({
    ...finding,
    expected: counting.some((entry) => isAbout(entry, finding)),
  }));
  const isExpected = ({ id, outcome }: RequirementResult): boolean => {
    const own = marked.filter((finding) => finding.requirements.includes(id));
    return outcome === 'failed' && own.length > 0 && own.every(({ expected }) => expected);
  };
  return {
    requirements: requirements.map((row) => ({ ...row, expectedFailure: isExpected(row) })),
    findings: marked,
    baseline: {
      file,
      entries: entries.map((entry) => ({ ...entry, state: stateOf(entry, { requirements, findings }, run) })),
    },
  };
}

/** Entries that make a run fail. */
const toRemove = (baseline: RunResult['baseline']): readonly BaselineEntry[] =>
  (baseline?.entries ?? []).filter(({ state }) => state === 'stale' || state === 'expired');

const whyOf = ({ state, requirement, expires }: BaselineEntry): string =>
  state === 'stale' ? `${requirement} no longer fails` : `it expired on ${expires}`;

const placeOf = (file: string | undefined, { line, lastLine }: BaselineEntry): string =>
  `${file}:${line}${lastLine > line ? `-${lastLine}` : ''}`;

/** What to do about each entry that makes the run fail, in the order of the file. */
export function adviceOf(baseline: RunResult['baseline']): readonly string[] {
  return toRemove(baseline).map((entry) => {
    const what = entry.lastLine > entry.line ? 'the entry that begins with' : 'the line';
    const why = `${placeOf(baseline?.file, entry)}: ${whyOf(entry)}; remove ${what} \`${excerpt(entry.text, 160)}\``;
    return entry.state === 'expired' ? `${why}, or give it a later date` : why;
  });
}

/** `2 baseline entries must be removed: known.yaml:3 (LIST-2 no longer fails), …`; undefined for none. */
export function staleSentence(baseline: RunResult['baseline']): string | undefined {
  const gone = toRemove(baseline);
  if (gone.length === 0) return undefined;
  const places = gone.map((entry) => `${placeOf(baseline?.file, entry)} (${whyOf(entry)})`);
  return `${count(gone.length, 'baseline entry', 'baseline entries')} must be removed: ${named(places, 3)}`;
}
