import { describe, expect, test } from 'vitest';
import { KEY, type Reply, type Rig, startRig } from './client.fixture.ts';
import { VARIANTS, type Variant } from './index.ts';
import { isObject } from './json.ts';
import { correctSteps } from './service.ts';
import type { Steps } from './steps.ts';

/**
 * What the specification permits at the points that it leaves open, asked of every variant: for each request the
 * statuses that may be given, and for pages how many animals and which statuses they may hold.
 */

const VALID = '{"name":"a","categoryId":1}';
const ERRORS = [400];

/** A query, the statuses it may be answered with, the most animals of a page, and which statuses these may have. */
const QUERIES: readonly (readonly [string, readonly number[], number, (readonly string[])?])[] = [
  ['', [200], 20],
  ['?limit=1', [200], 1],
  ['?limit=3', [200], 3],
  ['?limit=100', [200], 100],
  ['?limit=%33', [200], 3],
  ['?status=%73old', [200], 20, ['sold']],
  ['?status=pending&limit=2', [200], 2, ['pending']],
  ['?limit=2&status=available', [200], 2, ['available']],
  ...[
    ...['0', '-1', '101', '9'.repeat(30), 'ten', '5abc', '1.5', '1e1', '0x10', 'NaN', '%D9%A3', 'null', '%00'],
    ...['05', '+5', '%2B5', '5.0', '%205', '5%20', ''],
  ].map((limit): [string, number[], number] => [`?limit=${limit}`, [200, 400], 100]),
  ...['0', '101', 'ten'].map((limit): [string, number[], number, string[]] => [
    `?limit=${limit}&status=sold`,
    [200, 400],
    100,
    ['sold'],
  ]),
  ['?limit=2&limit=3', [200, 400], 100],
  ['?limit=3&limit=2', [200, 400], 100],
  ['?limit=2&limit=x', [200, 400], 100],
  ['?limit=x&limit=2', [200, 400], 100],
  ...[
    ...['Sold', 'SOLD', '%20sold', 'sold%20', 'sold,pending', 'x', 'null', '!sold', 'sold%0A', '%00'],
    ...['Sold&limit=5', 'x&limit=5', 'x&limit=0'],
  ].map((status): [string, number[], number, string[]] => [`?status=${status}`, [200, 400], 0, []]),
  [`?status=${'s'.repeat(9000)}`, [200, 400, 414, 431], 0, []],
  ['?status=', [200, 400], 20],
  ['?status=&limit=', [200, 400], 100],
  ['?status=sold&status=pending', [200, 400], 20, ['sold', 'pending']],
  ['?status=pending&status=x', [200, 400], 20, ['pending']],
  ['?status=x&status=pending', [200, 400], 20, ['pending']],
  ['?status=%ZZ', [200, 400, 404], 0, []],
  ['?limit=%ZZ', [200, 400, 404], 100],
];

const IDS: readonly (readonly [string, readonly number[]])[] = [
  ['8999999999999999999', [404]],
  ['-8999999999999999999', [404]],
  ...['x', '12abc', '0x1', '1e0', '1.5', '9'.repeat(20), '-', '%20', '%F0%9F%98%80'].map((id): [string, number[]] => [
    id,
    [400, 404],
  ]),
  ...['01', '+1', '%2B1', '1.0', '-01', '-0'].map((id): [string, number[]] => [id, [200, 400, 404]]),
  ['%ZZ', [400, 404]],
  ...['000000000000000000001', '-00000000000000000001'].map((id): [string, number[]] => [id, [200, 400, 404]]),
  ...['1%2F', '%2F1'].map((id): [string, number[]] => [id, [200, 301, 302, 307, 308, 400, 404]]),
  ['..%2F1', [301, 302, 307, 308, 400, 403, 404]],
  ...['1;v=1', ':1', '1&x', '%2531', '1%3B', '%231', '1%3Fx=1', '1%5C', '1%FF'].map((id): [string, number[]] => [
    id,
    [400, 403, 404, 421],
  ]),
  ['1%00', [400, 403, 404, 421]],
  ['9'.repeat(5000), [400, 404, 414, 431]],
];

