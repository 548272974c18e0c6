/** `proxy`: clients that this project did not write, through it, to a right service and to faulty ones. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import { findFault, startReference } from '../../reference/index.ts';
import { CHROMIUM } from '../../report/formats/html/browser.fixture.ts';
import type { RunResult } from '../../report/model/result.ts';
import { endOf, PROGRAM } from '../run/program.fixture.ts';
import { resultIn } from '../run/run-in-process.fixture.ts';
import { REX } from './har.fixture.ts';

const CERTIFICATES = fileURLToPath(new URL('../../http/connect/certificates.fixture', import.meta.url));
const run = promisify(execFile);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-proxy-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts the proxy before a service; `end` interrupts it, unless it ends by itself. */
async function proxyBefore(baseUrl: string, ...options: readonly string[]) {
  const dir = mkdtempSync(join(folder, 'reports-'));
  const argv = [PROGRAM, 'proxy', '-u', baseUrl, '--port', '0', '--report-dir', dir, ...options];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  closing.push(() => child.kill('SIGKILL'));
  const ended = endOf(child);
  const [first] = await once(child.stdout, 'data');
  const url = /http:\S+/.exec(`${first}`)?.[0] ?? '';
  return {
    url,
    ended,
    end: async () => {
      child.kill('SIGINT');
      return { ...(await ended), result: resultIn(dir) };
    },
  };
}

