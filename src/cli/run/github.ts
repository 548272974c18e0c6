import { PET_STORE } from '../../petstore/description.ts';
import type { GitHubJob } from '../../report/github-job.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { RunOptions } from '../run-options.ts';
import { redactorOf } from './redactor.ts';

/** Adds the result of a run to the page of the job, without secrets. */
export function addToJob(job: GitHubJob, result: RunResult, options: RunOptions, dir: string): Promise<void> {
  const redact = redactorOf(options);
  return job.add(result, { dir, service: PET_STORE, redact });
}
