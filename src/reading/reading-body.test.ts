import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withKey } from '../check/rows.ts';
import { CONTRACT } from '../contract/contract.ts';
import { readJson } from '../contract/json.ts';
import { IDS } from '../inputs/ids.ts';
import { INVALID } from '../inputs/invalid-bodies.ts';
import { KEYS, type KeyRow } from '../inputs/keys.ts';
import { MALFORMED } from '../inputs/malformed-bodies.ts';
import { OPEN } from '../inputs/open-bodies.ts';
import { QUERIES } from '../inputs/queries.ts';
import { drawnCalls } from '../inputs/random.ts';
import { VALID } from '../inputs/valid-bodies.ts';
import type { Call } from './call.ts';
import { create, get, JSON_TYPE, list, PLAIN } from './call.ts';
import { fill } from './fill.ts';
import { type Reading, read } from './reading.ts';
import { NAMES, TERMS } from './readings.fixture.ts';

/** Whether the bytes are a NewPet by strict JSON and the schema; undefined where these do not say it all. */
function isNewPet(body: Uint8Array): boolean | undefined {
  const json = readJson(body);
  if (json.kind === 'unread') return undefined;
  if (json.kind === 'not json') return json.code === 'not-json' || json.code === 'empty-body' ? false : undefined;
  return CONTRACT.validate('NewPet', json).length === 0;
}

const readingOf = (call: Call, names: Readonly<Record<string, string>> = NAMES, terms = TERMS): Reading | undefined => {
  const request = fill(call, names, terms);
  return request && read(request, terms);
};

/** A body means the same to the reading as to the parser and to the schema. */
function agrees(call: Call): void {
  const request = fill(call, NAMES, TERMS);
  const { body: reading } = (request && read(request, TERMS)) ?? {};
  if (request === undefined || reading === undefined) throw new Error('no creation');
  const isCoded = request.headers.some(([name]) => name === 'Content-Encoding');
  const points = new Set(reading.points.map(({ requirement }) => requirement));
  const says = isNewPet(request.body ?? new Uint8Array());
  // What another format or a duplicate means, JSON and the schema do not say.
  if (isCoded || reading.isOtherFormat || says === undefined || points.has('CREATE-14') || points.has('CREATE-17'))
    return;
  expect(reading.kind !== 'invalid', `${call.body?.slice(0, 200)} is read as ${reading.kind}`).toBe(says);
}

const typed = ([type, body]: readonly [string, string | undefined]): Call =>
  create(body, type === '' ? PLAIN : [...PLAIN, ['Content-Type', type]]);
const coded = ([coding, body]: readonly [string, string]): Call =>
  create(body, [...PLAIN, JSON_TYPE, ['Content-Encoding', coding]]);
const lists = (texts: readonly string[]): readonly Call[] => texts.map((text) => list(text));
const gets = (texts: readonly string[]): readonly Call[] => texts.map((text) => get(text));
const creates = (texts: readonly string[]): readonly Call[] => texts.map((text) => create(text));
const keyed = (rows: readonly KeyRow[]): readonly Call[] => rows.map((row) => withKey(list(), row));

