/** What stands beside a result in its folder, put together for the result of several. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstFailure } from '../../report/merge/merge-checks.ts';
import { LEDGER_FILE, replayFileName } from '../../report/model/files.ts';
import type { RunResult } from '../../report/model/result.ts';
import { reportError } from '../../report/report-error.ts';

/** A result with the file that it was read from. */
export interface StoredResult {
  readonly file: string;
  readonly result: RunResult;
}

/** The files of a merged result: their text by their name in the report folder. */
type MergedFiles = ReadonlyMap<string, string>;

/** Reads what belongs to a merged result: the recorded failures, and the ledger of what all of its runs created. */
export async function filesOf(merged: RunResult, stored: readonly StoredResult[]): Promise<MergedFiles> {
  const files = new Map<string, string>();
  const results = stored.map(({ result }) => result);
  for (const { id, outcome } of merged.checks) {
    if (outcome.kind !== 'failed') continue;
    const source = stored[firstFailure(id, results)];
    const text = source && (await textOf(join(dirname(source.file), replayFileName(id))));
    if (text !== undefined) files.set(replayFileName(id), text);
  }
  const lines = new Set<string>();
  for (const { file } of stored) {
    const ledger = await textOf(join(dirname(file), LEDGER_FILE));
    for (const line of ledger?.split('\n') ?? []) if (line !== '') lines.add(line);
  }
  if (lines.size > 0) files.set(LEDGER_FILE, `${[...lines].join('\n')}\n`);
  return files;
}

/** The result, in which a failure names a file to replay it with only where there is one. */
export function withFiles(result: RunResult, files: MergedFiles): RunResult {
  const checks = result.checks.map((check) => {
    if (check.outcome.kind !== 'failed' || files.has(replayFileName(check.id))) return check;
    const violations = check.outcome.violations.map(({ replay: _, ...violation }) => violation);
    return { ...check, outcome: { ...check.outcome, violations } };
  });
  return { ...result, checks };
}

/** Writes them. Failures of an earlier result go; what earlier runs have created is still there. @throws ReportError */
export async function writeFiles(files: MergedFiles, dir: string): Promise<void> {
  try {
    await rm(join(dir, 'failures'), { recursive: true, force: true });
    for (const [name, text] of files) {
      const file = join(dir, name);
      const before = name === LEDGER_FILE ? await textOf(file) : undefined;
      const lines = [before ?? '', text].flatMap((part) => part.split('\n')).filter((line) => line !== '');
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, before === undefined ? text : `${[...new Set(lines)].join('\n')}\n`);
    }
  } catch (error) {
    throw reportError(error, dir);
  }
}

/** The text of a file; undefined where there is none. */
const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);
