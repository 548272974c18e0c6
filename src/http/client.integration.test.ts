import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';
import { headSize } from './message.ts';
import { NotSent } from './not-sent.ts';
import {
  against,
  answer,
  bytesOf,
  failure,
  GET,
  inQuery,
  JSON_TYPE,
  KEY,
  LIST,
  listen,
  rawServer,
  response,
  testClient,
  textOf,
  WITHOUT_KEY,
} from './rig.fixture.ts';

function notSentCode(error: unknown): string {
  if (error instanceof NotSent) return error.code;
  throw error;
}

describe('a request', () => {
  test.each([
    ['a list', LIST],
    ['the key in the query, after another parameter', { ...LIST, path: '/items?a=1', credential: inQuery('key', KEY) }],
    ['a body', { ...LIST, method: 'POST', body: bytesOf('{"a":1}'), contentType: JSON_TYPE }],
  ])('has a head of the predicted size: %s', async (_, request) => {
    const heard: string[] = [];
    const headers = [{ name: 'X-Extra', value: 'some-value' }];
    await against(
      (socket, text) => {
        heard.push(text);
        socket.write(answer(200));
      },
      async (client, { port }) => {
        await client.send(request);
        const [head = ''] = heard[0]?.split('\r\n\r\n') ?? [];
        const [line = '', ...fields] = head.split('\r\n').map((one) => `${one}\r\n`);
        expect(headSize(request, { baseUrl: `http://127.0.0.1:${port}/v1`, userAgent: 'suite/test', headers })).toEqual(
          {
            total: head.length + 4,
            requestLine: line.length,
            longestField: Math.max(...fields.map(({ length }) => length)),
            fields: fields.length,
          },
        );
      },
      { headers },
    );
  });

  test('goes out as it is written, with the key, the further headers and who asks', async () => {
    const heard: string[] = [];
    await against(
      (socket, request) => {
        heard.push(request);
        socket.write(answer(200));
      },
      async (client, { port }) => {
        await client.send({ ...LIST, path: '/items?limit=%31&x=a|b' });
        await client.send({
          ...LIST,
          operation: 'create',
          method: 'POST',
          path: '/items',
          contentType: JSON_TYPE,
          body: bytesOf('{"ü":1}'),
        });
        expect(heard[0]).toBe(
          [
            'GET /v1/items?limit=%31&x=a|b HTTP/1.1',
            `host: 127.0.0.1:${port}`,
            'connection: keep-alive',
            'user-agent: suite/test',
            'accept: application/json',
            'X-Tenant: 7',
            `authorization: Bearer ${KEY}`,
            '\r\n',
          ].join('\r\n'),
        );
        expect(heard[1]).toMatch(/^POST \/v1\/items HTTP\/1.1\r\n/);
        expect(heard[1]).toMatch(/\r\ncontent-type: application\/json\r\n/);
        expect(Buffer.from(heard[1] ?? '', 'latin1').toString()).toMatch(/\r\n\r\n\{"ü":1\}$/);
      },
      { headers: [{ name: 'X-Tenant', value: '7' }] },
    );
  });

  test.each([
    [1, [1]],
    [12, [6, 6]],
    [13, [11, 2]],
    [14, [3, 3, 3, 3, 2]],
    [640, Array.from({ length: 58 }, () => 11).concat(2)],
    [6_404, Array.from({ length: 63 }, () => 101).concat(41)],
  ])('of %i bytes may go out in chunks, cut by its length', async (length, sizes) => {
    const heard: string[] = [];
    const server = await listen((socket) => {
      let text = '';
      socket.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
        if (!text.endsWith('\r\n0\r\n\r\n')) return;
        heard.push(text);
        socket.write(answer(200));
      });
    });
    const client = testClient(`http://127.0.0.1:${server.port}/v1`);
    const body = new Uint8Array(length).fill(120);
    await client.send({ ...LIST, method: 'POST', contentType: JSON_TYPE, body, chunked: true });
    await client.close();
    await server.stop();
    const chunks = [...(heard[0] ?? '').matchAll(/^([0-9a-f]+)\r\nx/gm)];
    expect(chunks.map(([, size = '']) => Number.parseInt(size, 16))).toEqual(sizes);
  });

  test('that cannot be written is no fault of the service', async () => {
    await against(
      (socket) => socket.write(answer(200)),
      async (client) => {
        await expect(client.send({ ...LIST, path: '/items/\uff16' })).rejects.toThrow('invalid request path');
        // Nor does it keep the place of another one.
        expect((await client.send(LIST)).answer.kind).toBe('response');
      },
      { concurrency: 1 },
    );
  });

  test('may carry its key in the query instead', async () => {
    const paths: string[] = [];
    await against(
      (socket, request) => {
        paths.push(request.split(' ')[1] ?? '');
        socket.write(answer(401));
      },
      async (client) => {
        const credential = inQuery('api_key', 'a%2Fb');
        await client.send({ ...LIST, credential });
        await client.send({ ...LIST, path: '/items?limit=1', credential });
      },
    );
    expect(paths).toEqual(['/v1/items?api_key=a%2Fb', '/v1/items?limit=1&api_key=a%2Fb']);
  });

  test.each(['/v1', '/v1/', '/v1//', '/a/b/c/v1', '/a%20b/v1/'])('has the base path %s before it', async (base) => {
    const paths: string[] = [];
    const server = await rawServer((socket, request) => {
      paths.push(request.split(' ')[1] ?? '');
      socket.write(answer(200));
    });
    const client = testClient(`http://127.0.0.1:${server.port}${base}`);
    await client.send(LIST);
    await client.close();
    await server.stop();
    expect(paths).toEqual([`${base.replace(/\/+$/, '')}/items`]);
  });

  test('requests on one connection follow each other on it', async () => {
    await against(
      (socket, _request, before) => socket.write(answer(200, `[${before}]`)),
      async (client, server) => {
        const sent = await client.sendOnOneConnection([LIST, GET, WITHOUT_KEY, LIST]);
        const given = sent.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
        expect(given.map((one) => textOf(one.answer))).toEqual(['[0]', '[1]', '[2]', '[3]']);
        expect(given.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
        expect(server.connections()).toBe(1);
      },
    );
  });

  test('the last of them asks for the connection to be closed, unless it has a body', async () => {
    const closing: boolean[] = [];
    await against(
      (socket, request) => {
        closing.push(/\r\nconnection: close\r\n/i.test(request));
        socket.write(answer(200));
      },
      async (client) => {
        await client.sendOnOneConnection([LIST, LIST]);
        await client.sendOnOneConnection([{ ...LIST, method: 'POST', contentType: JSON_TYPE, body: bytesOf('{}') }]);
      },
    );
    expect(closing).toEqual([false, true, false]);
  });
});