/** What others than the service may answer, with any body. */
const ANYBODYS = /%ZZ|%00|%2F|.{4000}|pets\/.*(?:[;:&]|%(?:25|3B|23|3F|5C|FF))|anybody's/;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const NOT_AN_ERROR = { anybodys: true } as const;

/** A body, the statuses that it may be answered with, its media type, and whether an answer may have any body. */
const BODIES: readonly (readonly [string | Buffer, readonly number[], string?, { readonly anybodys: true }?])[] = [
  [VALID, [201]],
  [` {"status":"sold","n\\u0061me":"\\u00e9\\"\\/","categoryId":-9223372036854775808} \n`, [201]],
  [VALID, [201], 'application/json;charset=utf-8'],
  [VALID, [201], 'application/json; CHARSET="UTF-8"'],
  [VALID, [201, 400, 415], 'application/json ; charset=utf-8'],
  [VALID, [201, 400, 415], 'application/json; charset=iso-8859-1'],
  [VALID, [201, 400, 415], FORM],
  ['name=Rex&categoryId=1', [201, 400, 415], FORM, NOT_AN_ERROR],
  ['name=Rex&categoryId=1', ERRORS],
  ['<pet/>', [400, 415], 'application/xml', NOT_AN_ERROR],
  [`{"name":"${'é'.repeat(1000)}","categoryId":9223372036854775807}`, [201]],
  [`{"name":"\u{1f63a}\u202e\u00a0 \ufeff","categoryId":0}`, [201]],
  [VALID, [201, 400, 415], 'text/plain'],
  [VALID, [201, 400, 415], 'Application/JSON'],
  [VALID, [201, 400, 415], ''],
  ['{', [400, 415], 'text/plain'],
  ['', ERRORS],
  ['{', ERRORS],
  ['[]', ERRORS],
  ['{"name":"a"}', ERRORS],
  ['{"name":"a","categoryId":"1"}', ERRORS],
  ['{"name":"a","categoryId":1.5}', ERRORS],
  ['{"name":"a","categoryId":9223372036854775808}', ERRORS],
  ['{"name":"a","categoryId":1e400}', ERRORS],
  ['{"name":"a","categoryId":1,"status":null}', ERRORS],
  ['{"name":"a","categoryId":1,"status":"SOLD"}', ERRORS],
  ['{"name":null,"categoryId":1}', ERRORS],
  ['{"name":"a","categoryId":1,"x":[1,]}', ERRORS],
  ['{"name":"a","categoryId":"1","categoryId":"2"}', ERRORS],
  ...['1.0', '1e2', '-0', '-0.0', '10e-1'].map((number): [string, number[]] => [
    `{"name":"a","categoryId":${number}}`,
    [201, 400],
  ]),
  [`{"name":"${'x'.repeat(100_000)}","categoryId":1}`, [201, 400, 413], JSON_TYPE, NOT_AN_ERROR],
  ...['""', '"\\u0000"', '"\\ud800"', '"\\t"', '"\\u007f"', '"\\u0085"', `"${'x'.repeat(1001)}"`].map(
    (name): [string, number[]] => [`{"name":${name},"categoryId":1}`, [201, 400]],
  ),
  ...[
    ...['1', 'null', '"a"', '{"a":[{}]}', '1e400', '-0.0'],
    ...[900, 9000].map((deep) => '['.repeat(deep) + ']'.repeat(deep)),
  ].map((value): [string, number[]] => [`{"name":"a","x":${value},"categoryId":1}`, [201, 400]]),
  ['{"__proto__":{"name":1},"name":"a","constructor":1,"":2,"categoryId":1}', [201, 400]],
  ['{"id":77,"name":"a","categoryId":1}', [201, 400]],
  ['{"id":"x","name":"a","categoryId":1}', [201, 400]],
  ['{"name":"a","name":"b","categoryId":1}', [201, 400]],
  ['{"name":"a","name":"a","categoryId":1}', [201, 400]],
  ['\ufeff{"name":"a","categoryId":1}', [201, 400]],
  [Buffer.from('{"name":"\xff\xc0\x80","categoryId":1}', 'latin1'), [201, 400]],
  [Buffer.from(VALID, 'utf16le'), [201, 400]],
];

