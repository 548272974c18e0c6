import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { answer, bytesOf, JSON_TYPE, LIST, listen, testClient } from './rig.fixture.ts';

/**
 * A server in a thread of its own, so that it closes a connection while the client still writes. It answers 401 at the
 * first bytes of a body, and closes at once.
 */
const SERVER = `
  const { parentPort } = require('node:worker_threads');
  const answer = (status) =>
    'HTTP/1.1 ' + status + ' X\\r\\ncontent-type: application/json\\r\\ncontent-length: 2\\r\\n\\r\\n{}';
  const server = require('node:net').createServer({ noDelay: true, highWaterMark: 256 }, (socket) => {
    let text = '';
    socket.on('error', () => {}).on('data', (piece) => {
      text += piece.toString('latin1');
      const end = text.indexOf('\\r\\n\\r\\n');
      if (end < 0) return;
      if (text.startsWith('GET')) {
        text = '';
        socket.write(answer(200));
      } else if (text.length > end + 4) {
        socket.pause();
        socket.write(answer(401), () => socket.destroy());
      }
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let server: Worker;
let baseUrl: string;
beforeAll(async () => {
  server = new Worker(SERVER, { eval: true });
  const [port] = await once(server, 'message');
  baseUrl = `http://127.0.0.1:${port}/v1`;
});
afterAll(() => server.terminate());

const post = (bytes: number, chunked: boolean) => ({
  ...LIST,
  operation: 'create',
  method: 'POST',
  contentType: JSON_TYPE,
  body: bytesOf('x'.repeat(bytes)),
  chunked,
});

const TIMES = 500;
const AT_ONCE = 8;

describe('an answer before the request was sent to its end, and the end of the connection with it, is read', () => {
  const FORMS = [
    ['with a length', post(2_000, false)],
    ['with a length, over 64 KiB', post(3_000_000, false)],
    ['in chunks', post(2_000, true)],
    ['in chunks, over 64 KiB', post(200_000, true)],
  ] as const;

  test.each(
    FORMS.flatMap(([form, request]) => [[form, 'a new', request] as const, [form, 'a used', request] as const]),
  )('a body %s, on %s connection', async (_form, connection, request) => {
    const client = testClient(baseUrl);
    const isUsed = connection === 'a used';
    const counts = new Map<string, number>();
    const inTurn = async (): Promise<void> => {
      for (let turn = 0; turn < TIMES / AT_ONCE; turn += 1) {
        const sent = await client.sendOnOneConnection(isUsed ? [LIST, request] : [request]);
        const last = sent.at(-1);
        const { answer: given, resent }: Exchange = await (last?.status === 'fulfilled'
          ? last.value
          : client.send(request));
        const what = `${given.kind === 'response' ? given.status : given.code}${resent ? ', sent twice' : ''}`;
        counts.set(what, (counts.get(what) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, inTurn));
    await client.close();
    expect(Object.fromEntries(counts)).toEqual({ 401: AT_ONCE * Math.ceil(TIMES / AT_ONCE) });
  });
});

describe('a connection that ends before the request was sent to its end, without an answer', () => {
  const LONG = post(16_000_000, false);

  /** Reads the start of so many requests, and resets their connections; answers all others. */
  const resetting = (times: number) => {
    let left = times;
    return listen((socket) =>
      socket.once('data', () => {
        left -= 1;
        if (left >= 0) socket.resetAndDestroy();
        else socket.resume().write(answer(401));
      }),
    );
  };

  test.each([
    ['once: the request is sent again', 1, 401],
    ['each time: reported', 2, 'reset'],
  ])('%s', async (_what, times, outcome) => {
    const silent = await resetting(times);
    const client = testClient(`http://127.0.0.1:${silent.port}/v1`);
    const { answer: given, resent } = await client.send(LONG);
    expect([given.kind === 'response' ? given.status : given.code, resent]).toEqual([outcome, true]);
    await client.close();
    await silent.stop();
  });
});
