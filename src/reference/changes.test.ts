import { readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import { REQUIREMENTS as CATALOGUE } from '../contract/catalogue.prebuilt.ts';
import { DOCUMENT } from '../contract/document.prebuilt.ts';
import { namedSchema } from '../contract/document.ts';
import { type Call, create, get, list, PLAIN } from '../reading/call.ts';
import { askedBy, READINGS, TERMS } from '../reading/readings.fixture.ts';
import { SPECIFIED } from './changes.ts';
import { FAULTS, type Fault, VARIANTS, type Variant } from './index.ts';
import { type Reply, requestOf, startOffline, stopTime } from './offline.fixture.ts';
import { correctSteps } from './service.ts';

/** Calls that are sent at once, each on a connection of its own. */
interface Step {
  readonly calls: readonly Call[];
  /** The first of the connections. */
  readonly on?: number;
  /** How much time passes before (ms). */
  readonly after?: number;
  /** The row whose mark the names carry; by default one of its own. */
  readonly row?: number;
}

/** What is sent to a service from its start. */
interface Story {
  readonly steps: readonly Step[];
  readonly seedAnimals?: number;
}

const alone = (...calls: readonly Call[]): readonly Step[] => calls.map((call) => ({ calls: [call] }));
const authorized = (call: Call, authorization?: string): Call => ({
  ...call,
  headers: PLAIN.flatMap(([name, value]) =>
    name !== 'Authorization' ? [[name, value]] : authorization === undefined ? [] : [[name, authorization]],
  ),
});
const lists = (...queries: readonly string[]): readonly Call[] => queries.map((query) => list(query));
const bodyOf = (category: number, status: string, name = '$NAME'): string =>
  `{"name":"${name}","categoryId":${category},"status":"${status}"}`;
const OMITTED = create('{"name":"$NAME","categoryId":7}');
const ADD = create(bodyOf(7, 'available'));

const LOOK = alone(
  ...lists('', 'limit=100', 'limit=3', 'status=sold', 'status=pending&limit=50', 'status=available'),
  ...['$ID', '1', '$FREE', 'abc'].map((id) => get(id)),
  authorized(list()),
  authorized(get(), 'Bearer wrong'),
);

/** After each creation, what it has added is looked at. */
const followed = (calls: readonly Call[]): readonly Step[] =>
  calls.flatMap((call) => alone(call, ...(call.method === 'POST' ? [get(), list('limit=2')] : [])));

/** Bodies that a careless comparison takes for equal, and one that is corrected. */
const EQUALS: readonly Step[] = [
  ...[bodyOf(5, 'available'), bodyOf(5, 'available'), bodyOf(5, 'sold'), bodyOf(6, 'pending'), bodyOf(5, 'available')],
  ...[
    '{"name":"$NAME 1","categoryId":23}',
    '{"name":"$NAME 12","categoryId":3}',
    '{"name":"$NAME REX","categoryId":7}',
  ],
  ...['{"name":"$NAME rex","categoryId":7}', '{"name":"$NAME 2"}', bodyOf(7, 'sold', '$NAME 2')],
].flatMap((body) => [{ calls: [create(body)], row: 1 }, ...alone(get(), list('limit=2'))]);

const PLAINLY: readonly Step[] = [
  ...LOOK,
  ...alone(ADD),
  ...LOOK,
  ...alone(OMITTED),
  ...LOOK,
  ...EQUALS,
  ...followed([create(bodyOf(7, 'sold', 'test $NAME')), create('{'), create('{}'), authorized(ADD)]),
  // The ids of the start, those that are given next, and limits around the number of animals.
  ...alone(...['2', '3', '4', '5', '18', '19', '20', '21'].map((id) => get(id)), ADD, get()),
  ...alone(...lists('limit=16', 'limit=17', 'limit=18', 'limit=19', 'limit=20', 'limit=21')),
];

const CLOSING = { ...list('limit=100'), headers: [...PLAIN, ['Connection', 'close']] } as const;

/** Pages of a store of 200 animals, 67 of which are available, 67 pending and 66 sold. */
const FULL_PAGES = alone(
  ...lists(
    'limit=20',
    'limit=21&status=sold',
    'status=sold&limit=50',
    'limit=66&status=pending',
    'status=sold&limit=66',
  ),
  ...[create(bodyOf(7, 'sold', '$NAME $TIMES:70000<n>')), ...lists('limit=1', 'limit=100'), get('1'), CLOSING],
);

/** The calls of suites' tables, and the requirements that they are sent for. */
const SENT = PARTS.flatMap(({ requirements }) =>
  requirements.flatMap(({ id, sends }) => sends.flatMap(({ calls }) => calls.map((call) => ({ id, call })))),
);
const READ = READINGS.map((row) => ({ id: row[2], call: askedBy(row).call }));

/** Bodies of 10,000 letters and more take as long as a hundred others. */
const isLarge = ({ body = '' }: Call): boolean => /\$TIMES:\d{5}/.test(body);

const times = <T>(count: number, make: (nth: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, nth) => make(nth));

/** Five of the start, and two that were added. */
const FIRST_ANIMALS = alone(...['1', '2', '3', '4', '5', '6', '7'].map((id) => get(id)));

/** At once, again and again, later and on another connection, and after the day of removal. */
const LASTING: readonly Step[] = [
  ...alone(create(bodyOf(7, 'sold')), ADD, create(bodyOf(7, 'none'))),
  ...[ADD, list('limit=5'), get(), authorized(list(), 'Bearer wrong'), authorized(get())].flatMap((call) => [
    { calls: times(20, (nth) => (nth % 2 === 0 ? call : list('limit=100'))), on: 1 },
    ...LOOK,
  ]),
  ...times(110, () => alone(list('status=sold'), get(), ADD, authorized(list()))).flat(),
  ...LOOK,
  ...[100, 500, 1000, 3000, 10_000].flatMap((after) => [{ calls: [ADD], after }, ...LOOK, ...FIRST_ANIMALS]),
  ...LOOK.map((step) => ({ ...step, on: 50 })),
  ...LOOK.map((step) => ({ ...step, after: 5 * 366 * 24 * 3_600_000 })),
];

/** Pages that grow by one animal after the other, whose text fits into ISO-8859-1, and which are looked at again much later. */
const AGING: readonly Step[] = [
  ...times(20, (nth) =>
    alone(create(bodyOf(7, nth % 2 === 0 ? 'sold' : 'pending', '$NAME Zoë')), list('status=pending')),
  ).flat(),
  ...alone(OMITTED, get()),
  { calls: [create(bodyOf(7, 'sold'))], after: 1500 },
  ...[5000, 10_000, 6000, 10_000].flatMap((after) => [
    { calls: [list('limit=100')], after },
    ...alone(...['6', '7', '26'].map((id) => get(id)), ...lists('limit=100&status=sold', 'status=available')),
    ...alone(...['Bearer wrong', `Bearer ${TERMS.key.slice(0, -1)}`].map((key) => authorized(ADD, key)), ADD, get()),
  ]),
  ...alone(authorized(ADD), get('9')),
];

const partOf = (id: string): string => id.replace(/-\d+$/, '');

/** Calls that are not large, those for the part of a requirement first: most changes show in these. */
const nearestFirst = (part: string, calls: typeof SENT): readonly Call[] =>
  [true, false].flatMap((isNear) =>
    calls.filter(({ id, call }) => !isLarge(call) && (partOf(id) === part) === isNear).map(({ call }) => call),
  );

/** What is sent to find out what changes at a requirement, by the name of the story: what shows most in the least time first. */
function* storiesOf(id: string): Generator<readonly [name: string, story: Story]> {
  const own = followed(SENT.flatMap((sent) => (sent.id === id ? sent.call : [])));
  const part = partOf(id);
  yield [`own ${id}`, { steps: own }];
  yield ['plain', { steps: PLAINLY }];
  yield [`full ${id}`, { steps: [...FULL_PAGES, ...own], seedAnimals: 200 }];
  yield ['aging', { steps: AGING }];
  yield [`read ${part}`, { steps: alone(...nearestFirst(part, READ)) }];
  yield [`sent ${part}`, { steps: followed(nearestFirst(part, SENT)) }];
  yield ['lasting', { steps: LASTING }];
  yield [`plain and own ${id}`, { steps: [...PLAINLY, ...own] }];
  yield ['large', { steps: followed(SENT.flatMap(({ call }) => (isLarge(call) ? call : []))) }];
  // As they stand in the tables: some faults remember what went before.
  yield ['read', { steps: alone(...nearestFirst('', READ)) }];
  yield ['sent', { steps: followed(nearestFirst('', SENT)) }];
}

/** What came of a step, as one text. */
const textOf = (reply: Reply | undefined): string => {
  if (reply === undefined) return 'no response';
  const { response, sentAt, answeredAt, wire } = reply;
  const { status, headers, body } = response;
  return `${status} ${answeredAt - sentAt} ${JSON.stringify(headers)} ${Buffer.from(body).toString('latin1')} ${wire}`;
};

const LONG = 1_000_000;

/** Tells a story to a service, as long as what comes of each step is as usual. */
async function tell(story: Story, changes: Changes, isSent: boolean, isUsual: (text: string, nth: number) => boolean) {
  vi.clearAllTimers();
  vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
  const send = await startOffline({ token: TERMS.key, seedAnimals: story.seedAnimals, ...changes }, isSent);
  let id = '1';
  for (const [nth, { calls, on = 0, after = 1, row = nth + 2 }] of story.steps.entries()) {
    if (after < LONG) vi.advanceTimersByTime(after);
    else vi.setSystemTime(Date.now() + after);
    const replies = await Promise.all(
      calls.map((call, at) => {
        const mark = `${row}`.padStart(4, '0') + at;
        const names = { NAME: `conformance abcde ${mark}`, NUMBER: `9${mark}`, ID: id, FREE: '700000000' };
        const request = requestOf(call, names);
        return request === undefined ? undefined : send(request, on + at);
      }),
    );
    for (const reply of replies) id = /\/pets\/(.*)/.exec(reply?.response.headers['Location'] ?? '')?.[1] ?? id;
    if (!isUsual(replies.map(textOf).join('\n'), nth)) return true;
  }
  return false;
}

interface Changes {
  readonly faults?: readonly Fault[];
  readonly variants?: readonly Variant[];
}

const usual = new Map<string, readonly string[]>();

/** What comes of each step of a story without any change; told once. */
async function usualOf(name: string, story: Story, isSent: boolean): Promise<readonly string[]> {
  const known = usual.get(name);
  if (known !== undefined) return known;
  const texts: string[] = [];
  await tell(story, {}, isSent, (text) => texts.push(text) > 0);
  usual.set(name, texts);
  return texts;
}

const STEPS = correctSteps();

/** Whether anything comes otherwise than without the change. */
async function changesSomething({ change }: Fault | Variant, about: string, changes: Changes): Promise<boolean> {
  const isSent = change(STEPS).send !== STEPS.send;
  for (const [name, story] of storiesOf(about)) {
    const texts = await usualOf(`${name} ${isSent}`, story, isSent);
    if (await tell(story, changes, isSent, (text, nth) => text === texts[nth])) return true;
  }
  return false;
}

stopTime();

/** What sets up the server shows with sockets alone. */
const isOfServer = ({ change }: Fault | Variant): boolean => change(STEPS).configure !== STEPS.configure;

describe('it shows in what is sent here', () => {
  test.each(FAULTS.filter((fault) => !isOfServer(fault)))('the fault $name', async (fault) => {
    expect(await changesSomething(fault, fault.breaks, { faults: [fault] })).toBe(true);
  });

  test.each(VARIANTS.filter((variant) => !isOfServer(variant)))('the variant $name', async (variant) => {
    expect(await changesSomething(variant, variant.chooses, { variants: [variant] })).toBe(true);
  });
});

test('every fault and every variant has a name of its own', () => {
  const names = [...FAULTS, ...VARIANTS].map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test('every fault breaks a requirement that can be tested, and every such stated or derived one has a fault', () => {
  const testable = CATALOGUE.filter(({ untestable }) => untestable === undefined);
  const broken = new Set(FAULTS.map(({ breaks }) => breaks));
  expect([...broken].filter((breaks) => !testable.some(({ id }) => id === breaks))).toEqual([]);
  expect(testable.filter(({ id, kind }) => kind !== 'open' && !broken.has(id))).toEqual([]);
});

test('every variant names a requirement of the catalogue', () => {
  const ids = CATALOGUE.map(({ id }) => id);
  expect(VARIANTS.filter(({ chooses }) => !ids.includes(chooses))).toEqual([]);
});

test('every file of faults is registered, and one that is named by a part holds only faults of that part', async () => {
  const parts = new Set(CATALOGUE.map(({ id }) => partOf(id)));
  const folder = new URL('faults/', import.meta.url);
  const files = readdirSync(folder).filter((file) => !['conditions.ts', 'effects.ts'].includes(file));
  const found: Fault[] = [];
  for (const file of files) {
    const module: Readonly<Record<string, readonly Fault[]>> = await import(new URL(file, folder).href);
    const faults = Object.values(module).flat();
    const part = file.replace('.ts', '').toUpperCase();
    expect(parts.has(part) ? faults.filter(({ breaks }) => partOf(breaks) !== part) : [], file).toEqual([]);
    found.push(...faults);
  }
  expect(found.map(({ name }) => name).toSorted()).toEqual(FAULTS.map(({ name }) => name).toSorted());
});

test('the members that changes know are those of spec/openapi.yaml', () => {
  expect(SPECIFIED.toSorted()).toEqual(Object.keys(namedSchema(DOCUMENT, 'Pet').properties ?? {}).toSorted());
});
