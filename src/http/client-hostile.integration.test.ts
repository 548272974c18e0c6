import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, headerOf, type NoResponse } from './exchange.ts';
import { MAX_BODY_BYTES } from './response-body.ts';
import { against, answer, endless, failure, KEY, LIST, listen, response, testClient, textOf } from './rig.fixture.ts';

const MEBIBYTE = 1024 * 1024;

/** What one request brings back from a service that answers as given. */
function answerTo(onRequest: (socket: Socket) => void, requestTimeoutMs = 60_000): Promise<Answer> {
  return against(onRequest, async (client) => (await client.send(LIST)).answer, { requestTimeoutMs });
}

/**
 * The failure of a request that times out. On a busy machine the time limit may pass before the request comes to the
 * stage that is meant; it is then raised.
 */
async function timeoutOf(onRequest: (socket: Socket) => void, code: string): Promise<NoResponse> {
  for (let limit = 200; ; limit *= 2) {
    const found = failure(await answerTo(onRequest, limit));
    if (found.code === code || limit > 10_000) return found;
  }
}

const saying =
  (text: string | Uint8Array, andThen: 'close' | 'reset' | 'stay' = 'close') =>
  (socket: Socket): void => {
    socket.write(text, () => {
      if (andThen === 'close') socket.end();
      if (andThen === 'reset') socket.resetAndDestroy();
    });
  };

/** Writes each piece on its own, a moment after the one before. */
const inPieces =
  (pieces: readonly string[]) =>
  (socket: Socket): void => {
    socket.setNoDelay(true);
    const left = [...pieces];
    const timer = setInterval(() => {
      const next = left.shift();
      if (next === undefined) clearInterval(timer);
      else socket.write(next);
    }, 1);
  };

/** Writes the same again every 20 ms. */
const dripping =
  (head: string, again: string) =>
  (socket: Socket): void => {
    socket.write(head);
    const timer = setInterval(() => socket.write(again), 20);
    socket.on('close', () => clearInterval(timer));
  };

const CHUNKED = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const UNTIL_CLOSE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n';
const PIECE = 'x'.repeat(16 * 1024);

