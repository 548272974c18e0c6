import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { petStore } from '../petstore/definition.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './commands/command.ts';
import { UsageError } from './errors.ts';
import type { Declared } from './option.ts';
import { RUN_OPTIONS } from './options.ts';
import { createProgram } from './program.ts';
import type { RunOptions } from './run-options.ts';
import type { Surroundings } from './terminal.ts';

type Environment = NodeJS.ProcessEnv;

const URL_A = 'http://a.example/v1';
const KEY = 'Sesame-1';
const CATALOGUE = petStore().loadCatalogue();
const WITH_KEY: Environment = { PETSTORE_API_KEY: KEY };
const USUAL: Surroundings = { catalogue: async () => CATALOGUE, isTerminal: false, version: '1.2.3' };

/** Every subcommand but `run`. */
const COMMANDS = createProgram({}, USUAL, [], [])
  .commands.map((command) => command.name())
  .filter((name) => name !== 'run');

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../http/connect/certificates.fixture/${name}.pem`, import.meta.url)), 'utf8');

const folder = temporaryFolder();
const FILES = {
  key: `${KEY}\n`,
  'key-spaced': 'Sesame 1\n',
  empty: '\n',
  'conformance.json': '{}',
  'client.pem': pem('client'),
  'client.key': pem('client.key'),
  'other.key': pem('service.key'),
  'both.pem': pem('client') + pem('client.key'),
  'locked.key': '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
};
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);

/** `line` is split at spaces; `@name` stands for a file of the test's folder, `_` for a space within a word. */
function words(line: string): readonly string[] {
  const typed = line.split(' ').filter((word) => word !== '');
  return typed.map((word) => word.replace(/^@/, `${folder}/`).replace(/^_$|(?<=\w)_(?=\w)|(?<=:)_/g, ' '));
}

const parse = (
  argv: readonly string[],
  environment: Environment,
  surroundings: Partial<Surroundings> = {},
): Promise<Command> => parseArguments(argv, environment, { ...USUAL, ...surroundings });

async function runsOf(
  line: string,
  environment: Environment = WITH_KEY,
  surroundings: Partial<Surroundings> = {},
): Promise<readonly RunOptions[]> {
  const command = await parse(words(line), environment, surroundings);
  if (command.kind !== 'run') throw new Error(`not a run: ${command.kind}`);
  return command.targets;
}

async function errorOf(argv: readonly string[], environment: Environment): Promise<UsageError> {
  const outcome = await parse(argv, environment).catch((error: unknown) => error);
  if (outcome instanceof UsageError) return outcome;
  throw new Error('was taken', { cause: outcome });
}

describe('a run', () => {
  test('without anything judges the embedded service with a key made up for it', async () => {
    const [options, another] = [...(await runsOf('')), ...(await runsOf(''))];
    expect(options).toMatchObject({
      baseUrl: undefined,
      headers: [],
      profile: 'standard',
      readOnly: false,
      maxCreates: undefined,
      categoryIds: [],
      only: [],
      skip: [],
      concurrency: 64,
      rateLimit: { kind: 'none' },
      requestTimeoutMs: 10_000,
      maxTimeMs: undefined,
      settleMs: 5_000,
      waitForMs: 0,
      strict: false,
      failFast: false,
      today: new Date().toISOString().slice(0, 10),
      reports: ['junit', 'json', 'html', 'md'],
      reportDir: 'reports',
      caFile: undefined,
      insecure: false,
      output: 'normal',
    });
    expect(options?.seed).toBeGreaterThanOrEqual(0);
    expect(options?.seed).toBeLessThan(2 ** 31);
    expect(options?.token).toMatch(/^[A-Z][a-z]+-[0-9a-f]+$/);
    expect(options?.token).not.toContain(KEY);
    expect(another?.token).not.toBe(options?.token);
  });

  const good: readonly (readonly [line: string, options: Partial<RunOptions>, environment?: Environment])[] = [
    [`-u ${URL_A}`, { baseUrl: URL_A, token: KEY, proxies: undefined, certFile: undefined }],
    [`run -u ${URL_A}/`, { baseUrl: URL_A }],
    ['-u HTTPS://A.example:443/shop/v1', { baseUrl: 'https://a.example/shop/v1' }],
    ['-u http://[::1]:8080/v1', { baseUrl: 'http://[::1]:8080/v1' }],
    ['', { baseUrl: URL_A }, { ...WITH_KEY, PETSTORE_BASE_URL: ` ${URL_A}/ ` }],
    ['-u http://b.example/v1', { baseUrl: 'http://b.example/v1' }, { ...WITH_KEY, PETSTORE_BASE_URL: URL_A }],
    ['', { baseUrl: undefined }, { PETSTORE_API_KEY: '' }],
    [`-u ${URL_A} --token other`, { token: 'other' }],
    [`-u ${URL_A} --token=-dashed`, { token: '-dashed' }],
    [`-u ${URL_A} --token-env K`, { token: 'k' }, { K: 'k' }],
    [`-u ${URL_A} --token-file @key`, { token: KEY }, {}],
    ['--token mine', { token: 'mine' }],
    ['-H X-Shop:_7 -H X-T:a:b', { headers: ['X-Shop=7', 'X-T=a:b'].map(headerOf) }],
    ['--profile smoke --read-only --strict', { profile: 'smoke', readOnly: true, strict: true }],
    ['--fail-fast --profile thorough --dry-run --replay @key', { failFast: true, dryRun: true, replay: 'key' }],
    ['', {}, { npm_config_yes: 'true' }],
    ['--max-creates 0', { maxCreates: 0 }],
    ['--max-creates 100000', { maxCreates: 100_000 }],
    [
      '--category-id -9223372036854775808 --category-id 9223372036854775807 --category-id 7 --category-id 7',
      { categoryIds: [-(2n ** 63n), 2n ** 63n - 1n, 7n] },
    ],
    ['--only list-2 LIST-* --only AUTH-2.createPet', { only: ['LIST-2', 'LIST-*', 'AUTH-2.createPet'] }],
    ['--only LIST-2,AUTH-1,LIST-2 --seed 1', { only: ['LIST-2', 'AUTH-1'], seed: 1 }],
    ['--skip LIST-* auth-2.*', { skip: ['LIST-*', 'AUTH-2.*'] }],
    ['--only AUTH-2 --skip auth-2.createPet', { only: ['AUTH-2'], skip: ['AUTH-2.createPet'] }],
    ['--seed 1 --seed 2147483647', { seed: 2 ** 31 - 1 }],
    ['--baseline @key', { baseline: 'key' }],
    ['--min-judged 95%', { minJudged: 95 }],
    ['--min-judged 0', { minJudged: 0 }],
    ['--concurrency 256', { concurrency: 256 }],
    ['--rate-limit 50/s', { rateLimit: { kind: 'fixed', perSecond: 50 } }],
    ['--rate-limit 0.5/s', { rateLimit: { kind: 'fixed', perSecond: 0.5 } }],
    ['--rate-limit auto', { rateLimit: { kind: 'auto' } }],
    ['--request-timeout 0.25 --max-time 90', { requestTimeoutMs: 250, maxTimeMs: 90_000 }],
    ['--settle 0 --wait-for 1.5', { settleMs: 0, waitForMs: 1500 }],
    ['--today 2028-02-29', { today: '2028-02-29' }],
    ['--report json,har --report json', { reports: ['json', 'har'] }],
    ['--report-dir @new/er', { reportDir: 'new/er' }],
    ['--insecure', { insecure: true }],
    ['--quiet', { output: 'quiet' }],
    ['-v', { output: 'verbose' }],
    ['--cert @client.pem --key @client.key', { certFile: 'client.pem', keyFile: 'client.key' }],
    ['--cert @both.pem', { certFile: 'both.pem', keyFile: undefined }],
    // It may not be there yet.
    [`-u ${URL_A} --unix-socket @none.sock`, { baseUrl: URL_A, unixSocket: 'none.sock' }],
    // Proxies are for a target alone, and an empty variable is none.
    ['', { proxies: undefined }, { HTTP_PROXY: 'http://a:1' }],
    [`-u ${URL_A}`, { proxies: undefined }, { ...WITH_KEY, HTTP_PROXY: '', https_proxy: ' ', NO_PROXY: 'a' }],
    [`-u ${URL_A}`, { proxies: undefined }, { ...WITH_KEY, HTTP_PROXY: 'http://a', http_proxy: '' }],
    [
      `-u ${URL_A}`,
      { proxies: { http: 'http://a2:3128/', https: 'https://b:2/', noProxy: 'n2' } },
      {
        ...WITH_KEY,
        HTTP_PROXY: 'http://A1',
        http_proxy: 'a2:3128',
        HTTPS_PROXY: 'https://b:2',
        NO_PROXY: 'n1',
        no_proxy: 'n2',
      },
    ],
  ];
  test.each(good.map(([line, expected, environment]) => ({ line, expected, environment })))(
    'takes $line',
    async ({ line, expected, environment }) => {
      const [options = {}] = await runsOf(line, environment);
      const relative = Object.entries(options).map(([name, value]) => {
        return [name, typeof value === 'string' ? value.replace(`${folder}/`, '') : value];
      });
      expect(Object.fromEntries(relative)).toMatchObject(expected);
    },
  );

  test('has one set of options a target', async () => {
    const both = `${URL_A} http://b.example/v1`;
    for (const targets of [
      await runsOf(`-u ${both.replace(' ', ' -u ')} --seed 5`),
      await runsOf('--seed 5', { ...WITH_KEY, PETSTORE_BASE_URL: both }),
    ])
      expect(targets.map(({ baseUrl, token, seed }) => `${baseUrl} ${token} ${seed}`)).toEqual(
        both.split(' ').map((url) => `${url} ${KEY} 5`),
      );
  });

  const IN: Partial<Surroundings> = { isInputTerminal: true };
  const OUT: Partial<Surroundings> = { isTerminal: true, isErrorTerminal: true };
  test.each<[string, Environment, Partial<Surroundings>, string]>([
    ['', {}, { ...IN, ...OUT }, 'mayAsk color interactive progressColor'],
    ['--yes', {}, { ...IN, ...OUT }, 'color interactive progressColor'],
    ['-y', {}, { ...IN, ...OUT }, 'color interactive progressColor'],
    ['', {}, OUT, 'color interactive progressColor'],
    ['', {}, IN, ''],
    ['', {}, { isTerminal: true }, 'color'],
    ['', {}, { isErrorTerminal: true }, 'interactive progressColor'],
    ['', { CI: 'true' }, { ...IN, ...OUT }, 'color progressColor'],
    ['', { CI: 'false' }, OUT, 'color interactive progressColor'],
    ['--no-color', { FORCE_COLOR: '1' }, OUT, 'interactive'],
    ['', { NO_COLOR: '1', FORCE_COLOR: '1' }, OUT, 'interactive'],
    ['', { NO_COLOR: '' }, OUT, 'color interactive progressColor'],
    ['', { FORCE_COLOR: '1' }, {}, 'color progressColor'],
    ['', { FORCE_COLOR: '0' }, OUT, 'interactive'],
    ['', { TERM: 'dumb' }, OUT, ''],
  ])('%j with %j where %j: %s', async (line, environment, surroundings, looks) => {
    const [options] = await runsOf(line, environment, surroundings);
    const names = ['mayAsk', 'color', 'interactive', 'progressColor'] as const;
    expect(names.filter((name) => options?.[name]).join(' ')).toBe(looks);
  });
});

