/**
 * `npm run bench`: measures the whole command, and prints a Markdown table. This program is also the service and the bare
 * client that sends the requests of a run, each in a process of its own.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { entryPoint, PACKAGE_ROOT } from '../package.ts';
import type { Exchange } from '../reading/exchange.ts';
import { override } from '../reference/changes.ts';
import { startReference } from '../reference/index.ts';
import type { Variant } from '../reference/steps.ts';
import type { Profile } from '../run/budget.ts';
import type { RunEvent } from '../run/events.ts';

const KEY = 'Bench-3f9c27d1a85be640-Key';
const CONNECTIONS = 16;
const [THIS_CHECKOUT, THIS_PROGRAM] = [fileURLToPath(PACKAGE_ROOT), entryPoint('bench')];

/** A request as it arrived. The body is in Base64. */
type Recorded = Record<'method' | 'path' | 'body', string> & {
  readonly headers: string[];
  readonly isChunked: boolean;
};

interface ServiceOptions {
  readonly latencyMs?: number;
  /** How many animals it starts with. */
  readonly seedAnimals?: number;
  /** The file to record requests in. */
  readonly recordsIn?: string;
}

/** Of all processes of a command: times in milliseconds, and the largest resident set in bytes. */
type Sample = Readonly<Record<'wall' | 'processor' | 'peak' | 'requests' | 'exitCode', number>>;

/** Headers that the client sets itself for each connection. */
const CONNECTION_HEADERS = /^(connection|keep-alive|host|transfer-encoding|content-length|expect)$/i;

async function serve({ recordsIn, ...options }: ServiceOptions): Promise<void> {
  const requests: Recorded[] = [];
  const recording: Variant = {
    name: 'recording',
    says: 'keeps every request',
    chooses: 'SERV-1',
    change: override('configure', (original) => (server, service) => {
      original(server, service);
      server.prependListener('request', (incoming) => {
        const { method = 'GET', url: path = '/', rawHeaders: raw } = incoming;
        const headers = raw.filter((_, at) => !CONNECTION_HEADERS.test(raw[at - (at % 2)] ?? ''));
        const isChunked = incoming.headers['transfer-encoding'] !== undefined;
        const request: Recorded = { method, path, headers, isChunked, body: '' };
        requests.push(request);
        const chunks: Buffer[] = [];
        // Records the body whether the service reads it or not.
        const push = incoming.push.bind(incoming);
        incoming.push = (chunk: unknown, ...more) => {
          if (Buffer.isBuffer(chunk)) chunks.push(chunk);
          request.body = Buffer.concat(chunks).toString('base64');
          return push(chunk, ...more);
        };
      });
    }),
  };
  const { baseUrl } = await startReference({
    token: KEY,
    ...options,
    variants: recordsIn === undefined ? [] : [recording],
  });
  process.once('disconnect', () => {
    if (recordsIn !== undefined) writeFileSync(recordsIn, JSON.stringify(requests));
    process.exit();
  });
  process.send?.(baseUrl);
}