/** Each table of inputs: what all of its rows are, and, where it is one, which requirement they are about. */
const TABLES: readonly (readonly [string, readonly Call[], Reading['kind'], RegExp])[] = [
  ['valid animals', creates(VALID.animals), 'valid', /^(CREATE-1|RES-[67])$/],
  ['odd animals', creates(VALID.oddAnimals), 'valid', /^RES-[67]|CREATE-12$/],
  ['bare animals', creates(VALID.bareAnimals), 'valid', /^RES-6|CREATE-12$/],
  ['without a status', creates(VALID.withoutStatus), 'valid', /^(STATE-1|RES-[67]|CREATE-12)$/],
  ['forms of JSON', creates(VALID.jsonForms), 'valid', /^CREATE-12$/],
  ['media types of JSON', VALID.mediaTypes.map(typed), 'valid', /^CREATE-12$/],
  ['lacking members', creates(INVALID.lackingMembers), 'invalid', /^CREATE-2$/],
  ['wrong names', creates(INVALID.wrongNames), 'invalid', /^CREATE-5$/],
  ['wrong categories', creates(INVALID.wrongCategories), 'invalid', /^CREATE-6$/],
  ['wrong statuses', creates(INVALID.wrongStatuses), 'invalid', /^CREATE-7$/],
  ['several wrong', creates(INVALID.severalWrong), 'invalid', /^CREATE-[24567]$/],
  ['invalid in media types', INVALID.inMediaTypes.map(typed), 'invalid', /^CREATE-[24567]$/],
  ['no bodies', MALFORMED.noBodies.map(typed), 'invalid', /^CREATE-3$/],
  ['malformed JSON', creates(MALFORMED.json), 'invalid', /^CREATE-4$/],
  ['no objects', creates(MALFORMED.noObjects), 'invalid', /^CREATE-8$/],
  ['open names', creates(OPEN.names), 'open', /^RES-10$/],
  ['unknown members', creates(OPEN.unknownMembers), 'open', /^RES-11$/],
  ['ids of clients', creates(OPEN.clientIds), 'open', /^RES-12$/],
  ['odd integers', creates(OPEN.integers), 'open', /^RES-13$/],
  ['duplicate members', creates(OPEN.duplicateMembers), 'open', /^CREATE-14$/],
  ['odd encodings', creates(OPEN.encodings), 'open', /^CREATE-17$/],
  ['odd media types', OPEN.mediaTypes.map(typed), 'open', /^CREATE-13$/],
  ['codings', OPEN.codings.map(coded), 'open', /^CREATE-13$/],
  ['limits in range', lists(QUERIES.limits), 'valid', /^(LIST-5|LIM-[12])$/],
  ['statuses', lists(QUERIES.statuses), 'valid', /^LIST-6$/],
  ['limit and status', lists(QUERIES.limitAndStatus), 'valid', /^LIST-9$/],
  ['odd limits', lists(QUERIES.oddLimits), 'open', /^LIST-10$/],
  ['odd statuses', lists(QUERIES.oddStatuses), 'open', /^LIST-11$/],
  ['both odd', lists(QUERIES.oddBoth), 'open', /^LIST-1[01]$/],
  ['a & too many', lists(QUERIES.emptyParameters), 'open', /^LIST-10$/],
  ['free ids', gets(IDS.free), 'valid', /^GET-1$/],
  [
    'spellings of an id',
    gets(
      [...IDS.ownSpellings, ...IDS.shortSpellings].filter(
        (id) => id !== '$ID:percent' && !/(first|last)-percent/.test(id),
      ),
    ),
    'open',
    /^GET-5$/,
  ],
  ['escaped digits of an id', gets(['$ID:percent', '$ID:first-percent', '$ID:last-percent']), 'valid', /^GET-1$/],
  ['ids with a slash more', gets(IDS.merged), 'open', /^GET-5$/],
  ['malformed ids', gets(IDS.malformed), 'invalid', /^GET-5$/],
  ['ids that gateways refuse', gets(IDS.gateway), 'invalid', /^GET-5$/],
];

test('every row of the tables of inputs is in one of these', () => {
  const told = new Set(
    TABLES.flatMap(([, calls]) => calls.map(({ target, body = target }) => body.replace(/^\/pets[/?]/, ''))),
  );
  // Rows of these are of several kinds.
  const { chunkSizes: _chunks, large: _large, ...ofOneKind } = OPEN;
  const textOf = (row: unknown): unknown => (Array.isArray(row) ? row[1] : row);
  const rows = [VALID, INVALID, MALFORMED, ofOneKind, QUERIES, IDS].flatMap((tables) =>
    Object.values(tables).flat().map(textOf),
  );
  expect(rows.filter((text) => typeof text === 'string' && text !== '' && !told.has(text))).toEqual([]);
});

/** Ways to send a key: which requirement each row is about. */
const KEY_TABLES: readonly (readonly [string, readonly KeyRow[], 'right' | 'bad' | 'open', RegExp])[] = [
  ['no key', KEYS.none, 'bad', /^AUTH-[23]$/],
  ['invented keys', KEYS.invented, 'bad', /^AUTH-[34]$/],
  ['nearest misses', KEYS.nearestMisses, 'bad', /^AUTH-4$/],
  ['near misses', KEYS.nearMisses, 'bad', /^AUTH-[345]$/],
  ['raw bytes', KEYS.rawBytes, 'bad', /^AUTH-[34]$/],
  ['long keys', KEYS.long, 'bad', /^AUTH-[34]$/],
  ['other schemes', KEYS.otherSchemes, 'bad', /^AUTH-[45]$/],
  ['elsewhere', KEYS.elsewhere, 'bad', /^AUTH-5$/],
  ['signs of trust', KEYS.signsOfTrust, 'bad', /^AUTH-[23]$/],
  ['other spellings', KEYS.openSpellings, 'open', /^AUTH-8$/],
  ['the right key', KEYS.right, 'right', /^LIST-1$/],
];

describe('every row of a table is what its name says', () => {
  test.each(TABLES)('%s', (_, calls, kind, requirement) => {
    for (const call of calls) {
      const reading = readingOf(call);
      const text = `${call.target} ${call.body?.slice(0, 120) ?? ''}`;
      expect([reading?.kind, reading?.requirement], text).toEqual([kind, expect.stringMatching(requirement)]);
    }
  });

  test.each(KEY_TABLES)('%s', (_, rows, kind, requirement) => {
    for (const call of keyed(rows)) {
      const reading = readingOf(call);
      const text = JSON.stringify(call.headers);
      expect([reading?.key.kind, reading?.requirement], text).toEqual([kind, expect.stringMatching(requirement)]);
    }
  });
});