function headerOf(text: string): { readonly name: string; readonly value: string } {
  const [name = '', value = ''] = text.split('=');
  return { name, value };
}

describe('other commands', () => {
  const service = { port: 8080, host: '127.0.0.1', token: undefined, latencyMs: 0, animals: undefined };
  const other = { port: 0, host: '::1', token: 't', latencyMs: 20, animals: 5 };
  const file = join(folder, 'conformance.json');
  const good: readonly (readonly [line: string, expected: object, environment?: Environment])[] = [
    ['list', { kind: 'list', only: [], json: false }],
    ['list --only LIST-* get-1 --json', { kind: 'list', only: ['LIST-*', 'GET-1'], json: true }],
    ['serve', { kind: 'serve', options: { ...service, faults: [], variants: [] } }],
    [
      'serve --port 0 --host ::1 --token t --fault a,b --fault c --variant d --latency 20 --animals 5',
      { options: { ...other, faults: ['a', 'b', 'c'], variants: ['d'] } },
    ],
    ['serve', { options: { token: KEY } }, WITH_KEY],
    ['key the_key_twice', { kind: 'key', name: 'the key twice', token: KEY }, WITH_KEY],
    ['key name --token other', { kind: 'key', name: 'name', token: 'other' }, WITH_KEY],
    ['faults', { kind: 'faults', json: false }],
    ['faults --json', { kind: 'faults', json: true }],
    ['faults --run', { kind: 'matrix', only: [], seed: 1, profile: 'standard', whole: false, reportDir: 'reports' }],
    [
      'faults --run --only limit-* a,b --jobs 3 --seed 7 --profile smoke --whole',
      { kind: 'matrix', only: ['limit-*', 'a', 'b'], jobs: 3, seed: 7, profile: 'smoke', whole: true },
    ],
    // A result may be named by its folder.
    ['compare @. @conformance.json', { kind: 'compare', results: [file, file], format: 'text' }],
    ['baseline @.', { kind: 'baseline', result: file, output: undefined }],
    [
      'compare --history @key --last 7 -u http://a.example/v1/ --format md',
      { results: undefined, history: join(folder, 'key'), last: 7, baseUrl: URL_A, format: 'md' },
    ],
    ...['--version', '-V', 'run --version', 'list --version'].map(
      (line) => [line, { kind: 'version', text: '1.2.3\n' }] as const,
    ),
  ];
  test.each(good.map(([line, expected, environment = {}]) => ({ line, expected, environment })))(
    'takes $line',
    async ({ line, expected, environment }) => {
      expect(await parse(words(line), environment)).toMatchObject(expected);
    },
  );
});

