import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { JudgedCheck, Telemetry } from '../../engine/plan.ts';
import { type ReplayRecord, replayRecord } from '../../engine/replay/read-replay.ts';
import { reportError } from '../../report/files.ts';
import { LEDGER_FILE, replayFileName } from '../../report/model/files.ts';
import type { CheckResult, RunResult } from '../../report/model/result.ts';
import type { WriteOptions } from '../../report/write.ts';
import type { RunOptions } from '../run-options.ts';

/** Names in each failure the file with which it can be replayed. */
export function withReplayFile({ result }: Pick<JudgedCheck, 'result'>): CheckResult {
  if (result.outcome.kind !== 'failed') return result;
  const replay = replayFileName(result.id);
  const violations = result.outcome.violations.map((violation) => ({ ...violation, replay }));
  return { ...result, outcome: { ...result.outcome, violations } };
}

/**
 * Returns the file in which the creations of a run are noted. What earlier runs created at a target is still there, so
 * their lines stay; what they created at the embedded service is gone.
 * @throws FileError where the folder cannot be made
 */
export async function prepareLedger(reportDir: string, isEmbedded: boolean): Promise<string> {
  const file = resolve(reportDir, LEDGER_FILE);
  try {
    await mkdir(reportDir, { recursive: true });
    if (isEmbedded) await rm(file, { force: true });
  } catch (error) {
    throw reportError(error, reportDir);
  }
  return file;
}

/** Loads what writes reports, which takes a while: a run has it done while its checks wait for answers. */
export const loadWriting = () => import('../../report/write.ts');

/** Writes the reports of a run, and for each failure the file with which it can be replayed. @throws FileError */
export async function writeRun(
  result: RunResult,
  { checks, telemetry }: { readonly checks: readonly JudgedCheck[]; readonly telemetry: Telemetry | undefined },
  options: RunOptions,
  replayed: ReplayRecord | undefined,
  { dir, service, redact, history }: Pick<WriteOptions, 'dir' | 'service' | 'redact' | 'history'>,
): Promise<void> {
  if (options.reports.length === 0) return;
  const traffic = telemetry?.traffic ?? [];
  const { writeReports } = await loadWriting();
  await writeReports(result, { formats: options.reports, dir, redact, traffic, service, history });
  try {
    if (replayed === undefined) await rm(join(dir, 'failures'), { recursive: true, force: true });
    for (const { result: check, replay } of checks) {
      if (replay === undefined) continue;
      const file = join(dir, replayFileName(check.id));
      // Of a failure that is replayed, the first record stays: it knows the run that found it.
      const record = replayed ?? replayRecord(service.program, check.id, options, replay);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, replayText(record, redact));
    }
  } catch (error) {
    throw reportError(error, dir);
  }
}

/** Members of a replay file whose values are words of its format. They could not be read again if they were replaced. */
const WORDS: ReadonlySet<string> = new Set([
  'format',
  'check',
  'profile',
  'today',
  'kind',
  'path',
  'together',
  'operation',
  'failsAs',
  'circumstances',
]);

/** A replay file without secrets; a key that is a word of the format does not break it. */
function replayText(record: ReplayRecord, redact: (text: string) => string): string {
  const redacted = (name: string, value: unknown): unknown =>
    typeof value === 'string' && !WORDS.has(name) ? redact(value) : value;
  return `${JSON.stringify(record, redacted, 2)}\n`;
}
