import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY, type Rig, startRig } from './client.fixture.ts';
import { readJson } from './json.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const refused = (status: number) => ({
  status,
  headers: expect.objectContaining({ 'content-type': 'application/json' }),
  body: {
    code: expect.any(String),
    message: expect.any(String),
    status: BigInt(status),
  },
});

describe('authentication (part 5)', () => {
  const operations = [
    ['listPets', '/pets', {}],
    ['createPet', '/pets', { method: 'POST', body: '{"name":"a","categoryId":1}' }],
    ['getPet', '/pets/1', {}],
  ] as const;
  const invalid = [
    ['an empty header', ''],
    ['no key', 'Bearer'],
    ['a prefix', `Bearer ${KEY.slice(0, -1)}`],
    ['a suffix', `Bearer ${KEY}x`],
    ['another letter case', `Bearer ${KEY.toLowerCase()}`],
    ['the same length', `Bearer ${'x'.repeat(KEY.length)}`],
    ['another scheme', `Basic ${KEY}`],
    ['no scheme', KEY],
  ] as const;
  for (const [operation, path, sending] of operations) {
    test.each(invalid)(`${operation} refuses %s`, async (_, authorization) => {
      expect(await rig.send(path, { ...sending, headers: { authorization } })).toMatchObject(refused(401));
    });
  }

  test.each([8192, 15_000])('a key of %i characters is refused', async (length) => {
    const authorization = `Bearer ${'k'.repeat(length)}`;
    expect(await rig.send('/pets', { headers: { authorization } })).toMatchObject(refused(401));
  });

  test('a key that no header has room for is refused', async () => {
    const authorization = `Bearer ${'k'.repeat(200_000)}`;
    expect(await rig.send('/pets', { headers: { authorization } })).toMatchObject(refused(400));
  });

  test('a refusal reads a large body to its end and leaves the connection usable', async () => {
    const body = `{"name":"a","categoryId":1}${' '.repeat(1_000_000)}`;
    const headers = { authorization: 'Bearer x' };
    expect(await rig.send('/pets', { method: 'POST', headers, body })).toMatchObject(refused(401));
    expect((await rig.send('/pets')).status).toBe(200);
  });

  test('the scheme is read in any letter case', async () => {
    expect((await rig.send('/pets', { headers: { authorization: `bearer ${KEY}` } })).status).toBe(200);
  });
});

describe('listPets (part 4.1)', () => {
  let full: Rig;
  beforeAll(async () => {
    full = await startRig({ seedAnimals: 150 });
  });
  afterAll(() => full.stop());

  test.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=20', 20],
    ['?limit=100', 100],
    ['?limit=100&status=sold', 50],
  ])('/pets%s holds %i', async (query, count) => {
    const { status, body } = await full.send(`/pets${query}`);
    expect(status).toBe(200);
    expect(body).toHaveLength(count);
  });

  test.each([
    ['status=%73old&limit=%35', 5, 'sold'],
    ['st%61tus=pending&l%69mit=3', 3, 'pending'],
    ['limit=7&status=available', 7, 'available'],
    ['limit=05', 5, undefined],
    ['limit=2&limit=3', 2, undefined],
    ['status=sold&status=pending&limit=4', 4, 'sold'],
  ])('reads %s', async (query, count, status) => {
    const { body } = await full.send(`/pets?${query}`);
    expect(body).toHaveLength(count);
    if (status !== undefined) expect(body).toEqual(Array(count).fill(expect.objectContaining({ status })));
  });

  test.each([
    ...['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=', 'limit=ten', 'limit=%ZZ', 'limit=+5', 'limit=5.0'],
    ...['limit=%205', 'limit=5%0A', 'limit=%D9%A3', 'limit=1e1', 'limit=-0', `limit=${'9'.repeat(5000)}`],
    ...[
      'status=Sold',
      'status=SOLD',
      'status=',
      'status=%ZZ',
      'status=%C0%AF',
      'status=sold,pending',
      'status=sold%00',
    ],
    ...['status=%20sold', `status=${'x'.repeat(10_000)}`, `status=${'x'.repeat(100_000)}`],
  ])('refuses %.40s', async (query) => {
    expect(await full.send(`/pets?${query}`)).toMatchObject(refused(400));
  });

  test('shows only the status asked for, newest first', async () => {
    const { body } = await full.send('/pets?status=pending&limit=2');
    expect(body).toEqual([
      expect.objectContaining({ id: 149n, status: 'pending' }),
      expect.objectContaining({ id: 146n, status: 'pending' }),
    ]);
  });
});

