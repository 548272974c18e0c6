import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect as connectSocket, type ListenOptions, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions } from '../client.ts';
import type { Answer } from '../exchange.ts';
import { failure, inHeader, KEY, LIST, listen, listening, response, testClient } from '../rig.fixture.ts';

interface Heard {
  readonly url: string;
  readonly host: string;
  readonly authorization: string;
  readonly proxyAuthorization: string;
}

interface Service {
  readonly port: number;
  readonly heard: readonly Heard[];
}

const certificateFile = (name: string): string =>
  fileURLToPath(new URL(`./certificates.fixture/${name}.pem`, import.meta.url));
const AUTHORITY = certificateFile('authority');

/** A certificate and its key, as a server takes them. */
const keyPairOf = (name: string): { readonly cert: Buffer; readonly key: Buffer } => ({
  cert: readFileSync(certificateFile(name)),
  key: readFileSync(certificateFile(`${name}.key`)),
});

const folder = mkdtempSync(join(tmpdir(), 'reach-'));
afterAll(() => rmSync(folder, { recursive: true }));

const heardIn = ({ url = '', headers }: IncomingMessage): Heard => ({
  url,
  host: headers.host ?? '',
  authorization: headers.authorization ?? '',
  proxyAuthorization: headers['proxy-authorization'] ?? '',
});

/** Starts a server, stops it when the test ends, and returns its port. */
async function started(server: Server, where?: ListenOptions): Promise<number> {
  const { port, stop } = await listening(server, where);
  onTestFinished(stop);
  return port;
}

function recording(): { readonly heard: Heard[]; readonly listener: RequestListener } {
  const heard: Heard[] = [];
  return {
    heard,
    listener: (incoming, outgoing) => {
      heard.push(heardIn(incoming));
      outgoing.end('[]');
    },
  };
}

async function plainService(where: { readonly host: string } | { readonly path: string }): Promise<Service> {
  const { heard, listener } = recording();
  return { heard, port: await started(createHttpServer(listener), where) };
}

async function tlsService(certificate: string, options: ServerOptions = {}): Promise<Service> {
  const { heard, listener } = recording();
  const server = createHttpsServer({ ...keyPairOf(certificate), ...options }, listener);
  server.on('tlsClientError', () => {});
  return { heard, port: await started(server) };
}

/** A proxy that finds every host on the loopback, requires credentials where they are given, and can speak TLS. */
async function proxy(wanted = '', isTls = false): Promise<Service & { readonly tunnels: readonly string[] }> {
  const heard: Heard[] = [];
  const tunnels: string[] = [];
  const lacksCredentials = (incoming: IncomingMessage): boolean =>
    wanted !== '' && incoming.headers['proxy-authorization'] !== wanted;
  const forward: RequestListener = (incoming, outgoing) => {
    heard.push(heardIn(incoming));
    if (lacksCredentials(incoming)) outgoing.writeHead(407).end();
    else outgoing.end('["forwarded"]');
  };
  const server = isTls ? createHttpsServer(keyPairOf('service'), forward) : createHttpServer(forward);
  server.on('tlsClientError', () => {});
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    heard.push(heardIn(incoming));
    tunnels.push(JSON.stringify(incoming.rawHeaders));
    if (lacksCredentials(incoming)) {
      socket.end('HTTP/1.1 407 Unauthorized\r\n\r\n');
      return;
    }
    if (incoming.url?.startsWith('nowhere.example:') === true) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const onward = connectSocket(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
  });
  return { heard, tunnels, port: await started(server) };
}

async function ask(
  baseUrl: string,
  changes: Partial<ClientOptions> = {},
  credential = LIST.credential,
): Promise<Answer> {
  const client = testClient(baseUrl, changes);
  try {
    return (await client.send({ ...LIST, credential })).answer;
  } finally {
    await client.close();
  }
}

const statusOf = (given: Answer): number => response(given).status;
const trusting = { caFile: AUTHORITY };

