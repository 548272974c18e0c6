/** A history: a file with a line of JSON for each run, which `compare` and the trend read. */
import { open, readFile } from 'node:fs/promises';
import { codeOf, FileError } from './files.ts';
import type { Finding, Recorded, RequirementResult, RunResult } from './result.ts';
import { excerpt } from './text.ts';

const HISTORY_FORMAT = 'petstore-conformance-history/2';

/** What is kept of a run; a whole result is one as well. */
export interface RunRecord extends Pick<RunResult, 'suite' | 'run' | 'target' | 'verdict' | 'exitCode' | 'conclusion'> {
  readonly requirements: readonly (Pick<RequirementResult, 'id' | 'outcome' | 'reason' | 'reasonOf'> & {
    readonly recorded: readonly Pick<Recorded, 'reading'>[];
  })[];
  readonly findings: readonly Pick<Finding, 'key' | 'requirements'>[];
}

export interface History {
  /** In the order of the file. */
  readonly runs: readonly RunRecord[];
  /** What is wrong with each line that is not a run, such as `history.jsonl:7 is not JSON, and was left out`. */
  readonly damaged: readonly string[];
}

/** A service, or a command line, decides how long a text is. */
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
    requirements: requirements.map(({ id, outcome, reason, reasonOf, recorded }) => {
      const readings = recorded.map(({ reading }) => ({ reading: short(reading) }));
      return { id, outcome, reason: reason && short(reason), reasonOf, recorded: readings };
    }),
    findings: findings.map(({ key, requirements: ids }) => ({ key, requirements: ids })),
  };
  return `${JSON.stringify({ format: HISTORY_FORMAT, ...record })}\n`;
}

/** @throws FileError where there is none, or it cannot be read */
export async function readHistory(path: string): Promise<History> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const why =
      codeOf(cause) === 'ENOENT' ? 'a run with this --history begins one' : `cannot be read (${codeOf(cause)})`;
    throw new FileError(`There is no history at ${path}: ${why}`, { cause });
  });
  return parseHistory(text, path);
}

/** The runs in a text. @param path only for the messages */
function parseHistory(text: string, path: string): History {
  const [runs, damaged]: [RunRecord[], string[]] = [[], []];
  for (const [at, line] of text.split('\n').entries()) {
    const read = line.trim() === '' ? undefined : parsed(line);
    if (isRecord(read)) runs.push(read);
    else if (read !== undefined) damaged.push(`${path}:${at + 1} is no run of this version, and was left out`);
  }
  return { runs, damaged };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only this module writes lines of the format: what is looked for are lines of which a part was lost. */
const isRecord = (data: unknown): data is RunRecord =>
  isObject(data) &&
  data['format'] === HISTORY_FORMAT &&
  ['suite', 'run', 'target'].every((name) => isObject(data[name])) &&
  ['requirements', 'findings'].every((name) => Array.isArray(data[name])) &&
  ['verdict', 'conclusion'].every((name) => typeof data[name] === 'string');

/**
 * Adds a run to a history, in one write, so that runs that end at the same time do not mix theirs. Where the last line
 * has no end, as of a run that was killed, the new one begins on a line of its own.
 *
 * @param result without secrets
 * @throws FileError where it cannot be written
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
    throw new FileError(`The history ${path} cannot be written (${why}); name another file`, { cause });
  }
}

/** Runs that can be compared with one another: of the same target and profile. The embedded service has many ports. */
export const alike = (runs: readonly RunRecord[], { run, target }: RunRecord): readonly RunRecord[] =>
  runs.filter((one) => {
    const isSame = target.embedded ? one.target.embedded : one.target.baseUrl === target.baseUrl;
    return isSame && one.run.profile === run.profile;
  });

/** Whether it says anything of the service: not where the service was down, or the run too short. */
export const hasVerdict = ({ verdict }: Pick<RunRecord, 'verdict'>): boolean =>
  verdict === 'conforms' || verdict === 'violations';

/**
 * The last runs of a history that are of the target and profile of the very last, in their order. Of the earlier ones
 * those without a verdict are left out, as an outage would hide what got worse after it, unless no other is there.
 */
export function lastAlike(runs: readonly RunRecord[], most = 2): readonly RunRecord[] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  const own = alike(runs, last);
  const telling = own.filter((one) => one === last || hasVerdict(one));
  return (telling.length > 1 ? telling : own).slice(-most);
}
