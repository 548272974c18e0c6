/** A history: a file with a line of JSON for each run, which `compare` and the trend read. */
import { open, readFile } from 'node:fs/promises';
import { isObject } from '../contract/json-pointer.ts';
import { excerpt } from '../text.ts';
import { codeOf, FileError } from './files.ts';
import type { Finding, Recorded, RequirementResult, RunResult } from './result.ts';

const HISTORY_FORMAT = 'petstore-conformance-history/4';

/** What a history keeps of a run; a whole result qualifies too. */
export interface RunRecord extends Pick<RunResult, 'suite' | 'run' | 'target' | 'verdict' | 'exitCode' | 'conclusion'> {
  readonly requirements: readonly (Pick<RequirementResult, 'id' | 'outcome' | 'partly' | 'reason' | 'reasonOf'> & {
    readonly recorded: readonly Pick<Recorded, 'reading'>[];
  })[];
  readonly findings: readonly Pick<
    Finding,
    'key' | 'says' | 'requirements' | 'intermittent' | 'passedAgain' | 'seenOnce'
  >[];
}

/** Texts come from a service or a command line, which may make them very long. */
const LONGEST_TEXT = 300;

function lineOf({ suite, run, target, verdict, exitCode, conclusion, requirements, findings }: RunResult): string {
  const short = (text: string): string => excerpt(text, LONGEST_TEXT);
  const record: RunRecord = {
    suite,
    run: { ...run, options: run.options.map(short) },
    target,
    verdict,
    exitCode,
    conclusion: short(conclusion),
    requirements: requirements.map(({ id, outcome, partly, reason, reasonOf, recorded }) => {
      const readings = recorded.map(({ reading }) => ({ reading: short(reading) }));
      return { id, outcome, partly, reason: reason && short(reason), reasonOf, recorded: readings };
    }),
    findings: findings.map(({ key, says, requirements: ids, intermittent, passedAgain, seenOnce }) => {
      return { key, says: short(says), requirements: ids, intermittent, passedAgain, seenOnce };
    }),
  };
  return `${JSON.stringify({ format: HISTORY_FORMAT, ...record })}\n`;
}

/** The runs of a history, in the order of the file. @throws FileError if there is none, it cannot be read, or a line is no run */
export async function readHistory(path: string): Promise<readonly RunRecord[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why =
      codeOf(cause) === 'ENOENT' ? 'a run with this --history creates it' : `cannot be read (${codeOf(cause)})`;
    throw new FileError(`there is no history at ${path}; ${why}`, { cause });
  });
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const read = parsed(line);
    if (isRecord(read)) return read;
    throw new FileError(`${path}:${at + 1} is not a run of this version; remove the line, or name another file`);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Only this module writes lines of this format, so this detects lines of which a part was lost. */
const isRecord = (data: unknown): data is RunRecord =>
  isObject(data) &&
  data['format'] === HISTORY_FORMAT &&
  ['suite', 'run', 'target'].every((name) => isObject(data[name])) &&
  ['requirements', 'findings'].every((name) => Array.isArray(data[name])) &&
  ['verdict', 'conclusion'].every((name) => typeof data[name] === 'string');

/**
 * Adds a run to a history in one write, so that runs that end at the same time do not mix their lines. If the last line
 * is incomplete, as after a run that was killed, the new one still begins on a line of its own.
 *
 * @param result without secrets
 * @throws FileError if it cannot be written
 */
export async function appendToHistory(path: string, result: RunResult): Promise<void> {
  try {
    const file = await open(path, 'a+');
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await file.read(last, 0, 1, size - 1);
      await file.appendFile(size > 0 && last.toString() !== '\n' ? `\n${lineOf(result)}` : lineOf(result));
    } finally {
      await file.close();
    }
  } catch (cause) {
    const why = codeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new FileError(`${path} cannot be written (${why}); name another file`, { cause });
  }
}

/** Runs that can be compared: those of the same target and profile. The port of the embedded service varies. */
export const comparableRuns = (runs: readonly RunRecord[], { run, target }: RunRecord): readonly RunRecord[] =>
  runs.filter((other) => {
    const isSame = target.embedded ? other.target.embedded : other.target.baseUrl === target.baseUrl;
    return isSame && other.run.profile === run.profile;
  });

/** Whether a run says anything about the service; not if the service was down, or the run too short. */
export const hasVerdict = ({ verdict }: Pick<RunRecord, 'verdict'>): boolean =>
  verdict === 'conforms' || verdict === 'violations';

/**
 * The last runs of a history with the target and profile of the very last, in order. Earlier runs without a verdict are
 * left out, unless there are no others: an outage would hide what got worse after it.
 */
export function lastComparable(runs: readonly RunRecord[], most = 2): readonly RunRecord[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const own = comparableRuns(runs, last);
  const comparable = own.filter((run) => run === last || hasVerdict(run));
  return (comparable.length > 1 ? comparable : own).slice(-most);
}
