/** Services, and what stands before them, that keep connections in ways of their own, and are right. */
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../http/rig.fixture.ts';
import { quickOptions, resultIn, runHere, serviceWith, violatedIn } from './run-in-process.fixture.ts';

/** The reference service behind a server that passes every connection on to it in its own way. */
async function behind(pass: (client: Socket, connectOn: () => Socket) => void): Promise<string> {
  const { baseUrl } = await serviceWith();
  const { hostname, port } = new URL(baseUrl);
  const server = await listen((client) => {
    pass(client, () => {
      const service = connect(Number(port), hostname);
      client.on('close', () => service.destroy());
      return service.on('error', () => {}).on('close', () => client.destroy());
    });
  });
  onTestFinished(() => server.stop());
  return `http://127.0.0.1:${server.port}/v1`;
}

/** A longer request may hold a name that is kept cut. */
const LONG = 8_192;

test('a connection that is closed when it was idle, though it was just used: a creation that was taken is sent again', async () => {
  let taken = 0;
  const baseUrl = await behind((client, connectOn) => {
    const service = connectOn();
    let received = 0;
    let isUsed = false;
    client.on('data', (chunk: Buffer) => {
      received += chunk.length;
      service.write(chunk);
    });
    service.on('data', (chunk: Buffer) => {
      const isTaken = isUsed && received > LONG && chunk.toString('latin1').startsWith('HTTP/1.1 201 ');
      received = 0;
      isUsed = true;
      if (!isTaken) client.write(chunk);
      else {
        taken += 1;
        client.resetAndDestroy();
      }
    });
  });
  const changes = { only: ['CREATE-*', 'RES-*'], requestTimeoutMs: 30_000, maxTimeMs: 300_000 };
  const { code, dir } = await runHere(quickOptions(baseUrl, changes));
  expect([code, violatedIn(resultIn(dir))]).toEqual([0, []]);
  expect(taken).toBeGreaterThan(0);
});

/** Serves so many connections at a time, each until it is closed; all others wait. */
const servedBy = (threads: number): Promise<string> => {
  const waiting: (() => void)[] = [];
  let free = threads;
  const serveNext = (): void => {
    while (free > 0) {
      const serve = waiting.shift();
      if (serve === undefined) return;
      serve();
    }
  };
  return behind((client, connectOn) => {
    client.pause();
    waiting.push(() => {
      if (client.destroyed) return;
      free -= 1;
      client.pipe(connectOn()).pipe(client);
      client.on('close', () => {
        free += 1;
        serveNext();
      });
    });
    serveNext();
  });
};

// With one thread, every check there is; with more of them, checks that open many connections.
test.each([
  [1, 74, []],
  [8, 15, ['LIST-*', 'SERV-*', 'AUTH-*']],
])('%i threads that serve one connection each until it is closed', async (threads, judged, only) => {
  // As long as by default: on a busy machine, an answer may take long.
  const changes = { only, requestTimeoutMs: 10_000, maxTimeMs: 300_000 };
  const { code, dir } = await runHere(quickOptions(await servedBy(threads), changes));
  expect([code, violatedIn(resultIn(dir))]).toEqual([0, []]);
  expect(resultIn(dir).summary.judged).toBeGreaterThanOrEqual(judged);
});
