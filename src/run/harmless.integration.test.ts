import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../http/rig.fixture.ts';
import { type ReferenceOptions, startReference } from '../reference/index.ts';
import type { ConformanceOptions } from '../result/builders.ts';
import { conformance } from '../result/conformance.ts';
import { PROFILES } from './budget.ts';
import type { OnEvent } from './events.ts';
import { findingLines, KEY, optionsFor } from './service.fixture.ts';

interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Where the first request of a text ends: its head, and how it is framed. */
function first(text: string): { readonly request: Recorded; readonly length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = fields.map((field) => [field.split(':')[0] ?? '', field.replace(/^[^:]*:\s*/, '')] as const);
  const headerOf = (name: string) => headers.find(([own]) => own.toLowerCase() === name)?.[1];
  const start = end + 4;
  const [method = '', target = ''] = line.split(' ');
  if (headerOf('transfer-encoding') === undefined) {
    const length = start + Number(headerOf('content-length') ?? 0);
    return text.length < length
      ? undefined
      : { request: { method, target, headers, body: text.slice(start, length) }, length };
  }
  let body = '';
  for (let at = start; ; ) {
    const [whole = '', size = ''] = /^([0-9a-f]+)\r\n/i.exec(text.slice(at, at + 20)) ?? [];
    const bytes = Number.parseInt(size, 16);
    if (whole === '' || text.length < at + whole.length + bytes + 2) return undefined;
    if (bytes === 0) return { request: { method, target, headers, body }, length: at + whole.length + 2 };
    body += text.slice(at + whole.length, at + whole.length + bytes);
    at += whole.length + bytes + 2;
  }
}

/** The reference service behind a recorder of every byte that is sent to it. */
async function recorded(options: Partial<ReferenceOptions> = {}) {
  const reference = await startReference({ token: KEY, seed: 5, ...options });
  onTestFinished(() => reference.stop());
  const requests: Recorded[] = [];
  const odd: string[] = [];
  const server = createServer((client) => {
    const service = connect(Number(new URL(reference.baseUrl).port), '127.0.0.1');
    let text = '';
    client.on('data', (piece) => {
      text += piece.toString('latin1');
      for (let one = first(text); one !== undefined; one = first(text)) {
        requests.push(one.request);
        text = text.slice(one.length);
      }
    });
    client.on('close', () => {
      if (text !== '') odd.push(text);
      service.destroy();
    });
    client.on('error', () => {});
    service.on('error', () => client.destroy());
    client.pipe(service).pipe(client);
  });
  const { port } = await listen(server);
  return { baseUrl: `http://127.0.0.1:${port}/v1`, direct: reference.baseUrl, requests, odd };
}

const idsOf = async (baseUrl: string): Promise<ReadonlySet<string>> => {
  const response = await fetch(`${baseUrl}/pets?limit=100`, { headers: { Authorization: `Bearer ${KEY}` } });
  return new Set([...(await response.text()).matchAll(/"id":(-?\d+)/g)].map(([, id = '']) => id));
};

const OVERRIDES = /(^|[^a-z])(_?method|x[-_]?http[-_]?method([-_]?override)?|method[-_]?override)([^a-z]|$)/i;
const OTHER_METHODS = /^\s*(delete|put|patch|purge|trace|connect)\s*$/i;

