import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, JSON_TYPE } from '../../petstore/inputs/body.ts';
import { inventedKeys, missingKeys, nearMisses, otherCases, otherSchemes } from '../../petstore/inputs/keys.ts';
import { malformedBodies } from '../../petstore/inputs/malformed.ts';
import { oddBodies } from '../../petstore/inputs/odd-bodies.ts';
import { addressOf } from '../connect/address.ts';
import { rightKey } from '../credential.ts';
import type { WireRequest } from '../exchange.ts';
import type { ExtraHeader } from '../options.ts';
import { KEY, LIST, testClient } from '../rig.fixture.ts';
import { curlLine } from './curl.ts';

interface Heard {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What curl and the suite rightly say of themselves, each in its own words. */
const OF_THE_SENDER = new Set(['host', 'connection', 'user-agent', 'accept']);

let heard: Heard[] = [];
const server = createServer((incoming, outgoing) => {
  const chunks: Uint8Array[] = [];
  incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  incoming.on('end', () => {
    const headers: string[] = [];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      const name = incoming.rawHeaders[at]?.toLowerCase() ?? '';
      if (!OF_THE_SENDER.has(name)) headers.push(`${name}: ${incoming.rawHeaders[at + 1]}`);
    }
    // A query may be encoded in more than one way; a path is sent as it stands.
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    heard.push({
      line: `${incoming.method} ${path} ${[...new URLSearchParams(query)].join('&')}`,
      headers: headers.sort(),
      body: Buffer.concat(chunks).toString('base64'),
    });
    outgoing.end('[]');
  });
});
let baseUrl = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/shop/v1`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Runs lines in bash, one after the other, with the key where the lines look for it. */
function runInBash(lines: readonly string[], key: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: key, ...variables };
  const bash = spawn('bash', ['-s'], { env });
  const script = lines.map((line) => `${line} -sS -o /dev/null --max-time 10 </dev/null\n`).join('');
  bash.stdin.end(script);
  let complaints = '';
  bash.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  return new Promise((resolve) => bash.on('close', () => resolve(complaints)));
}

interface Surroundings {
  readonly key?: string;
  readonly headers?: readonly ExtraHeader[];
  /** What the shell has beside the key. */
  readonly variables?: NodeJS.ProcessEnv;
}

/** Sends requests with the client, then their lines with curl, and expects the service to hear the same. */
async function expectTheSame(
  requests: readonly WireRequest[],
  { key = KEY, headers = [], variables = {} }: Surroundings = {},
): Promise<void> {
  const client = testClient(baseUrl, { concurrency: 1, headers });
  heard = [];
  for (const request of requests) await client.send(request);
  const fromClient = heard;
  await client.close();
  heard = [];
  const lines = requests.map((request) => curlLine(request, client.address));
  expect(await runInBash(lines, key, variables)).toBe('');
  expect(heard).toEqual(fromClient);
  expect(heard).toHaveLength(requests.length);
  if (key.length > 2) expect(lines.join('\n')).not.toContain(key);
}

function creating(body: Uint8Array | undefined, contentType: string | undefined): WireRequest {
  return {
    operation: 'createPet',
    method: 'POST',
    path: '/pets',
    credential: rightKey(KEY),
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined ? {} : { body }),
  };
}

const credentialsOf = (key: string) => [
  rightKey(key),
  ...missingKeys(),
  ...inventedKeys(key).slice(0, 2),
  ...nearMisses(key),
  ...otherSchemes(key),
  ...otherCases(key),
];

describe('the line for curl sends what the suite sent', () => {
  test.each([KEY, 'it\'s-$HOME`x"\\y!&*+/='])('with every credential made of the key %s', async (key) => {
    const requests = credentialsOf(key).map((credential): WireRequest => ({ ...LIST, credential }));
    const [inQuery] = requests.filter(({ credential }) => credential.query !== undefined);
    await expectTheSame([...requests, { ...LIST, ...inQuery, path: '/pets?limit=1' }], { key });
  });

  test('with every kind of body', async () => {
    const base = { name: "D'Artagnan", categoryId: 7n };
    const generated = [...malformedBodies(base), ...oddBodies(base)].map(({ bytes, contentType }) =>
      creating(bytes, contentType),
    );
    const texts = ['@/etc/hostname', '@-', '', "'{}'", '!!', 'a\r\n\tb', '\ufeff{}', '{"a":"é☃𝄞"}', '$(id) `id` \\ "'];
    const long = ['x', '\u0001'].map((letter) => letter.repeat(300_000));
    await expectTheSame([
      ...generated,
      ...[...texts, ...long].map((text) => creating(bytesOf(text), JSON_TYPE)),
      creating(
        Uint8Array.from({ length: 256 }, (_, at) => at),
        JSON_TYPE,
      ),
      creating(bytesOf('{}'), undefined),
      creating(undefined, JSON_TYPE),
      creating(undefined, undefined),
    ]);
  });

  test('with further headers, whose values the shell knows', async () => {
    const headers = [
      { name: 'X-Tenant', value: 'it\'s-$HOME "`id`"' },
      { name: "x-it's.odd", value: 'second' },
    ];
    const variables = { PETSTORE_HEADER_X_TENANT: headers[0]?.value, PETSTORE_HEADER_X_IT_S_ODD: 'second' };
    await expectTheSame([LIST], { headers, variables });
  });

  test('with every kind of path', async () => {
    const paths = ['/pets/%00', '/pets/{a,b}', '/pets/[1-3]', '/pets/../x', "/pets/it's", '/pets/$HOME', '/pets/-1'];
    await expectTheSame(paths.map((path): WireRequest => ({ ...LIST, operation: 'getPet', path })));
  });
});

test('the line tells curl of the way to the service', () => {
  const way = ["--unix-socket '/run/it'\\''s.sock'", '--insecure'];
  expect(curlLine(LIST, addressOf('http://localhost/v1', way))).toBe(
    `curl -i --path-as-is --globoff --unix-socket '/run/it'\\''s.sock' --insecure -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://localhost/v1/pets'`,
  );
});