/** Credentials, and the statuses they may be answered with. */
const CREDENTIALS: readonly (readonly [string, readonly number[]])[] = [
  [`Bearer ${KEY}`, [200]],
  [`bearer ${KEY}`, [200, 401]],
  [`BEARER ${KEY}`, [200, 401]],
  [`Bearer   ${KEY}`, [200, 401]],
  ...['', 'Bearer', `Bearer ${KEY}x`, `Bearer ${KEY.toLowerCase()}`, `Basic ${KEY}`, KEY, `Bearer "${KEY}"`].map(
    (header): [string, number[]] => [header, [401]],
  ),
  [`Bearer ${'k'.repeat(5000)}`, [400, 401, 413, 431]],
  [`Bearer ${'k'.repeat(8192)}`, [400, 401, 413, 431]],
];

const ANY_STATUS = ['available', 'pending', 'sold', undefined];
const MEMBERS = ['id', 'name', 'categoryId', 'status'];

const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const member = (animal: unknown, name: string): unknown =>
  isObject(animal) ? Object.getOwnPropertyDescriptor(animal, name)?.value : undefined;

/** What is wrong with an answer, whatever was asked; an assertion for each of the 30,000 answers would take long. */
function* faultsOf(reply: Reply, what: string, permitted: readonly number[]): Iterable<string> {
  if (!permitted.includes(reply.status)) yield `${what}: ${reply.status} ${reply.text.slice(0, 200)}`;
  if (ANYBODYS.test(what) && reply.status >= 300 && reply.status !== 401) return;
  if (!/^application\/json *(;|$)/i.test(`${reply.headers['content-type']}`)) yield `${what}: not JSON`;
  if (reply.status < 400) return;
  const [code, message, status] = ['code', 'message', 'status'].map((name) => member(reply.body, name));
  const isError = typeof code === 'string' && typeof message === 'string' && status === BigInt(reply.status);
  if (!isError) yield `${what}: not an error: ${reply.text.slice(0, 200)}`;
}

function* faultsOfPage(page: unknown, most: number, statuses: readonly unknown[], what: string): Iterable<string> {
  const animals = isArray(page) ? page : [];
  if (!isArray(page) || animals.length > most) yield `${what}: not a page of at most ${most}`;
  if (new Set(animals.map((animal) => member(animal, 'id'))).size < animals.length) yield `${what}: an animal twice`;
  const fits = (animal: unknown): boolean =>
    typeof member(animal, 'id') === 'bigint' &&
    typeof member(animal, 'categoryId') === 'bigint' &&
    typeof member(animal, 'name') === 'string' &&
    statuses.includes(member(animal, 'status'));
  if (!animals.every(fits)) yield `${what}: an animal that does not belong there`;
}

/** What is asked of a service, by what it asks about. */
type Subject = 'lists' | 'ids' | 'bodies' | 'keys';

/** The steps that serve one kind of request alone; whichever of the others is changed may show anywhere. */
const STEPS_OF: Readonly<Record<Exclude<Subject, 'keys'>, readonly (keyof Steps)[]>> = {
  lists: ['listPets', 'readLimit', 'readStatusFilter', 'selectPage'],
  ids: ['getPet', 'readPetId', 'findPet'],
  bodies: ['createPet', 'checkMediaType', 'readBody', 'parseBody', 'validateNewPet', 'getPet', 'readPetId', 'findPet'],
};

const STEPS = correctSteps();

/** Whether a variant can answer requests of a kind otherwise than the service without it does. */
function canChange(subject: Subject, { change }: Variant): boolean {
  const changed = new Set(
    Object.entries(change(STEPS))
      .filter(([, step]) => !unchanged.has(step))
      .map(([name]) => name),
  );
  const own = subject === 'keys' ? [] : STEPS_OF[subject];
  const ofOthers = Object.values(STEPS_OF)
    .flat()
    .filter((step) => !own.includes(step));
  for (const step of ofOthers) changed.delete(step);
  return changed.size > 0;
}

