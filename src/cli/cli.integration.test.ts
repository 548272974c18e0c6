/** The command line: one table of lines, with the exit code and the message; then what only a run shows. */
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { findFault, startReference } from '../reference/index.ts';
import { CUT, GREEN, RED } from '../report/golden.fixture.ts';
import { temporaryFolder } from '../report/temporary-folder.fixture.ts';
import type { ConformanceOptions } from '../result/builders.ts';
import type { RunResult } from '../result/result.ts';
import { serve } from '../run/service.fixture.ts';
import { runWith } from './api/run-conformance.ts';
import type { Engine } from './engine.ts';
import { type Machinery, main } from './main.ts';
import { looksLikeProduction } from './run/confirm.ts';
import { loadEngine } from './run/execute.ts';
import type { Interrupt, SignalSource } from './run/interruption.ts';

const KEY = 'Key-of-the-tests-3fA9';
const ENVIRONMENT = { PETSTORE_API_KEY: KEY };
const URL_V1 = 'http://127.0.0.1:9/v1';
const folder = temporaryFolder();
const newFolder = (): string => mkdtempSync(join(folder, 'run-'));
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** Keeps what is written to it. */
class Captured extends Writable {
  text = '';
  isTTY = false;
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Signals that a test sends. */
class FakeSignals extends EventEmitter implements SignalSource {
  readonly ppid = 1;
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

/** An engine that sends nothing, and records the options that it received. */
function stub(result: RunResult = GREEN) {
  const received: ConformanceOptions[] = [];
  const conformance = async (options: ConformanceOptions): Promise<RunResult> => {
    received.push(options);
    return result;
  };
  const plannedOperations: Engine['plannedOperations'] = () => [{ operation: 'createPet', requests: 2, creations: 1 }];
  return { received, engine: { conformance, plannedOperations } satisfies Engine };
}

interface Where extends Partial<Machinery> {
  readonly environment?: NodeJS.ProcessEnv;
  /** What is typed at a terminal; null if nothing is, and the terminal stays open. */
  readonly answer?: string | null;
}

async function mainWith(argv: readonly string[], { environment = ENVIRONMENT, answer, ...more }: Where = {}) {
  const [stdout, stderr] = [new Captured(), new Captured()];
  const stdin = Object.assign(new PassThrough(), { isTTY: answer !== undefined });
  stdout.isTTY = answer !== undefined;
  if (answer !== null) stdin.end(answer);
  const machinery = { loadEngine: async () => stub().engine, signals: new FakeSignals(), testsEmbedded: false };
  const code = await main(argv, { ...environment }, { stdin, stdout, stderr }, { ...machinery, ...more });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** The words of a line; DIR is a new folder. */
const words = (line: string): readonly string[] =>
  line.split(' ').flatMap((word) => (word === '' ? [] : word.replace('DIR', newFolder())));

test('a dry run counts what each operation would send and create; --read-only leaves out what creates', async () => {
  const planned = async (...more: readonly string[]) => {
    const argv = ['-u', URL_V1, '--dry-run', '--profile', 'smoke', '--seed', '7', ...more];
    const { stdout } = await mainWith(argv, { loadEngine });
    return [...stdout.matchAll(/^(\w+) +(\d+) +(\d+)$/gm)].map(([, name, ...figures]) => [
      name,
      ...figures.map(Number),
    ]);
  };
  const [all, safe] = [await planned(), await planned('--read-only')];
  const names = ['listPets', 'createPet', 'getPet', 'total'];
  for (const rows of [all, safe]) {
    expect(rows.map(([name]) => name)).toEqual(names);
    for (const at of [1, 2])
      expect(rows.at(-1)?.[at]).toBe(rows.slice(0, -1).reduce((sum, row) => sum + Number(row[at]), 0));
  }
  // Some bodies must be rejected.
  const [, requests = 0, creations = 0] = all[1] ?? [];
  expect(Number(creations)).toBeGreaterThan(20);
  expect(Number(requests)).toBeGreaterThan(Number(creations));
  expect(safe.slice(1)).toEqual([['createPet', 0, 0], expect.anything(), ['total', expect.any(Number), 0]]);
  expect(safe[0]).toEqual(all[0]);
});

const UTF16 = file('key-utf16', Buffer.from('\ufeffKey-in-16\r\n', 'utf16le'));
const BOM = file('key-bom', '\ufeffKey-in-8\n');
const DAMAGED = file('damaged.json', '{');

test.each([
  ['--limit-tim 3', 2, '--limit-tim: unknown option (--help-all lists them all)'],
  ['--bas-url=secret', 2, '--bas-url: unknown option; did you mean --base-url? (--help-all lists them all)'],
  ['--animals 3', 2, '--animals: unknown option; it is an option of `serve`, not of `run`'],
  ['--profile', 2, '--profile: missing value; write --profile <name>'],
  ['--profile smok', 2, '--profile: "smok" is not one of smoke, standard, thorough; did you mean smoke?'],
  ['--token --profile smoke', 2, '--token: missing value before --profile; write --token <key>'],
  ['-q -v', 2, '--quiet and --verbose: cannot be used together'],
  ['-u http://a.example/v1 --base-url http://b.example/v1', 2, '--base-url: is given twice; give it once'],
  ['http://a.example/v1', 2, '--base-url: missing before the URL; write `npm test -- --base-url http://a.example/v1`'],
  [
    'lits',
    2,
    '"lits": unknown command; did you mean list? (the commands are list, serve, faults, compare, baseline, key;',
  ],
  [
    'check',
    2,
    '"check": unknown command (the commands are list, serve, faults, compare, baseline, key; --help explains',
  ],
  ['Secret-7', 2, 'run: unexpected argument, number 1; remove it, or add its option'],
  ['--profile smoke list', 2, 'list: the command must come first'],
  ['', 2, '--base-url: no target is given; give --base-url URL or set PETSTORE_BASE_URL (--embedded'],
  ['-u localhost:3000/v1', 2, 'did you mean "http://localhost:3000/v1"?'],
  ['-u staging.example/v1', 2, 'did you mean "https://staging.example/v1"?'],
  ['-u https://a.example/v2', 2, 'does not end in /v1; did you mean "https://a.example/v1"?'],
  ['-u https://a.example/v1/pets', 2, 'did you mean "https://a.example/v1"?'],
  ['-u https://user:word@a.example/v1', 2, 'a URL with a user name, a password or an @ is not accepted'],
  ['-u https://a.example/v1?key=secret', 2, '"https://a.example/v1" is followed by a query'],
  ['-H X-Team', 2, "--header: missing colon; write 'Name: value'"],
  [
    '-H X-Team:\u20ac',
    2,
    'the value of X-Team contains a line break, a control character or a character outside Latin-1',
  ],
  ['-H Authorization:x', 2, 'the header Authorization cannot be set; give the key with --token or --token-file'],
  ['--rate-limit 50', 2, '--rate-limit: "50" is not a number of requests per second; did you mean 50/s?'],
  ['--max-time 60s', 2, 'a number of seconds from 0.001 to 86400; write it without a unit'],
  ['--concurrency 65', 2, '--concurrency: "65" is not a whole number from 1 to 64'],
  ['--today 2030-02-30', 2, '--today: "2030-02-30" is not a calendar date; write it as 2030-12-05'],
  ['--embedded --only LSIT-2', 2, '--only: no requirement matches "LSIT-2"; did you mean LIST-2?'],
  ['--embedded --only AUTH-2.createPet', 2, '"AUTH-2.createPet" names a part of a requirement; write AUTH-2'],
  ['--embedded --only LIST-2 --skip LIST-*', 2, '--skip: no requirement that can be tested is selected'],
  ['--embedded --remember x', 2, '--remember and --embedded: cannot be used together'],
  [`-u ${URL_V1} --token-file /none/key`, 2, '--token-file: cannot read the file: file not found'],
  [`-u ${URL_V1} --ca ${BOM}`, 2, 'contains no PEM certificate'],
  [`-u ${URL_V1} --key ${BOM}`, 2, '--key: a private key needs its certificate; give it with --cert FILE'],
  [`--replay ${DAMAGED}`, 2, 'damaged.json is not JSON; it may be incomplete, so run the suite again'],
  ['--replay reports/failures', 2, 'reports/failures holds no conformance.json; give that file or its folder'],
  ['--replay DIR --seed 7', 2, '--replay and --seed: cannot be used together'],
  [`-u ${URL_V1} --baseline ${DAMAGED}`, 2, '--baseline: '],
  [`-u ${URL_V1} --remember ${DAMAGED}`, 2, 'damaged.json" was not written by this version; remove it, or name'],
  [`-u ${URL_V1} --report-dir DIR`, 0, GREEN.conclusion],
  [`-- -u ${URL_V1} --report-dir DIR -q`, 0, GREEN.conclusion],
  ['--embedded -q --report-dir DIR', 0, 'Testing the embedded reference service.\n'],
  [`-u ${URL_V1} --dry-run`, 0, 'Nothing was sent. A run would send:'],
  ['--version', 0, '1.'],
  ['--help', 0, 'Common options (--help-all shows every option):'],
  ['--help-all', 0, '--request-timeout <seconds>'],
  ['serve --help', 0, '--latency <ms>'],
  ['serve --fault limit-ignord', 2, '--fault: unknown name "limit-ignord"; did you mean limit-ignored?'],
  ['serve --fault limits-ignored', 2, '--fault: "limits-ignored" is a variant; use --variant limits-ignored'],
  ['serve --variant limit-ignored', 2, '--variant: "limit-ignored" is a fault; use --fault limit-ignored'],
  ['list --only LIST-2', 0, 'LIST-2  stated  4.1'],
  ['list --json --only LIST-2', 0, '"id": "LIST-2"'],
  ['faults --json', 0, '"breaks": "'],
  ['compare --last 3', 2, '--last: has no effect without --history'],
  ['compare', 2, 'compare: missing argument; write `petstore-conformance compare BEFORE AFTER`'],
  ['compare /none /none', 2, 'compare: /none holds no conformance.json; give that file or its folder'],
  ['compare --history /none', 2, '--history: there is no history at /none'],
  ['key without-last', 0, KEY.slice(0, -1)],
  [`key twice --token-file ${UTF16}`, 0, 'Key-in-16Key-in-16'],
  [`key twice --token-file ${BOM}`, 0, 'Key-in-8Key-in-8'],
  ['key without-lost', 2, 'key: there is no credential of that name; did you mean without-last?'],
])('%s: %i', async (line, code, says) => {
  const ended = await mainWith(words(line));
  expect(ended).toMatchObject({ code, [code === 2 ? 'stderr' : 'stdout']: expect.stringContaining(says) });
  if (code === 2) expect([ended.stdout, ended.stderr.trimEnd().split('\n')]).toMatchObject(['', { length: 1 }]);
  expect(ended.stderr).not.toMatch(/secret|internal error/);
});

test.each([
  [{ PETSTORE_API_KEY: ' ' }, `-u ${URL_V1}`, 'PETSTORE_API_KEY: the variable is set but empty'],
  [{ PETSTORE_BASE_URL: '' }, '', 'PETSTORE_BASE_URL: the variable is set but empty'],
  [{}, `-u ${URL_V1}`, '--token: the target needs an API key; set PETSTORE_API_KEY'],
  [{ npm_config_base_url: URL_V1 }, '', `npm did not pass this on; write \`npm test -- --base-url ${URL_V1}\``],
  [{ ...ENVIRONMENT, HTTP_PROXY: 'socks://x:word@y' }, '-u http://a.example/v1', 'HTTP_PROXY: not the URL of a proxy'],
])('environment %j', async (environment, line, says) => {
  const ended = await mainWith(words(line), { environment });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  expect(ended.stderr).not.toContain('word');
});

test('the options that the engine receives, with defaults and with every option', async () => {
  const { received, engine } = stub();
  const dir = newFolder();
  const loadStub = async () => engine;
  await mainWith(['-u', 'https://a.example/v1/', '--report-dir', dir, '--seed', '7'], { loadEngine: loadStub });
  const all =
    '--profile thorough --only list-*,GET-2 --skip LIST-3 --concurrency 4 --rate-limit 2.5/s --request-timeout 1.5 ' +
    '--max-time 60 --max-creates 5 --read-only --settle 0 --category-id 7 --category-id -1 --today 2030-12-05 ' +
    '--fail-fast --insecure --token Other';
  const argv = ['-u', URL_V1, '--report-dir', dir, '--seed', '7', '-H', 'X-Team: a b', ...all.split(' ')];
  await mainWith(argv, { loadEngine: loadStub });
  const [usual, chosen] = received;
  expect(usual).toMatchObject({ baseUrl: 'https://a.example/v1', token: KEY, isEmbedded: false, profile: 'standard' });
  expect(usual).toMatchObject({ only: [], skip: [], concurrency: 16, requestTimeoutMs: 10_000, settleMs: 5_000 });
  expect(usual?.typed).toEqual(['--base-url https://a.example/v1', '--seed 7']);
  expect(chosen).toMatchObject({ token: 'Other', profile: 'thorough', only: ['LIST-*', 'GET-2'], skip: ['LIST-3'] });
  expect(chosen).toMatchObject({
    concurrency: 4,
    perSecond: 2.5,
    tls: { insecure: true },
    headers: [['X-Team', 'a b']],
  });
  expect(chosen).toMatchObject({ requestTimeoutMs: 1_500, maxTimeMs: 60_000, maxCreates: 5, readOnly: true });
  expect(chosen).toMatchObject({ settleMs: 0, categoryIds: [7n, -1n], today: '2030-12-05', failFast: true });
  expect(chosen?.typed).toContain('-H "X-Team: $PETSTORE_HEADER_X_TEAM"');
  expect(chosen?.typed.join(' ')).not.toMatch(/Other|a b/);
});

const target = (dir: string): readonly string[] => ['-u', URL_V1, '--report-dir', dir];

test('a run writes its reports and history, and ends with the code of its verdict', async () => {
  const dir = newFolder();
  const history = join(dir, 'history.jsonl');
  for (const [result, code] of [[GREEN, 0] as const, [RED, 1] as const, [CUT, 3] as const]) {
    const { engine } = stub(result);
    const ended = await mainWith([...target(dir), '--history', history], { loadEngine: async () => engine });
    expect(ended).toMatchObject({ code, stdout: expect.stringContaining('Reports in ') });
  }
  expect(JSON.parse(readFileSync(join(dir, 'conformance.json'), 'utf8'))).toMatchObject({ verdict: 'not tested' });
  expect(await mainWith(['compare', '--history', history])).toMatchObject({
    stdout: expect.stringMatching(/^Comparison/),
  });
});

const LONG = 'x'.repeat(230);

test.each([
  [
    '--report-dir',
    'file/reports',
    '/file/reports" cannot be written: part of the path is a file, not a folder (ENOTDIR)',
  ],
  ['--report-dir', 'ledger', '/ledger/created.jsonl" cannot be written: a folder has this name (EISDIR); name another'],
  ['--report-dir', '', '--report-dir: the path is empty; write one such as reports'],
  [
    '--history',
    'file/h',
    '/file/h" cannot be written: part of the path is a file, not a folder (ENOTDIR); name another file',
  ],
  ['--history', `${LONG}${LONG}`, '" cannot be written: the name is too long (ENAMETOOLONG); name another file'],
  ['--history', 'ledger', 'cannot be read (EISDIR)'],
  ['--history', ' ', '--history: the path is empty; write one such as history.jsonl'],
  ['--remember', 'none/r', '/none/r" cannot be written: the folder does not exist, or cannot be created (ENOENT)'],
  ['--remember', '', '--remember: the path is empty; write one such as created.jsonl'],
  ['--baseline', 'ledger', ': it is a folder; name a file in it'],
  ['--baseline', 'none', ': file not found; name one that exists'],
])('before anything is sent: %s %j', async (option, name, says) => {
  const { baseUrl, requests } = await serve();
  const dir = newFolder();
  mkdirSync(join(dir, 'ledger/created.jsonl'), { recursive: true });
  writeFileSync(join(dir, 'file'), 'mine');
  const before = readdirSync(dir, { recursive: true });
  const path = name.trim() === '' ? name : join(dir, name);
  const others = option === '--report-dir' ? [] : ['--report-dir', join(dir, 'reports')];
  const ended = await mainWith(['-u', baseUrl, option, path, ...others], { loadEngine });
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  expect(ended.stderr).toMatch(new RegExp(`^${option}: .*\\n$`));
  expect(requests).toEqual([]);
  expect([readdirSync(dir, { recursive: true }), readFileSync(join(dir, 'file'), 'utf8')]).toEqual([before, 'mine']);
});

test('trying the outputs changes no file, and leaves only the report folder behind', async () => {
  const dir = newFolder();
  const [made, kept, history] = [join(dir, 'new/reports'), join(dir, 'kept'), join(dir, 'history.jsonl')];
  mkdirSync(kept);
  writeFileSync(join(kept, 'created.jsonl'), 'a line\n');
  // The file of this link does not exist yet.
  symlinkSync(join(dir, 'of-the-link'), history);
  const found: unknown[] = [];
  const conformance: Engine['conformance'] = async () => {
    found.push(readdirSync(dir, { recursive: true }), readFileSync(join(kept, 'created.jsonl'), 'utf8'));
    return GREEN;
  };
  const loadLooking = async () => ({ ...stub().engine, conformance });
  const remember = ['--remember', join(dir, 'remembered.json'), '--history', history];
  await mainWith([...target(made), ...remember, '--report', 'md'], { loadEngine: loadLooking });
  await mainWith([...target(kept), '--report', 'md'], { loadEngine: loadLooking });
  const before = ['history.jsonl', 'kept', 'kept/created.jsonl', 'new', 'new/reports'];
  expect(found.slice(0, 2)).toEqual([expect.arrayContaining(before), 'a line\n']);
  expect(found[0]).toHaveLength(before.length);
  expect(found[3]).toBe('a line\n');
});

test('what cannot be written is reported after the verdict, with 2; a GitHub job still has its summary', async () => {
  const dir = newFolder();
  const page = join(dir, 'page.md');
  mkdirSync(join(dir, 'report.html'));
  const environment = { ...ENVIRONMENT, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
  const { code, stdout, stderr } = await mainWith(target(dir), { environment });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--report-dir: .*report\.html cannot be written: .*\n$/)]);
  expect(stdout).toMatch(/^::stop-commands::(\S+)\n[\s\S]*passed\.\n[\s\S]*::\1::\n/);
  expect(readFileSync(page, 'utf8')).toContain('Pet Store conformance');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['uncaughtException', 2],
] as const)('%s ends a run with %i, and the reports of what was tested', async (by: Interrupt, exitCode) => {
  const dir = newFolder();
  const signals = new FakeSignals();
  const conformance: Engine['conformance'] = async ({ signal, onEvent }) => {
    const createdAt = '2026-01-01T00:00:00Z';
    onEvent({
      kind: 'created',
      animal: { id: '7', fields: { name: `of ${KEY}`, status: 'sold' }, createdAt },
      run: 'abcde',
    });
    setImmediate(() => signals.emit(by, by));
    await once(signal, 'abort');
    expect(signal.reason).toBe(by);
    return CUT;
  };
  const loadInterrupted = async () => ({ ...stub().engine, conformance });
  const ended = await mainWith(target(dir), { signals, loadEngine: loadInterrupted });
  expect(ended).toMatchObject({ code: exitCode, stderr: expect.stringContaining('and the reports are written') });
  expect(existsSync(join(dir, 'junit.xml'))).toBe(true);
  const line = { id: '7', name: 'of [redacted]', time: '2026-01-01T00:00:00Z', target: URL_V1, run: 'abcde' };
  expect(JSON.parse(readFileSync(join(dir, 'created.jsonl'), 'utf8'))).toEqual(line);
  expect(signals.listenerCount(by)).toBe(0);
});

test.each([
  ['n', 2, [], 'nothing was sent'],
  ['y', 0, [], 'looks like production. The run may create up to 260 animals; they cannot be deleted. Continue? [y/N]'],
  ['', 0, ['--max-creates', '20'], 'passed'],
  ['', 0, ['--yes'], 'passed'],
] as const)('before animals are created in production, it asks: %j', async (answer, code, more, says) => {
  const argv = ['-u', 'https://pets.example.com/v1', '--report-dir', newFolder(), ...more];
  const ended = await mainWith(argv, { answer: `${answer}\n` });
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(says)]);
  const hosts = ['10.1.2.3', 'api-staging.example.com', 'dev2.example.com', 'x.test'];
  expect(hosts.filter((host) => looksLikeProduction(`http://${host}`))).toEqual([]);
});

