import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../cli/run/program.fixture.ts';
import { resultIn } from '../../cli/run/run-in-process.fixture.ts';
import type { Profile } from '../../report/model/result.ts';

/** What the program says of a service. */
export interface Judged {
  readonly exitCode: number | null;
  readonly printed: string;
  /** The ids of the requirements that are violated, sorted. */
  readonly violated: readonly string[];
  /** The ids of the requirements that were not judged, sorted. */
  readonly notJudged: readonly string[];
}

/** Runs the program against a service. */
export async function judgedBy(profile: Profile, ...target: readonly string[]): Promise<Judged> {
  const reportDir = mkdtempSync(join(tmpdir(), 'petstore-services-'));
  const options = ['--seed', '1729', '--today', '2027-01-01', '--report', 'json', '--report-dir', reportDir];
  try {
    const { code, printed } = await runProgram(...target, '--profile', profile, ...options);
    const { requirements } = resultIn(reportDir);
    const ids = (status: string): readonly string[] =>
      requirements
        .filter((requirement) => requirement.status === status)
        .map(({ id }) => id)
        .toSorted();
    return { exitCode: code, printed, violated: ids('violated'), notJudged: ids('not judged') };
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
  }
}
