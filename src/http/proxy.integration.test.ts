import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import net from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Sent } from './message.ts';
import { type NetworkOptions, Stopped } from './network.ts';
import {
  brief,
  LIST,
  list,
  listen,
  networkTo,
  POST,
  post,
  raw,
  response,
  type Script,
  SOON,
  says,
} from './rig.fixture.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`./certificates.fixture/${name}.pem`, import.meta.url), 'utf8');

/** One request through a proxy that follows a script; its port is left out of the sentence. */
async function through(
  script: Script,
  scheme: string,
  changes: Partial<NetworkOptions> = {},
): Promise<Sent['outcome']> {
  const { port } = await raw(script);
  const proxy = `http://127.0.0.1:${port}`;
  const env = { http_proxy: proxy, https_proxy: proxy };
  const network = networkTo(port, { baseUrl: `${scheme}://shop.example/v1`, env, patienceMs: 0, ...changes });
  const { outcome } = await network.lend((connection) => connection.send(LIST, 'list'));
  return outcome.kind === 'answer' ? outcome : { ...outcome, sentence: outcome.sentence.replace(`:${port}`, '') };
}

const asking = (...schemes: readonly string[]): string =>
  response(
    407,
    '',
    schemes.map((scheme) => `Proxy-Authenticate: ${scheme}`),
  );

// biome-ignore format: one table
const REFUSALS: readonly (readonly [what: string, scheme: string, script: Script, code: string, sentence: RegExp])[] = [
  ['silence', 'https', () => {}, 'proxy', /^the proxy 127\.0\.0\.1 accepted the connection, but did not respond to CONNECT within the time limit$/],
  ['silence after an interim response', 'https', says('HTTP/1.1 100 Continue\r\n\r\n', 'stay'), 'proxy', /did not respond to CONNECT/],
  ['a close', 'https', (socket) => socket.end(), 'proxy', /^the proxy 127\.0\.0\.1 cannot be used: it closed the connection without a response$/],
  ['another protocol', 'https', says('SSH-2.0-OpenSSH_9.2\r\n'), 'proxy', /^the proxy 127\.0\.0\.1 cannot be used: .*SSH/],
  ['a 403', 'https', says(response(403, '<h1>No')), 'proxy-forbids', /^the proxy 127\.0\.0\.1 forbids connections to the service \(403\)$/],
  ['a 403 after an interim response', 'https', says(`HTTP/1.1 103 X\r\nlink: </x>\r\n\r\n${response(403)}`), 'proxy-forbids', /\(403\)$/],
  ['a 405', 'https', says(response(405)), 'proxy', /^the proxy 127\.0\.0\.1 does not open a connection to the service \(405\)$/],
  ['a 502', 'https', says(response(502)), 'proxy-gateway', /could not connect to the service \(502\)$/],
  ['a 407', 'https', says(asking('Basic realm="a, NTLM"')), 'proxy-credentials', /^the proxy 127\.0\.0\.1 requires credentials \(407\)$/],
  ['a 407 that says nothing', 'https', says(asking()), 'proxy-credentials', /requires credentials \(407\)$/],
  ['a 407 for Basic or others', 'https', says(asking('Negotiate, basic realm="a"')), 'proxy-credentials', /requires credentials \(407\)$/],
  ['a 407 for others only', 'https', says(asking('Negotiate', 'NTLM')), 'proxy-scheme', /^the proxy 127\.0\.0\.1 accepts credentials by Negotiate or NTLM only \(407\), and this suite sends Basic$/],
  ['a 407 for a scheme with parameters', 'http', says(asking('Digest realm="Basic, x", qop="auth"')), 'proxy-scheme', /by Digest only/],
  ['a 502 with an error in Proxy-Status', 'http', says(response(502, '[]', ['Proxy-Status: squid; error=connection_refused'])), 'proxy-gateway', /^the proxy 127\.0\.0\.1 could not connect to the service \(502, connection_refused\)$/],
];
describe('a proxy is named as what did not pass a request on', () => {
  test.each(REFUSALS)('%s, for %s', async (_what, scheme, script, code, sentence) => {
    const outcome = await through(script, scheme, SOON);
    expect(outcome).toMatchObject({ kind: 'failure', code, sentence: expect.stringMatching(sentence), reached: false });
  });

  test('nothing at its address', async () => {
    const { port, stop } = await raw(() => {});
    await stop();
    const env = { https_proxy: `http://127.0.0.1:${port}` };
    const { outcome } = await networkTo(1, { env, patienceMs: 0 }, 'https').lend((connection) =>
      connection.send(LIST, 'list'),
    );
    const sentence = `the proxy 127.0.0.1:${port} cannot be used: nothing accepts connections at this address`;
    expect(outcome).toMatchObject({ code: 'proxy', sentence, reached: false });
  });
});

