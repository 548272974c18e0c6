import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { endless, rawServer } from './rig.fixture.ts';

const LOADER = fileURLToPath(new URL('../cli/typescript.mjs', import.meta.url));
const PROBE = fileURLToPath(new URL('./memory-probe.fixture.ts', import.meta.url));
const MEBIBYTE = 1024 * 1024;

/** What a process of its own, with nothing in it but the client, saw of a service. */
interface Seen {
  readonly codes: readonly string[];
  readonly peakMebibytes: number;
}

async function probe(onRequest: (socket: Socket) => void, requests: number, concurrency: number): Promise<Seen> {
  const server = await rawServer(onRequest);
  try {
    return await new Promise((resolve, reject) => {
      const child = fork(PROBE, [`http://127.0.0.1:${server.port}/v1`, `${requests}`, `${concurrency}`], {
        execArgv: ['--import', LOADER],
      });
      child.once('message', (message: Seen) => resolve(message));
      child.once('exit', (code) => reject(new Error(`the probe ended with ${code}`)));
    });
  } finally {
    await server.stop();
  }
}

const whole =
  (coding: string, body: Uint8Array) =>
  (socket: Socket): void => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const UNTIL_CLOSE = 'HTTP/1.1 200 OK\r\n\r\n';

describe('memory stays below 300 MB', () => {
  test.each([
    ['32 bodies without end', 'body-too-large', endless(UNTIL_CLOSE, Buffer.alloc(64 * 1024, 'x')), 32, 32],
    ['128 bodies without end', 'body-too-large', endless(UNTIL_CLOSE, Buffer.alloc(64 * 1024, 'x')), 128, 128],
    ['bodies in chunks of one byte', 'body-too-large', endless(CHUNKED, Buffer.from('1\r\nx\r\n'.repeat(4_000))), 4, 4],
    [
      'heads without end',
      'headers-too-large',
      endless('HTTP/1.1 200 OK\r\n', Buffer.from('a: b\r\n'.repeat(1_000))),
      12,
      12,
    ],
    ['gzip bombs of 128 MiB', '200', whole('gzip', gzipSync(Buffer.alloc(128 * MEBIBYTE))), 64, 32],
    ['whole bodies of nearly 4 MiB', '200', whole('identity', Buffer.alloc(4 * MEBIBYTE - 1, 'x')), 96, 32],
  ])('against %s', async (_what, code, onRequest, requests, concurrency) => {
    const { codes, peakMebibytes } = await probe(onRequest, requests, concurrency);
    expect(codes).toEqual(Array(requests).fill(code));
    expect(peakMebibytes).toBeLessThan(300);
  });
});
