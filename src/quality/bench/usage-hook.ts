/**
 * Loaded into every Node process of a measured command (`NODE_OPTIONS=--import …`): as the process ends, it writes down
 * what the operating system has counted for it, all threads included. Node cannot wait for a child and read that from
 * outside; what comes after `exit` (the end of the process itself) is not counted, about 10 ms.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';
import { now } from './clock.ts';
import { type ConnectionFile, type ProcessFile, USAGE_FOLDER } from './usage.ts';

const CONNECTION = 'net.client.socket';
/** How many connections of each thread are noted: those of the preflight, and the first of the checks. */
const CONNECTIONS = 4;
const folder = process.env[USAGE_FOLDER];

function processorMs(): number {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  return (userCPUTime + systemCPUTime) / 1_000;
}

if (folder !== undefined) {
  const write = (name: string, content: ProcessFile | ConnectionFile): void =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  let connections = 0;
  const onConnection = (): void => {
    connections += 1;
    if (connections === CONNECTIONS) unsubscribe(CONNECTION, onConnection);
    write(`connection-${process.pid}-${threadId}-${connections}`, {
      kind: 'connection',
      at: now(),
      processorMs: processorMs(),
    });
  };
  subscribe(CONNECTION, onConnection);
  if (isMainThread) {
    process.once('exit', () => {
      const peakBytes = process.resourceUsage().maxRSS * 1_024;
      write(`process-${process.pid}`, { kind: 'process', processorMs: processorMs(), peakBytes });
    });
  }
}
