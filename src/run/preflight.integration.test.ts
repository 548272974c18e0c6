import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { listen, raw, response, type Script, says } from '../http/rig.fixture.ts';
import { startReference } from '../reference/index.ts';
import { preflight } from './preflight.ts';

const terms = { key: 'Key-7', agent: 'test', categories: [], today: '2027-01-01', settleMs: 300 };
const file = (name: string): Buffer =>
  readFileSync(new URL(`../http/certificates.fixture/${name}.pem`, import.meta.url));
const TLS = { key: file('service.key'), cert: file('service') };

interface Options {
  readonly path?: string;
  readonly isReadOnly?: boolean;
  readonly requestTimeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

async function look(baseUrl: string, { isReadOnly = false, requestTimeoutMs = 5_000, env = {} }: Options = {}) {
  const signal = new AbortController().signal;
  const network = { baseUrl, connections: 4, requestTimeoutMs, env, signal, ca: `${file('authority')}` };
  const found = await preflight({ ...terms, basePath: new URL(baseUrl).pathname }, { network, isReadOnly });
  return found.kind === 'ready' ? `ready ${found.notes.join()}` : [found.conclusion, ...found.advice].join(' ');
}

/** What the preflight says of a service, and what it has sent. */
async function lookAt(listener: RequestListener, { path = '/v1', ...options }: Options = {}) {
  const sent: string[] = [];
  const server = createServer((incoming, outgoing) => {
    sent.push(`${incoming.method} ${incoming.url}`);
    listener(incoming, outgoing);
  });
  const { port } = await listen(server);
  const said = await look(`http://127.0.0.1:${port}${path}`, options);
  expect(sent.length).toBeLessThanOrEqual(12);
  return { said: said.replaceAll(`:${port}`, ''), sent };
}

const says200: RequestListener = (_, outgoing) => outgoing.writeHead(200, JSON_TYPE).end('{"ok":true}');
const JSON_TYPE = { 'content-type': 'application/json' };
const ERROR = '{"code":"a","message":"b","status":0}';
const answering =
  (status: number, body = '{}', headers: Readonly<Record<string, string>> = JSON_TYPE): RequestListener =>
  (_, outgoing) =>
    outgoing.writeHead(status, headers).end(body);
const HTML = { 'content-type': 'text/html', server: 'cloudflare' };
/** Answers to the list, to the id that nobody has, and to the empty creation, by the key. */
const byOperation =
  (statuses: (isRight: boolean) => readonly [number, number, number], listed = '[]'): RequestListener =>
  ({ method, url = '', headers }, outgoing) => {
    const [list, get, create] = statuses(headers.authorization === 'Bearer Key-7');
    const status = method === 'POST' ? create : url.includes('/pets/') ? get : list;
    outgoing.writeHead(status, JSON_TYPE).end(status === 200 ? listed : ERROR);
  };

test('one request is enough for a Pet Store', async () => {
  const { said, sent } = await lookAt(answering(200, '[{}]'));
  expect([said, sent]).toEqual(['ready ', ['GET /v1/pets?limit=1']]);
  const reference = await startReference({ token: 'Key-7', seedAnimals: 0 });
  expect(await look(reference.baseUrl)).toBe('ready ');
  await reference.stop();
});

describe('not testable, in one sentence with the next step', () => {
  // biome-ignore format: a table
  const strangers: readonly (readonly [string, RequestListener, RegExp])[] = [
    ['{"ok":true} everywhere', says200, /answers 200 with "\{\\"ok\\":true\}" to everything, but the list must be an array/],
    ['an empty list everywhere', answering(200, '[]'), /answers 200 with "\[\]" to everything, but .* must give 404;/],
    ['404 everywhere', answering(404), /not respond like a Pet Store: GET .* and 3 more → 404 .*; correct the port and path/],
    ['500 everywhere', answering(500), /always fails: GET .* → 500 .*; --wait-for S waits for it\.$/],
    ['a rate limit', answering(503, 'Too many requests'), /limits the rate: .* → 503 .*; .* with --rate-limit\.$/],
    ['a challenge', answering(403, '<h1>Just a moment…', HTML), /challenge .*, not a wrong key \(server "cloudflare"\): .*; allow/],
    ['a ban', answering(403), /forbids every request: .*; check what the key is allowed to do\.$/],
    ['files', answering(404, '<h1>No', HTML), /a web site or a static file server \("cloudflare"\), .*; correct the port/],
    ['a redirect', answering(307, '', { location: '/api/v1/pets?limit=1' }), /\(307\).*; use --base-url ".*1\/api\/v1"\.$/],
    ['no answer', () => {}, / gets no .*response.*: GET .* and [12] more → no response came within the time limit; check/],
    ['a wrong key', byOperation(() => [401, 401, 401]), /rejects the key: GET .* → 401 .*; pass the right key with --tok/],
    ['a gateway with a login', answering(401, '<h1>Log in', HTML), /answers 401 without an Error .*: GET .* and 3 more → 401 text\/html; a gateway .* or the key is wrong: pass .*API_KEY, or check .* is right; --wait-for S/],
    ['a gateway that wants a key', answering(401, '{"message":"No","status":401}'), / answers 401 without an Error .* → 401 application\/json; a gateway/],
    ['a wrong key, checked last', byOperation(() => [401, 404, 400]), /rejects the key: .*; pass the right key with/],
    ['a wrong key, and a crash', byOperation(() => [401, 500, 403]), /the key: GET .* → 401 .*PETSTORE_API_KEY\. The key must/],
  ];
  test.each(strangers)('%s', async (_, listener, sentence) => {
    const { said } = await lookAt(listener, { requestTimeoutMs: 300 });
    expect(said).toMatch(sentence);
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1\/v1 [^\n]*\.$/);
    expect(said).not.toContain('Key-7');
  });

  test('429 is waited for, but not for ever', async () => {
    const { said } = await lookAt(answering(429), { requestTimeoutMs: 300 });
    expect(said).toMatch(/ answers 429 to every request; try again later, or slow down with --rate-limit\.$/);
  });

  test.each(['/v2 /v1', '/ /v1', '/shop /shop/v1', '/v1/pets /v1'])('a wrong base: %s', async (paths) => {
    const [path = '', right] = paths.split(' ');
    const service: RequestListener = (incoming, outgoing) =>
      answering(incoming.url === `${right}/pets?limit=1` ? 200 : 404, '[{}]')(incoming, outgoing);
    const { said } = await lookAt(service, { path });
    expect(said).toMatch(`is not the base of the Pet Store; use --base-url http://127.0.0.1${right}.`);
  });

  test('other protocols and schemes', async () => {
    const at = async (server: Server, scheme = 'http'): Promise<string> =>
      look(`${scheme}://127.0.0.1:${(await listen(server)).port}/v1`);
    const lone = createHttpsServer({ key: file('beneath.key'), cert: file('beneath') }, says200);
    expect(await at(lone, 'https')).toMatch(
      /not send its intermediate certificate, .*LEAF.*; configure it to send its whole .*chain,/,
    );
    const ssh = await raw(says('SSH-2.0-OpenSSH_9.2\r\n'));
    const url = `http://127.0.0.1:${ssh.port}/v1`;
    expect(await at(createHttpsServer(TLS, says200))).toMatch(/speaks HTTPS, not plain HTTP; use --base-url https:/);
    expect(await at(createServer(says200), 'https')).toMatch(/speaks plain HTTP, not HTTPS; use --base-url http:/);
    for (const [server, scheme] of [
      [createHttp2Server(), 'http'],
      [createSecureServer(TLS), 'https'],
    ] as const)
      expect(await at(server, scheme)).toMatch(/cannot be tested: .* HTTP\/2 only, .*; enable HTTP\/1\.1/);
    expect(await look(url)).toMatch(/is an SSH server; correct the port in --base-url\.$/);
    await ssh.stop();
    expect(await look(url)).toMatch(/cannot be tested: nothing accepts connections .*; check that the service is up/);
    expect(await look('http://no-such-host.invalid/v1')).toMatch(/name cannot be resolved; correct the host in/);
  });
});