const unchanged = new Set<unknown>(Object.values(STEPS));

const ASKED: Readonly<Record<Subject, (rig: Rig) => AsyncIterable<string>>> = {
  async *lists(rig) {
    for (const [query, permitted, most, statuses = ANY_STATUS] of QUERIES) {
      const what = `GET /pets${query}`;
      const reply = await rig.send(`/pets${query}`);
      yield* faultsOf(reply, what, permitted);
      if (reply.status === 200) yield* faultsOfPage(reply.body, most, statuses, what);
    }
  },

  async *ids(rig) {
    for (const [id, permitted] of IDS) yield* faultsOf(await rig.send(`/pets/${id}`), `GET /pets/${id}`, permitted);
  },

  async *bodies(rig) {
    for (const [body, permitted, mediaType = JSON_TYPE, { anybodys = false } = {}] of BODIES) {
      const what = `POST ${body.toString().slice(0, 80)} ${mediaType}${anybodys ? " (anybody's)" : ''}`;
      const headers = { ...(mediaType !== '' && { 'content-type': mediaType }) };
      const reply = await rig.send('/pets', { method: 'POST', headers, body });
      yield* faultsOf(reply, what, permitted);
      if (reply.status !== 201) continue;
      yield* faultsOfPage([reply.body], 1, ANY_STATUS, what);
      if (body.includes('"id":77') && member(reply.body, 'id') === 77n) yield `${what}: the id of the client`;
      const fetched = await rig.send(`/pets/${member(reply.body, 'id')}`);
      const isSame = MEMBERS.every((name) => member(fetched.body, name) === member(reply.body, name));
      if (!isSame) yield `${what}: getPet gives another animal`;
      const refused = await rig.send('/pets', { method: 'POST', headers: { ...headers, authorization: '' }, body });
      if (![401, 400, 415, ...(anybodys ? [413] : [])].includes(refused.status))
        yield `${what} without a key: ${refused.status}`;
    }
  },

  async *keys(rig) {
    for (const [authorization, permitted] of CREDENTIALS) {
      const headers = { authorization };
      const list = await rig.send('/pets?limit=1', { headers });
      yield* faultsOf(list, `GET /pets ${authorization}`, permitted);
      const animal = await rig.send('/pets/8999999999999999999', { headers });
      yield* faultsOf(animal, `GET /pets/{none} ${authorization}`, [...permitted, 404]);
    }
  },
};

const SUBJECTS = ['lists', 'ids', 'bodies', 'keys'] as const;

async function keepToThePolicy(subjects: readonly Subject[], variants: readonly Variant[]): Promise<void> {
  const rig = await startRig({ variants });
  const faults: string[] = [];
  try {
    for (const subject of subjects) for await (const one of ASKED[subject](rig)) faults.push(one);
  } finally {
    await rig.stop();
  }
  expect(faults).toEqual([]);
}

/** They hold requests back on purpose, or are not for the client here; the suite judges them. */
const LEFT_TO_THE_SUITE =
  /(?:^|-plus-)(?:slow|uneven$|serial$|modern-proxy$|bodies-trickle$|continue-|animals-nested-|deep-|throttled-|empty-pages-|locks-out-|connections-above-1-|connection-closed-unannounced|idle-connections-)/;

describe.concurrent('variants do at open points what is permitted there', () => {
  test.each(VARIANTS.filter(({ name }) => !LEFT_TO_THE_SUITE.test(name)))('$name', async (variant) => {
    // What it cannot change, the service without it is asked, once.
    const asked = SUBJECTS.filter((subject) => canChange(subject, variant));
    expect(asked).not.toEqual([]);
    await keepToThePolicy(asked, [variant]);
  });

  test('so does the service without any', () => keepToThePolicy(SUBJECTS, []));
});