describe('bodies mean what JSON and the schema say', () => {
  test('in every table', () => {
    const bodies = [...TABLES.flatMap(([, calls]) => calls), ...creates(OPEN.large)];
    const chunks = OPEN.chunkSizes.map(([chunkBytes, body]): Call => ({ ...create(body), chunkBytes }));
    for (const call of [...bodies, ...chunks]) if (call.method === 'POST') agrees(call);
  });

  test('in what a run draws', () => {
    const drawn = [1, 2, 3].flatMap((seed) => drawnCalls(seed, 10).flatMap(({ calls }) => calls));
    for (const call of drawn) if (call.method === 'POST') agrees(call);
  });

  const integer = fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n });
  const literal = fc.oneof(
    integer.map(String),
    fc
      .tuple(integer, fc.constantFrom('.0', '.5', 'e0', 'e1', 'E-1', '.10', 'e400', '0e-1'))
      .map((parts) => parts.join('')),
    fc.double().map(String),
    fc.constantFrom('-0', '01', '1.', '+1', '"7"', 'null', 'true', '[]', 'NaN'),
  );
  const json = fc.json({ maxDepth: 2 });
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
    fc.nat(600).map((length) => `"${'🐾'.repeat(length)}"`),
    json,
    fc.constantFrom('"\\ud800"', '"\\u0000"', '"a\tb"', '"\\x41"', 'null'),
  );
  const status = fc.constantFrom('"available"', '"pending"', '"sold"', '"s\\u006fld"', '"SOLD"', 'null', '1', '""');
  const blank = fc.constantFrom('', '', ' ', '\n', '\t', '\u00a0');
  const member = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('"name"', '"n\\u0061me"'), name) },
    { weight: 3, arbitrary: fc.tuple(fc.constant('"categoryId"'), literal) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('"status"'), status) },
    fc.tuple(fc.constantFrom('"x"', '"id"', '"Name"', '"__proto__"', 'x'), json),
  );
  const object = fc
    .tuple(fc.array(member, { maxLength: 6 }), blank, fc.constantFrom('', '', '', ',', 'x'))
    .map(([members, white, end]) => `{${white}${members.map((pair) => pair.join(`${white}:`)).join(',')}${end}}`);
  const whole = fc
    .tuple(name, literal, fc.option(status))
    .map(([one, two, three]) => `{"name":${one},"categoryId":${two}${three === null ? '' : `,"status":${three}`}}`);

  test('in any text', () => {
    fc.assert(
      fc.property(fc.oneof(whole, object, json, fc.string()), (body) => agrees(create(body.replaceAll('$', '')))),
      { numRuns: 3_000 },
    );
  });

  test('in any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) =>
        agrees(create(bytes.length === 0 ? '' : `$BYTES:${Buffer.from(bytes).toString('hex')}`)),
      ),
      { numRuns: 500 },
    );
  });
});

describe('whatever the key and the id are', () => {
  const letters = 'abcXYZ019-._~+/=';
  const key = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 40 });

  test('no wrong key is read as the right one', () => {
    const bad = KEY_TABLES.filter(([, , kind]) => kind === 'bad').flatMap(([, rows]) => keyed(rows));
    fc.assert(
      fc.property(key, (own) => {
        for (const call of bad) {
          const kind = readingOf(call, NAMES, { ...TERMS, key: own })?.key.kind ?? 'bad';
          expect(kind, `${own}: ${JSON.stringify(call.headers)}`).toBe('bad');
        }
        for (const call of keyed(KEYS.openSpellings))
          expect(readingOf(call, NAMES, { ...TERMS, key: own })?.key.kind).toBe('open');
      }),
      { numRuns: 60 },
    );
  });

  test('a spelling of an id is read as this id or as none, and what is malformed as none', () => {
    const id = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -9n, max: 200n }));
    fc.assert(
      fc.property(id, (own) => {
        const names = { ...NAMES, ID: `${own}` };
        for (const text of [...IDS.ownSpellings, ...IDS.merged].filter((one) => one.startsWith('$ID'))) {
          const reading = readingOf(get(text), names)?.id;
          if (reading?.kind !== 'invalid') expect(reading?.id, `${own} as ${text}`).toBe(own);
        }
        for (const text of [...IDS.malformed, ...IDS.gateway])
          expect(readingOf(get(text), names)?.kind, `${own} as ${text}`).toBe('invalid');
      }),
      { numRuns: 300 },
    );
  });
});