describe('an idle connection that the service closes', () => {
  /** Answers the first request of each connection and resets it as the second one comes in. */
  const racing = (): ((socket: Socket) => void) => {
    const served = new WeakSet<object>();
    return (socket) => {
      if (served.has(socket)) socket.resetAndDestroy();
      else socket.write(answer(200));
      served.add(socket);
    };
  };

  test('is no fault: the request goes out once more, on a connection of its own', async () => {
    await against(
      racing(),
      async (client) => {
        for (let turn = 0; turn < 10; turn += 1) {
          const { answer: given, resent } = await client.send(LIST);
          expect(response(given).status).toBe(200);
          expect(resent).toBe(turn === 1);
          expect(client.doubtsResets).toBe(turn > 0);
        }
        expect(client.requests).toBe(11);
      },
      { concurrency: 1 },
    );
  });

  test('nor is one that it resets in the very moment at which a request is about to be written', async () => {
    await against(
      (socket) => {
        socket.write(answer(200));
        setTimeout(() => socket.resetAndDestroy(), 2);
      },
      async (client) => {
        const inTurn = async (): Promise<readonly string[]> => {
          const kinds: string[] = [];
          for (let turn = 0; turn < 40; turn += 1) {
            kinds.push((await client.send(LIST)).answer.kind);
            await client.pause(2);
          }
          return kinds;
        };
        const kinds = await Promise.all(Array.from({ length: 16 }, inTurn));
        expect(new Set(kinds.flat())).toEqual(new Set(['response']));
      },
      { concurrency: 64 },
    );
  });

  test('but a reset now and then, on new connections too, is reported', async () => {
    await against(
      (socket, _request, before) => (before % 10 === 9 ? socket.resetAndDestroy() : socket.write(answer(200))),
      async (client) => {
        const seen: Exchange[] = [];
        for (let turn = 0; turn < 60; turn += 1) seen.push(await client.send(LIST));
        const resets = seen.filter((one) => one.answer.kind === 'no response').map((one) => failure(one.answer).code);
        expect(new Set(resets)).toEqual(new Set(['reset']));
        expect(resets.length).toBeGreaterThanOrEqual(4);
      },
    );
  });

  test('and one on a new connection is reported at once', async () => {
    await against(
      (socket) => socket.resetAndDestroy(),
      async (client) => {
        const { answer: given, resent } = await client.send(LIST);
        expect(failure(given).code).toBe('reset');
        expect(resent).toBe(false);
        expect(client.requests).toBe(1);
      },
    );
  });

  test('a response that had begun is never asked for again', async () => {
    await against(
      (socket, _request, before) =>
        before === 0 ? socket.write(answer(200)) : socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
      async (client) => {
        await client.send(LIST);
        expect(failure((await client.send(LIST)).answer).code).toBe('truncated');
        expect(client.requests).toBe(2);
      },
      { concurrency: 1 },
    );
  });
});

