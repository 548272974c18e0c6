/** The peak memory of the whole process, against services that send far more than was asked for. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordingServer } from '../../petstore/rig.fixture.ts';
import { temporaryFolder } from '../../temporary-folder.fixture.ts';
import { PROGRAM } from './program.fixture.ts';

/** Writes the peak in kilobytes to a separate file descriptor when the process exits. */
const REPORT_PEAK = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));
`)}`;
const MAX_MEBIBYTES = 400;
const BODY_BYTES = 3_900_000;
/** After so many bytes the run is interrupted, so that it does the same on a slow machine as on a fast one. */
const ENOUGH_BYTES = 40_000_000;
/** Far longer than a run takes, on any machine. */
const TIMEOUT_MS = 600_000;

const folder = temporaryFolder();

/** How a service answers. */
interface Hostile {
  readonly body: (request: IncomingMessage, id: number) => string;
  readonly headers?: OutgoingHttpHeaders;
}

/** As many of `item` as fit into the body. */
const full = (open: string, item: (at: number) => string, close: string): string => {
  const pieces: string[] = [];
  for (let size = 0, at = 0; size < BODY_BYTES; at += 1) {
    const piece = item(at);
    pieces.push(piece);
    size += piece.length + 1;
  }
  return `${open}${pieces.join(',')}${close}`;
};

/** An animal, or a page with it, as the request asks for. */
const animal =
  (members: (id: number) => object) =>
  ({ method, url = '' }: IncomingMessage, id: number): string => {
    const pet = { id, name: 'Rex', categoryId: 1, status: 'available', ...members(id) };
    return JSON.stringify(method === 'GET' && !url.includes('/pets/') ? [pet] : pet);
  };

const constant = (body: string) => () => body;

const LONG_HEADERS = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`x-${at}`, 'v'.repeat(5_000)]));

/** What the run looks at before its checks: the service can be judged. */
const A_PAGE = '[{"id":1,"name":"Rex","categoryId":1,"status":"available"}]';

/** Answers every request but the first as given; calls `onEnough` once enough was sent. */
function answeringWith({ body, headers }: Hostile, onEnough: () => void): RequestListener {
  let answers = 0;
  let bytes = 0;
  return (request, response) => {
    request.resume().on('end', () => {
      answers += 1;
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json', ...headers });
      const text = answers === 1 ? A_PAGE : body(request, answers);
      response.end(text);
      if (bytes < ENOUGH_BYTES && bytes + text.length >= ENOUGH_BYTES) onEnough();
      bytes += text.length;
    });
  };
}

function start(argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', REPORT_PEAK, PROGRAM, ...argv], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
}

async function peakOf(child: ChildProcess): Promise<{ readonly code: unknown; readonly mebibytes: number }> {
  let kilobytes = '';
  child.stdio[3]?.on('data', (data: Buffer) => {
    kilobytes += data.toString();
  });
  const [code] = await once(child, 'close');
  return { code, mebibytes: Number(kilobytes) / 1024 };
}

test(
  'the peak memory of a run is below 400 MB against a correct service',
  async () => {
    const { code, mebibytes } = await peakOf(start(['--report-dir', join(folder, 'correct')]));
    expect(code).toBe(0);
    expect(mebibytes).toBeGreaterThan(30);
    expect(mebibytes).toBeLessThan(MAX_MEBIBYTES);
  },
  TIMEOUT_MS,
);

async function isBounded(what: string, hostile: Hostile): Promise<void> {
  const dir = join(folder, what);
  const service = await recordingServer(answeringWith(hostile, () => child.kill('SIGINT')));
  const reports = ['--report', 'junit,json,html,md,har', '--report-dir', dir];
  const patient = ['--request-timeout', '300', '--max-time', '3600'];
  const child = start(['-u', service.baseUrl, '--token', 'k', ...patient, ...reports]);
  const { code, mebibytes } = await peakOf(child);
  await service.stop();
  expect(code).toBe(130);
  expect(mebibytes).toBeGreaterThan(30);
  expect(mebibytes).toBeLessThan(MAX_MEBIBYTES);
  expect(readFileSync(join(dir, 'report.html'), 'utf8').trimEnd().endsWith('</html>')).toBe(true);
}

// Not all at once: a process that gets little of the processor collects its garbage late.
describe.concurrent('nor is it more where answers are large', () => {
  test.each<[string, Hostile]>([
    ['animals of nearly 4 MB', { body: animal((id) => ({ name: 'x'.repeat(BODY_BYTES) + id })) }],
    [
      'names of 120 KB and headers of 60 KB',
      { body: animal((id) => ({ name: 'x'.repeat(120_000) + id })), headers: LONG_HEADERS },
    ],
    ['text that is not JSON', { body: constant('x'.repeat(BODY_BYTES)) }],
  ])('against %s', isBounded, TIMEOUT_MS);
});

describe.concurrent('nor where they hold many values', () => {
  test.each<[string, Hostile]>([
    ['a million empty objects', { body: constant(full('[', () => '{}', ']')) }],
    [
      '50,000 animals in a page, with ids that a double cannot hold',
      { body: constant(full('[', (at) => `{"id":90071992547409${at},"name":"Rex ${at}","categoryId":${at}}`, ']')) },
    ],
    [
      'an object of very many members',
      { body: constant(full('{', (at) => `"a member with a long name, number ${at}":${at}`, '}')) },
    ],
  ])('against %s', isBounded, TIMEOUT_MS);
});
