import { PET_STORE } from '../../petstore/description.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import type { GitHubJob } from '../../report/github-job.ts';
import type { RunResult } from '../../report/model/result.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import type { RunOptions } from '../run-options.ts';
import { secretsOf } from './secrets.ts';

/** Adds the result of a run to the page of the job, without secrets. */
export function addToJob(job: GitHubJob, result: RunResult, options: RunOptions, dir: string): Promise<void> {
  const redact = createRedactor(secretsOf(options, PET_STORE_OUTLINE));
  return job.add(result, { dir, service: PET_STORE, redact });
}