/** Of what belongs to an animal, such as its category, the ids name none. */
const NESTED = /"(category\w*|categories|type|status|name)"\s*:\s*\{[^{}]*\}/gi;
const ID = /(?:^|[^a-z_-])_?(?:pet[_-]?)?id["'\s>]*[:=>]\s*["']?(-?\d+)/gi;

/** The ids of animals that a POST names in its body, in JSON or another format, and in its query. */
function idsNamed({ target, body }: Recorded): readonly string[] {
  const plain = body.replace(/\\u00([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const texts = [plain.replace(NESTED, ''), target.split('?')[1] ?? ''];
  return texts.flatMap((text) => [...text.matchAll(ID)].map(([, id = '']) => id));
}

/** A target as a router may read it: with its escapes of plain letters decoded, and without dot segments. */
const resolved = (target: string): string => {
  const [path = ''] = target.split('?', 1);
  const plain = path.replace(/%(3b|[4-7][0-9a-f])/gi, (code) => decodeURIComponent(code));
  return plain.replace(/\/x\/\.\.(?=\/)|\/\.(?=\/)/g, '');
};

/** What could change or remove something, of any request. */
function harms({ method, target, headers, body }: Recorded): readonly string[] {
  const query = [...new URLSearchParams(target.split('?')[1] ?? '')];
  const members = [...body.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)")?/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const pairs = [...headers, ...query, ...members];
  const lengths = headers.filter(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  return [
    ...(/^\/v1\/{1,2}pets(\.json)?([/?;]|$)/i.test(method === 'GET' ? resolved(target) : target)
      ? []
      : [`the target ${target}`]),
    // Two lengths may be read as two requests.
    ...(lengths.length > 1 ? [`two lengths: ${lengths.join(', ')}`] : []),
    // In a format other than JSON.
    ...(OVERRIDES.test(body) ? [`the body ${body}`] : []),
    ...(method === 'POST' ? headers.filter(([, value]) => /\/pets\//.test(value)).map((pair) => pair.join(': ')) : []),
    ...(method === 'GET' || method === 'POST' ? [] : [`the method ${method}`]),
    ...(method === 'POST' && !/^\/v1\/pets(\?|$)/.test(target) ? [`POST ${target}`] : []),
    ...(method === 'GET' && body !== '' ? [`GET with the body ${body}`] : []),
    ...pairs
      .filter(([name, value]) => (OVERRIDES.test(name) && value !== 'GET') || OTHER_METHODS.test(value))
      .map((pair) => pair.join(': ')),
  ];
}

const POSTED = { method: 'POST', target: '/v1/pets', headers: [], body: '{"name":"a","categoryId":7}' } as const;

describe('the recorder sees', () => {
  test.each<[string, Partial<Recorded>]>([
    ['another method', { method: 'DELETE', target: '/v1/pets/5' }],
    ['another method, in small letters', { method: 'put' }],
    ['an override in a header', { headers: [['X-HTTP-Method-Override', 'DELETE']] }],
    ['an override in the query', { method: 'GET', target: '/v1/pets/5?%5Fmethod=delete', body: '' }],
    ['an override in a member', { body: '{"_method":"PATCH"}' }],
    ['an override in a form', { body: '_method=delete&name=a' }],
    ['an override in a part of a form', { body: '--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\nPUT' }],
    ['a POST to an animal', { target: '/v1/pets/5' }],
    ['a POST to an animal, in a header', { headers: [['X-Original-URL', '/v1/pets/5']] }],
    ['another resource', { method: 'GET', target: '/v1/admin', body: '' }],
    ['two lengths', { headers: ['Content-Length', 'Transfer-Encoding'].map((name) => [name, '5']) }],
    ['a GET with a body', { method: 'GET' }],
  ])('%s', (_, more) => {
    expect(harms({ ...POSTED, ...more })).not.toEqual([]);
    expect(harms(POSTED)).toEqual([]);
  });

  test.each<[string, Partial<Recorded>]>([
    ['a member', { body: '{"id":5,"name":"a"}' }],
    ['a text', { body: '{"id" : "5"}' }],
    ['an escaped name', { body: '{"\\u0069d":5}' }],
    ['another name of it', { body: '{"petId":5}' }],
    ['a form', { body: 'name=a&id=5' }],
    ['XML', { body: '<pet><id>5</id></pet>' }],
    ['the query', { target: '/v1/pets?id=5' }],
  ])('an id in %s', (__, more) => {
    expect(idsNamed({ ...POSTED, ...more })).toEqual(['5']);
    expect(idsNamed({ ...POSTED, body: '{"category":{"id":7},"categoryId":7,"cat_id":7}' })).toEqual([]);
  });
});

/** Notes the ids of animals that a run has created. */
const noting =
  (created: string[]): OnEvent =>
  (event) => {
    if (event.kind === 'created') created.push(event.animal.id);
  };

describe('nothing is harmed', () => {
  /** A thorough run sends all that a shorter one does. */
  const ways: readonly (readonly [string, Partial<ConformanceOptions>])[] = [
    ['thorough', { profile: 'thorough' }],
    ['read-only', { profile: 'standard', readOnly: true }],
  ];

  test.each(ways)('%s', async (_, more) => {
    // The animals of others have small ids, as any number that stands in a table would be.
    const { baseUrl, direct, requests, odd } = await recorded({ seedAnimals: 100 });
    const before = await idsOf(direct);
    expect(before.size).toBe(100);
    const created: string[] = [];
    const result = await conformance(optionsFor(baseUrl, { ...more, onEvent: noting(created) }));
    expect(findingLines(result)).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.flatMap(harms)).toEqual([]);

    const { requests: most, evidence, creations: animals } = PROFILES[more.profile ?? 'smoke'];
    expect(requests.length).toBeLessThanOrEqual(most + evidence + 12);
    expect(created.length).toBeLessThanOrEqual(animals);
    expect(result.summary.creations).toBeLessThanOrEqual(animals);
    const posts = requests.filter(({ method }) => method === 'POST');
    if (more.readOnly === true) expect(posts).toEqual([]);
    else expect(posts.length).toBeGreaterThan(50);
    // A POST names what the run has added, or an id far from all that are in use.
    const named = posts.flatMap(idsNamed);
    expect(named.length).toBeGreaterThan(more.readOnly === true ? -1 : 2);
    expect(named.filter((id) => !created.includes(id) && Math.abs(Number(id)) < 600_000_000)).toEqual([]);
    // Nothing was sent that could not be looked at.
    expect(odd).toEqual([]);
    expect([result.run.interrupted, ...result.notes]).toEqual([undefined]);
  });

  test('no more animals are added than the user allows', async () => {
    const { baseUrl } = await recorded();
    const created: string[] = [];
    const result = await conformance(optionsFor(baseUrl, { maxCreates: 12, onEvent: noting(created) }));
    expect(created.length).toBeLessThanOrEqual(12);
    expect(findingLines(result)).toEqual([]);
  });
});
