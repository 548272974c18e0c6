import { expect, test } from 'vitest';
import { type Call, get, JSON_TYPE, list, PLAIN } from './call.ts';
import { expected, shapeOf } from './expected.ts';
import { fill, shownTexts } from './fill.ts';
import { POINTS } from './points.ts';
import { type Reading, read } from './reading.ts';
import { askedBy, NAMES, READINGS, TERMS } from './readings.fixture.ts';

const STATUSES = [200, 201, 204, 206, 302, 400, 401, 402, 403, 404, 406, 410, 411, 413, 415, 422, 429, 431, 500, 503];
const ANY_4XX = ['400*', '402*', '403*', '404*', '406*', '410*', '411*', '413*', '415*', '422*', '429*', '431*'];

/** Statuses that a range from 200 on permits as well. */
const OF_RANGES = ['204*', '206*'];

/** The statuses that may answer, with `*` where any body may come, and `4xx*` for all of 4xx but 401. */
function statusesOf(answers: Parameters<typeof shapeOf>[0]): string {
  const words = STATUSES.flatMap((status) => {
    const shape = shapeOf(answers, status);
    return shape === undefined ? [] : [`${status}${shape === 'anything' ? '*' : ''}`];
  }).filter((word) => !OF_RANGES.includes(word) || shapeOf(answers, 204) === undefined);
  const isAny4xx = ANY_4XX.every((word) => words.includes(word));
  return (isAny4xx ? [...words.filter((word) => !ANY_4XX.includes(word)), '4xx*'] : words).join(' ');
}

function meaningOf({ query, id }: Reading): string | undefined {
  if (id?.id !== undefined) return `id ${id.id}`;
  if (query === undefined) return undefined;
  const { atMost, statuses, mayBeEmpty } = query;
  if (statuses?.length === 0) return 'none';
  const of = statuses === undefined ? '' : ` ${statuses.join(' or ')}`;
  return `at most ${atMost}${of}${mayBeEmpty ? ', or none' : ''}`;
}

const textOf = ({ method, target, headers, body = '' }: Call): string => {
  const odd = headers.filter((header) => !PLAIN.includes(header) && header !== JSON_TYPE);
  const texts = [target.slice(0, 60), ...odd.map((header) => header.join(': ').slice(0, 50)), body.slice(0, 80)];
  return `${method} ${JSON.stringify(texts.filter((text) => text !== '').join(' '))}`;
};

test.each(READINGS.map((row) => [textOf(askedBy(row).call), row] as const))('%s', (_, row) => {
  const [, kind, requirement, statuses, means] = row;
  const { call, idState, mayBeGone, categories } = askedBy(row);
  const terms = { ...TERMS, categories };
  const request = fill(call, NAMES, terms);
  if (request === undefined) throw new Error('it cannot be filled in');
  const reading = read(request, terms);
  const right = expected(reading, idState, mayBeGone);
  const isKeyRight = reading.key.kind === 'right';
  expect({
    kind: reading.key.kind === 'bad' ? 'invalid' : isKeyRight ? reading.kind : 'open',
    requirement: right.requirement,
    statuses: statusesOf(right.permitted),
    means: isKeyRight ? meaningOf(reading) : undefined,
  }).toEqual({ kind, requirement, statuses, means });
});

test('every open point of a request is that of a row', () => {
  const given = new Set(
    READINGS.flatMap((row) => {
      const { call, categories } = askedBy(row);
      const request = fill(call, NAMES, TERMS);
      return request === undefined ? [] : read(request, { ...TERMS, categories }).points.map(({ text }) => text);
    }),
  );
  expect(Object.values(POINTS).filter(({ text }) => !given.has(text))).toEqual([]);
});

test.each<readonly [what: string, call: Call, mayBeClosed: boolean]>([
  ['raw bytes in a header', { ...list(), headers: [...PLAIN, ['X-Name', 'caf$BYTES:e9']] }, true],
  ['a tab in a header', { ...list(), headers: [...PLAIN, ['X-Name', 'a\tb']] }, true],
  ['raw bytes in a path', get('12$BYTES:e9'), true],
  ['raw bytes in a query', list('status=é'), true],
  ['malformed escapes', list('limit=20%ZZ'), true],
  ['half an escape', get('12%'), true],
  ['escapes that are not UTF-8', get('12%FF'), false],
  ['an escaped control character', get('12%00'), false],
  ['a long key', { ...list(), headers: [...PLAIN.slice(0, 2), ['Authorization', 'Bearer $TIMES:8192<x>']] }, false],
])('%s may get no byte: %s', (_, call, mayBeClosed) => {
  const request = fill(call, NAMES, TERMS);
  expect(request && read(request, TERMS).head.mayBeClosed).toBe(mayBeClosed);
});

test('what has no value, or a head that is too long, is not sent', () => {
  const { COOKIE: _, ...names } = NAMES;
  const cookie: Call = { ...list(), headers: [...PLAIN, ['Cookie', '$COOKIE']] };
  expect(fill(cookie, names, TERMS)).toBeUndefined();
  expect(fill(cookie, NAMES, TERMS)?.headers).toContainEqual(['Cookie', 'session=5f2']);
  expect(shownTexts(cookie, NAMES).headers).toContainEqual(['Cookie', '$COOKIE']);
  expect(fill(list('limit=$TIMES:16000<9>'), NAMES, TERMS)).toBeUndefined();
});

test('what is invalid is never accepted, and nothing may be answered with 5xx', () => {
  for (const row of READINGS) {
    const { call, idState, mayBeGone } = askedBy(row);
    const request = fill(call, NAMES, TERMS);
    const reading = request && read(request, TERMS);
    if (reading === undefined) throw new Error('it cannot be filled in');
    const { permitted, mustBe } = expected(reading, idState, mayBeGone);
    expect(permitted.some(({ to }) => to >= 500)).toBe(false);
    const isOtherPath = reading.query?.isOtherPath === true;
    if (mustBe === 'rejected' && !isOtherPath)
      expect(
        permitted.some(({ from }) => from < 300),
        textOf(call),
      ).toBe(false);
  }
});
