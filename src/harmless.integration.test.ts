import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConformanceOptions } from './cli/conformance-options.ts';
import { conformance } from './conformance.ts';
import { PROFILES } from './engine/budget.ts';
import { listen } from './http/rig.fixture.ts';
import { type ReferenceOptions, startReference } from './reference/index.ts';
import { KEY, optionsFor, said } from './service.fixture.ts';

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

/** What could change or remove something, of any request. */
function harms({ method, target, headers, body }: Recorded): readonly string[] {
  const query = [...new URLSearchParams(target.split('?')[1] ?? '')];
  const members = [...body.matchAll(/"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)")?/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const pairs = [...headers, ...query, ...members];
  return [
    ...(method === 'GET' || method === 'POST' ? [] : [`the method ${method}`]),
    ...(method === 'POST' && !/^\/v1\/pets(\?|$)/.test(target) ? [`POST ${target}`] : []),
    ...(method === 'GET' && body !== '' ? [`GET with the body ${body}`] : []),
    ...pairs
      .filter(([name, value]) => OVERRIDES.test(name) || OTHER_METHODS.test(value))
      .map((pair) => pair.join(': ')),
  ];
}

describe('nothing is harmed', () => {
  const ways: readonly (readonly [string, Partial<ConformanceOptions>])[] = [
    ['smoke', { profile: 'smoke' }],
    ['standard', { profile: 'standard' }],
    ['thorough', { profile: 'thorough', maxTimeMs: 12_000 }],
    ['read-only', { profile: 'standard', readOnly: true }],
  ];

  test.each(ways)('%s', async (_, more) => {
    const { baseUrl, direct, requests, odd } = await recorded();
    const before = await idsOf(direct);
    expect(before.size).toBeGreaterThan(0);
    const created: string[] = [];
    const { result } = await conformance(optionsFor(baseUrl, { ...more, onCreated: ({ id }) => created.push(id) }));
    expect(said(result)).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.flatMap(harms)).toEqual([]);

    const { requests: most, evidence, creations: animals } = PROFILES[more.profile ?? 'smoke'];
    expect(requests.length).toBeLessThanOrEqual(most + evidence + 12);
    expect(created.length).toBeLessThanOrEqual(animals);
    expect(result.summary.creations).toBeLessThanOrEqual(animals);
    const posts = requests.filter(({ method }) => method === 'POST');
    if (more.readOnly === true) expect(posts).toEqual([]);
    else expect(posts.length).toBeGreaterThan(50);
    // What somebody else has added, no POST names.
    const named = posts.flatMap(({ body }) => [...body.matchAll(/"id"\s*:\s*"?(-?\d+)/g)].map(([, id = '']) => id));
    expect(named.filter((id) => before.has(id) && !created.includes(id))).toEqual([]);
    for (const text of odd) expect(text).toMatch(/^(GET|POST) \/v1\/{1,2}pets/i);
    expect(result.run.interrupted).toBeUndefined();
  });

  test('no more animals are added than the user allows', async () => {
    const { baseUrl } = await recorded();
    const created: string[] = [];
    const { result } = await conformance(
      optionsFor(baseUrl, { maxCreates: 12, onCreated: ({ id }) => created.push(id) }),
    );
    expect(created.length).toBeLessThanOrEqual(12);
    expect(said(result)).toEqual([]);
  });
});
