import { createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Outcome, shortened } from './message.ts';
import type { NetworkOptions } from './network.ts';
import {
  again,
  ask,
  brief,
  CHUNKED,
  inPieces,
  LIST,
  list,
  listen,
  networkTo,
  PIECE,
  POST,
  raw,
  response,
  type Script,
  SMALL,
  says,
  times,
} from './rig.fixture.ts';

// biome-ignore format: one table
const FAILURES: readonly (readonly [what: string, code: string, script: Script, changes?: Partial<NetworkOptions>])[] = [
  ['a body without end', 'body-endless', again('HTTP/1.1 200 OK\r\n\r\n', PIECE), SMALL],
  ['chunks without end', 'body-endless', again(CHUNKED, `4000\r\n${PIECE}\r\n`), SMALL],
  ['trailers without end', 'headers-too-large', again(`${CHUNKED}0\r\n`, `x: ${PIECE}\r\n`)],
  ['headers without end', 'headers-too-large', again('HTTP/1.1 200 OK\r\n', `x: ${PIECE}\r\n`)],
  ['an interim response without end', 'headers-too-large', again('HTTP/1.1 100 X\r\n', `x: ${PIECE}\r\n`)],
  ['half an interim response', 'truncated', says('HTTP/1.1 1')],
  ['a close', 'reset', (socket) => socket.end()],
  ['a reset', 'reset', (socket) => socket.resetAndDestroy()],
  ['half a head', 'truncated', says('HTTP/1.1 200 OK\r\ncontent-le')],
  ['half a body, closed', 'truncated', says('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1')],
  ['half a body, reset', 'truncated', says('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1', 'reset')],
  ['no last chunk', 'truncated', says(`${CHUNKED}2\r\n[]\r\n`)],
  ['more bytes than announced', 'wrong-length', says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]garbage')],
  ['a response that nobody asked for', 'wrong-length', says(`${response(200)}${response(408)}`)],
  ['half a notice of closing', 'wrong-length', says(`${response(200)}${response(408, 'late', ['connection: close']).slice(0, -1)}`)],
  ['another protocol', 'ssh', says('SSH-2.0-OpenSSH_9.2\r\n')],
  ['binary noise', 'not-http', says(Uint8Array.from({ length: 256 }, (_, at) => (at * 37 + 11) % 256))],
  ['the status 099', 'not-http', says('HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n[]')],
  ['a header without a colon', 'not-http', says('HTTP/1.1 200 OK\r\nodd\r\n\r\n')],
  ['two lengths', 'not-http', says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]')],
  ['a control character in a header', 'not-http', says('HTTP/1.1 200 OK\r\nx: \u0001\r\n\r\n')],
  ['a negative length', 'not-http', says('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n[]')],
  ['a chunk size that is none', 'not-http', says(`${CHUNKED}zz\r\n[]\r\n0\r\n\r\n`)],
  ['a 101', 'interim-response', says('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'stay')],
  ['an alert of TLS', 'https-port', says(Uint8Array.of(0x15, 3, 1, 0, 2, 2, 70))],
  ['nginx on a port for HTTPS', 'https-port', says(response(400, 'The plain HTTP request was sent to HTTPS port'))],
  ['Go on a port for HTTPS', 'https-port', says(response(400, 'Client sent an HTTP request to an HTTPS server.\n'))],
  ['the settings of HTTP/2', 'http2-only', says(Uint8Array.of(0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1))],
];
const SENTENCE = expect.stringMatching(/^[a-zT].{20,}[^.]$/);
for (const [what, code, script, changes] of FAILURES) {
  test(`a failure has a code and a sentence: ${what}`, async () => {
    const { outcome } = await ask(script, changes);
    expect(outcome).toMatchObject({ kind: 'failure', code, sentence: SENTENCE, reached: true });
  });
}

// biome-ignore format: one table
const UNENDED: typeof FAILURES = [
  ['nothing at all', 'timeout', () => {}],
  ['a head that drips', 'incomplete-in-time', again('HTTP/1.1 200 OK\r\n', 'x: y\r\n', 10)],
  ['a body that drips', 'incomplete-in-time', again(CHUNKED, '1\r\n[\r\n', 10)],
  ['a body that stops', 'incomplete-in-time', says('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[', 'stay')],
  ['interim responses without end', 'incomplete-in-time', again('', 'HTTP/1.1 102 X\r\n\r\n', 10)],
  ['a 100 and nothing more', 'incomplete-in-time', says('HTTP/1.1 100 Continue\r\n\r\n', 'stay')],
  ['chunk extensions without end', 'incomplete-in-time', again(`${CHUNKED}1;`, 'x'.repeat(1000))],
];
test('so has what does not end in time', async () => {
  await Promise.all(
    UNENDED.map(async ([what, code, script]) => {
      const { outcome } = await ask(script, { requestTimeoutMs: 1_000 });
      expect(outcome, what).toMatchObject({ kind: 'failure', code, sentence: SENTENCE, reached: true });
    }),
  );
});

const BODY = '[\t\r\n\t\r\n';
const IN_CHUNKS = `7\r\n${BODY}\r\n0\r\n\r\n`;
const INTERIM = 'HTTP/1.1 100 Continue\r\na: b\r\n\r\n';
const HEADS: readonly (readonly [what: string, text: string])[] = [
  ['an unasked 100', `HTTP/1.1 100 Continue\r\n\r\n${response(200, BODY)}`],
  ['103 and two of 100', `HTTP/1.1 103 Hints\r\nlink: </x>\r\n\r\n${INTERIM}${INTERIM}${response(200, BODY)}`],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n${BODY}`],
  ['tabs and blanks', `HTTP/1.1 200 OK\r\nX: 1\t2\t\r\nContent-Length:\t 7 \t \t\r\n\r\n${BODY}`],
  ['a header on two lines', `HTTP/1.1 200 OK\r\nContent-Length:\r\n 7\r\nX: 1\r\n\t 2\r\n\r\n${BODY}`],
  ['the same length twice', `HTTP/1.1 200 OK\r\nContent-Length: 7\r\ncontent-length: 7\r\n\r\n${BODY}`],
  ['the same length twice in one', `HTTP/1.1 200 OK\r\nContent-Length: 7, 7\r\n\r\n${BODY}`],
  ['chunks, and a length', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${IN_CHUNKS}`],
  ['lines without a carriage return', `HTTP/1.1 200 OK\nContent-Length: 7\n\n${BODY}`],
  ['a notice of closing behind it', response(200, BODY) + response(408, 'late', ['connection: close'])],
  ['a header of 40 KiB', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\nContent-Length: 7\r\n\r\n${BODY}`],
];
test.each(HEADS)('a head is read as RFC 9112 says, in one piece or in many: %s', async (_what, text) => {
  const pieces = text.length > 1_000 ? [text.slice(0, 500), text.slice(500)] : [...text];
  for (const request of [LIST, POST, { ...POST, chunkBytes: 2 }]) {
    expect(brief(await ask(says(text, 'stay'), {}, request))).toBe(`200 ${BODY}`);
    expect(brief(await ask(inPieces(pieces), {}, request))).toBe(`200 ${BODY}`);
  }
});

test.each([
  ['gzip', gzipSync('[1]')],
  ['X-GZip', gzipSync('[1]')],
  ['deflate', deflateSync('[1]')],
  ['deflate', deflateRawSync('[1]')],
  ['br', brotliCompressSync('[1]')],
  ['gzip, br', brotliCompressSync(gzipSync('[1]'))],
  ['identity', Buffer.from('[1]')],
  ['none', Buffer.from('[1]')],
  ['UTF-8', Buffer.from('[1]')],
  ['constructor', Buffer.from('[1]')],
  ['utf-8, gzip', gzipSync('[1]')],
])('a body in %s is decoded', async (coding, body) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const sent = await ask(says(Buffer.concat([Buffer.from(head), body])));
  expect(brief(sent)).toBe('200 [1]');
  expect(sent.outcome).not.toHaveProperty('encodingFault');
});

test.each([
  ['gzip', Buffer.from('[1]'), /not valid for its Content-Encoding \(gzip\)/],
  ['zstd', Buffer.from('[1]'), /cannot be decoded: "zstd"/],
  ['gzip,'.repeat(50), Buffer.from('[1]'), /lists 50 codings/],
  ['gzip', gzipSync(Buffer.alloc(40 * 1024 * 1024)), /too large/],
])('a body that is not in its coding is as received: %s', async (coding, body, fault) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`;
  const { outcome } = await ask(says(Buffer.concat([Buffer.from(head), body])));
  expect(outcome).toMatchObject({ kind: 'answer', encodingFault: expect.stringMatching(fault) });
  expect(outcome.kind === 'answer' && Buffer.compare(outcome.body, body)).toBe(0);
});

describe('a request', () => {
  test('is sent letter by letter', async () => {
    const service = await raw(says(response(200), 'stay'));
    const network = networkTo(service.port, { headers: [['X-Tenant', '7']] });
    const headers = [['X', '1'], ['Accept', '*/*'], ['x', '\xe9']] as const; // biome-ignore format: one line
    await network.lend((connection) =>
      connection.send({ method: 'GET', target: '/v1//pets/%31?a=|&a', headers }, 'list'),
    );
    await network.lend((connection) => connection.send({ ...POST, chunkBytes: 3 }, 'post'));
    const host = `host: 127.0.0.1:${service.port}\r\nconnection: keep-alive`;
    expect(service.heard).toEqual([
      `GET /v1//pets/%31?a=|&a HTTP/1.1\r\n${host}\r\nX: 1\r\nAccept: */*\r\nx: \xe9\r\nX-Tenant: 7\r\n\r\n`,
      `POST /v1/pets HTTP/1.1\r\n${host}\r\nauthorization: Bearer k\r\nX-Tenant: 7\r\ntransfer-encoding: chunked\r\n` +
        '\r\n3\r\n{"a\r\n3\r\n":1\r\n1\r\n}\r\n0\r\n\r\n',
    ]);
  });

  test('that cannot be written is no fault of the service, and blocks nothing', async () => {
    const network = networkTo((await raw(says(response(200), 'stay'))).port);
    const bad = network.lend((connection) => connection.send({ ...LIST, target: '/v1/\uff16' }, 'list'));
    await expect(bad).rejects.toThrow('invalid request path');
    expect(await network.lend(list)).toBe('200 []');
  });

  test('gets headers in order, and redirects are not followed', async () => {
    const { outcome } = await ask(says(response(302, '', ['X-B: 1', 'x-a: \xe9', 'location: /x', 'X-B: 2'])));
    const headers = [['content-length', '0'], ['X-B', '1'], ['x-a', '\xe9'], ['location', '/x'], ['X-B', '2']]; // biome-ignore format: one line
    expect(outcome).toMatchObject({ status: 302, headers });
  });

  test('gets a body up to a bound', async () => {
    const service = await raw((socket, _request, nth) => socket.write(response(200, 'x'.repeat(100_000 + nth))));
    const network = networkTo(service.port, SMALL);
    expect(await network.lend(list)).toHaveLength(100_004);
    expect((await network.lend((connection) => connection.send(LIST, 'list'))).outcome).toMatchObject({
      body: new Uint8Array(),
      unread: expect.stringMatching(/100001 bytes, and at most .* MiB are read/),
    });
  });

  test('with a body that the service does not read still gets its response', async () => {
    const early = createServer((socket) => {
      socket.once('data', () => socket.pause().write(response(401, '{}'), () => socket.destroy()));
    });
    const network = networkTo((await listen(early)).port, { connections: 4 });
    for (const size of [2_000, 3_000_000]) {
      for (const chunkBytes of [undefined, 4_000]) {
        const request = { ...POST, body: Buffer.alloc(size), chunkBytes };
        expect(brief(await network.fresh((connection) => connection.send(request, 'post')))).toBe('401 {}');
      }
    }
  });

  test('large bodies are read one at a time', async () => {
    const body = 'x'.repeat(6_000_000);
    const network = networkTo((await raw(says(response(200, body), 'stay'))).port, { connections: 4 });
    const sent = await Promise.all(times(4, () => network.lend(list)));
    expect(new Set(sent.map(({ length }) => length))).toEqual(new Set([6_000_004]));
  });
});

test('a long body is kept in part, which says so', () => {
  const kept = (bytes: number): Outcome =>
    shortened({ kind: 'answer', status: 200, headers: [], body: Buffer.alloc(bytes, ' ') });
  expect(kept(2_000_000)).toMatchObject({ body: { length: 16_384 }, unread: expect.stringContaining('2000000 bytes') });
  expect(kept(100_000)).not.toHaveProperty('unread');
});
