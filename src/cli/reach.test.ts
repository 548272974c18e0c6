import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { PARTS } from '../petstore/description.ts';
import { parseArguments } from './arguments.ts';
import { UsageError } from './errors.ts';
import type { RunOptions } from './run-options.ts';

type Environment = NodeJS.ProcessEnv;

const URL_A = 'http://a.example/v1';

const pem = (name: string): string =>
  fileURLToPath(new URL(`../http/connect/certificates.fixture/${name}.pem`, import.meta.url));

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-reach-'));
  writeFileSync(at('both.pem'), readFileSync(pem('client'), 'utf8') + readFileSync(pem('client.key'), 'utf8'));
  writeFileSync(at('locked.pem'), '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n');
  writeFileSync(at('text'), 'hello');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function runOf(argv: readonly string[], environment: Environment = {}): Promise<RunOptions> {
  const command = await parseArguments(
    argv,
    { PETSTORE_API_KEY: 'Sesame-1', ...environment },
    { catalogue: async () => loadCatalogue(PARTS), isTerminal: false, version: '1.2.3' },
  );
  if (command.kind !== 'run' || command.targets[0] === undefined) throw new Error(`not a run: ${command.kind}`);
  return command.targets[0];
}

async function complaint(argv: readonly string[], environment?: Environment): Promise<string> {
  const outcome = await runOf(argv, environment).catch((error: unknown) => error);
  return outcome instanceof UsageError ? `${outcome.code} ${outcome.message}` : 'was taken';
}

describe('a client certificate', () => {
  test('is named with its key, or with a file that holds both', async () => {
    const own = ['-u', URL_A, '--cert', pem('client'), '--key', pem('client.key')];
    expect(await runOf(own)).toMatchObject({ certFile: pem('client'), keyFile: pem('client.key') });
    expect(await runOf(['-u', URL_A, '--cert', at('both.pem')])).toMatchObject({
      certFile: at('both.pem'),
      keyFile: undefined,
    });
    expect(await runOf(['-u', URL_A])).toMatchObject({ certFile: undefined, keyFile: undefined });
  });

  test('that cannot be used is refused before anything is sent', async () => {
    const client = pem('client');
    const cases: readonly (readonly [argv: readonly string[], complaint: RegExp])[] = [
      [['--key', pem('client.key')], /^option-conflict --key: .*--cert FILE$/],
      [['--cert', client], /^value-invalid --cert: .*give it with --key FILE$/],
      [['--cert', at('none.pem')], /^file-unreadable --cert: /],
      [['--cert', at('text')], /^value-invalid --cert: .*-----BEGIN CERTIFICATE-----$/],
      [['--cert', client, '--key', at('text')], /^value-invalid --key: .*-----BEGIN PRIVATE KEY-----$/],
      [['--cert', client, '--key', at('locked.pem')], /^value-invalid --key: .*passphrase/],
      [['--cert', client, '--key', pem('service.key')], /^value-invalid --key: .*does not belong to/],
    ];
    for (const [argv, expected] of cases) expect(await complaint(['-u', URL_A, ...argv])).toMatch(expected);
  });
});

describe('a Unix socket', () => {
  test('is taken beside an address, whether it is there yet or not', async () => {
    expect(await runOf(['-u', URL_A, '--unix-socket', '/run/none.sock'])).toMatchObject({
      baseUrl: URL_A,
      unixSocket: '/run/none.sock',
    });
  });

  test('is refused without an address, and where the system could not take its path', async () => {
    expect(await complaint(['--unix-socket', '/run/x.sock'])).toMatch(/^option-conflict --unix-socket: .*--base-url/);
    const long = `/${'x'.repeat(103)}`;
    expect(await complaint(['-u', URL_A, '--unix-socket', long])).toMatch(/^value-invalid --unix-socket: .*104 bytes/);
    expect(await complaint(['-u', URL_A, '--unix-socket', ''])).toMatch(/^value-invalid --unix-socket: .*empty/);
  });
});

describe('the proxies of the environment', () => {
  const proxies = async (environment: Environment) => (await runOf(['-u', URL_A], environment)).proxies;

  test('are none where no variable is set, or set to nothing', async () => {
    expect(await proxies({})).toBeUndefined();
    expect(await proxies({ HTTP_PROXY: '', https_proxy: ' ', NO_PROXY: 'a' })).toBeUndefined();
  });

  test('are read in capitals and in lower case, which counts first', async () => {
    expect(await proxies({ HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'https://b:2', NO_PROXY: 'c,d' })).toEqual({
      http: 'http://a:1/',
      https: 'https://b:2/',
      noProxy: 'c,d',
    });
    const both = { HTTP_PROXY: 'http://A1', http_proxy: 'a2:3128', NO_PROXY: 'n1', no_proxy: 'n2' };
    expect(await proxies(both)).toEqual({ http: 'http://a2:3128/', noProxy: 'n2' });
    expect(await proxies({ HTTP_PROXY: 'http://a', http_proxy: '' })).toBeUndefined();
  });

  test('are not asked for the embedded reference service', async () => {
    expect((await runOf([], { HTTP_PROXY: 'http://a:1' })).proxies).toBeUndefined();
  });

  test('are refused where they are none, and no password is repeated', async () => {
    const cases: readonly (readonly [environment: Environment, complaint: RegExp])[] = [
      [{ HTTP_PROXY: 'http://me:Secret@' }, /^value-invalid HTTP_PROXY: /],
      [{ https_proxy: 'socks5://me:Secret@a:1080' }, /^value-invalid https_proxy: .*socks5:/],
      [{ HTTPS_PROXY: 'http://me:%Secret@a' }, /^value-invalid HTTPS_PROXY: .*%25/],
    ];
    for (const [environment, expected] of cases) {
      const said = await complaint(['-u', URL_A], environment);
      expect(said).toMatch(expected);
      expect(said).not.toContain('Secret');
    }
  });
});