/** Serves so many connections at a time, each until it is closed. */
async function servingFew(most: number, run: (client: Client) => Promise<void>): Promise<void> {
  const waiting: Socket[] = [];
  let free = most;
  const serveNext = (): void => {
    const next = free > 0 ? waiting.shift() : undefined;
    if (next === undefined) return;
    free -= 1;
    next
      .on('data', () => next.write(answer(200)))
      .on('close', () => {
        free += 1;
        serveNext();
      })
      .resume();
  };
  const server = await listen((socket) => {
    waiting.push(socket.pause());
    serveNext();
  });
  const client = testClient(`http://127.0.0.1:${server.port}/v1`, { requestTimeoutMs: 1_000 });
  await run(client);
  await client.close();
  await server.stop();
}

describe('a service that serves a few connections at a time, each until it is closed', () => {
  test.each([
    [1, true],
    [8, true],
    [1_000, false],
  ])('%i of them: is known by it', async (most, isFew) => {
    await servingFew(most, async (client) => {
      await client.send(LIST);
      expect(await client.servesFewConnections(LIST, 200)).toBe(isFew);
    });
  });

  test('answers a request that waited for an idle connection to be closed: it is sent again, alone', async () => {
    await servingFew(1, async (client) => {
      await client.send(LIST);
      const [sent] = await client.sendOnOneConnection([GET]);
      if (sent?.status !== 'fulfilled') throw new Error('not sent');
      expect([response(sent.value.answer).status, sent.value.resent]).toEqual([200, true]);
    });
  });
});

describe.concurrent('429', () => {
  const throttling = (times: number, header: () => readonly string[]) => {
    const at: number[] = [];
    const onRequest = (socket: Socket, _request: string, before: number): void => {
      at.push(performance.now());
      socket.write(before < times ? answer(429, '{}', header()) : answer(200));
    };
    return { at, onRequest };
  };

  test('with Retry-After in seconds: the client waits, and returns the next answer', async () => {
    const { at, onRequest } = throttling(1, () => ['retry-after: 1']);
    await against(onRequest, async (client) => {
      const { answer: given, resent } = await client.send(LIST);
      expect(response(given).status).toBe(200);
      expect(resent).toBe(false);
      expect(client.throttled).toBe(1);
    });
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(990);
  });

  test('with Retry-After as a date: the client waits until then', async () => {
    let until = 0;
    const { onRequest } = throttling(1, () => {
      // A date has whole seconds.
      until = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
      return [`retry-after: ${new Date(until).toUTCString()}`];
    });
    await against(onRequest, async (client) => {
      expect(response((await client.send(LIST)).answer).status).toBe(200);
    });
    expect(Date.now()).toBeGreaterThanOrEqual(until - 10);
  });

  test('without Retry-After: the client waits longer and longer', async () => {
    const { at, onRequest } = throttling(3, () => []);
    await against(onRequest, async (client) => {
      expect(response((await client.send(LIST)).answer).status).toBe(200);
    });
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(waits.map((wait, index) => wait > 240 * 2 ** index)).toEqual([true, true, true]);
  });

  test('with Retry-After as a date, by a clock that is an hour ahead: the client waits as long as is meant', async () => {
    const ahead = (milliseconds: number): string => new Date(Date.now() + 3_600_000 + milliseconds).toUTCString();
    const { at, onRequest } = throttling(1, () => [`date: ${ahead(0)}`, `retry-after: ${ahead(2_000)}`]);
    await against(onRequest, async (client) => {
      expect(response((await client.send(LIST)).answer).status).toBe(200);
    });
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(990);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeLessThan(30_000);
  });

  test('with a pause that does not end before the run: the operation is not sent again, and others are', async () => {
    const heard: string[] = [];
    await against(
      (socket, request) => {
        const [, path = ''] = request.split(' ');
        heard.push(path);
        socket.write(path === '/v1/items' ? answer(429, '{}', ['retry-after: 3600']) : answer(200));
      },
      async (client) => {
        const rejected = await client.send(LIST).catch((error: unknown) => error);
        expect(notSentCode(rejected)).toBe('throttled');
        expect(String(rejected)).toContain(
          'the service answered 429 (Retry-After: 3,600 s), and the run ends before that (--max-time)',
        );
        const later = await Promise.all([
          client.send(LIST).then(() => 'answered', notSentCode),
          client.send(GET).then(({ answer: given }) => response(given).status),
        ]);
        expect(later).toEqual(['throttled', 200]);
        expect(client.throttled).toBe(1);
      },
      { endsAt: performance.now() + 600_000 },
    );
    expect(heard).toEqual(['/v1/items', '/v1/items/1']);
  });

  test('what waits for its turn while such a pause is asked for is not sent either', async () => {
    await against(
      (socket) => socket.write(answer(429, '{}', ['retry-after: 3600'])),
      async (client) => {
        const codes = Array.from({ length: 20 }, () => client.send(LIST).then(() => 'answered', notSentCode));
        expect(new Set(await Promise.all(codes))).toEqual(new Set(['throttled']));
        expect(client.requests).toBe(1);
      },
      { endsAt: performance.now() + 600_000, concurrency: 1 },
    );
  });

  test('to the end of the run is no verdict on the service', async () => {
    const end = new AbortController();
    await against(
      (socket, _request, before) => {
        socket.write(answer(429, '', ['retry-after: 0']));
        if (before === 3) end.abort();
      },
      async (client) => expect(notSentCode(await client.send(LIST).catch((error) => error))).toBe('out-of-time'),
      { deadline: end.signal },
    );
  });
});

