import { describe, expect, test } from 'vitest';
import { conformance } from './conformance.ts';
import { type Change, fail, jsonOf, optionsFor, type Reply, reportOf, said, serve } from './service.fixture.ts';

/** Answers malformed JSON with 500 and with what a careless service says of it. */
const careless =
  (message: (error: unknown, body: string) => string): Change =>
  (asked, right) => {
    const reply = right();
    if (asked.method !== 'POST' || reply.status !== 400) return reply;
    try {
      jsonOf(asked.body);
      return reply;
    } catch (error) {
      return { status: 500, body: JSON.stringify({ message: message(error, asked.body.toString('latin1')) }) };
    }
  };

const [random, time] = [() => `${Math.random()}`.slice(2), () => new Date().toISOString()];
const MESSAGES: readonly (readonly [string, (error: unknown, body: string) => string])[] = [
  ['the message of the error, which echoes the input', (error, body) => `${error instanceof Error ? error.message : ''} in ${body.slice(0, 200)}`],
  ['a stack trace, an id of the request and the time', (error) => `${random()} ${time()} ${error instanceof Error ? error.stack : ''}`],
];

const parsed = (body: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

describe('a right service', () => {
  test.each(['smoke', 'standard'] as const)('has no finding, all is tested (%s), and the report is short', async (profile) => {
    const { baseUrl } = await serve();
    const { result } = await conformance(optionsFor(baseUrl, { profile }));
    expect(said(result)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, verdict: 'conforms' });
    expect(result.requirements.filter(({ outcome }) => outcome === 'not tested').map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
    expect(reportOf(result).trimEnd().split('\n').length).toBeLessThanOrEqual(8);
  });
});

describe('one fault is one finding', () => {
  for (const profile of ['smoke', 'standard'] as const)
    test.each(MESSAGES)(`${profile}: malformed JSON is answered 500 with %s`, async (_, message) => {
      const { baseUrl } = await serve(careless(message));
      const { result } = await conformance(optionsFor(baseUrl, { profile }));
      expect(said(result)).toHaveLength(1);
      const [finding] = result.findings;
      expect(finding?.says).toBe('createPet answers 500 where 400 is right');
      expect(finding?.requirements).toEqual(expect.arrayContaining(['CREATE-4', 'SERV-4']));
      expect(finding?.requirements[0]).toBe('CREATE-4');
      expect(finding?.unusual).toEqual([]);
      expect(finding?.example.request.body?.text).toMatch(/^\S{1,2}$/);
      expect([finding?.intermittent, finding?.seenOnce]).toEqual([false, false]);
      const failed = result.requirements.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
      expect(failed.toSorted()).toEqual(finding?.requirements.toSorted());
      expect(result.requirements.filter(({ outcome }) => outcome === 'not tested')).toEqual([]);
      expect(result.exitCode).toBe(1);
      const lines = reportOf(result).trimEnd().split('\n');
      expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(25);
    });

  test('a page that ignores its limit is one finding for all that it breaks', async () => {
    const { baseUrl } = await serve((asked, right) =>
      right().status === 200 && asked.url.includes('limit=') ? { ...right(), ...everything(right) } : right(),
    );
    const seen: string[] = [];
    function everything(right: () => Reply): Partial<Reply> {
      const animals = JSON.parse(right().body.replace(/"categoryId":(-?\d{16,})/g, '"categoryId":7'));
      const [first] = Array.isArray(animals) ? animals : [];
      if (first !== undefined) seen.push(JSON.stringify(first));
      return Array.isArray(animals) && first !== undefined
        ? { body: JSON.stringify(Array.from({ length: 101 }, (_, at) => ({ ...first, id: 1_000_000 + at, name: `x${at}`, categoryId: 1 }))) }
        : {};
    }
    const { result } = await conformance(optionsFor(baseUrl));
    expect(said(result).filter((text) => text.includes('where 100 at most') || text.includes('holds 101'))).toHaveLength(1);
  });

  test('five faults are five findings, on two screens', async () => {
    const [, one] = MESSAGES[1] ?? [];
    const malformed = careless(one ?? (() => ''));
    const { baseUrl } = await serve(async (asked, right) => {
      const { method, url, body, headers } = asked;
      const reply = right();
      // 1: malformed JSON. 2: a number as name. 3: keys in other letters. 4: a status filter. 5: the media type of 404.
      if (method === 'POST' && reply.status === 400 && typeof parsed(body)['name'] === 'number' && Number.isInteger(parsed(body)['categoryId']))
        return { status: 201, body: JSON.stringify({ id: 5_000_000 + asked.nth, ...parsed(body), name: 'x' }) };
      if (reply.status === 401 && headers.authorization?.toLowerCase() === 'bearer pet-1store_key')
        return method === 'GET' && url.startsWith('/v1/pets?') ? { status: 200, body: '[]' } : reply;
      if (reply.status === 200 && /status=pending/.test(url) && reply.body !== '[]') return { ...reply, body: reply.body.replace('"pending"', '"sold"') };
      if (reply.status === 404) return { ...reply, headers: { 'Content-Type': 'text/plain' } };
      return malformed(asked, right);
    });
    const { result } = await conformance(optionsFor(baseUrl, { profile: 'standard' }));
    const found = [/^createPet answers 500 where/, /^createPet answers 201 where 400/, /accepted without the right key/, /status/, /media type/];
    for (const says of found) expect(said(result).filter((text) => says.test(text)), `${says}`).not.toEqual([]);
    const lines = reportOf(result).trimEnd().split('\n');
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(60);
    expect(result.exitCode).toBe(1);
  });
});

describe('nothing is untested because of something else', () => {
  test('what must be rejected is not tested where no plain request is accepted, with one reason', async () => {
    const { baseUrl } = await serve((asked, right) => (asked.method === 'POST' && right().status === 201 ? fail(400) : right()));
    const { result } = await conformance(optionsFor(baseUrl));
    const row = (id: string) => result.requirements.find((one) => one.id === id);
    expect(row('CREATE-1')?.outcome).toBe('failed');
    expect([row('CREATE-2')?.outcome, row('CREATE-2')?.reason]).toEqual(['not tested', 'no valid createPet was accepted']);
    expect(said(result).every((text) => text.startsWith('createPet answers 400'))).toBe(true);
  });
});