describe('createPet (part 4.2) and getPet (part 4.3)', () => {
  test.each([
    '{"name":"Rex","categoryId":1,"status":"sold"}',
    '{"name":"\\u0000 \\ud83d\\ude00 \\"\\\\ é e\\u0301 <b>","categoryId":9223372036854775807,"status":"pending"}',
    '{"name":"__proto__","categoryId":-9223372036854775808,"status":"available"}',
  ])('keeps %s exactly', async (body) => {
    const created = await rig.post(body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ id: expect.any(BigInt), ...Object(readJson(body)) });
    const fetched = await rig.send(`/pets/${idOf(created.body)}`);
    expect([fetched.status, fetched.text]).toEqual([200, created.text]);
    expect((await rig.send('/pets?limit=1')).text).toBe(`[${created.text}]`);
    expect(created.headers['location']).toBe(`/v1/pets/${idOf(created.body)}`);
    expect(fetched.headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
  });

  test.each([
    ...['1.0', '1e2', '-0', '10e-1', '1.234567890123457e18', '0e99999'],
    ...[`1.${'0'.repeat(5000)}`, `1${'0'.repeat(5000)}e-5000`],
  ])('takes the integer %.30s', async (number) => {
    expect((await rig.post(`{"name":"a","categoryId":${number}}`)).status).toBe(201);
  });

  const MANY = 100_000;
  test.each([
    ...['', '{', '[]', 'null', '"a"', '{"name":"a"}', '{"categoryId":1}', '[{"name":"a","categoryId":1}]'],
    ...['{"name":"a","categoryId":1,}', "{'name':'a','categoryId':1}", '{"name":"a","categoryId":1} {}'],
    ...['\ufeff{"name":"a","categoryId":1}', '{"name":null,"categoryId":1}', '{"name":1,"categoryId":1}'],
    ...[
      'null',
      '"1"',
      '01',
      '1.5',
      '9223372036854775808',
      '-9223372036854775809',
      '1e400',
      '1e999999999999',
      '1e-99999',
    ].map((number) => `{"name":"a","categoryId":${number}}`),
    ...['1'.repeat(5000), `${'['.repeat(10_000)}${']'.repeat(10_000)}`].map(
      (value) => `{"name":"a","categoryId":${value}}`,
    ),
    ...[`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, `${'['.repeat(MANY)}${']'.repeat(MANY)}`].map(
      (value) => `{"name":"a","categoryId":1,"x":${value}}`,
    ),
    ...['null', '"Sold"'].map((status) => `{"name":"a","categoryId":1,"status":${status}}`),
    ...['{"name":"a","n\\u0061me":"b","categoryId":1}', '{"name":"a","name":"b","categoryId":1}'],
    ...['{"__proto__":{"name":"a","categoryId":1}}', `{"name":"${'a'.repeat(1_100_000)}","categoryId":1}`],
  ])('refuses %.60s', async (body) => {
    const before = await rig.send('/pets?limit=100');
    expect(await rig.post(body)).toMatchObject(refused(400));
    expect((await rig.send('/pets?limit=100')).text).toBe(before.text);
  });

  test.each(['__proto__', 'constructor', 'hasOwnProperty', '', '\\u0000'])(
    'ignores the member "%s"',
    async (member) => {
      for (const value of ['null', '{"name":1}', `${'9'.repeat(5000)}`, '[[["]"]]]']) {
        const { status, body } = await rig.post(`{"name":"a","${member}":${value},"categoryId":1}`);
        expect([status, body]).toEqual([
          201,
          { id: expect.any(BigInt), name: 'a', categoryId: 1n, status: 'available' },
        ]);
      }
    },
  );

  test('takes a body with megabytes of white space, in chunks, and with names of members escaped', async () => {
    const blank = ' '.repeat(2_000_000);
    expect((await rig.post(`${blank}{"name"${blank}:"a","\\u0063ategoryId":1}`)).status).toBe(201);
    const chunks = Readable.from(['{"name":"a","cat', 'egoryId":1}']);
    const response = await request(`${rig.baseUrl}/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: chunks,
    });
    expect([response.statusCode, await response.body.json()]).toEqual([201, expect.objectContaining({ name: 'a' })]);
  });

  test('does not take the id of the client, even if it is the next one', async () => {
    const { body } = await rig.post('{"name":"a","categoryId":1}');
    const nextId = BigInt(idOf(body)) + 1n;
    const created = await rig.post(`{"name":"a","categoryId":1,"id":${nextId}}`);
    expect([created.status, idOf(created.body)]).toEqual([201, String(nextId + 1n)]);
  });

  test('speaks HTTP/1.0, without a Host', async () => {
    const socket = connect(Number(new URL(rig.baseUrl).port), '127.0.0.1');
    socket.write(`GET /v1/pets?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) if (chunk instanceof Buffer) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('refuses bytes that are not UTF-8, and other media types', async () => {
    expect(await rig.post(Buffer.from('{"name":"\xff","categoryId":1}', 'latin1'))).toMatchObject(refused(400));
    const typed = (headers: Readonly<Record<string, string>>) =>
      rig.send('/pets', { method: 'POST', body: '{"name":"a","categoryId":1}', headers });
    expect(await typed({ 'content-type': 'text/plain' })).toMatchObject(refused(415));
    for (const headers of [
      {},
      { 'content-type': 'Application/JSON; charset="utf-8"' },
      { 'content-type': 'application/json;CHARSET = UTF-8 ; q=1', 'content-encoding': 'identity' },
    ]) {
      expect((await typed(headers)).status).toBe(201);
    }
  });

  test.each([
    ...['0', '-1', '9223372036854775807', '99999999999999999999', '1.0', '12abc', 'x', '%00', '01', '%F0%9F%98%80'],
    ...['%zz', '%2531', '1%0A', '..%2F1', '9'.repeat(5000)],
  ])('no animal is found at %.40s', async (id) => {
    expect(await rig.send(`/pets/${id}`)).toMatchObject(refused(404));
  });
});

test('whatever the specification does not describe is answered with an Error', async () => {
  expect(await rig.send('/pets', { method: 'DELETE' })).toMatchObject(refused(405));
  expect(await rig.send('/pets/1', { method: 'PUT' })).toMatchObject(refused(405));
  expect(await rig.send('/store/orders')).toMatchObject(refused(404));
  expect(await rig.send('/pets/1\\2')).toMatchObject({
    status: expect.any(Number),
    headers: { 'content-type': 'application/json' },
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

function idOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : 'none';
}
