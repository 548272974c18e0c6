import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Answer, headerOf, type NoResponse } from './exchange.ts';
import { MAX_BODY_BYTES } from './response-body.ts';
import { against, answer, endless, failure, KEY, LIST, response, textOf } from './rig.fixture.ts';

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
    ['two lengths', 'wrong-length', saying('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]')],
    ['a negative length', 'not-http', saying('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n[]')],
    ['a length and chunks', 'not-http', saying(`${CHUNKED.slice(0, -2)}content-length: 2\r\n\r\n2\r\n[]\r\n0\r\n\r\n`)],
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

  test.concurrent.each([
    ['a length', 'Content-Length: 7\t\r\n\r\n[\t\r\n\t\r\n'],
    ['a length, and blanks', 'X: 1\t2\t\r\nContent-Length:\t 7 \t \t\r\n\r\n[\t\r\n\t\r\n'],
    ['chunks', 'transfer-encoding: chunked\t\r\n\r\n7\r\n[\t\r\n\t\r\n\r\n0\r\n\r\n'],
  ])('a tab behind the value of a header is a blank, and one of the body is none: %s', async (_what, rest) => {
    expect(textOf(await answerTo(saying(`HTTP/1.1 200 OK\r\n${rest}`)))).toBe('[\t\r\n\t\r\n');
  });

  const INTERIM = 'HTTP/1.1 100 Continue\r\na: b\r\n\r\n';
  test.concurrent.each(
    ['', 'HTTP/1.1 102 X\r\n\r\n'].flatMap((before) =>
      [1, 9, 10, 12, 13, 20, 23, INTERIM.length - 1, INTERIM.length, INTERIM.length + 1, INTERIM.length + 10].map(
        (at) => [before.length, at, `${before}${INTERIM}${answer(200)}`] as const,
      ),
    ),
  )('a 100 that is received in two pieces is skipped: %i + %i', async (before, at, text) => {
    const inTwo = (socket: Socket): void => {
      socket.setNoDelay(true);
      socket.write(text.slice(0, before + at), () => setTimeout(() => socket.write(text.slice(before + at)), 20));
    };
    expect(textOf(await answerTo(inTwo))).toBe('[]');
  });

  test.concurrent('a 100 that comes byte by byte is skipped, before every response of a connection', async () => {
    const byteByByte = (socket: Socket): void => {
      socket.setNoDelay(true);
      const bytes = [...INTERIM.repeat(2), ...answer(200)];
      const timer = setInterval(() => {
        const next = bytes.shift();
        if (next === undefined) clearInterval(timer);
        else socket.write(next);
      }, 1);
    };
    await against(byteByByte, async (client) => {
      const sent = await client.sendOnOneConnection([LIST, LIST]);
      expect(sent.map((one) => one.status === 'fulfilled' && textOf(one.value.answer))).toEqual(['[]', '[]']);
    });
  });

  test.concurrent('what looks like an interim response in a body is part of the body', async () => {
    const inTwo = (socket: Socket): void => {
      socket.setNoDelay(true);
      const body = `[${INTERIM}]`;
      const text = answer(200, body);
      const at = text.length - body.length + 1;
      socket.write(text.slice(0, at), () => setTimeout(() => socket.write(text.slice(at)), 20));
    };
    expect(textOf(await answerTo(inTwo))).toBe(`[${INTERIM}]`);
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
