import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import type { Address } from '../connect/route.ts';
import type { Exchange, WireRequest } from '../exchange.ts';
import type { ExtraHeader } from '../options.ts';
import { listening, testClient } from '../rig.fixture.ts';
import { curlLine } from './curl.ts';

interface Received {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
  /** The sizes of its chunks, where it has no length. */
  readonly chunks: readonly number[];
}

/** Headers that curl and the client each set in their own way. */
const OF_THE_SENDER = new Set(['host', 'connection', 'user-agent', 'accept']);

/** A server that records what it receives in a form that does not depend on the order of headers. */
async function recordingServer() {
  const received: Received[] = [];
  const server = createServer({ maxHeaderSize: 128 * 1024 }, (incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on('end', () => {
      const headers: string[] = [];
      for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
        const name = incoming.rawHeaders[at]?.toLowerCase() ?? '';
        if (!OF_THE_SENDER.has(name)) headers.push(`${name}: ${incoming.rawHeaders[at + 1]}`);
      }
      received.push({
        line: `${incoming.method} ${incoming.url}`,
        headers: headers.sort(),
        body: Buffer.concat(chunks).toString('base64'),
        chunks: incoming.headers['transfer-encoding'] === undefined ? [] : chunks.map(({ length }) => length),
      });
      outgoing.end('[]');
    });
  });
  return { received, ...(await listening(server)) };
}

/** Runs lines in bash, one after the other, and returns what they write to stderr. */
function runInBash(lines: readonly string[], variables: NodeJS.ProcessEnv): Promise<string> {
  const bash = spawn('bash', ['-s'], { env: { PATH: process.env['PATH'] ?? '', ...variables } });
  bash.stdin.end(lines.map((line) => `${line} -sS -o /dev/null --max-time 60 </dev/null\n`).join(''));
  let complaints = '';
  bash.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  return new Promise((resolve) => bash.on('close', () => resolve(complaints)));
}

/**
 * Sends requests with the client, then their curl lines in bash, and expects the service to receive the same.
 *
 * @param variables of the shell, the key among them
 * @param linesOf the curl line of each exchange, as somebody reads it
 */
export async function expectSameRequests(
  requests: readonly WireRequest[],
  variables: NodeJS.ProcessEnv,
  headers: readonly ExtraHeader[] = [],
  linesOf = (exchanges: readonly Exchange[], address: Address): readonly string[] =>
    exchanges.map(({ request }) => curlLine(request, address)),
): Promise<void> {
  const server = await recordingServer();
  const client = testClient(`http://127.0.0.1:${server.port}/shop/v1`, { concurrency: 1, headers });
  try {
    const exchanges: Exchange[] = [];
    for (const request of requests) exchanges.push(await client.send(request));
    const fromClient = server.received.splice(0);
    const lines = linesOf(exchanges, client.address);
    expect(await runInBash(lines, variables)).toBe('');
    for (const [at, line] of lines.entries()) expect(server.received[at], line.slice(0, 500)).toEqual(fromClient[at]);
    expect(fromClient).toHaveLength(requests.length);
    for (const secret of Object.values(variables)) {
      if (secret !== undefined && secret.length > 2) expect(lines.join('\n')).not.toContain(secret);
    }
  } finally {
    await client.close();
    await server.stop();
  }
}
