import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { KEY, type Reply, type Rig, startRig } from './client.fixture.ts';
import { findVariant } from './index.ts';
import type { ReferenceOptions } from './server.ts';

/** Starts a variant for as long as something is done with it. */
async function using<Result>(name: string, act: (rig: Rig) => Promise<Result>, options?: Partial<ReferenceOptions>) {
  const variant = findVariant(name);
  if (variant === undefined) throw new Error(`there is no variant ${name}`);
  const rig = await startRig({ variants: [variant], ...options });
  try {
    return await act(rig);
  } finally {
    await rig.stop();
  }
}

const list = (query: string) => (rig: Rig) => rig.send(`/pets${query}`);
const add =
  (body: string, mediaType = 'application/json') =>
  (rig: Rig) =>
    rig.send('/pets', { method: 'POST', body, headers: { 'content-type': mediaType } });
const sending = (headers: Readonly<Record<string, string>>) => (rig: Rig) => rig.send('/pets', { headers });

const holding = (count: number) => ({ status: 200, body: { length: count } });
const ids = (...of: readonly number[]) => ({ body: of.map((id) => expect.objectContaining({ id: BigInt(id) })) });
const page = (status: number) => ({ status, text: expect.stringContaining('<html>') });
const nothing = (status: number) => ({ status, text: '' });
const named = (name: string) => `{"name":"${name}","categoryId":1}`;

/** A list of all animals after two more were added, numbers 6 and 7; the first of these has a name of that length. */
const withLongName = (length: number) => async (rig: Rig) => {
  await add(named('x'.repeat(length)))(rig);
  await add(named('a'))(rig);
  return rig.send('/pets?limit=100');
};

/**
 * How much is held back or refused, of each kind of such variants: a request, and what its response shows by
 * default of 5 animals. What other variants choose, the suite permits (`permitted.test.ts`) and can tell (`changes.test.ts`).
 */
const SHOWN: readonly (readonly [string, (rig: Rig) => Promise<Reply>, object])[] = [
  ['by-category-descending', list('?limit=2'), ids(5, 4)],
  ['pages-of-half-the-limit', list('?limit=5'), holding(3)],
  ['pages-of-2-kb-of-150', list('?limit=100'), { text: expect.stringMatching(/^.{1930,2000}$/s) }],
  ['window-of-40-then-filter', list('?status=sold&limit=100'), holding(13)],
  ['window-of-limit-then-filter', list('?status=sold&limit=7'), ids(3, 6)],
  ['pages-of-5-oldest-first', withLongName(1), ids(1, 2, 3, 4, 5)],
  ['pages-of-5-by-chance', withLongName(1), holding(5)],
  ['pages-end-at-1-kb', withLongName(900), ids(7, 6)],
  ['pages-end-at-1-kb', withLongName(2000), ids(7)],
  ['pages-end-at-1-kb-oldest-first', withLongName(900), ids(1, 2, 3, 4, 5)],
  ['window-of-limit-newest-first', list('?status=pending&limit=3'), ids(5)],
  ['ids-in-blocks', list(''), ids(52, 2, 101, 51, 1)],
  ['accept-without-json-answered-406', sending({ accept: 'text/html, application/problem+json' }), { status: 406 }],
  ['accept-without-json-answered-406', sending({ accept: 'text/html, application/*;q=0.1' }), { status: 200 }],
  ['origins-answered-403-with-a-page', sending({ origin: 'null' }), page(403)],
  ['bodies-above-64-kib-answered-413-without-a-body', add(named(' '.repeat(70_000))), nothing(413)],
  ['bodies-above-64-kib-answered-413-with-a-page', add(named(' '.repeat(60_000))), { status: 201 }],
  ['forms-read', add('name=Rex+2&categoryId=7', 'application/x-www-form-urlencoded'), { body: { name: 'Rex 2' } }],
  ['not-utf8-read-as-latin1', add('{"name":"é","categoryId":1}'), { body: { name: 'é' } }],
];

/** Pairs that change the same step, with 60 animals: a request for each of the two, and what it shows. */
const BOTH_SHOWN: typeof SHOWN = [
  ['pages-end-at-1-kb-plus-pages-of-15', list('?limit=100'), holding(15)],
  ['pages-end-at-1-kb-plus-pages-of-15', withLongName(1000), ids(62)],
  ['window-of-50-newest-first-plus-pages-of-10', list('?limit=100'), holding(10)],
  ['window-of-50-newest-first-plus-pages-of-10', list('?limit=9&status=sold'), holding(9)],
];

test.each([...SHOWN.map((row) => [...row, undefined] as const), ...BOTH_SHOWN.map((row) => [...row, 60] as const)])(
  '%s',
  async (name, send, shows, seedAnimals) => {
    expect(await using(name, send, { seedAnimals })).toMatchObject(shows);
  },
);

test('creations-answered-late', async () => {
  await using('creations-answered-late', async (rig) => {
    let isAnswered = false;
    const adding = rig.post(named('a')).then(() => {
      isAnswered = true;
    });
    await vi.waitFor(async () => expect((await rig.send('/pets/6')).status).toBe(200), { interval: 5 });
    expect(isAnswered).toBe(false);
    await adding;
  });
});

