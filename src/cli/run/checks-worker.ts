/** The program of the thread in which the checks run. */
import { parentPort } from 'node:worker_threads';
import { type ChecksEvent, type ChecksOrder, describeError } from './checks-messages.ts';
import { runPlanned } from './run-planned.ts';

const port = parentPort;
if (port === null) throw new Error('the checks run in a thread of their own');

const tell = (event: ChecksEvent): void => port.postMessage(event);
const stop = new AbortController();

port.on('message', (order: ChecksOrder) => {
  if (order.kind === 'stop') stop.abort(order.reason);
  else void runPlanned(order.given, stop.signal, tell);
});
// What no test has awaited is told as well, and ends no run.
process.on('uncaughtException', (error) => tell({ kind: 'fault', error: describeError(error) }));
