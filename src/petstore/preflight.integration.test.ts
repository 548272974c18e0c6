import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PREFLIGHT_REQUESTS, type Preflight, preflight } from '../engine/preflight.ts';
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

/** Time to an answer, measured. */
const READY = { kind: 'ready', latencyMs: expect.any(Number) };

const sentence = ({ seen }: Looked): string => (seen.kind === 'ready' ? 'ready' : seen.sentence);

describe.concurrent('the look at the target', () => {
  test('one kind of request is enough for a Pet Store', async () => {
    const { seen, sent } = await look(await recordingReference());
    expect(seen).toEqual({ kind: 'ready', latencyMs: expect.any(Number), servesFewConnections: false });
    // Where the machine is slow, another shows how long an answer takes on a connection that is open.
    expect([...new Set(sent)]).toEqual(['GET /v1/pets?limit=1']);
    expect(sent.length).toBeLessThanOrEqual(PREFLIGHT_REQUESTS + 1);
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
    expect((await look(await recordingServer(knowsSmallLetters))).seen).toMatchObject(READY);
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

  /** Nothing of what they answer is an answer of a Pet Store: by its shape, or as they give it to whatever is asked. */
  const strangers: readonly (readonly [string, RequestListener, RegExp])[] = [
    [
      'a web site',
      answering(200, 'text/html', '<h1>Welcome</h1>'),
      /3 other requests → 200 text\/html\. Check the path/,
    ],
    [
      'a gateway',
      answering(404, 'application/json', '{"detail":"Not Found"}'),
      /→ 404 application\/json\. Check the path/,
    ],
    [
      'a gateway with the same Error',
      answering(404, 'application/json', '{"code":"a","message":"b","status":404}'),
      /→ 404 application\/json\. Check the path/,
    ],
    ['a stub', answering(200, 'application/json', '{"ok":true}'), /→ 200 application\/json\. Check the path/],
    ['a stub with an empty list', answering(200, 'application/json', '[]'), /→ 200 application\/json\. Check/],
    ['a service that is down', answering(503, 'application/json', '{}'), /→ 503 .*\. Check whether the service, and/],
    ['a broken service', answering(500, 'text/plain', 'Oops'), /→ 500 .*\. Check whether the service, and/],
    ['a key without permission', answering(403, 'text/plain', 'No'), /→ 403 .*\. Check what the key is allowed/],
    [
      'a login page',
      answering(302, 'text/html', '', { location: 'https://login.example/' }),
      /Correct --base-url: it redirects to https:\/\/login\.example\/, and/,
    ],
    ['what resets every connection', (incoming) => incoming.socket.destroy(), /without a response\. Check the scheme/],
    [
      'a static file server',
      (incoming, outgoing) => answering(incoming.method === 'POST' ? 501 : 404, 'text/html', 'No')(incoming, outgoing),
      /GET \/v1\/pets\?limit=1 and 2 other requests → 404 text\/html; POST \/v1\/pets → 501 text\/html\. Check the path/,
    ],
  ];
  test.each(strangers)('%s is not judged', async (_what, listener, says) => {
    const looked = await look(await recordingServer(listener));
    expect(looked.seen).toMatchObject({ kind: 'unjudgeable', code: 'not-a-pet-store' });
    expect(sentence(looked)).toMatch(says);
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
    [
      'fails but for one operation',
      (incoming, outgoing) =>
        incoming.method === 'POST'
          ? answering(400, 'application/json', '{"code":"a","message":"b","status":400}')(incoming, outgoing)
          : answering(500, 'text/plain', 'Oops')(incoming, outgoing),
    ],
    [
      'lists an object, and has errors of its own',
      (incoming, outgoing) =>
        /pets\/\d/.test(incoming.url ?? '')
          ? answering(404, 'application/json', '{"detail":"Not Found"}')(incoming, outgoing)
          : answering(incoming.method === 'POST' ? 422 : 200, 'application/json', '{"pets":[]}')(incoming, outgoing),
    ],
    [
      'refuses the key in the list alone',
      (incoming, outgoing) =>
        /pets\/\d/.test(incoming.url ?? '')
          ? answering(404, 'application/json', '{"code":"a","message":"b","status":404}')(incoming, outgoing)
          : answering(incoming.method === 'POST' ? 400 : 401, 'application/json', '{}')(incoming, outgoing),
    ],
  ];
  test.each(judgeable)('a service that %s is judged', async (_what, listener) => {
    expect((await look(await recordingServer(listener))).seen).toMatchObject(READY);
  });

  test('a service that hangs is not judged', async () => {
    const looked = await look(await recordingServer(() => {}), { requestTimeoutMs: 300 });
    expect(sentence(looked)).toMatch(/no response came within the time limit\. Check the scheme and the port/);
  });

  test('what does not speak HTTP is not judged, and what it said is shown', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('SSH-2.0-OpenSSH_9.2\r\n', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const seen = await preflight(petStore(), testPlan(`http://127.0.0.1:${port}/v1`), 0, new AbortController().signal);
    await new Promise((resolve) => server.close(resolve));
    expect(seen.kind === 'ready' ? '' : seen.sentence).toMatch(
      /not an HTTP response \(it begins with "SSH-2\.0-OpenSSH_9\.2\\r\\n"\)\. Check the scheme and the port/,
    );
  });

  const notYet: readonly (readonly [string, RequestListener])[] = [
    ['fails', answering(503, 'application/json', '[]')],
    ['is not routed', answering(404, 'text/plain', 'default backend - 404')],
    ['is behind a proxy that drops connections', (incoming) => incoming.socket.destroy()],
  ];
  test.each(notYet)('--wait-for waits for a service that still %s', async (_what, listener) => {
    let asked = 0;
    const service = await recordingServer((incoming, outgoing) => {
      asked += 1;
      (asked < 5 ? listener : answering(200, 'application/json', '[{}]'))(incoming, outgoing);
    });
    const seen = await preflight(petStore(), testPlan(service.baseUrl), 10_000, new AbortController().signal);
    await service.stop();
    expect(seen.kind).toBe('ready');
    expect(service.requests.some(({ method }) => method === 'POST')).toBe(false);
  });
});