test('a question that nobody answers within --max-time: nothing is sent, as if declined', async () => {
  const { received, engine } = stub();
  const argv = ['-u', 'https://pets.example.com/v1', '--report-dir', newFolder(), '--max-time', '0.05'];
  const ended = await mainWith(argv, { answer: null, loadEngine: async () => engine });
  const says =
    'https://pets.example.com/v1: no answer came within 0.05 s (--max-time), so nothing was sent; --read-only';
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  expect(ended.stdout).toMatch(/Continue\? \[y\/N\] .*\n$/);
  expect(received).toEqual([]);
});

test('an error of the suite itself: 2, in one line without the key', async () => {
  const failing = async () => ({ ...stub().engine, conformance: () => Promise.reject(new Error(`no ${KEY}\nhere`)) });
  const { code, stderr } = await mainWith(target(newFolder()), { loadEngine: failing });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^petstore-.*internal error .* no \[redacted\] here .*\n$/);
});

const faulty = await startReference({ token: KEY, faults: [findFault('limit-plus-one') ?? []].flat() });
afterAll(() => faulty.stop());

test('a faulty service: 1, and a service that does not come up: 3', async () => {
  const options = words('--only LIST-2 --profile smoke --report-dir DIR');
  const found = await mainWith(['-u', faulty.baseUrl, ...options], { loadEngine });
  expect(found).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ the page has .* LIST-2/) });
  const missed = await mainWith(['-u', URL_V1, '--wait-for', '0.3', ...options], { loadEngine });
  expect(missed).toMatchObject({ code: 3, stderr: `Waiting for ${URL_V1} (up to 0.3 s) …\n` });
});

