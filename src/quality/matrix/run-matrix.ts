import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { CHECKS } from '../../../suites/index.ts';
import { mix } from '../../engine/mix.ts';
import { suiteVersion } from '../../package.ts';
import { CATALOGUE } from '../../petstore/outline.ts';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { reportError } from '../../report/files.ts';
import type { Profile } from '../../report/model/result.ts';
import { writeReport } from '../../report/write.ts';
import { classify, type MatrixResult } from './classify.ts';
import { matrixPage } from './html.ts';
import { jobsFor, runTrials } from './queue.ts';
import { summaryText } from './summary.ts';

export interface MatrixOptions {
  /** The faults and variants to try; undefined for all. */
  readonly names: readonly string[] | undefined;
  /** How long trials are begun (ms); for a matrix of all of them, undefined. */
  readonly maxTimeMs?: number | undefined;
  /** Worker processes. */
  readonly jobs: number;
  readonly seed: number;
  readonly profile: Profile;
  /** Whether all checks run to their end on every fault, and not only on some faults of each requirement. */
  readonly whole: boolean;
  /** Whether a failure of each fault is replayed, on the faulty service and on a sound one. */
  readonly replays: boolean;
  readonly reportDir: string;
  readonly color: boolean;
  /** Whether progress may be redrawn in place. */
  readonly interactive: boolean;
}

/**
 * Runs the checks against faults and variants, prints the summary, and writes faults.json and faults.html.
 *
 * @throws FileError if a report cannot be written
 */
export async function runMatrix(
  { names, maxTimeMs, jobs, seed, profile, whole, replays, reportDir, color, interactive }: MatrixOptions,
  { stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<MatrixResult> {
  const selected = ({ name }: { readonly name: string }) => names === undefined || names.includes(name);
  const changes = { faults: FAULTS.filter(selected), variants: VARIANTS.filter(selected), checks: CHECKS };
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const all = jobsFor(changes, { seed, profile, areWhole: whole || names !== undefined, replays });
  // Where time does not allow all of them, every run tries others.
  const queue =
    maxTimeMs === undefined ? all : all.toSorted((one, other) => mix(seed, one.name) - mix(seed, other.name));
  const trials = await runTrials(queue, { workers: jobs, progress: interactive ? stderr : undefined, maxTimeMs });
  const milliseconds = Math.round(performance.now() - started);
  const facts = {
    version: suiteVersion(),
    startedAt,
    milliseconds,
    jobs,
    seed,
    profile,
    complete: names === undefined && trials.length === all.length,
  };
  const result = classify(trials, CATALOGUE.requirements, changes, facts);
  stdout.write(summaryText(result, { color }));
  await mkdir(reportDir, { recursive: true }).catch((cause: unknown) => {
    throw reportError(cause, reportDir);
  });
  await writeReport(reportDir, 'faults.json', `${JSON.stringify(result, undefined, 2)}\n`);
  await writeReport(reportDir, 'faults.html', matrixPage(result));
  stdout.write(`Reports in ${join(reportDir, 'faults.html')} and faults.json\n`);
  return result;
}