describe('a failure has a stable code', () => {
  const cases: readonly (readonly [what: string, code: string, onRequest: (socket: Socket) => void])[] = [
    ['nothing at all', 'timeout', () => {}],
    ['a head that drips and never ends', 'incomplete-in-time', dripping('HTTP/1.1 200 OK\r\n', 'x: y\r\n')],
    ['a body that drips and never ends', 'incomplete-in-time', dripping(CHUNKED, '1\r\n[\r\n')],
    ['a body that stops', 'incomplete-in-time', saying('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[', 'stay')],
    ['chunk extensions without end', 'incomplete-in-time', endless(`${CHUNKED}1;`, 'x'.repeat(1000))],
    ['interim responses without end', 'incomplete-in-time', dripping('', 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['a body without end', 'body-endless', endless(UNTIL_CLOSE, PIECE)],
    ['chunks without end', 'body-endless', endless(CHUNKED, `4000\r\n${PIECE}\r\n`)],
    ['trailers without end', 'headers-too-large', endless(`${CHUNKED}0\r\n`, `x: ${PIECE}\r\n`)],
    ['headers without end', 'headers-too-large', endless('HTTP/1.1 200 OK\r\n', `x: ${PIECE}\r\n`)],
    ['an interim response without end', 'headers-too-large', endless('HTTP/1.1 100 Continue\r\n', `x: ${PIECE}\r\n`)],
    ['half an interim response', 'truncated', saying('HTTP/1.1 100 Conti')],
    ['a half that may be an interim response', 'truncated', saying('HTTP/1.1 1')],
    ['one huge header', 'headers-too-large', saying(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)],
    ['a close', 'reset', (socket) => socket.end()],
    ['a reset', 'reset', (socket) => socket.resetAndDestroy()],
    ['half a status line', 'truncated', saying('HTTP/1.1 20')],
    ['half a head', 'truncated', saying('HTTP/1.1 200 OK\r\ncontent-le')],
    ['half a body, closed', 'truncated', saying('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1')],
    ['half a body, reset', 'truncated', saying('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1', 'reset')],
    ['half a chunk', 'truncated', saying(`${CHUNKED}5\r\n[1`)],
    ['no last chunk', 'truncated', saying(`${CHUNKED}2\r\n[]\r\n`)],
    ['a garbage status line', 'not-http', saying('LOLWAT 200 OK\r\n\r\n')],
    ['another protocol', 'not-http', saying('SSH-2.0-OpenSSH_9.2\r\n')],
    ['binary noise', 'not-http', saying(Uint8Array.from({ length: 256 }, (_, at) => (at * 37 + 11) % 256))],
    ['the status 099', 'not-http', saying('HTTP/1.1 099 Odd\r\ncontent-length: 2\r\n\r\n[]')],
    ['the status abc', 'not-http', saying('HTTP/1.1 abc Odd\r\n\r\n')],
    ['a header without a colon', 'not-http', saying('HTTP/1.1 200 OK\r\nodd\r\n\r\n')],
    ['two lengths', 'not-http', saying('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]')],
    ['a negative length', 'not-http', saying('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n[]')],
    ['a chunk size that is none', 'not-http', saying(`${CHUNKED}zz\r\n[]\r\n0\r\n\r\n`)],
    ['a 100 and nothing more', 'incomplete-in-time', saying('HTTP/1.1 100 Continue\r\n\r\n', 'stay')],
    [
      'another protocol after a 101',
      'interim-response',
      saying('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'stay'),
    ],
  ];

  test.concurrent.each(cases)('%s: %s', async (_what, code, onRequest) => {
    const isTimeout = code === 'timeout' || code === 'incomplete-in-time';
    const { code: found, sentence } = isTimeout ? await timeoutOf(onRequest, code) : failure(await answerTo(onRequest));
    expect({ code: found, sentence }).toEqual({ code, sentence: expect.stringMatching(/^[a-zT].{20,}[^.]$/) });
  });
});

describe('a response is returned as it was received', () => {
  test.concurrent.each([
    ['before the response', `HTTP/1.1 100 Continue\r\n\r\n${answer(200)}`],
    ['twice', `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 X\r\na: b\r\n\r\n${answer(200)}`],
    ['after another interim response', `HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${answer(200)}`],
  ])('an unsolicited 100 is skipped: %s', async (_where, text) => {
    expect(textOf(await answerTo(saying(text)))).toBe('[]');
  });

  const BODY = '[\t\r\n\t\r\n';
  const IN_CHUNKS = `7\r\n${BODY}\r\n0\r\n\r\n`;
  test.concurrent.each([
    ['tabs behind values', `Content-Length: 7\t\r\n\r\n${BODY}`],
    ['tabs and blanks', `X: 1\t2\t\r\nContent-Length:\t 7 \t \t\r\n\r\n${BODY}`],
    ['tabs beside chunks', `transfer-encoding: chunked\t\r\n\r\n${IN_CHUNKS}`],
    ['a header on two lines', `Content-Length: 7\r\nX: 1\r\n\t 2\r\n\r\n${BODY}`],
    ['a length on a line of its own', `Content-Length:\r\n 7\r\n\r\n${BODY}`],
    ['the same length twice', `Content-Length: 7\r\nX: 1\r\ncontent-length: 7\r\n\r\n${BODY}`],
    ['the same length twice in one header', `Content-Length: 7, 7\r\n\r\n${BODY}`],
    ['a length, and chunks', `Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${IN_CHUNKS}`],
    ['chunks, and a length', `Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${IN_CHUNKS}`],
    ['lines without a carriage return', `Content-Length: 7\n\n${BODY}`],
  ])('where RFC 9112 says how to read its head, in one piece or in many: %s', async (_what, rest) => {
    const text = `HTTP/1.1 200 OK\r\n${rest}`;
    expect(textOf(await answerTo(saying(text)))).toBe(BODY);
    expect(textOf(await answerTo(inPieces([...text])))).toBe(BODY);
  });

  test.concurrent.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', /several values of Content-Length that differ: 2 and 3/],
    ['no name', 'Content-Length: 2\r\n: 1', /a line of its head is not a valid header: ": 1"/],
    ['a blank in a name', 'Content-Length: 2\r\nX Y: 1', /a line of its head is not a valid header: "X Y: 1"/],
    ['a control character', 'Content-Length: 2\r\nX: \u0001', /a line of its head is not a valid header: "X: \\u0001"/],
    ['chunks that are none', 'Content-Length: 2\r\nTransfer-Encoding: chunked', /Invalid character in chunk size/],
  ])('or with what is wrong about it: %s', async (_what, lines, sentence) => {
    const given = failure(await answerTo(saying(`HTTP/1.1 200 OK\r\n${lines}\r\n\r\n[]`)));
    expect([given.code, given.sentence]).toEqual(['not-http', expect.stringMatching(sentence)]);
  });

  const INTERIM = 'HTTP/1.1 100 Continue\r\na: b\r\n\r\n';
  const EARLY = `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${INTERIM}${answer(200)}`;
  const IN_A_STREAM = { ...LIST, method: 'POST', contentType: 'application/json', chunked: true };
  test.concurrent.each([
    ['a GET', LIST],
    ['a POST with a length', { ...IN_A_STREAM, chunked: false, body: new Uint8Array(200_000) }],
    ['a POST in chunks', { ...IN_A_STREAM, body: new Uint8Array(200_000) }],
  ])('interim responses are skipped, wherever they are cut: %s', async (_what, request) => {
    let cut = 0;
    const server = await listen((socket) => {
      const at = cut++;
      socket.once('data', () => inPieces([EARLY.slice(0, at), EARLY.slice(at)])(socket)).resume();
    });
    const client = testClient(`http://127.0.0.1:${server.port}/v1`);
    const sent = [...EARLY].map(() => client.sendOnOneConnection([request]));
    const bodies = (await Promise.all(sent))
      .flat()
      .map((one) => one.status === 'fulfilled' && textOf(one.value.answer));
    await client.close();
    await server.stop();

    expect(new Set(bodies)).toEqual(new Set(['[]']));
  });

  test.concurrent('a 100 that comes byte by byte is skipped, before every response of a connection', async () => {
    await against(inPieces([...INTERIM.repeat(2), ...answer(200)]), async (client) => {
      const sent = await client.sendOnOneConnection([LIST, LIST]);
      expect(sent.map((one) => one.status === 'fulfilled' && textOf(one.value.answer))).toEqual(['[]', '[]']);
    });
  });

  test.concurrent('what looks like an interim response in a body is part of the body', async () => {
    const text = answer(200, `[${INTERIM}]`);
    const at = text.indexOf(INTERIM);
    const given = await answerTo(inPieces([text.slice(0, at), text.slice(at)]));
    expect(textOf(given)).toBe(`[${INTERIM}]`);
  });

  test.concurrent('bytes beyond Content-Length are ignored', async () => {
    expect(textOf(await answerTo(saying('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]garbage')))).toBe('[]');
  });

  test.concurrent('the statuses 200 to 999 are just statuses', async () => {
    for (const status of [200, 299, 418, 599, 700, 999]) {
      expect(response(await answerTo(saying(answer(status)))).status).toBe(status);
    }
  });

  test.concurrent('headers keep their order, case and duplicates', async () => {
    const given = response(await answerTo(saying(answer(200, '[]', ['X-B: 1', 'x-a: \xe9', 'X-B: 2']))));
    expect(given.headers.slice(-3)).toEqual([
      ['X-B', '1'],
      ['x-a', expect.any(String)],
      ['X-B', '2'],
    ]);
    expect(headerOf(given, 'x-b')).toBe('1, 2');
  });

  test.concurrent('a body that drips in time is read to its end', async () => {
    const onRequest = (socket: Socket): void => {
      socket.write(CHUNKED);
      let left = 9;
      const timer = setInterval(() => {
        socket.write(left > 0 ? '1\r\nx\r\n' : '0\r\n\r\n');
        if (left-- === 0) clearInterval(timer);
      }, 10);
    };
    expect(textOf(await answerTo(onRequest))).toBe('x'.repeat(9));
  });

  test.concurrent('a body at the bound is read, and one byte more is not', async () => {
    const body = 'x'.repeat(MAX_BODY_BYTES);
    await against(
      (socket, _request, before) => socket.write(answer(200, before === 0 ? body : `${body}x`)),
      async (client) => {
        expect(response((await client.send(LIST)).answer).body.length).toBe(MAX_BODY_BYTES);
        expect(failure((await client.send(LIST)).answer).code).toBe('body-too-large');
      },
    );
  });
});

describe('content codings', () => {
  const coded = (body: Uint8Array, coding: string) => (socket: Socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.write(body);
  };

  test.concurrent.each([
    ['gzip', gzipSync('[1]')],
    ['x-gzip', gzipSync('[1]')],
    ['GZip', gzipSync('[1]')],
    ['deflate', deflateSync('[1]')],
    ['deflate', deflateRawSync('[1]')],
    ['br', brotliCompressSync('[1]')],
    ['gzip, br', brotliCompressSync(gzipSync('[1]'))],
    ['identity', Buffer.from('[1]')],
  ])('%s is decoded', async (coding, body) => {
    const given = await answerTo(coded(body, coding));
    expect(textOf(given)).toBe('[1]');
    expect(response(given).encodingFault).toBeUndefined();
  });

  test.concurrent.each([
    ['gzip', Buffer.from('[1]'), /not valid for its Content-Encoding \(gzip\)/],
    ['br', gzipSync('[1]'), /\(br\)/],
    ['gzip', gzipSync('[1]').subarray(0, -4), /\(gzip\)/],
    ['rot13', Buffer.from('[1]'), /"rot13" is unknown/],
    ['constructor', Buffer.from('[1]'), /"constructor" is unknown/],
    [Array(50).fill('gzip').join(','), Buffer.from('[1]'), /lists 50 codings/],
  ])('%s of an invalid body is reported, and the body is as received', async (coding, body, sentence) => {
    const given = response(await answerTo(coded(body, coding)));
    expect(given.encodingFault).toMatch(sentence);
    expect(Buffer.from(given.body)).toEqual(Buffer.from(body));
  });

  test.concurrent.each([
    ['gzip', gzipSync(Buffer.alloc(64 * MEBIBYTE))],
    ['deflate', deflateSync(Buffer.alloc(64 * MEBIBYTE))],
    ['br', brotliCompressSync(Buffer.alloc(64 * MEBIBYTE))],
  ])('a decompression bomb in %s is stopped at the bound', async (coding, body) => {
    const given = response(await answerTo(coded(body, coding)));
    expect(given.encodingFault).toMatch(/too large/);
    expect(given.body.length).toBe(body.length);
  });
});

test('a redirect is returned, and the key is sent nowhere else', async () => {
  const heard: string[] = [];
  await against(
    (socket, request) => {
      heard.push(request);
      socket.write(answer(200));
    },
    async (_client, elsewhere) => {
      for (const status of [301, 302, 303, 307, 308]) {
        const location = `location: http://127.0.0.1:${elsewhere.port}/v1/pets`;
        const given = await answerTo(saying(answer(status, '', [location])));
        expect(response(given).status).toBe(status);
      }
      expect(elsewhere.connections()).toBe(0);
    },
  );
  expect(heard.join()).not.toContain(KEY);
});
