import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Preflight, preflight } from '../engine/preflight.ts';
import { petStore } from './definition.ts';
import { KEY, type RecordingReference, recordingReference, recordingServer, testPlan } from './rig.fixture.ts';

interface Looked {
  readonly seen: Preflight;
  readonly sent: readonly string[];
}

async function look(service: RecordingReference, changes = {}): Promise<Looked> {
  try {
    const plan = testPlan(service.baseUrl, { requestTimeoutMs: 30_000, ...changes });
    const seen = await preflight(petStore(), plan, 0, new AbortController().signal);
    return { seen, sent: service.requests.map(({ method, path }) => `${method} ${path.replace(/\d{6,}/, 'ID')}`) };
  } finally {
    await service.stop();
  }
}

const answering =
  (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_incoming, outgoing) => {
    outgoing.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };

const sentence = ({ seen }: Looked): string => (seen.kind === 'ready' ? 'ready' : seen.sentence);

describe.concurrent('the look at the target', () => {
  test('one request is enough for a Pet Store', async () => {
    const { seen, sent } = await look(await recordingReference());
    expect(seen).toEqual({ kind: 'ready', latencyMs: expect.any(Number) });
    // Where the machine is slow, another shows how long an answer takes on a connection that is open.
    expect([...new Set(sent)]).toEqual(['GET /v1/pets?limit=1']);
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  test('a port where nothing listens', async () => {
    const service = await recordingServer(answering(200, 'application/json', '[]'));
    await service.stop();
    const seen = await preflight(petStore(), testPlan(service.baseUrl), 0, new AbortController().signal);
    expect(seen).toMatchObject({ kind: 'unjudgeable', code: 'connection-refused' });
    expect(seen.kind === 'ready' ? '' : seen.sentence).toMatch(
      /^Cannot reach http:\/\/127.*; start the service or .*\.$/,
    );
  });

  test('a key that is refused on every operation; nothing that could create is sent', async () => {
    const looked = await look(await recordingReference({ token: 'Another-Key' }));
    expect(looked.seen).toMatchObject({ kind: 'unjudgeable', code: 'key-refused' });
    expect(sentence(looked)).toMatch(/refuses the key on every operation \(401\); pass the right one with --token/);
    expect(sentence(looked)).not.toContain(KEY);
    const list = 'GET /v1/pets?limit=1';
    expect(looked.sent.toSorted()).toEqual(['GET /v1/pets/ID', list, list, 'POST /v1/pets']);
  });

  test('a key that is refused under Authorization alone is for the checks to judge', async () => {
    const knowsSmallLetters: RequestListener = (incoming, outgoing) => {
      const isKnown = incoming.rawHeaders.includes('authorization');
      outgoing.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('[]');
    };
    expect((await look(await recordingServer(knowsSmallLetters))).seen).toEqual({ kind: 'ready' });
  });

  test('the body of its POST lacks everything', async () => {
    const bodies: string[] = [];
    const looked = await look(
      await recordingServer((incoming, outgoing) => {
        incoming.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
        incoming.on('end', () => outgoing.writeHead(401).end());
      }),
    );
    expect(looked.sent).toHaveLength(4);
    expect(bodies.join('')).toBe('{}');
  });

  test('read-only, no POST is sent', async () => {
    const { sent, seen } = await look(await recordingReference({ token: 'Another-Key' }), { readOnly: true });
    expect([seen.kind, sent.toSorted()]).toEqual([
      'unjudgeable',
      ['GET /v1/pets/ID', 'GET /v1/pets?limit=1', 'GET /v1/pets?limit=1'],
    ]);
  });

  test('a web site', async () => {
    const looked = await look(await recordingServer(answering(200, 'text/html', '<h1>Welcome</h1>')));
    expect(looked.seen).toMatchObject({ code: 'not-a-pet-store' });
    expect(sentence(looked)).toMatch(/answered 200, text\/html\); correct --base-url, which must end in \/v1\.$/);
  });

  test('a service that is not under this address', async () => {
    const looked = await look(await recordingServer(answering(404, 'application/json', '{"detail":"Not Found"}')));
    expect(looked.seen).toMatchObject({ code: 'not-a-pet-store' });
    expect(sentence(looked)).toContain('answered 404, application/json');
  });

  test('a redirect names where it leads', async () => {
    const headers = { location: 'https://login.example/' };
    const looked = await look(await recordingServer(answering(302, 'text/html', '', headers)));
    expect(looked.seen).toMatchObject({ code: 'not-a-pet-store' });
    expect(sentence(looked)).toContain('redirects to https://login.example/, and redirects are not followed');
  });

  test('a service that asks for a long pause is not waited for', async () => {
    const headers = { 'retry-after': '3600' };
    const looked = await look(await recordingServer(answering(429, 'application/json', '{}', headers)));
    expect(looked.seen).toMatchObject({ kind: 'unjudgeable', code: 'throttled' });
    expect(sentence(looked)).toMatch(
      /: the service answered 429 \(Retry-After: 3,600 s\), and the run ends before that \(--max-time\); try again later, or raise the rate limit of this key\.$/,
    );
    expect(looked.sent).toHaveLength(1);
  });

  /** What merely answers wrongly is to be judged. */
  const judgeable: readonly (readonly [string, RequestListener])[] = [
    ['always fails', answering(500, 'text/plain', 'Oops')],
    ['answers garbage under 503', answering(503, 'text/plain', '\u0000\u0001')],
    ['resets every connection', (incoming) => incoming.socket.destroy()],
    ['lists an object', answering(200, 'application/json', '{"pets":[]}')],
    ['gives its errors one member too few', answering(404, 'application/json', '{"code":"x","message":"y"}')],
    [
      'refuses the key in the list alone',
      (incoming, outgoing) =>
        incoming.url?.startsWith('/v1/pets?') === true
          ? answering(401, 'application/json', '{}')(incoming, outgoing)
          : answering(404, 'application/json', '{"code":"a","message":"b","status":404}')(incoming, outgoing),
    ],
  ];
  test.each(judgeable)('a service that %s is judged', async (_what, listener) => {
    expect((await look(await recordingServer(listener))).seen).toEqual({ kind: 'ready' });
  });

  test('a service that hangs is judged', async () => {
    expect((await look(await recordingServer(() => {}), { requestTimeoutMs: 300 })).seen).toEqual({ kind: 'ready' });
  });

  test('what does not speak HTTP is judged', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.2\r\n', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const seen = await preflight(petStore(), testPlan(`http://127.0.0.1:${port}/v1`), 0, new AbortController().signal);
    await new Promise((resolve) => server.close(resolve));
    expect(seen).toEqual({ kind: 'ready' });
  });

  test('--wait-for waits for a service that is still coming up', async () => {
    let asked = 0;
    const service = await recordingServer((incoming, outgoing) => {
      asked += 1;
      answering(asked < 3 ? 503 : 200, 'application/json', '[]')(incoming, outgoing);
    });
    const seen = await preflight(petStore(), testPlan(service.baseUrl), 10_000, new AbortController().signal);
    await service.stop();
    expect(seen.kind).toBe('ready');
    expect(asked).toBeGreaterThanOrEqual(3);
  });
});