describe('HTTPS', () => {
  test('with a private authority: trusted with --ca, and not without it', async () => {
    const { port, heard } = await tlsService('service');
    expect(statusOf(await ask(`https://127.0.0.1:${port}/v1`, trusting))).toBe(200);
    expect(statusOf(await ask(`https://localhost:${port}/v1`, trusting))).toBe(200);
    expect(failure(await ask(`https://127.0.0.1:${port}/v1`)).code).toBe('tls-untrusted');
    expect(statusOf(await ask(`https://127.0.0.1:${port}/v1`, { insecure: true }))).toBe(200);
    expect(heard.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${KEY}`));
  });

  test('with --ca, what NODE_EXTRA_CA_CERTS names is trusted too', async () => {
    const { port } = await tlsService('service');
    vi.stubEnv('NODE_EXTRA_CA_CERTS', AUTHORITY);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const another = { caFile: certificateFile('client') };
    expect(statusOf(await ask(`https://127.0.0.1:${port}/v1`, another))).toBe(200);
    vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'missing.pem'));
    expect(failure(await ask(`https://127.0.0.1:${port}/v1`, another)).code).toBe('tls-untrusted');
  });

  test.each([
    ['expired', 'tls-expired'],
    ['elsewhere', 'tls-wrong-host'],
  ])('with a certificate that is %s: %s, and the key is not sent', async (certificate, code) => {
    const { port, heard } = await tlsService(certificate);
    expect(failure(await ask(`https://localhost:${port}/v1`, trusting)).code).toBe(code);
    expect(heard).toEqual([]);
    expect(statusOf(await ask(`https://localhost:${port}/v1`, { insecure: true }))).toBe(200);
  });

  // Before TLS 1.3 a missing certificate is a failure of the handshake like any other.
  test.each([
    ['TLSv1.2', 'tls-handshake'],
    ['TLSv1.3', 'tls-client-certificate'],
  ] as const)('with client certificates over %s; without one: %s', async (version, code) => {
    const { port } = await tlsService('service', {
      ca: readFileSync(AUTHORITY),
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: version,
      maxVersion: version,
    });
    const baseUrl = `https://localhost:${port}/v1`;
    const own = { certFile: certificateFile('client'), keyFile: certificateFile('client.key') };
    expect(statusOf(await ask(baseUrl, { ...trusting, ...own }))).toBe(200);
    expect(failure(await ask(baseUrl, trusting)).code).toBe(code);
  });

  test('where plain HTTP is spoken', async () => {
    const { port } = await plainService({ host: '127.0.0.1' });
    expect(failure(await ask(`https://127.0.0.1:${port}/v1`)).code).toBe('tls-handshake');
  });

  test('where a connection is taken and closed at once', async () => {
    const server = await listen((socket) => socket.end());
    onTestFinished(() => server.stop());
    expect(failure(await ask(`https://127.0.0.1:${server.port}/v1`)).code).toBe('tls-handshake');
  });

  test('where a connection is taken and nothing follows', async () => {
    const server = await listen(() => {});
    onTestFinished(() => server.stop());
    const given = await ask(`https://127.0.0.1:${server.port}/v1`, { requestTimeoutMs: 200 });
    expect(failure(given).code).toBe('connect-timeout');
  });
});

describe('an address', () => {
  const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  test.skipIf(!hasIPv6)('may be a literal of IPv6 (skipped where this machine has none)', async () => {
    const { port, heard } = await plainService({ host: '::1' });
    expect(statusOf(await ask(`http://[::1]:${port}/a/b/v1/`))).toBe(200);
    expect(heard).toMatchObject([{ url: '/a/b/v1/items', host: `[::1]:${port}` }]);
  });

  test('that no name server knows: dns', async () => {
    const given = failure(await ask('http://no-such-host.invalid/v1'));
    expect([given.code, given.sentence]).toEqual(['dns', 'the host name cannot be resolved']);
  });

  test('where nothing listens: connection-refused', async () => {
    const server = await listen(() => {});
    await server.stop();
    expect(failure(await ask(`http://127.0.0.1:${server.port}/v1`)).code).toBe('connection-refused');
  });
});