async function referenceWith(fault?: string): Promise<string> {
  const service = await startReference({
    token: KEY,
    ...(fault === undefined ? {} : { faults: [findFault(fault) ?? []].flat() }),
  });
  closing.push(() => service.stop());
  return service.baseUrl;
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const authorization = `Bearer ${KEY}`;

/** The same little business with each client: add an animal, list, get it, and ask for one that is not there. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<void>>> = {
  curl: async (url) => {
    const curl = (...argv: readonly string[]) => run('curl', ['-s', '-H', `Authorization: ${authorization}`, ...argv]);
    await curl('--json', JSON.stringify(REX), `${url}/pets`);
    await curl('--compressed', `${url}/pets?limit=3&status=sold`, `${url}/pets/1`, `${url}/pets/987654321`);
  },
  'fetch of Node.js': async (url) => {
    const headers = { authorization, 'content-type': 'application/json' };
    await fetch(`${url}/pets`, { method: 'POST', headers, body: JSON.stringify(REX) });
    for (const path of ['/pets?limit=3&status=sold', '/pets/1', '/pets/987654321']) {
      await (await fetch(url + path, { headers })).arrayBuffer();
    }
  },
  'a page in a browser': async (url) => {
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
    closing.push(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${url}/pets`);
    await page.evaluate(
      async ({ key, pet }) => {
        const headers = { authorization: key, 'content-type': 'application/json' };
        await fetch('pets', { method: 'POST', headers, body: JSON.stringify(pet) });
        for (const path of ['pets?limit=3&status=sold', 'pets/1', 'pets/987654321']) {
          await (await fetch(path, { headers })).text();
        }
      },
      { key: authorization, pet: REX },
    );
  },
};

const failuresIn = ({ checks }: RunResult): readonly string[] =>
  checks.flatMap(({ id, outcome }) => (outcome.kind === 'failed' ? id : []));

const statusesIn = ({ requirements }: RunResult, ...ids: readonly string[]) =>
  requirements.flatMap(({ id, status }) => (ids.includes(id) ? `${id} ${status}` : []));

describe.each(Object.entries(CLIENTS))('through the proxy, with %s', (name, use) => {
  test.skipIf(name.includes('browser') && CHROMIUM === undefined)('a right service conforms', async () => {
    const proxy = await proxyBefore(await referenceWith());
    await use(proxy.url);
    const { code, printed, result } = await proxy.end();
    expect(failuresIn(result)).toEqual([]);
    expect(code).toBe(0);
    const judged = ['RES-6', 'LIST-9', 'CREATE-1', 'GET-1', 'GET-2', 'ERR-1'];
    expect(statusesIn(result, ...judged)).toEqual(judged.map((id) => `${id} holds`));
    expect(printed).not.toContain(KEY);
    expect(result.notes.join()).toMatch(/The proxy passed \d+ responses on, and added \d+(\.\d+)? ms/);
  });

  test.skipIf(name.includes('browser') && CHROMIUM === undefined)('a fault is told as it passes', async () => {
    const proxy = await proxyBefore(await referenceWith('created-answered-200'));
    await use(proxy.url);
    const { code, printed, result } = await proxy.end();
    expect(failuresIn(result)).toEqual(['CREATE-1']);
    expect(code).toBe(1);
    expect(printed).toMatch(/^CREATE-1: answers 200 to createPet with this body$/m);
  });
});

test('with --redact-names, a line for a fault quotes nothing', async () => {
  const proxy = await proxyBefore(await referenceWith('status-upper-cased-in-list'), '--redact-names');
  await CLIENTS['fetch of Node.js']?.(proxy.url);
  const { printed } = await proxy.end();
  expect(printed).toMatch(/^RES-1: \S+ must be one of "…", "…", "…" and is "…"$/m);
});

describe('what passes', () => {
  test('is not changed, and arrives as it is sent', async () => {
    const seen: unknown[] = [];
    const target = createServer((incoming, response) => {
      seen.push([incoming.method, incoming.url, incoming.headers['x-tenant'], incoming.headers['transfer-encoding']]);
      response.writeHead(207, 'Odd Reason', ['X-Odd', 'a', 'x-odd', 'b', 'Content-Type', 'text/plain']);
      response.write('first');
      const pieces: string[] = [];
      incoming.on('data', (chunk) => pieces.push(`${chunk}`)).on('end', () => response.end(pieces.join('')));
    });
    const proxy = await proxyBefore(`http://127.0.0.1:${await listening(target)}/v1`);
    const sent = request(`${proxy.url}/other?x=%2F`, { method: 'PUT', headers: { 'x-tenant': 'é' } });
    // The answer begins before the request has ended.
    sent.write('a piece');
    const [response] = await once(sent, 'response');
    expect(`${await nextOf(response)}`).toBe('first');
    sent.end(' and another');
    let rest = '';
    for await (const chunk of response) rest += chunk;
    expect(rest).toBe('a piece and another');
    expect([response.statusCode, response.statusMessage]).toEqual([207, 'Odd Reason']);
    expect(response.rawHeaders.slice(0, 6)).toEqual(['X-Odd', 'a', 'x-odd', 'b', 'Content-Type', 'text/plain']);
    expect(seen).toEqual([['PUT', '/v1/other?x=%2F', 'é', 'chunked']]);
    expect(await proxy.end()).toMatchObject({ code: 3 });
  });

  test('goes to a service with TLS', async () => {
    const read = (name: string): string => readFileSync(join(CERTIFICATES, name), 'utf8');
    const options = { key: read('service.key.pem'), cert: read('service.pem') };
    const target = createTlsServer(options, (_incoming, response) => response.end('[]'));
    const baseUrl = `https://localhost:${await listening(target)}/v1`;
    const proxy = await proxyBefore(baseUrl, '--ca', join(CERTIFICATES, 'authority.pem'));
    expect(await (await fetch(`${proxy.url}/pets`, { headers: { authorization } })).text()).toBe('[]');
    const { code, result } = await proxy.end();
    expect(code).toBe(1);
    expect(failuresIn(result)).toEqual(['SERV-2']);
  });

  test('goes on where nothing can be judged, and where the service is away', async () => {
    const baseUrl = await referenceWith();
    const proxy = await proxyBefore(baseUrl);
    expect((await fetch(`${proxy.url}/store/orders`, { headers: { authorization } })).status).toBe(404);
    const large = 'x'.repeat(5_000_000);
    const post = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };
    const direct = await fetch(`${baseUrl}/pets`, { ...post, body: JSON.stringify({ ...REX, large }) });
    const passed = await fetch(`${proxy.url}/pets`, { ...post, body: JSON.stringify({ ...REX, large }) });
    expect(passed.status).toBe(direct.status);
    expect(await proxy.end()).toMatchObject({ code: 0 });
    const away = await proxyBefore('http://127.0.0.1:1/v1');
    expect((await fetch(`${away.url}/pets`)).status).toBe(503);
    expect(await away.end()).toMatchObject({ code: 3 });
  });
});

describe('it ends', () => {
  const list = (url: string): Promise<unknown> => fetch(`${url}/pets?limit=1`, { headers: { authorization } });

  test('at the first violation with --fail-fast', async () => {
    const proxy = await proxyBefore(await referenceWith('limit-plus-one'), '--fail-fast');
    await list(proxy.url);
    const { code, printed } = await proxy.ended;
    expect(code).toBe(1);
    expect(printed).toMatch(/^LIST-2: a page asked for with limit=1 holds 2 animals$/m);
  });

  test('after --max-time', async () => {
    const proxy = await proxyBefore(await referenceWith(), '--max-time', '2');
    await list(proxy.url);
    expect(await proxy.ended).toMatchObject({ code: 0 });
  });
});

const nextOf = async (stream: NodeJS.ReadableStream): Promise<unknown> => (await once(stream, 'data'))[0];
