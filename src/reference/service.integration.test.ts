import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY, type Rig, startRig } from './client.fixture.ts';
import { findFault } from './index.ts';

/** What the suite does not ask of it; that it is right, `.config/conformance.ts` shows. */

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ seedAnimals: 150 });
});
afterAll(() => rig.stop());

const refused = (status: number) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { code: expect.any(String), message: expect.any(String), status: BigInt(status) },
});

const PLAIN = '{"name":"a","categoryId":1}';
const post = (headers: Readonly<Record<string, string>>, body = PLAIN) =>
  rig.send('/pets', { method: 'POST', headers, body });

test('lists are newest first, with exact integers', async () => {
  const { status, body, headers, text } = await rig.post('{"name":"b","categoryId":9223372036854775807}');
  expect([status, body]).toEqual([201, { id: 151n, name: 'b', categoryId: 2n ** 63n - 1n, status: 'available' }]);
  expect(headers['location']).toBe('/v1/pets/151');
  expect((await rig.send('/pets?limit=1')).text).toBe(`[${text}]`);
  const newest = await rig.send('/pets?status=pending&limit=2');
  expect(newest.body).toMatchObject([149n, 146n].map((id) => ({ id, status: 'pending' })));
});

describe('it is strict where the specification leaves a choice', () => {
  test.each([
    ...['limit=0', 'limit=101', 'limit=1.5', 'limit=', 'limit=+5', 'limit=5.0', 'limit=%205', 'limit=-0', 'limit=%ZZ'],
    ...['status=Sold', 'status=', 'status=%C0%AF', 'status=sold,pending', `status=${'x'.repeat(100_000)}`],
  ])('%.40s is refused', async (query) => {
    expect(await rig.send(`/pets?${query}`)).toMatchObject(refused(400));
  });

  test.each([
    ...['{"name":"a","n\\u0061me":"b","categoryId":1}', `\ufeff${PLAIN}`, `{"name":"${'a'.repeat(1_100_000)}"}`],
    ...['1e999999999999', '1e-99999', '1'.repeat(5000), `${'['.repeat(10_000)}${']'.repeat(10_000)}`].map(
      (category) => `{"name":"a","categoryId":${category}}`,
    ),
  ])('%.60s is refused', async (body) => {
    expect(await rig.post(body)).toMatchObject(refused(400));
  });

  test.each(['1.0', '01', '%00', '%2531', '1%0A', '..%2F1', '9'.repeat(5000)])(
    'no animal is found at %.40s',
    async (id) => {
      expect(await rig.send(`/pets/${id}`)).toMatchObject(refused(404));
    },
  );

  test('other media types are refused, and parameters of the right one are not', async () => {
    expect(await post({ 'content-type': 'text/plain' })).toMatchObject(refused(415));
    for (const type of ['Application/JSON; charset="utf-8"', 'application/json;CHARSET = UTF-8 ; q=1'])
      expect((await post({ 'content-type': type })).status).toBe(201);
  });
});

describe('on the wire', () => {
  test('a refusal reads a large body to its end and leaves the connection usable', async () => {
    expect(await post({ authorization: 'Bearer x' }, PLAIN + ' '.repeat(1_000_000))).toMatchObject(refused(401));
    expect((await rig.send('/pets')).status).toBe(200);
  });

  test('a key that no header has room for is refused', async () => {
    const authorization = `Bearer ${'k'.repeat(200_000)}`;
    expect(await rig.send('/pets', { headers: { authorization } })).toMatchObject(refused(400));
  });

  test('a body may come in chunks', async () => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = Readable.from(['{"name":"a","cat', 'egoryId":1}']);
    expect((await request(`${rig.baseUrl}/pets`, { method: 'POST', headers, body })).statusCode).toBe(201);
  });

  test('it speaks HTTP/1.0, without a Host', async () => {
    const socket = connect(Number(new URL(rig.baseUrl).port), '127.0.0.1');
    socket.write(`GET /v1/pets?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) if (chunk instanceof Buffer) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('whatever the specification does not describe is answered with an Error', async () => {
    expect(await rig.send('/pets', { method: 'DELETE' })).toMatchObject(refused(405));
    expect(await rig.send('/pets/1', { method: 'PUT' })).toMatchObject(refused(405));
    expect(await rig.send('/store/orders')).toMatchObject(refused(404));
    const { headers } = await rig.send('/pets/1\\2');
    expect(headers['content-type']).toBe('application/json');
  });
});

test('many requests that are held back at once cause no warning', async () => {
  const warnings: Error[] = [];
  const record = (warning: Error) => warnings.push(warning);
  process.on('warning', record);
  const slow = await startRig({ latencyMs: 100 });
  try {
    const replies = await Promise.all(Array.from({ length: 30 }, () => slow.send('/pets')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', record);
    await slow.stop();
  }
});

const startedWith = (name: string): Promise<Rig> =>
  startRig({ faults: [findFault(name)].flatMap((fault) => fault ?? []) });

test('it stops with a request under way', async () => {
  const hanging = await startedWith('gets-hang');
  const sent = hanging.send('/pets').catch(() => 'closed');
  await hanging.stop();
  expect(await sent).toBe('closed');
});

test('what one start remembers is forgotten at the next', async () => {
  const statuses: number[] = [];
  for (const _ of [1, 2]) {
    const remembering = await startedWith('same-body-answered-409');
    for (const __ of [1, 2]) statuses.push((await remembering.post(PLAIN)).status);
    await remembering.stop();
  }
  expect(statuses).toEqual([201, 409, 201, 409]);
});