/** The least that a run could cost: the same requests on as many connections, with every response discarded. */
async function sendBare(file: string, baseUrl: string): Promise<void> {
  const recorded: readonly Recorded[] = JSON.parse(readFileSync(file, 'utf8'));
  const pool = new Pool(new URL(baseUrl).origin, { connections: CONNECTIONS });
  const waiting = recorded.values();
  const send = async (): Promise<void> => {
    for (const { method, path, headers, isChunked, body } of waiting) {
      const bytes = body === '' ? null : Buffer.from(body, 'base64');
      const sent = { method, path, headers, body: isChunked && bytes ? Readable.from([bytes]) : bytes };
      const response = await pool.request(sent).catch(() => undefined);
      await response?.body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await pool.close();
}

async function withService<T>(served: ServiceOptions, use: (baseUrl: string) => T) {
  const child = fork(THIS_PROGRAM, ['service', JSON.stringify(served)]);
  try {
    const [baseUrl]: unknown[] = await once(child, 'message');
    return await use(String(baseUrl));
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

/** Loaded into every process of a command, it writes the resource usage to a file on exit. */
const hookFor = (folder: string): string =>
  `data:text/javascript,${encodeURIComponent(`
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.once('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { processor: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 };
  writeFileSync(${JSON.stringify(folder)} + '/' + process.pid, JSON.stringify(usage));
});`).replaceAll("'", '%27')}`;

async function measure(argv: readonly string[], scratch: string): Promise<Sample> {
  const folder = mkdtempSync(join(scratch, 'usage-'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^PETSTORE_/i.test(name));
  const env = { ...Object.fromEntries(inherited), PETSTORE_API_KEY: KEY, NODE_OPTIONS: `--import=${hookFor(folder)}` };
  const started = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 });
  const [exitCode]: unknown[] = await once(child, 'exit');
  const wall = performance.now() - started;
  const usages: readonly Pick<Sample, 'processor' | 'peak'>[] = readdirSync(folder).map((name) =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  const processor = usages.reduce((sum, one) => sum + one.processor, 0);
  const peak = Math.max(...usages.map((one) => one.peak));
  return { wall, processor, peak, requests: 0, exitCode: Number(exitCode) };
}

/** Measures a run of the suite in a checkout. */
async function measureRun(checkout: string, options: readonly string[], scratch: string): Promise<Sample> {
  const folder = mkdtempSync(join(scratch, 'reports-'));
  const program = join(checkout, 'src/cli/petstore-conformance.cjs');
  const argv = [program, ...options, '--report-dir', folder, '--report', 'json', '-q'];
  const sample = await measure(argv, scratch);
  const file = join(folder, 'conformance.json');
  if (!existsSync(file)) throw new Error(`exit code ${sample.exitCode}, and no result: ${argv.join(' ')}`);
  const { summary } = JSON.parse(readFileSync(file, 'utf8'));
  return { ...sample, requests: summary.requests };
}

/** How many requests are in flight on average, stage by stage, in a run of this checkout. */
async function inFlightByStage(baseUrl: string, profile: Profile, seed: number): Promise<string> {
  const stages: { readonly stage: string; readonly from: number }[] = [];
  const exchanges: Pick<Exchange, 'sentAt' | 'answeredAt'>[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'stage') stages.push({ stage: event.stage, from: performance.now() });
    if (event.kind === 'checked') exchanges.push(event.checked.exchange);
  };
  // The bare client, which is this program too, loads none of it.
  const { conformance } = await import('../result/conformance.ts');
  const { plainOptions } = await import('../cli/options/run-settings.ts');
  await conformance(plainOptions({ baseUrl, token: KEY, seed, today: '2026-01-01', profile, onEvent }));
  const end = Math.max(...exchanges.map(({ answeredAt }) => answeredAt));
  const texts = stages.map(({ stage, from }, at) => {
    const to = stages[at + 1]?.from ?? end;
    const within = exchanges.map(({ sentAt, answeredAt }) => Math.min(answeredAt, to) - Math.max(sentAt, from));
    const busyMs = within.reduce((sum, milliseconds) => sum + Math.max(0, milliseconds), 0);
    return `${stage} ${(busyMs / (to - from)).toFixed(1)} for ${((to - from) / 1_000).toFixed(1)} s`;
  });
  return texts.join(' · ');
}

type Case = readonly [name: string, options: readonly string[], served: ServiceOptions, hasFloor: boolean];
const CASES: readonly Case[] = [
  ['smoke', ['--profile', 'smoke'], {}, true],
  ['standard', [], {}, true],
  ['thorough', ['--profile', 'thorough', '--yes'], {}, true],
  ['smoke, 120 ms a response', ['--profile', 'smoke'], { latencyMs: 120 }, false],
  ['standard, 120 ms a response', [], { latencyMs: 120 }, false],
  ['standard, one at a time, 50 ms', ['--concurrency', '1'], { latencyMs: 50 }, false],
  ['standard, 1,000,000 animals', [], { seedAnimals: 1_000_000 }, false],
];

async function bench(): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { only: text, runs: text, seed: text, against: text } as const;
  const { only = '', runs = '3', seed = '1729', against } = parseArgs({ options }).values;
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const checkouts = against === undefined ? [THIS_CHECKOUT] : [THIS_CHECKOUT, resolve(against)];
  const print = (...cells: readonly string[]): boolean => process.stdout.write(`| ${cells.join(' | ')} |\n`);
  const machine = `${cpus().length} cores, Node.js ${process.versions.node}`;
  process.stdout.write(`Medians of ${runs}, seed ${seed}, ${machine}\n\n`);
  print('the whole command', 'wall', 'processor', 'peak memory', 'requests', 'exit code');
  print('---', '---', '---', '---', '---', '---');
  for (const [name, given, served, hasFloor] of CASES.filter(([one]) => one.includes(only))) {
    const file = join(scratch, 'requests.json');
    const run = (checkout: string) => (baseUrl: string) =>
      measureRun(checkout, [...given, '--seed', seed, '--base-url', baseUrl], scratch);
    // Records what the bare client sends.
    if (hasFloor) await withService({ ...served, recordsIn: file }, run(THIS_CHECKOUT));
    const measured = [
      ...checkouts.map(
        (checkout) => [checkout === THIS_CHECKOUT ? name : `${name} (${against})`, run(checkout)] as const,
      ),
      ...(hasFloor
        ? [['bare undici', (baseUrl: string) => measure([THIS_PROGRAM, 'bare', file, baseUrl], scratch)] as const]
        : []),
    ];
    const samples = measured.map((): Sample[] => []);
    for (let round = 0; round < Number(runs); round += 1) {
      for (const [at, [, take]] of measured.entries()) samples[at]?.push(await withService(served, take));
    }
    for (const [at, [title]] of measured.entries()) {
      const of = samples[at] ?? [];
      const median = (figure: keyof Sample): number =>
        of.map((one) => one[figure]).toSorted((one, other) => one - other)[Math.floor(of.length / 2)] ?? 0;
      const seconds = (figure: 'wall' | 'processor'): string => `${(median(figure) / 1_000).toFixed(2)} s`;
      const memory = `${Math.round(median('peak') / 1e6)} MB`;
      const counts = [median('requests') || '', median('exitCode')].map(String);
      print(title, seconds('wall'), seconds('processor'), memory, ...counts);
    }
    if (served.latencyMs !== undefined && !given.includes('--concurrency')) {
      const profile = name.startsWith('smoke') ? 'smoke' : 'standard';
      print(`in flight: ${await withService(served, (baseUrl) => inFlightByStage(baseUrl, profile, Number(seed)))}`);
    }
  }
}

const [role, first = '', second = ''] = process.argv.slice(2);
if (role === 'service') await serve(JSON.parse(first));
else if (role === 'bare') await sendBare(first, second);
else await bench();
