import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordedExchange } from '../../http/recorded.ts';
import { exchangesIn } from './har-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-har-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const entry = (changes: { readonly request?: object; readonly response?: object } = {}) => ({
  startedDateTime: '2026-11-26T10:00:00.000Z',
  time: 12,
  request: {
    method: 'GET',
    bodySize: 0,
    url: 'https://shop.example/v1/pets',
    headers: [
      { name: ':method', value: 'GET' },
      { name: 'accept', value: '*/*' },
    ],
    ...changes.request,
  },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { size: 2, text: '[]' },
    ...changes.response,
  },
});

const archive = (entries: readonly object[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      pages: [{ entries: [{ no: 'entry' }] }],
      comment: 'a "]}\\',
      entries,
      browser: { entries: [1] },
    },
  });

async function read(
  bytes: string | Uint8Array,
): Promise<{ readonly exchanges: readonly RecordedExchange[]; readonly damage: readonly string[] }> {
  const file = join(folder, 'traffic.har');
  writeFileSync(file, bytes);
  const damage: string[] = [];
  const exchanges: RecordedExchange[] = [];
  for await (const exchange of exchangesIn(file, (line) => damage.push(line.replace(file, 'FILE'))))
    exchanges.push(exchange);
  return { exchanges, damage };
}

const bodyOf = ({ answer }: RecordedExchange): unknown =>
  answer.kind === 'response' ? (answer.unknownBody ?? Buffer.from(answer.body).toString('utf8')) : undefined;

describe('an HTTP archive', () => {
  test.each([
    ['plain', (text: string) => text],
    ["gzip'd", gzipSync],
  ])('is read entry by entry: %s', async (_how, pack) => {
    const text = '[{"id":1,"name":"it\\\\"}]';
    const response = { content: { size: text.length, text } };
    const { exchanges, damage } = await read(pack(archive([entry(), entry({ response })])));
    expect(damage).toEqual([]);
    expect(exchanges.map(bodyOf)).toEqual(['[]', text]);
    expect(exchanges[0]).toMatchObject({ method: 'GET', headers: [['accept', '*/*']], body: undefined });
  });

  test('longer than what is read at once loses nothing', async () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `"${at}\\${'é"]}'.repeat(at % 60)}`);
    const all = names.map((name) => entry({ response: { content: { size: Buffer.byteLength(name), text: name } } }));
    const { exchanges, damage } = await read(archive(all));
    expect(damage).toEqual([]);
    expect(exchanges.map(bodyOf)).toEqual(names);
  });

  test('that is cut off is read up to there', async () => {
    const all = Array.from({ length: 300 }, (_, at) => entry({ request: { url: `https://shop.example/${at ** 7}` } }));
    const whole = archive(all);
    const cut = whole.slice(0, whole.lastIndexOf('"request"'));
    for (const bytes of [cut, gzipSync(cut), gzipSync(whole).subarray(0, -1_000)]) {
      const { exchanges, damage } = await read(bytes);
      expect(exchanges.length).toBeGreaterThan(50);
      expect(exchanges.length).toBeLessThan(300);
      expect(damage).toEqual([
        expect.stringMatching(/^FILE: cut off at byte \d+, (in|after) entry \d+; what comes before is judged$/),
      ]);
    }
  });

  test('with damaged entries is read without them', async () => {
    const text = archive([entry(), entry({ request: { url: 'DAMAGED' } }), entry({ request: { method: 1 } }), entry()]);
    const { exchanges, damage } = await read(text.replace('"url":"DAMAGED"', '"url":DAMAGED'));
    expect(exchanges).toHaveLength(2);
    expect(damage).toEqual([
      expect.stringMatching(/^FILE: entry 2 \(byte \d+\) is left out: Unexpected token/),
      expect.stringMatching(/^FILE: entry 3 \(byte \d+\) is left out: it lacks a method, a URL or a status$/),
    ]);
  });

  test('that is none says so', async () => {
    await expect(read('{"entries":[]}')).rejects.toThrow('it holds no log.entries; give an HTTP archive (HAR 1.2)');
  });

  test.each([
    ['in base64', { size: 4, text: Buffer.from('"é"').toString('base64'), encoding: 'base64' }, '"é"'],
    ['missing', { size: 700, mimeType: 'application/json' }, 'the body was not recorded'],
    ['cut', { size: 700, text: '[{"id":' }, 'the body was not recorded'],
    ['cut, as a comment says', { size: 7, text: '[{"id":', comment: 'truncated' }, 'the body was not recorded'],
    ['in another encoding than it was read in', { size: 3, text: '"Ã©"' }, 'the body was not recorded'],
    ['empty', { size: 0, text: '' }, ''],
    ['of which the compressed size is told', { size: 44, text: '[]'.padEnd(60) }, '[]'.padEnd(60)],
  ])('with a body %s', async (_what, content, expected) => {
    const { exchanges } = await read(archive([entry({ response: { content } })]));
    expect(exchanges.map(bodyOf)).toEqual([expected]);
  });

  test('tells a request without a body from one whose body was not recorded', async () => {
    const posts = [
      { method: 'POST', bodySize: 0 },
      { method: 'POST', bodySize: 20 },
      { method: 'POST', bodySize: 2, postData: { mimeType: 'application/json', text: '{}' } },
    ];
    const { exchanges } = await read(archive(posts.map((request) => entry({ request }))));
    expect(exchanges.map(({ body }) => body)).toEqual([undefined, 'not recorded', new TextEncoder().encode('{}')]);
    expect(exchanges[2]?.headers).toContainEqual(['content-type', 'application/json']);
  });

  test('a request that was given up says nothing', async () => {
    expect((await read(archive([entry({ response: { status: 0 } })]))).exchanges).toEqual([]);
  });
});