describe('a Unix socket', () => {
  test('replaces host and port, and no proxy is used', async () => {
    const unixSocket = join(folder, 'service.sock');
    const { heard } = await plainService({ path: unixSocket });
    const given = await ask('http://shop.example/v1', {
      unixSocket,
      proxies: { http: 'http://127.0.0.1:1', noProxy: '' },
    });
    expect(statusOf(given)).toBe(200);
    expect(heard).toMatchObject([{ url: '/v1/items', host: 'shop.example', authorization: `Bearer ${KEY}` }]);
  });

  test('that is not there: socket-missing', async () => {
    const given = await ask('http://shop.example/v1', { unixSocket: join(folder, 'none.sock') });
    expect(failure(given).code).toBe('socket-missing');
  });
});

describe('a proxy', () => {
  const CREDENTIALS = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

  test('forwards requests to an http target, whose name it resolves', async () => {
    const { port, heard } = await proxy();
    const given = await ask('http://shop.invalid/deep/v1', {
      proxies: { http: `http://127.0.0.1:${port}`, noProxy: '' },
    });
    expect(Buffer.from(response(given).body).toString()).toBe('["forwarded"]');
    expect(heard).toMatchObject([{ url: 'http://shop.invalid/deep/v1/items', host: 'shop.invalid' }]);
  });

  test('tunnels to an https target, and learns nothing but its host and port', async () => {
    const service = await tlsService('service');
    const { port, heard, tunnels } = await proxy();
    const proxies = { https: `http://127.0.0.1:${port}`, noProxy: '' };
    const baseUrl = `https://localhost:${service.port}/v1`;
    const inProxyHeader = inHeader('Proxy-Authorization', KEY);
    expect(statusOf(await ask(baseUrl, { ...trusting, proxies }))).toBe(200);
    expect(statusOf(await ask(baseUrl, { ...trusting, proxies }, inProxyHeader))).toBe(200);
    expect(heard.map(({ url }) => url)).toEqual(Array(2).fill(`localhost:${service.port}`));
    expect(tunnels.join()).not.toContain(KEY);
    expect(service.heard).toMatchObject([
      { url: '/v1/items', host: `localhost:${service.port}`, authorization: `Bearer ${KEY}` },
      { authorization: '', proxyAuthorization: `Bearer ${KEY}` },
    ]);
  });

  test.each(['http', 'https'])('over %s tunnels to a service that requires a client certificate', async (scheme) => {
    const service = await tlsService('service', {
      ca: readFileSync(AUTHORITY),
      requestCert: true,
      rejectUnauthorized: true,
    });
    const { port, heard } = await proxy(CREDENTIALS, scheme === 'https');
    const own = { certFile: certificateFile('client'), keyFile: certificateFile('client.key') };
    const baseUrl = `https://localhost:${service.port}/v1`;
    for (const host of ['localhost', '127.0.0.1']) {
      const proxies = { https: `${scheme}://me:p%40ss@${host}:${port}`, noProxy: '' };
      expect(statusOf(await ask(baseUrl, { ...trusting, ...own, proxies }))).toBe(200);
      expect(failure(await ask(baseUrl, { ...trusting, proxies })).code).toBe('tls-client-certificate');
    }
    expect(service.heard).toHaveLength(2);
    expect(new Set(heard.map(({ url }) => url))).toEqual(new Set([`localhost:${service.port}`]));
  });

  test.each(['http', 'https'])('over https is trusted with --ca only, for %s targets', async (scheme) => {
    const service = await tlsService('service');
    const { port, heard } = await proxy('', true);
    const url = `https://localhost:${port}`;
    const proxies = { http: url, https: url, noProxy: '' };
    const baseUrl = `${scheme}://localhost:${service.port}/v1`;
    expect(failure(await ask(baseUrl, { proxies }))).toMatchObject({
      code: 'proxy',
      sentence: expect.stringMatching(/authority that is not trusted/),
    });
    expect(heard).toEqual([]);
    expect(statusOf(await ask(baseUrl, { ...trusting, proxies }))).toBe(200);
  });

  test('that opens no tunnel in time: proxy', async () => {
    const server = await listen(() => {});
    onTestFinished(() => server.stop());
    const proxies = { https: `http://127.0.0.1:${server.port}`, noProxy: '' };
    const given = failure(await ask('https://shop.example/v1', { proxies, requestTimeoutMs: 200 }));
    expect(given).toMatchObject({ code: 'proxy', sentence: expect.stringMatching(/no response came within/) });
  });

  test('leaves the certificate of the service to the client to verify', async () => {
    const service = await tlsService('elsewhere');
    const { port } = await proxy();
    const proxies = { https: `http://127.0.0.1:${port}`, noProxy: '' };
    const given = await ask(`https://localhost:${service.port}/v1`, { ...trusting, proxies });
    expect(failure(given).code).toBe('tls-wrong-host');
    expect(service.heard).toEqual([]);
  });

  test('gets the credentials of its URL, and the service does not', async () => {
    const service = await tlsService('service');
    const { port, heard } = await proxy(CREDENTIALS);
    const url = `http://me:p%40ss@127.0.0.1:${port}`;
    const proxies = { http: url, https: url, noProxy: '' };
    expect(statusOf(await ask('http://shop.example/v1', { proxies }))).toBe(200);
    expect(statusOf(await ask(`https://localhost:${service.port}/v1`, { ...trusting, proxies }))).toBe(200);
    expect(heard.map(({ proxyAuthorization }) => proxyAuthorization)).toEqual([CREDENTIALS, CREDENTIALS]);
    expect(service.heard).toMatchObject([{ proxyAuthorization: '' }]);
  });

  test.each(['http', 'https'])(
    'that requires other credentials for %s: the message says so, and does not reveal them',
    async (scheme) => {
      const { port } = await proxy(CREDENTIALS);
      const url = `http://me:wrong-secret@127.0.0.1:${port}`;
      const given = failure(
        await ask(`${scheme}://shop.example/v1`, { proxies: { http: url, https: url, noProxy: '' } }),
      );
      expect([given.code, given.sentence]).toEqual(['proxy', expect.stringMatching(/requires credentials \(407\)/)]);
      expect(given.sentence).not.toContain('secret');
    },
  );

  test.each(['http', 'https'])('that is not there for %s: proxy', async (scheme) => {
    const server = await listen(() => {});
    await server.stop();
    const url = `http://127.0.0.1:${server.port}`;
    const given = failure(
      await ask(`${scheme}://shop.example/v1`, { proxies: { http: url, https: url, noProxy: '' } }),
    );
    expect([given.code, given.sentence]).toEqual(['proxy', expect.stringMatching(/cannot be used: nothing accepts/)]);
  });

  test('that cannot connect onward says so', async () => {
    const { port } = await proxy();
    const given = await ask('https://nowhere.example/v1', {
      proxies: { https: `http://127.0.0.1:${port}`, noProxy: '' },
    });
    expect(failure(given)).toMatchObject({ code: 'proxy', sentence: expect.stringMatching(/\(502\)$/) });
  });

  test('is not used for the hosts of NO_PROXY', async () => {
    const { port, heard } = await plainService({ host: '127.0.0.1' });
    const given = await ask(`http://127.0.0.1:${port}/v1`, {
      proxies: { http: 'http://127.0.0.1:1', noProxy: 'example.com, 127.0.0.0/8' },
    });
    expect(statusOf(given)).toBe(200);
    expect(heard).toHaveLength(1);
  });
});
