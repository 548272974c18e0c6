import { loadContract } from '../../contract/contract.ts';
import { loadCatalogue } from '../../engine/catalogue.ts';
import { PARTS } from '../../petstore/parts.ts';
import { isJob } from './messages.ts';
import { tryChange } from './trial.ts';

const law = { catalogue: loadCatalogue(PARTS), contract: await loadContract() };

process.on('message', (message: unknown) => {
  if (!isJob(message)) return;
  // A trial that throws ends the worker: the queue then reports its last words and starts another.
  void tryChange(message, law).then((trial) => process.send?.(trial));
});