describe('the end of the run', () => {
  test('ends what is under way and what waits, at once', async () => {
    const end = new AbortController();
    await against(
      () => setImmediate(() => end.abort()),
      async (client) => {
        const codes = await Promise.all(
          Array.from({ length: 20 }, () => client.send(LIST).then(() => 'answered', notSentCode)),
        );
        expect(new Set(codes)).toEqual(new Set(['out-of-time']));
      },
      // Far longer than a test may take.
      { deadline: end.signal, requestTimeoutMs: 3_600_000 },
    );
  });
});

describe.concurrent('a service that dies', () => {
  test('and comes back is judged on, without a request that was not answered in between', async () => {
    const first = await rawServer((socket) => socket.write(answer(200)));
    const { port } = first;
    const client = testClient(`http://127.0.0.1:${port}/v1`);
    expect(response((await client.send(LIST)).answer).status).toBe(200);
    await first.stop();
    const dead = await Promise.all(Array.from({ length: 20 }, () => client.send(LIST)));
    for (const one of dead) expect(failure(one.answer).code).toMatch(/^(connection-refused|reset)$/);
    // These wait, for it has answered before.
    const waiting = Array.from({ length: 30 }, () => client.send(LIST));
    const second = await rawServer((socket) => socket.write(answer(200, '[2]')), port);
    const revived = await Promise.all(waiting);
    const unanswered = revived.filter((one) => one.answer.kind === 'no response');
    expect(unanswered.length).toBeLessThanOrEqual(1);
    expect(response((await client.send(LIST)).answer).status).toBe(200);
    await client.close();
    await second.stop();
  });

  test('for good is given up after some seconds, and refused at once from then on', async () => {
    const service = await rawServer((socket) => socket.write(answer(200)));
    const client = testClient(`http://127.0.0.1:${service.port}/v1`);
    await client.send(LIST);
    await service.stop();
    const sentBefore = client.requests;
    const codes = await Promise.all(
      Array.from({ length: 300 }, () => client.send(LIST).then((one) => failure(one.answer).code, notSentCode)),
    );
    expect(codes.filter((code) => code === 'gave-up').length).toBeGreaterThan(250);
    expect(client.requests - sentBefore).toBeLessThan(50);
    const sent = client.requests;
    await Promise.all(Array.from({ length: 100 }, () => client.send(LIST).catch(notSentCode)));
    // At most the one that tries whether the service is back.
    expect(client.requests - sent).toBeLessThanOrEqual(1);
    await client.close();
  });

  test('on one operation alone is given up on that one alone, soon where it never answered', async () => {
    await against(
      (socket, request) => (request.includes('/items/1') ? socket.resetAndDestroy() : socket.write(answer(200))),
      async (client) => {
        const codes: string[] = [];
        for (let turn = 0; turn < 12; turn += 1) {
          codes.push(await client.send(GET).then((one) => failure(one.answer).code, notSentCode));
        }
        expect(codes).toEqual([...Array(6).fill('reset'), ...Array(6).fill('gave-up')]);
        expect(response((await client.send(LIST)).answer).status).toBe(200);
      },
    );
  });

  test('never where the caller waits for it to come up', async () => {
    const silent = await listen((socket) => socket.destroy());
    const client = testClient(`http://127.0.0.1:${silent.port}/v1`, { neverGivesUp: true });
    for (let turn = 0; turn < 30; turn += 1) expect(failure((await client.send(LIST)).answer).code).toBe('reset');
    await client.close();
    await silent.stop();
  });
});