describe('on the wire', () => {
  /** The bytes of the response to one request, as text. */
  const bytes = (name: string, path = '/v1/pets?limit=1') =>
    using(name, async (rig) => {
      const socket = connect(Number(new URL(rig.baseUrl).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n\r\n`);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) if (chunk instanceof Buffer) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    });

  test.each([
    ['http-1-0', /^HTTP\/1\.0 200 OK\r\n.*Content-Length: 58\r\nConnection: close\r\n\r\n\[.*\]$/s],
    [
      'http-1-0-without-connection-header',
      /^HTTP\/1\.0 200 OK\r\nContent-Type: application\/json\r\nContent-Length: 58\r\n\r\n\[.*\]$/s,
    ],
    [
      'http-1-0-until-close',
      /^HTTP\/1\.0 200 OK\r\nContent-Type: application\/json\r\nConnection: close\r\n\r\n\[.*\]$/s,
    ],
    ['chunk-extensions', /\r\n0001E;part="a b";last\r\n\[.{29}\r\n/s],
    ['chunks-of-seven-bytes', /\r\n7\r\n\[\{"id":\r\n.*\r\n0\r\nServer-Timing: db;dur=1\r\n\r\n$/s],
    ['continue-unasked', /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/],
    ['processing-twice', /^(HTTP\/1\.1 102 Processing\r\n\r\n){2}HTTP\/1\.1 200 OK\r\n/],
    ['no-reason-phrase', /^HTTP\/1\.1 200 \r\n(?!.*\r\nDate:)/s],
    ['header-names-in-small-letters', /\r\ncontent-type: application\/json\r\n/],
    ['header-names-in-capitals', /\r\nCONTENT-TYPE: application\/json\r\n/],
    ['media-type-with-many-parameters', /\r\nContent-Type: Application\/Json ; profile="[^\r]*;v=1;charset=utf-8\r\n/],
  ])('%s', async (name, written) => {
    expect(await bytes(name)).toMatch(written);
  });

  test('connections-of-three-requests', async () => {
    const closing = await using('connections-of-three-requests', async (rig) => {
      const replies = [];
      for (let turn = 0; turn < 6; turn += 1) replies.push(await rig.send('/pets/1'));
      return replies.map(({ headers }) => headers['connection']);
    });
    expect(closing).toContain('close');
  });
});

describe('connections', () => {
  /** A connection on which a request can be sent again and again, and what came on it. */
  async function opened({ baseUrl }: Rig) {
    let text = '';
    let isClosed = false;
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
      .on('data', (chunk) => {
        text += chunk;
      })
      .on('close', () => {
        isClosed = true;
      })
      .on('error', () => {});
    await once(socket, 'connect');
    const responses = () => text.split('HTTP/1.1 200').length - 1;
    return {
      ask: () => socket.write(`GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`),
      close: () => socket.destroy(),
      text: () => text,
      responses,
      /** Resolves once it has had so many responses. */
      answered: (count: number) => vi.waitFor(() => expect(responses()).toBe(count), SOON),
      closed: () => vi.waitFor(() => expect(isClosed).toBe(true), SOON),
    };
  }
  const SOON = { timeout: 20_000, interval: 5 };
  const NOTICE = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

  /** Opens so many connections, sends a request on each, and resolves once all of them have been answered. */
  async function allAnswered(rig: Rig, count: number) {
    const connections = [];
    for (let nth = 0; nth < count; nth += 1) connections.push(await opened(rig));
    for (const { ask } of connections) ask();
    await Promise.all(connections.map(({ answered }) => answered(1)));
    return connections;
  }

  test.each([4, 1])('connections-above-%i-wait', async (most) => {
    const waiting = await using(`connections-above-${most}-wait`, async (rig) => {
      const [first] = await allAnswered(rig, most);
      const gone = await opened(rig);
      const next = await opened(rig);
      next.ask();
      gone.close();
      first?.ask();
      await first?.answered(2);
      expect(next.responses()).toBe(0);
      first?.close();
      await next.answered(1);
      return opened(rig);
    });
    // Stopping the service closes it, too.
    await waiting.closed();
  });

  test('connections-above-4-closed', async () => {
    await using('connections-above-4-closed', async (rig) => {
      const [first] = await allAnswered(rig, 4);
      const next = await opened(rig);
      next.ask();
      await next.closed();
      expect(next.text()).toBe('');
      first?.ask();
      await first?.answered(2);
    });
  });

  test('eight-workers', async () => {
    await using('eight-workers', async (rig) => {
      const [first] = await allAnswered(rig, 8);
      const next = await opened(rig);
      next.ask();
      first?.ask();
      await first?.answered(2);
      expect(next.responses()).toBe(0);
      await next.answered(1);
    });
  });

  test.each([
    ['connection-closed-unannounced', 1, false],
    ['connection-closed-after-one-in-10', 10, true],
  ])('%s', async (name, count, isAnnounced) => {
    const text = await using(name, async (rig) => {
      const connection = await opened(rig);
      for (let nth = 1; nth <= count; nth += 1) {
        connection.ask();
        await connection.answered(nth);
      }
      await connection.closed();
      return connection.text();
    });
    expect(/^Connection: close\r$/im.test(text)).toBe(isAnnounced);
  });

  test.each([
    ['idle-connections-closed-at-5-ms', ''],
    ['idle-connections-closed', ''],
    ['idle-connections-answered-408-at-500-ms', NOTICE],
  ])('%s', async (name, notice) => {
    await using(name, async (rig) => {
      const connection = await opened(rig);
      connection.ask();
      await connection.answered(1);
      // Node.js itself would take a second more than it was told. What came until then is read first.
      const late = setTimeout(900).then(() => setTimeout(20));
      await Promise.race([connection.closed(), late.then(() => expect.fail('still open'))]);
      expect(connection.text().split('}')[1]).toBe(notice);
    });
  });
});

test('from the day of its removal, getPet answers 410', async () => {
  const name = 'removed-with-410-where-found';
  const get = (today: string, id = '1') => using(name, (rig) => rig.send(`/pets/${id}`), { today });
  expect((await get('2030-12-04')).status).toBe(200);
  expect((await get('2030-12-05')).status).toBe(410);
  expect((await get('2030-12-05', '99')).status).toBe(404);
});
