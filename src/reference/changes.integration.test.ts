import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../contract/json-pointer.ts';
import { type Rig, startRig } from './client.fixture.ts';
import { FAULTS, type Fault, findFault, findVariant, startReference, VARIANTS } from './index.ts';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly untestable?: string;
}
const isRow = (row: unknown): row is Row => typeof row === 'object' && row !== null && 'id' in row && 'kind' in row;
const catalogue: unknown = parse(readFileSync(new URL('../../spec/requirements.yaml', import.meta.url), 'utf8'));
const rows = Array.isArray(catalogue) ? catalogue.filter(isRow) : [];
const testable = rows.filter(({ untestable }) => untestable === undefined);

test('every fault and every variant has a name of its own', () => {
  const names = [...FAULTS, ...VARIANTS].map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test('every fault breaks a requirement that can be tested, and every such stated or derived one has a fault', () => {
  const ids = new Set(testable.map(({ id }) => id));
  expect(FAULTS.filter(({ breaks }) => !ids.has(breaks)).map(({ name, breaks }) => `${name} ${breaks}`)).toEqual([]);
  const lacking = testable
    .filter(({ id, kind }) => kind !== 'open' && !FAULTS.some(({ breaks }) => breaks === id))
    .map(({ id }) => id);
  expect(lacking).toEqual([]);
});

test('every fault is found, and a file named by a prefix holds only faults of that prefix', async () => {
  const prefixes = new Set(rows.map(({ id }) => id.slice(0, id.indexOf('-') + 1)));
  const folder = new URL('faults/', import.meta.url);
  const files = readdirSync(folder).filter((file) => !['conditions.ts', 'effects.ts'].includes(file));
  const found: Fault[] = [];
  for (const file of files) {
    const module: Readonly<Record<string, readonly Fault[]>> = await import(new URL(file, folder).href);
    const faults = Object.values(module).flat();
    const prefix = `${file.replace('.ts', '').toUpperCase()}-`;
    expect(
      faults.filter(({ breaks }) => prefixes.has(prefix) && !breaks.startsWith(prefix)).map(({ name }) => name),
      file,
    ).toEqual([]);
    found.push(...faults);
  }
  expect(found.map(({ name }) => name).toSorted()).toEqual(FAULTS.map(({ name }) => name).toSorted());
});

test('every variant names a requirement of the catalogue', () => {
  const ids = new Set(rows.map(({ id }) => id));
  expect(VARIANTS.filter(({ chooses }) => !ids.has(chooses)).map(({ name }) => name)).toEqual([]);
});

test('faults and variants are found by name', () => {
  expect(findFault('limit-plus-one')?.breaks).toBe('LIST-2');
  expect(findVariant('limits-clamped')?.chooses).toBe('LIST-10');
  expect(findFault('limits-clamped')).toBeUndefined();
});

test('every fault and every variant starts, and stops with a request under way', async () => {
  const starts = [
    ...FAULTS.map((fault) => ({ faults: [fault] })),
    ...VARIANTS.map((variant) => ({ variants: [variant] })),
  ];
  await Promise.all(
    starts.map(async (start) => {
      const reference = await startReference({ token: 'k', ...start, seedAnimals: 3 });
      await reference.stop();
    }),
  );
  const rig = await startRig({ faults: [findFault('gets-hang')].flatMap((fault) => fault ?? []) });
  const hanging = rig.send('/pets').then(
    () => 'answered',
    () => 'closed',
  );
  await rig.stop();
  expect(await hanging).toBe('closed');
});

describe('variants keep to the specification', () => {
  // Those that hold requests back on purpose are left to the suite, and those that the client here does not take.
  const quick = VARIANTS.filter(
    ({ name }) =>
      !/^(slow|serial$|big-|throttled-at-random$|continue-|animals-nested-|deep-|throttled-busy|empty-pages-|connections-above-1-|connection-closed-unannounced|idle-connections-)/.test(
        name,
      ),
  );
  test.each(quick.map((variant) => [variant.name, variant] as const))('%s', async (_, variant) => {
    const rig = await startRig({ variants: [variant] });
    try {
      await keepsToTheSpecification(rig);
    } finally {
      await rig.stop();
    }
  });
});

async function keepsToTheSpecification(rig: Rig): Promise<void> {
  const created = await rig.post('{"name":"Ünal \\ud83d\\ude00","categoryId":-9007199254740993,"status":"sold"}');
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ name: 'Ünal 😀', categoryId: -9007199254740993n, status: 'sold' });
  const id = isObject(created.body) ? created.body['id'] : undefined;
  const fetched = await rig.send(`/pets/${id}`);
  expect([fetched.status, fetched.text]).toEqual([200, created.text]);
  expect(await rig.send('/pets/8999999999999999999')).toMatchObject({ status: 404, body: { status: 404n } });
  expect(await rig.post('{"name":1}')).toMatchObject({ status: 400, body: { status: 400n } });
  const refused = await rig.send('/pets', { headers: { authorization: '' } });
  expect(refused).toMatchObject({
    status: 401,
    body: { code: expect.any(String), message: expect.any(String), status: 401n },
  });
  const list = await rig.send('/pets?limit=2');
  expect(list.status).toBe(200);
  expect(Array.isArray(list.body) ? list.body.length : 3).toBeLessThan(3);
}
