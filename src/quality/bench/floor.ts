/**
 * The floor of a run: sends recorded requests with undici and the concurrency of a run, reads every answer whole, and
 * judges nothing. Arguments: the file of the recording, the base address of the service.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { RecordedRequest } from './recording.ts';

/** As `--concurrency` has it by default. */
const CONCURRENCY = 32;

const [file = '', baseUrl = ''] = process.argv.slice(2);
const recorded: readonly RecordedRequest[] = JSON.parse(readFileSync(file, 'utf8'));
const requests = recorded.map(({ method, path, headers, body, isChunked }) => ({
  method,
  path,
  headers: [...headers],
  bytes: body === undefined ? null : Buffer.from(body, 'base64'),
  isChunked,
}));

const pool = new Pool(new URL(baseUrl).origin, { connections: CONCURRENCY });
let next = 0;

async function send(): Promise<void> {
  for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
    const { bytes, isChunked, ...rest } = request;
    const body = isChunked && bytes !== null ? Readable.from([bytes]) : bytes;
    const answer = await pool.request({ ...rest, body });
    await answer.body.arrayBuffer();
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, send));
await pool.close();
