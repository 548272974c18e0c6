/** The program of a thread that runs the reference service: it must not take turns with what tests it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ReferenceOptions, startReference } from './server.ts';

const options: ReferenceOptions = workerData;
const { baseUrl } = await startReference(options);
parentPort?.postMessage(baseUrl);