// biome-ignore format: a table
const PROXIES: readonly (readonly [string, string, Script, RegExp])[] = [
  ['silent', 'https', () => {}, /cannot be tested: the proxy P accepted .* CONNECT .*; correct HTTP_PROXY or HTTPS_PROXY, or add .* NO_PROXY\.$/],
  ['that forbids', 'https', says(response(403)), /cannot be tested: the proxy P forbids .*; ask for permission to connect to this host and port, or/],
  ['without credentials', 'https', says(response(407)), /cannot be tested: the proxy P requires credentials \(407\); add or correct them in its URL/],
  ['that only knows NTLM', 'http', says(response(407, '', ['proxy-authenticate: NTLM'])), /the proxy P accepts credentials by NTLM only \(407\), .*; use a proxy that/],
  ['that finds no service', 'https', says(response(502)), /the proxy P could not connect to the service \(502\); check that the service is up .*, or add/],
  ['silent', 'http', () => {}, /gets no .*: GET .* → through the proxy P: no response came .*; check .* is right, or correct HTTP_PROXY .*NO_PROXY; --wait-for/],
  ['that closes', 'http', (socket) => socket.end(), /→ through the proxy P: it or the service closed .*; check .*, or correct HTTP_PROXY .*NO_PROXY; --wait-for/],
  ['that blocks', 'http', says(response(403, '<h1>No', ['content-type: text/html', 'server: squid'])), /is blocked: the proxy P, or a gateway behind it, responds with a page \(server "squid"\): .*; ask for permission to connect to this host, or add it to NO_PROXY\./],
  ['that is a web site', 'http', says(response(404, '<h1>No', ['content-type: text/html'])), /a web site .*; correct the port .* If the proxy P itself responded: correct HTTP_PROXY/],
];
test.each(PROXIES)('a proxy %s is named (%s)', async (_, scheme, script, sentence) => {
  const { port } = await raw(script);
  const proxy = `http://127.0.0.1:${port}`;
  const env = { http_proxy: proxy, https_proxy: proxy };
  const said = await look(`${scheme}://shop.example/v1`, { requestTimeoutMs: 300, env });
  expect(said.replaceAll(`127.0.0.1:${port}`, 'P')).toMatch(sentence);
});

test('a missing client certificate is named', async () => {
  const server = createHttpsServer({ ...TLS, ca: file('authority'), requestCert: true }, says200);
  const said = await look(`https://localhost:${(await listen(server)).port}/v1`);
  expect(said).toMatch(
    /cannot be tested: the service requires a client certificate.*; pass .* --cert FILE and --key FILE/,
  );
});

test.each<[string, RequestListener]>([
  ['fails but for one operation', byOperation(() => [500, 500, 400])],
  ['rejects the key in the list alone', byOperation((isRight) => (isRight ? [401, 404, 400] : [401, 401, 401]))],
  ['lists an object', byOperation(() => [200, 404, 422], '{"pets":[]}')],
  [
    'does not answer the list in time',
    (incoming, outgoing) => incoming.url?.includes('/pets?') === false && answering(404, ERROR)(incoming, outgoing),
  ],
])('a service that %s is tested', async (_, listener) => {
  expect((await lookAt(listener, { requestTimeoutMs: 300 })).said).toMatch(/^ready/);
});

test('under read-only nothing but GET is sent', async () => {
  const { sent } = await lookAt(answering(404), { isReadOnly: true });
  expect(sent.map((one) => one.split(' ')[0])).toEqual(['GET', 'GET', 'GET']);
});