test('a proxy that forwards may be at fault itself, or the service behind it', async () => {
  expect(await through(() => {}, 'http', SOON)).toMatchObject({
    code: 'timeout',
    sentence: 'through the proxy 127.0.0.1: no response came within the time limit',
    reached: true,
  });
  expect(await through((socket) => socket.end(), 'http')).toMatchObject({
    code: 'reset',
    sentence: 'through the proxy 127.0.0.1: it or the service closed the connection without a response',
    reached: true,
  });
});

test('interim responses before the 200 of CONNECT are skipped', async () => {
  const service = await listen(
    createServer({ cert: pem('service'), key: pem('service.key') }, (_incoming, outgoing) => outgoing.end('[]')),
  );
  const proxy = await raw((socket) => {
    const onward = net.connect(service.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nlink: </x>\r\n\r\nHTTP/1.1 200 X\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const env = { https_proxy: `http://127.0.0.1:${proxy.port}` };
  const network = networkTo(service.port, { ca: pem('authority'), env, patienceMs: 0 }, 'https');
  expect(await network.lend(list)).toBe('200 []');
});

test('a machine without descriptors is not named as a proxy that cannot be used', async () => {
  const proxy = await raw(says(response(200), 'stay'));
  const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
  const network = networkTo(1, { baseUrl: 'http://shop.example/v1', env, connections: 4 });
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(net, 'connect').mockImplementationOnce(() => {
    const socket = new net.Socket();
    setImmediate(() => socket.destroy(Object.assign(new Error('none'), { code: 'EMFILE' })));
    return socket;
  });
  expect(await network.lend(list)).toBe('200 []');
  expect(network.reduced?.to).toBe(2);
});

test('the end of a run does not wait for a proxy that does not respond to CONNECT', async () => {
  const proxy = await raw(() => {});
  const network = networkTo(1, { env: { https_proxy: `http://127.0.0.1:${proxy.port}` } }, 'https');
  const sent = network.lend((connection) => connection.send(LIST, 'list'));
  await vi.waitFor(() => expect(proxy.heard).toHaveLength(1));
  await Promise.all([network.close(), expect(sent).rejects.toThrow(Stopped)]);
  await vi.waitFor(() => expect(proxy.counts.open).toBe(0));
});

describe('a 5xx with an error in Proxy-Status', () => {
  const UNREACHED = response(503, '{}', ['Proxy-Status: squid; received-status=0, proxy; error=dns_timeout; rcode=1']);
  const forwarded = async (script: Script, changes: Partial<NetworkOptions> = {}) => {
    const proxy = await raw(script);
    const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
    return { proxy, network: networkTo(1, { baseUrl: 'http://shop.example/v1', env, connections: 2, ...changes }) };
  };

  test('is sent again, as the service was not reached', async () => {
    const { proxy, network } = await forwarded((socket, _request, nth) =>
      socket.write(nth < 2 ? UNREACHED : response(200)),
    );
    expect(brief(await network.lend((connection) => connection.send(POST, 'post')))).toBe('200 []');
    expect([proxy.heard.length, network.counts.requests]).toEqual([3, 1]);
  });

  test('is the response if it comes again and again while other requests get one', async () => {
    const { proxy, network } = await forwarded((socket, request) =>
      socket.write(request.startsWith('POST') ? UNREACHED : response(200)),
    );
    expect(await network.lend(list, 0)).toBe('200 []');
    let isOver = false;
    const posted = network.lend((connection) => connection.send(POST, 'post')).finally(() => { isOver = true; }); // biome-ignore format: one line
    while (!isOver) expect(await network.lend(list, 0)).toBe('200 []');
    expect(brief(await posted)).toBe('503 {}');
    expect(network.counts.requests).toBe(proxy.heard.filter((request) => request.startsWith('GET')).length + 1);
    expect(network.outages).toEqual([]);
  });

  test('is the response, too, if nothing else is in flight, and what got a response before gets one again', async () => {
    const { proxy, network } = await forwarded((socket, request) =>
      socket.write(request.startsWith('POST') ? UNREACHED : response(200)),
    );
    expect(await network.lend(list)).toBe('200 []');
    expect(brief(await network.lend((connection) => connection.send(POST, 'post', true)))).toBe('503 {}');
    expect([proxy.heard.length, network.counts.requests, network.outages]).toEqual([7, 5, []]);
  });

  test('is not the response if others do not get through either', async () => {
    const { network } = await forwarded((socket, _request, nth) => socket.write(nth > 0 ? UNREACHED : response(200)), {
      patienceMs: 300,
    });
    expect(await network.lend(list)).toBe('200 []');
    expect(await network.lend(post)).toBe('proxy-gateway');
    expect(network.isOutOfReach).toBe(true);
  });

  test('is the response of the service without an error, or without a proxy that forwards', async () => {
    const { network } = await forwarded(says(response(502, '[]', ['Proxy-Status: squid; received-status=502'])));
    expect(await network.lend(list)).toBe('502 []');
    const service = await raw(says(UNREACHED));
    expect(await networkTo(service.port).lend(list)).toBe('503 {}');
  });
});
