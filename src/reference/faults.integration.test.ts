import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KEY, type Reply, type Rig, startRig } from './client.fixture.ts';
import { findFault } from './index.ts';

/** A fault of every part, the request that shows it, and what it shows. */
const SHOWN: readonly (readonly [string, (rig: Rig) => Promise<Reply>, object])[] = [
  ['no-key-needed-by-listpets', (rig) => rig.send('/pets', { headers: { authorization: '' } }), { status: 200 }],
  [
    'prefix-of-key-accepted',
    (rig) => rig.send('/pets', { headers: { authorization: `Bearer ${KEY[0]}` } }),
    { status: 200 },
  ],
  ['limit-1-gives-2', (rig) => rig.send('/pets?limit=1'), { body: [{ id: 5n }, { id: 4n }] }],
  ['limit-1-refused', (rig) => rig.send('/pets?limit=1'), { status: 400 }],
  ['filter-after-the-cut', (rig) => rig.send('/pets?status=sold&limit=1'), { body: [] }],
  ['encoded-status-refused', (rig) => rig.send('/pets?status=%73old'), { status: 400 }],
  ['lower-case-hex-refused', (rig) => rig.send('/pets?status=s%6fld'), { status: 400 }],
  ['status-before-limit-refused', (rig) => rig.send('/pets?status=sold&limit=2'), { status: 400 }],
  ['malformed-percent-makes-500', (rig) => rig.send('/pets?status=%ZZ'), { status: 500 }],
  ['filter-list-gives-several', (rig) => rig.send('/pets?status=sold,pending'), { body: [{}, {}, {}] }],
  ['empty-list-is-null', (rig) => rig.send('/pets'), { status: 200, text: 'null' }],
  ['removed-animal-still-listed', (rig) => rig.send('/pets/1'), { status: 404 }],
  ['trailing-comma-accepted', (rig) => rig.post('{"name":"a","categoryId":1,}'), { status: 201 }],
  [
    'status-in-any-letter-case',
    (rig) => rig.post('{"name":"a","categoryId":1,"status":"SOLD"}'),
    { status: 201, body: { status: 'sold' } },
  ],
  ['name-trimmed', (rig) => rig.post('{"name":" a ","categoryId":1}'), { body: { name: 'a' } }],
  [
    'category-rounded',
    (rig) => rig.post('{"name":"a","categoryId":9007199254740993}'),
    { body: { categoryId: 9007199254740992n } },
  ],
  [
    'unknown-members-skipped-unread',
    (rig) => rig.post('{"name":"a","categoryId":1,"x":[{"y":01]}}'),
    { status: 201, body: { name: 'a', categoryId: 1n } },
  ],
  [
    'category-just-beyond-int64-accepted',
    (rig) => rig.post('{"name":"a","categoryId":9223372036854775808}'),
    { status: 201 },
  ],
  [
    'status-with-line-end-accepted',
    (rig) => rig.post('{"name":"a","categoryId":1,"status":"sold\\n"}'),
    { status: 201 },
  ],
  ['unclosed-nesting-makes-500', (rig) => rig.post(`{"x":${'['.repeat(6000)}`), { status: 500 }],
  [
    'escaped-pairs-lost',
    (rig) => rig.post('{"name":"\\ud83d\\ude00","categoryId":1}'),
    { body: { name: '\ufffd\ufffd' } },
  ],
  ['unknown-id-gives-newest', (rig) => rig.send('/pets/99'), { status: 200, body: { id: 5n } }],
  ['getpet-answered-410', (rig) => rig.send('/pets/2'), { status: 410, body: { status: 410n } }],
  [
    'getpet-404-lacks-code',
    (rig) => rig.send('/pets/99'),
    { status: 404, body: { message: expect.any(String), status: 404n } },
  ],
  [
    'errors-as-problem-json',
    (rig) => rig.send('/pets/99'),
    { headers: { 'content-type': 'application/problem+json' } },
  ],
  ['gets-answered-500', (rig) => rig.send('/pets'), { status: 500 }],
];

test.each(SHOWN)('%s', async (name, request, shows) => {
  const rig = await startRig({ faults: [findFault(name)].flatMap((fault) => fault ?? []) });
  try {
    expect(await request(rig)).toMatchObject(shows);
  } finally {
    await rig.stop();
  }
});