describe('the help', () => {
  /** A terminal that nobody has made larger. */
  const [COLUMNS, LINES] = [80, 24];

  async function helpOf(...argv: readonly string[]): Promise<string> {
    const command = await parse(argv, {});
    if (command.kind !== 'help') throw new Error(`no help: ${command.kind}`);
    expect(command.text.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
    return command.text;
  }

  /** The prompt needs a line too. */
  const expectToFitAScreen = (text: string): void => expect(text.trimEnd().split('\n').length).toBeLessThan(LINES);

  test.each(['--help', '-h', 'help', 'help nonsense', 'run --help', '--seed x --help', 'help run', '-u x --help'])(
    '%s shows the usual options, the commands and the exit codes on one screen',
    async (line) => {
      const text = await helpOf(...words(line));
      for (const part of ['Usage:', '--base-url', '--help-all', 'serve', 'Exit codes:']) expect(text).toContain(part);
      expect(text).not.toContain('--settle');
      expectToFitAScreen(text);
    },
  );

  test.each(['--help-all', 'run --help-all', '--seed x --help-all'])('%s shows everything', async (line) => {
    const text = await helpOf(...words(line));
    const options = Object.values<Declared<unknown, unknown>>(RUN_OPTIONS).map(({ flags }) => flags);
    const others = ['Usage: petstore-conformance', 'serve', 'Examples', 'Environment:', 'Exit codes:', '130, 143'];
    for (const part of [...options, ...others]) expect(text).toContain(part);
  });

  test.each(COMMANDS)('%s --help shows its own options on one screen', async (name) => {
    const text = await helpOf(name, '--help');
    expect(text).toMatch(new RegExp(`^Usage: petstore-conformance ${name} `));
    expect(await helpOf('help', name)).toEqual(text);
    expect(await helpOf(name, '--help-all')).toEqual(text);
    expectToFitAScreen(text);
  });
});

describe('a mistake is reported in one line', () => {
  const swallowed = 'option-swallowed-by-npm';
  const bad: readonly (readonly [line: string, code: string, says: RegExp, environment?: Environment])[] = [
    ['--limit-time 3', 'option-unknown', /^--limit-time: unknown option; did you mean --max-time\? \(--help-all lists/],
    ['--base-ulr x', 'option-unknown', /^--base-ulr: .* did you mean --base-url\?/],
    ['--url x', 'option-unknown', /did you mean --base-url\?/],
    ['--api-key=Sesame-1', 'option-unknown', /^--api-key: .* did you mean --token\?/],
    ['--tokne=Sesame-1', 'option-unknown', /^--tokne: .* did you mean --token\?/],
    ['--zzzzzzzzzz', 'option-unknown', /^--zzzzzzzzzz: unknown option \(--help-all/],
    ['-x', 'option-unknown', /^-x: unknown option/],
    ['--animals=3', 'option-unknown', /^--animals: .* an option of `serve`, not of `run`/],
    ['--port 1', 'option-unknown', /^--port: .* an option of `serve`, not of `run`/],
    ['list --seed 1', 'option-unknown', /^--seed: .* an option of `run`, not of `list`/],
    ['lst', 'command-unknown', /"lst".*did you mean list\?/],
    ['--strict list', 'argument-unexpected', /^list: the command must come first/],
    ['--token a Sesame-1', 'argument-unexpected', /^run: the third argument is unexpected; remove it/],
    ['--strict extra', 'argument-unexpected', /^run: unexpected argument "extra"; remove it/],
    ['list LIST-2', 'argument-unexpected', /^list: the second argument is unexpected;/],
    ['compare @key @key @key', 'argument-unexpected', /^compare: the fourth argument is unexpected;/],
    ['compare @key', 'argument-missing', /^compare: missing argument; .*`petstore-conformance compare BEFORE AFTER`/],
    ['key', 'argument-missing', /^key: missing argument; write `petstore-conformance key \[options\] <name>`/],
    ['compare @key --history @key', 'option-conflict', /^--history: .*leave out the results/],
    ['compare @key @key --last 2', 'option-conflict', /^--last: has no effect without --history/],
    ['compare @key @key -u http://a.example/v1', 'option-conflict', /^--base-url: has no effect without --history/],
    ['faults --jobs 2', 'option-conflict', /^--jobs: has no effect without --run; write `faults --run --jobs …`$/],
    ['faults --max-time 9', 'option-conflict', /^--max-time: .*write `faults --run --max-time …`$/],
    ['faults --whole', 'option-conflict', /^--whole: .*write `faults --run --whole …`$/],
    ['faults --report-dir x', 'option-conflict', /^--report-dir: .*write `faults --run --report-dir …`$/],
    ['faults --no-color', 'option-conflict', /^--no-color: .*write `faults --run --no-color …`$/],
    ['faults --run --jobs 0', 'value-invalid', /^--jobs: "0" is not a whole number from 1 to 64/],
    ['faults --run --json', 'option-conflict', /^--json and --run: cannot be used together; leave out one of them$/],
    ['compare --history @key --last 1', 'value-invalid', /^--last: "1" is not a whole number from 2/],
    ['--history @none/h.jsonl', 'value-invalid', /^--history: .*in a folder that does not exist/],
    ['baseline @key --output @none/b.yaml', 'value-invalid', /^--output: .*in a folder that does not exist/],
    ['baseline @key --reason=', 'value-invalid', /^--reason: the text is empty/],
    ['--min-judged 101', 'value-invalid', /^--min-judged: "101" is not a percentage from 0 to 100/],
    ['--seed', 'option-value-missing', /^--seed: missing value; write --seed <n>$/],
    ['--token --seed 1', 'option-value-missing', /^--token: missing value before --seed; write --token <key>$/],
    ['-u', 'option-value-missing', /^--base-url: .*write --base-url <url>/],

    ['-u ftp://a.example/v1', 'value-invalid', /^--base-url: .*"ftp:"; only http/],
    ['-u a.example/v1', 'value-invalid', /did you mean "https:\/\/a\.example\/v1"\?/],
    ['-u localhost:8080/v1', 'value-invalid', /did you mean "https:\/\/localhost:8080\/v1"\?/],
    ['-u http://a.example', 'value-invalid', /did you mean "http:\/\/a\.example\/v1"\?/],
    ['-u http://a.example/v1/pets', 'value-invalid', /did you mean "http:\/\/a\.example\/v1"\?/],
    ['-u http://a.example/v12', 'value-invalid', /does not end in \/v1/],
    ['-u http://a.example/xv1', 'value-invalid', /does not end in \/v1/],
    ['-u http://a.example/v1//', 'value-invalid', /does not end in \/v1/],
    ['-u http://a.example/v1#x', 'value-invalid', /query or a fragment/],
    ['-u http://a.example/v1?', 'value-invalid', /query or a fragment/],
    ['-u http://a.example/v1?key=Sesame-1', 'value-invalid', /query or a fragment/],
    ['-u http://me:Sesame-1@a.example/v1', 'value-invalid', /--token or -H/],
    ['-u http://', 'value-invalid', /is not a valid URL/],
    ['-u http://a:99999/v1', 'value-invalid', /is not a valid URL/],
    ['-u http://a.example/v1\n\u001b[2Jx', 'value-invalid', /^--base-url: "http:\S+v1\\n\\u001b\[2Jx" is not a valid/],
    ['--read-only=true', 'value-invalid', /^--read-only: takes no value; write --read-only$/],
    ['--no-color=Sesame-1', 'value-invalid', /^--no-color: takes no value; write --no-color$/],
    [`-u ${URL_A} -u ${URL_A}/`, 'option-conflict', /^--base-url: http.*v1 is given twice/],
    ['', 'value-invalid', /^PETSTORE_BASE_URL: /, { ...WITH_KEY, PETSTORE_BASE_URL: 'nonsense' }],
    ['', 'value-invalid', /^PETSTORE_BASE_URL: .* set but empty; /, { ...WITH_KEY, PETSTORE_BASE_URL: ' ' }],
    [`-u ${URL_A}`, 'value-invalid', /^PETSTORE_API_KEY: the variable is set but empty; /, { PETSTORE_API_KEY: '' }],
    ['http://a.example/v1', 'argument-unexpected', /write `npm test -- --base-url http:\/\/a\.example\/v1`/],
    ['http://me:Sesame-1@a.example/v1', 'argument-unexpected', /write `npm test -- --base-url URL`/],

    [`-u ${URL_A}`, 'key-missing', /^--token: the target.*PETSTORE_API_KEY.*--token-env.*--token-file/, {}],
    ['key name', 'key-missing', /^--token: `key` needs an API key; set PETSTORE_API_KEY/, {}],
    [`-u ${URL_A} --token a --token-env K`, 'option-conflict', /^--token and --token-env/, { K: 'Sesame-1' }],
    [`-u ${URL_A} --token-env K`, 'value-invalid', /^--token-env: variable K is not set; set it/, {}],
    [`-u ${URL_A} --token-env Sesame-1`, 'value-invalid', /^--token-env: that variable is not set/, {}],
    [`-u ${URL_A} --token-file Sesame-1`, 'file-unreadable', /^--token-file: cannot read the file: file not found;/],
    [`-u ${URL_A} --token-file @none`, 'file-unreadable', /^--token-file: cannot read ".*none": file not found/],
    [`-u ${URL_A} --token-file @key-spaced`, 'value-invalid', /^--token-file: .* in ".*key-spaced" contains a space/],
    [`-u ${URL_A} --token-file @empty`, 'value-invalid', /^--token-file: the key in ".*empty" is empty/],
    [`-u ${URL_A} --token Bearer_Sesame-1`, 'value-invalid', /without "Bearer"/],
    [`-u ${URL_A} --token Sesame-1☃`, 'value-invalid', /Latin-1/],
    [`-u ${URL_A}`, 'value-invalid', /^PETSTORE_API_KEY: .*line break/, { PETSTORE_API_KEY: 'Sesame-1\n' }],

    ['-H Sesame-1', 'value-invalid', /^--header: .*'Name: value'/],
    ['-H X_Y:Sesame-1', 'value-invalid', /the name before the colon/],
    ['-H X-Y:', 'value-invalid', /X-Y has no value/],
    ['-H X-Y:Sesame-1\u0001', 'value-invalid', /control character/],
    ['-H X-Y:Sesame-1\r\nZ:1', 'value-invalid', /line break/],
    ['-H X-Y:Sesame-1☃', 'value-invalid', /Latin-1/],
    ['-H authorization:Sesame-1', 'value-invalid', /give the key with --token/],
    ['-H Host:a', 'value-invalid', /follows from --base-url/],
    ['-H Content-Length:1', 'value-invalid', /follows from the body/],
    ['-H Transfer-Encoding:chunked', 'value-invalid', /belongs to the connection/],
    ['-H A:1 -H A-b:2 -H a-B:Sesame-1', 'option-conflict', /^--header: the header a-B is given twice; give it once$/],

    ['--profile smok', 'value-invalid', /^--profile: .*did you mean smoke\?/],
    ['--profile nightly', 'value-invalid', /not one of smoke, standard, thorough$/],
    ['--max-creates -1', 'value-invalid', /^--max-creates: "-1".*from 0 to 100000/],
    ['--max-creates 100001', 'value-invalid', /from 0 to 100000/],
    ['--concurrency 0', 'value-invalid', /^--concurrency: .*from 1 to 256/],
    ['--concurrency 257', 'value-invalid', /^--concurrency: .*from 1 to 256/],
    ['--seed 2147483648', 'value-invalid', /^--seed: .*from 0 to 2147483647/],
    ['--seed 0x1', 'value-invalid', /^--seed:/],
    ['--seed 1e3', 'value-invalid', /^--seed:/],
    ['--category-id 9223372036854775808', 'value-invalid', /^--category-id: .*int64/],
    ['--category-id 1.0', 'value-invalid', /int64/],
    ['--only LSIT-3', 'requirement-unknown', /^--only: .*"LSIT-3"; did you mean LIST-3\?/],
    ['--only LSIT-*', 'requirement-unknown', /did you mean LIST-\*\?/],
    ['--skip LIST-99.page', 'requirement-unknown', /^--skip: .*"LIST-99"; did you mean LIST-9\?/],
    ['--only LIST-2,', 'requirement-unknown', /is not a requirement/],
    [`--only LIST-2 ${URL_A}`, 'requirement-unknown', /give it with --base-url/],
    ['--only LIST-2 --skip LIST-*', 'nothing-selected', /no check is left/],
    ['--skip *', 'nothing-selected', /no check is left/],
    ['--only AUTH-2.createPet --skip AUTH-2.createPet', 'nothing-selected', /no check is left/],
    ['--replay @none', 'file-unreadable', /^--replay:/],
    ['--replay @.', 'file-unreadable', /^--replay: .*it is a folder; name a file in it$/],
    ['--rate-limit 50', 'value-invalid', /did you mean 50\/s\?/],
    ['--rate-limit 0/s', 'value-invalid', /^--rate-limit: .*write it as 50\/s/],
    ['--rate-limit 50/m', 'value-invalid', /write it as 50\/s/],
    ['--request-timeout 0', 'value-invalid', /^--request-timeout: .*from 0.001 to 600/],
    ['--max-time 5m', 'value-invalid', /without a unit/],
    ['--settle -1', 'value-invalid', /^--settle:/],
    ['--wait-for 3601', 'value-invalid', /^--wait-for:/],
    ['--today 5.12.2030', 'value-invalid', /2030-12-05/],
    ['--today 2027-02-29', 'value-invalid', /^--today: .*calendar.*2030-12-05/],
    ['--report xml', 'value-invalid', /^--report: .*junit, json, html, md, har/],
    ['--report json,', 'value-invalid', /^--report:/],
    ['--report-dir @key', 'value-invalid', /^--report-dir: .*is a file/],
    ['--report-dir @key/x', 'value-invalid', /is inside a file/],
    ['--quiet --verbose', 'option-conflict', /^--quiet and --verbose/],
    ['serve --port 65536', 'value-invalid', /^--port:/],
    ['serve --host a/b', 'value-invalid', /^--host:/],

    ['--ca @none', 'file-unreadable', /^--ca:/],
    ['--ca @key', 'value-invalid', /^--ca: .*no PEM certificate/],
    ['--ca @key --insecure', 'option-conflict', /^--insecure and --ca/],
    ['--key @client.key', 'option-conflict', /^--key: .*--cert FILE$/],
    ['--cert @client.pem', 'value-invalid', /^--cert: .*give it with --key FILE$/],
    ['--cert @key', 'value-invalid', /^--cert: .*-----BEGIN CERTIFICATE-----$/],
    ['--cert @client.pem --key @key', 'value-invalid', /^--key: .*-----BEGIN PRIVATE KEY-----$/],
    ['--cert @client.pem --key @locked.key', 'value-invalid', /^--key: .*passphrase/],
    ['--cert @client.pem --key @other.key', 'value-invalid', /^--key: .*does not belong to/],
    ['--unix-socket /run/x.sock', 'option-conflict', /^--unix-socket: .*--base-url/],
    [`-u ${URL_A} --unix-socket /${'x'.repeat(103)}`, 'value-invalid', /^--unix-socket: .*104 bytes/],
    [`-u ${URL_A} --unix-socket=`, 'value-invalid', /^--unix-socket: .*empty/],
    [`-u ${URL_A}`, 'value-invalid', /^HTTP_PROXY: /, { ...WITH_KEY, HTTP_PROXY: 'http://me:Sesame@' }],
    [`-u ${URL_A}`, 'value-invalid', /^https_proxy: .*socks5:/, { ...WITH_KEY, https_proxy: 'socks5://me:Sesame@a:1' }],
    [`-u ${URL_A}`, 'value-invalid', /^HTTPS_PROXY: .*%25/, { ...WITH_KEY, HTTPS_PROXY: 'http://me:%Sesame@a' }],

    ['', swallowed, /^--profile: npm did not .*`npm test -- --profile …`/, { npm_config_profile: 'smoke' }],
    ['', swallowed, /^--dry-run: /, { npm_config_dry_run: 'true' }],
    [
      URL_A,
      swallowed,
      /^--base-url, --read-only: .*`npm test -- --base-url http:\/\/a\.example\/v1`/,
      { npm_config_base_url: 'true', npm_config_read_only: 'true', npm_config_color: '' },
    ],
    ['', swallowed, /--base-url http:\/\/a\.example\/v1`/, { npm_config_base_url: URL_A }],
    ['serve', swallowed, /`npm test -- serve --port …`/, { npm_config_port: '0' }],
    ['', swallowed, /^--token: /, { npm_config_token_description: 'Sesame-1' }],
  ];
  test.each(bad.map(([line, code, says, environment = WITH_KEY]) => ({ line, code, says, environment })))(
    '$line ($code)',
    async ({ line, code, says, environment }) => {
      const { code: actual, message } = await errorOf(words(line), environment);
      expect([actual, message]).toEqual([code, expect.stringMatching(says)]);
      expect(message).not.toMatch(/[\r\n]|Sesame/);
    },
  );

  test.skipIf(process.getuid?.() === 0)('a folder without permission is no place for reports', async () => {
    const locked = mkdtempSync(join(folder, 'locked-'));
    chmodSync(locked, 0o500);
    expect((await errorOf(['--report-dir', locked], {})).message).toMatch(/cannot be written to/);
  });
});