test('programs: codes of errors, a partial result on abort, and what a listener throws', async () => {
  const load = async () => stub().engine;
  await expect(runWith(load, {})).rejects.toMatchObject({ code: 'target-missing' });
  await expect(runWith(load, { baseUrl: URL_V1 })).rejects.toMatchObject({ code: 'key-missing' });
  await expect(runWith(load, { embedded: true, concurrency: 65 })).rejects.toMatchObject({ code: 'value-invalid' });
  await expect(runWith(load, { embedded: true, reports: ['md'] })).rejects.toMatchObject({ code: 'option-conflict' });
  const given = { baseUrl: URL_V1, token: KEY };
  const reportDir = join(BOM, 'reports');
  await expect(runWith(load, { ...given, reportDir })).rejects.toMatchObject({ code: 'file-unwritable' });
  const events: string[] = [];
  await runWith(load, { ...given, onEvent: ({ type }) => events.push(type) });
  expect(events).toEqual(['progress', 'result']);
  await expect(runWith(load, { ...given, signal: AbortSignal.abort('why') })).rejects.toMatchObject({ cause: 'why' });
  const aborted = runWith(async () => stub(CUT).engine, given);
  await expect(aborted).rejects.toMatchObject({ code: 'run-aborted', result: { verdict: 'not tested' } });
  const throwing = () => {
    throw new TypeError('of the listener');
  };
  await expect(runWith(load, { ...given, onEvent: throwing })).rejects.toThrow('of the listener');
});
