import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect as connectSocket, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../report/temporary-folder.fixture.ts';
import type { NetworkOptions } from './network.ts';
import { proxyFor } from './proxy.ts';
import { brief, LIST, type Listening, list, listen, networkTo, raw, SOON, times } from './rig.fixture.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`./certificates.fixture/${name}.pem`, import.meta.url), 'utf8');
const AUTHORITY = new URL('./certificates.fixture/authority.pem', import.meta.url).pathname;
const CLIENT = { cert: pem('client'), key: pem('client.key') };

/** A service over TLS. */
async function secure(options: ServerOptions = {}, certificate = 'service'): Promise<Listening> {
  const server = createHttpsServer(
    { cert: pem(certificate), key: pem(`${certificate}.key`), ...options },
    (incoming, outgoing) => {
      service.heard.push(`${incoming.url} ${incoming.headers['proxy-authorization']}`);
      outgoing.end('[]');
    },
  );
  server.on('tlsClientError', () => {});
  const service = await listen(server);
  return service;
}

describe('a host with several addresses', () => {
  /** A service that is so busy for some time (ms) that its backlog is full: a handshake takes as long, or a second. */
  async function busyFor(milliseconds: number): Promise<number> {
    const script = `
      const { parentPort } = require('node:worker_threads');
      const server = require('node:http').createServer((_, outgoing) => outgoing.end('[]'));
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        parentPort.postMessage(server.address().port);
        parentPort.once('message', (milliseconds) => {
          parentPort.postMessage('busy');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
        });
      });`;
    const worker = new Worker(script, { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    const [port] = await once(worker, 'message');
    worker.postMessage(milliseconds);
    await once(worker, 'message');
    await Promise.all(times(2, () => once(connectSocket(port, '127.0.0.1'), 'connect')));
    return port;
  }

  // Nothing listens at the second, as at one to which no route leads.
  const ADDRESSES = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  test.each(['directly', 'through a proxy'])('and a long handshake, %s', async (way) => {
    const port = await busyFor(600);
    const { lookup } = dns;
    onTestFinished(() => void Reflect.set(dns, 'lookup', lookup));
    Reflect.set(dns, 'lookup', (_: string, __: object, callback: (error: null, found: object) => void) =>
      callback(null, ADDRESSES),
    );
    const url = `http://far.example:${port}`;
    const changes = way === 'directly' ? { baseUrl: url } : { env: { http_proxy: url } };
    expect(await networkTo(port, changes).lend(list)).toBe('200 []');
  });
});

describe('TLS', () => {
  const ca = pem('authority');
  const CHAIN = pem('beneath') + pem('intermediate');
  // biome-ignore format: one table
  const ROWS: readonly (readonly [what: string, seen: RegExp, changes: Partial<NetworkOptions>, options?: ServerOptions, certificate?: string])[] = [
    ['with its authority', /200/, { ca }],
    ['without it', /tls-lone/, {}],
    ['the whole chain, without its authority', /tls-untrusted/, {}, { cert: CHAIN }, 'beneath'],
    ['the whole chain, with its authority', /200/, { ca }, { cert: CHAIN }, 'beneath'],
    ['an intermediate that is not sent', /tls-lone/, { ca }, {}, 'beneath'],
    ['an intermediate that is not sent, passed with its authority', /200/, { ca: pem('intermediate') + ca }, {}, 'beneath'],
    ['an intermediate that is passed without its authority', /tls-untrusted/, { ca: pem('intermediate') }, {}, 'beneath'],
    ['without it, not verified', /200/, { insecure: true }],
    ['an expired certificate', /tls-expired/, { ca }, {}, 'expired'],
    ['that of another host', /tls-wrong-host/, { ca }, {}, 'elsewhere'],
    ['a client certificate', /200/, { ca, ...CLIENT }, { ca, requestCert: true }],
    ['without a client certificate', /^tls-client-certificate$/, { ca }, { ca, requestCert: true }],
    ['without a client certificate in TLS 1.2', /^tls-rejected$/, { ca }, { ca, requestCert: true, maxVersion: 'TLSv1.2' }],
    ['HTTP/2 only', /http2-only/, { ca }, { ALPNProtocols: ['h2'] }],
  ];
  for (const [what, seen, changes, options, certificate] of ROWS) {
    test(what, async () => {
      const service = await secure(options, certificate);
      const network = networkTo(service.port, { baseUrl: `https://localhost:${service.port}/v1`, ...changes });
      expect(await network.lend(list)).toMatch(seen);
    });
  }

  test('authorities of NODE_EXTRA_CA_CERTS are trusted besides another', async () => {
    const network = networkTo(
      (await secure()).port,
      { ca: pem('client'), env: { NODE_EXTRA_CA_CERTS: AUTHORITY } },
      'https',
    );
    expect(await network.lend(list)).toBe('200 []');
  });

  test.each(['No required SSL certificate was sent', 'The SSL certificate error'])(
    'the page of nginx for a missing client certificate: %s',
    async (title) => {
      const server = createHttpsServer({ cert: pem('service'), key: pem('service.key') }, (_incoming, outgoing) =>
        outgoing.writeHead(400, { 'content-type': 'text/html' }).end(`<html><head><title>400 ${title}</title></head>`),
      );
      const { port } = await listen(server);
      const { outcome } = await networkTo(port, { ca }, 'https').lend((connection) => connection.send(LIST, 'list'));
      expect(outcome).toMatchObject({ kind: 'failure', code: 'tls-client-certificate' });
    },
  );

  const FOLDER = temporaryFolder();
  const STORES: readonly (readonly [option: string, variable: string])[] = [
    ['--use-openssl-ca', 'SSL_CERT_FILE'],
    ['--use-system-ca', 'SSL_CERT_FILE'],
    ['--use-bundled-ca', 'NODE_EXTRA_CA_CERTS'],
  ];
  test.each(STORES.filter(([option]) => process.allowedNodeEnvironmentFlags.has(option)))(
    'another authority is trusted besides those of %s',
    async (option, variable) => {
      const { port } = await secure();
      const target = ['-u', `https://localhost:${port}/v1`, '--token', 'k', '-y'];
      const options = [...target, '--ca', AUTHORITY.replace('authority', 'client'), '--report-dir', FOLDER];
      const child = spawn(process.execPath, ['src/cli/petstore-conformance.cjs', ...options], {
        env: { ...process.env, NODE_OPTIONS: option, [variable]: AUTHORITY },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { said += text; }); // biome-ignore format: one line
      await once(child, 'close');
      expect(said).toMatch(/answers 200 with "\[\]" to everything/);
    },
  );

  test('is not what the port speaks', async () => {
    const { port } = await raw(() => {});
    const plain = await listen(createHttpServer((_incoming, outgoing) => outgoing.end('[]')));
    expect(await networkTo(plain.port, {}, 'https').lend(list)).toBe('http-port');
    expect(await networkTo(port, SOON, 'https').lend(list)).toBe('connect-timeout');
  });
});

describe('a proxy', () => {
  const BASIC = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  /** It finds every host on the loopback, and requires credentials. */
  async function proxy(): Promise<Listening & { readonly url: string }> {
    const sockets: Socket[] = [];
    const server = createHttpServer((incoming, outgoing) => {
      listening.heard.push(`${incoming.url} ${incoming.headers.host}`);
      outgoing.writeHead(incoming.headers['proxy-authorization'] === BASIC ? 200 : 407).end('[]');
    });
    server.on('connect', (incoming, socket) => {
      listening.heard.push(`${incoming.url}`);
      if (incoming.headers['proxy-authorization'] !== BASIC) return void socket.end('HTTP/1.1 407 X\r\n\r\n');
      const onward = connectSocket(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 X\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      sockets.push(onward);
      onward.on('error', () => socket.destroy());
      return socket.on('error', () => onward.destroy());
    });
    const listening = await listen(server);
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    return { ...listening, url: `http://me:p%40ss@127.0.0.1:${listening.port}` };
  }

  test('forwards to an http service', async () => {
    const { port, heard, url } = await proxy();
    const network = networkTo(port, { baseUrl: 'http://shop.invalid/v1', env: { http_proxy: url } });
    expect(await network.lend(list)).toBe('200 []');
    expect(heard).toEqual(['http://shop.invalid/v1/pets shop.invalid']);
  });

  test('tunnels to an https service, which gets the headers as they are', async () => {
    const service = await secure();
    const { heard, url } = await proxy();
    const network = networkTo(service.port, { ca: pem('authority'), env: { HTTPS_PROXY: url } }, 'https');
    const headers = [['Proxy-Authorization', 'Bearer k']] as const;
    expect(brief(await network.lend((connection) => connection.send({ ...LIST, headers }, 'list')))).toBe('200 []');
    expect([heard, service.heard]).toEqual([[`127.0.0.1:${service.port}`], ['/v1/pets Bearer k']]);
  });

  test('that rejects a password does not show it', async () => {
    const { port, url } = await proxy();
    const env = { http_proxy: url.replace('p%40ss', 'wrong') };
    const network = networkTo(port, { baseUrl: 'http://shop.example/v1', env, patienceMs: 60 });
    const { outcome } = await network.lend((connection) => connection.send(LIST, 'list'));
    expect(outcome).toMatchObject({ code: 'proxy-credentials', reached: false });
    expect(JSON.stringify(outcome)).not.toContain('wrong');
  });

  // biome-ignore format: one table
  test.each([
    ['*', 'http://shop.example', false], ['shop.example', 'http://shop.EXAMPLE', false], ['example', 'http://shop.example', false],
    ['.example', 'http://shop.example', false], ['other *.shop.example', 'http://a.shop.example', false],
    ['shop.example:80', 'http://shop.example', false], ['shop.example:80', 'https://shop.example', true],
    ['127.0.0.0/8', 'http://127.9.9.9', false], ['10.0.0.0/8', 'http://127.0.0.1', true], ['[::1]', 'http://[::1]', false],
    ['hop.example', 'http://shop.example', true], ['a.shop.example', 'http://shop.example', true], ['', 'http://shop.example', true],
  ])('with NO_PROXY=%s for %s: %s', (noProxy, origin, isUsed) => {
    const env = { http_proxy: 'http://plain', https_proxy: 'http://secure', NO_PROXY: noProxy };
    expect(proxyFor(new URL(origin), env) !== undefined).toBe(isUsed);
  });
});