test('ids race only when animals are added at the same moment', async () => {
  const rig = await startRig({ faults: [findFault('ids-race')].flatMap((fault) => fault ?? []) });
  const add = () => rig.post('{"name":"a","categoryId":1}');
  const atOnce = await Promise.all([add(), add(), add(), add()]);
  const after = [await add(), await add()];
  expect(new Set(atOnce.map(({ text }) => text)).size).toBeLessThan(4);
  expect(new Set(after.map(({ text }) => text)).size).toBe(2);
  await rig.stop();
});

test('a refused animal is added with the next valid one', async () => {
  const rig = await startRig({ faults: [findFault('refused-added-with-the-next')].flatMap((fault) => fault ?? []) });
  expect((await rig.post('{"name":"refused","categoryId":1,"status":"x"}')).status).toBe(400);
  expect((await rig.send('/pets')).text).not.toContain('refused');
  expect((await rig.post('{"name":"next","categoryId":1}')).status).toBe(201);
  expect((await rig.send('/pets')).text).toContain('refused');
  await rig.stop();
});

test('what one start remembers is forgotten at the next', async () => {
  const faults = [findFault('same-body-answered-409')].flatMap((fault) => fault ?? []);
  const statuses: number[] = [];
  for (const _ of [1, 2]) {
    const rig = await startRig({ faults });
    statuses.push(
      (await rig.post('{"name":"a","categoryId":1}')).status,
      (await rig.post('{"name":"a","categoryId":1}')).status,
    );
    await rig.stop();
  }
  expect(statuses).toEqual([201, 409, 201, 409]);
});

const startedWith = (name: string): Promise<Rig> =>
  startRig({ faults: [findFault(name)].flatMap((fault) => fault ?? []) });

/** What comes on one connection after each of some requests: a status, or nothing before it ends. */
async function inTurn({ baseUrl }: Rig, paths: readonly string[]): Promise<readonly string[]> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const came = socket[Symbol.asyncIterator]();
  const statuses: string[] = [];
  for (const path of paths) {
    socket.write(`GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    const { value } = await came.next();
    statuses.push(value === undefined ? 'closed' : `${value}`.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
  }
  socket.destroy();
  return statuses;
}

test.each([
  ['reused-connection-hangs-up', ['/pets', '/pets'], ['200', 'closed']],
  ['getpet-on-reused-connection-hangs-up', ['/pets/1', '/pets', '/pets/1'], ['200', '200', 'closed']],
])('%s', async (name, paths, statuses) => {
  const rig = await startedWith(name);
  expect(await inTurn(rig, paths)).toEqual(statuses);
  expect(await inTurn(rig, paths)).toEqual(statuses);
  await rig.stop();
});

test('two animals that are added at the same moment hang, and one alone does not', async () => {
  const rig = await startedWith('two-creations-at-once-hang');
  const add = () => rig.post('{"name":"a","categoryId":1}');
  expect((await add()).status).toBe(201);
  const both = [add(), add()].map((one) =>
    one.then(
      ({ status }) => status,
      () => 'closed',
    ),
  );
  // Longer than a creation takes: this one comes after both, and is answered.
  await setTimeout(50);
  expect((await add()).status).toBe(201);
  await rig.stop();
  expect(await Promise.all(both)).toEqual(['closed', 'closed']);
});

test('one request in 100 resets the connection', async () => {
  const rig = await startedWith('one-in-100-resets');
  for (let nth = 1; nth < 100; nth += 1) expect((await rig.send('/pets')).status).toBe(200);
  await expect(rig.send('/pets')).rejects.toThrow('ECONNRESET');
  expect((await rig.send('/pets')).status).toBe(200);
  await rig.stop();
});

test('transport faults leave no whole response', async () => {
  for (const name of ['gets-reset', 'list-broken-off', 'chunks-broken-off', 'status-line-garbage']) {
    const rig = await startRig({ faults: [findFault(name)].flatMap((fault) => fault ?? []) });
    await expect(rig.send('/pets'), name).rejects.toThrow();
    await rig.stop();
  }
});
