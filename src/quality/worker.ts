/** Runs trials for the matrix, one after the other. */
import { EMPTY_TRIAL, type Job, runTrial } from './trial.ts';

process.on('message', (job: Job) => {
  void runTrial(job)
    .catch((error) => ({ ...EMPTY_TRIAL, job, crash: error instanceof Error ? error.stack : String(error) }))
    .then((trial) => process.send?.(trial));
});
