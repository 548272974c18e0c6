import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { conformance } from '../result/conformance.ts';
import type { OnEvent } from './events.ts';
import { errorOf, findingLines, KEY, optionsFor, serve } from './service.fixture.ts';

// Services that make a run long or impossible: it ends by itself, and says nothing wrong.

test('a service that never answers getPet', async () => {
  const { baseUrl } = await serve((one, right) =>
    one.url.startsWith('/v1/pets/') && one.headers.authorization === `Bearer ${KEY}`
      ? { ...errorOf(500), hangs: true }
      : right(),
  );
  const result = await conformance(optionsFor(baseUrl, { requestTimeoutMs: 1_500 }));
  expect(findingLines(result).filter((text) => !text.startsWith('getPet did not respond within'))).toEqual([]);
  expect(findingLines(result).length).toBe(1);
});

test('a right service that is too slow for the time limit is not judged, and why is told', async () => {
  const { baseUrl } = await serve(async (_, right) => {
    await new Promise((resolve) => setTimeout(resolve, 80));
    return right();
  });
  const news: string[] = [];
  const onEvent: OnEvent = (event) => {
    if (event.kind === 'progress' && event.progress.news !== undefined) news.push(event.progress.news);
  };
  const result = await conformance(optionsFor(baseUrl, { profile: 'standard', maxTimeMs: 2_000, onEvent }));
  expect([result.exitCode, findingLines(result)]).toEqual([3, []]);
  expect(result.conclusion).toMatch(
    /^No verdict: only \d+ % of the planned requests were sent: the time limit \(--max-time\) was reached\.$/,
  );
  // Some creations may have been in flight.
  expect(result.notes.filter((note) => !/createPet requests? got no whole response/.test(note))).toEqual([]);
  expect(news).toEqual([
    expect.stringMatching(/^At \d+ ms a response, .* set --max-time \d+ or more, or use --profile smoke\.$/),
  ]);
});

test('a proxy that wants credentials from some moment on: the run ends, and says so in a sentence', async () => {
  const { baseUrl, requests: asked } = await serve(({ nth, url }, right) =>
    nth < 300 ? right({ url: url.replace(/^http:\/\/shop\.invalid/, '') }) : errorOf(407),
  );
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  vi.stubEnv('http_proxy', new URL(baseUrl).origin);
  onTestFinished(() => void vi.unstubAllEnvs());
  const result = await conformance(optionsFor('http://shop.invalid/v1'));
  expect([result.exitCode, findingLines(result)]).toEqual([3, []]);
  expect(result.conclusion).toMatch(
    /^No verdict: only \d+ % of the planned requests were sent: the proxy \S+ requires credentials \(407\)\.$/,
  );
  // What the proxy did not pass on is no request to the service, and is not sent for ever.
  expect(result.summary.requests).toBe(300);
  expect(asked.length).toBeLessThan(300 + 16 * 20);
});

/** Takes the next connection when the one before is closed. */
function oneAtATime(server: Server): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  const waiting: Socket[] = [];
  let isBusy = false;
  const next = (): void => {
    const socket = waiting.shift();
    isBusy = socket !== undefined;
    if (socket === undefined) return;
    socket.once('close', next);
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  };
  server.on('connection', (socket: Socket) => {
    waiting.push(socket);
    if (!isBusy) next();
  });
}

test('a service that serves one connection at a time', async () => {
  const { baseUrl } = await serve(undefined, oneAtATime);
  const result = await conformance(optionsFor(baseUrl, { requestTimeoutMs: 3_000 }));
  expect(findingLines(result)).toEqual([]);
  expect(result.exitCode).toBe(0);
  expect(result.notes.join(' ')).toContain('--concurrency 1');
});

test.each([
  ['status', 'control characters', '"\\u0000\\r\\n"'],
  ['status', 'a megabyte', `"${'x'.repeat(1_000_000)}"`],
  ['name', 'what stands for something in the calls of a run', '"$KEY $ID $TIMES:99999999<x> $BYTES:zz"'],
])('a service whose 201 shows the %s with %s', async (member, _, value) => {
  let isFirst = true;
  const { baseUrl } = await serve(({ method }, right) => {
    const answer = right();
    if (method !== 'POST' || answer.status !== 201 || (value.length > 1_000 && !isFirst)) return answer;
    isFirst = false;
    return { ...answer, body: answer.body.replace(new RegExp(`"${member}":"[^"]*"`), () => `"${member}":${value}`) };
  });
  const result = await conformance(optionsFor(baseUrl));
  // Whatever it says, the run ends with its reports.
  expect([result.exitCode, result.findings.length > 0]).toEqual([1, true]);
});

test.each([
  ['a string', '"id":"$1"'],
  ['a fraction', '"id":$1.5'],
  ['missing', '"no":$1'],
])('a service whose lists have ids that are %s: nothing else is said of it', async (_, id) => {
  const { baseUrl } = await serve(({ method, url }, right) => {
    const answer = right();
    const isPage = method === 'GET' && !url.startsWith('/v1/pets/') && answer.status === 200;
    return isPage ? { ...answer, body: answer.body.replace(/"id":(\d+)/g, id) } : answer;
  });
  const result = await conformance(optionsFor(baseUrl));
  expect(result.findings.map(({ requirements }) => requirements)).toEqual([['RES-4']]);
});

test('a body that the suite cannot read is not tested, and why is told', async () => {
  const many = `,"details":[${'0,'.repeat(330_000)}0]}`;
  const { baseUrl } = await serve((_, right) => {
    const answer = right();
    return answer.status === 404 ? { ...answer, body: answer.body.replace(/\}$/, many) } : answer;
  });
  const result = await conformance(optionsFor(baseUrl));
  expect(findingLines(result)).toEqual([]);
  expect(result.notes).toContainEqual(
    expect.stringMatching(
      /^\d+ responses could not be tested: the body has over 320,000 values, which is too many to read\.$/,
    ),
  );
});
