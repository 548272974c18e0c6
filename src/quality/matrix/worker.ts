import { loadContract } from '../../contract/contract.ts';
import { CATALOGUE } from '../../petstore/outline.ts';
import { type Job, runTrial } from './trial.ts';

const loading = loadContract();

const isJob = (message: unknown): message is Job =>
  typeof message === 'object' && message !== null && 'kind' in message && 'seed' in message;

process.on('message', (message: unknown) => {
  if (!isJob(message)) return;
  // A trial that throws ends the worker: the queue then reports what it wrote to stderr and starts another.
  void loading
    .then((contract) => runTrial(message, { catalogue: CATALOGUE, contract }))
    .then((trial) => process.send?.(trial));
});
