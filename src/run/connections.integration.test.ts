import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { listen, raw, response, type Script, SOON, times } from '../http/rig.fixture.ts';
import { heardAs, sessionTo } from './session.fixture.ts';

/** Sends calls in turn on one connection, each after a pause, and says what was checked. */
async function inTurn(script: Script, words: readonly string[], pauseMs = 10) {
  const service = await raw(script);
  const { send, shown } = sessionTo(service.port, SOON);
  for (const word of words) {
    await send(word, 0);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return { shown: shown(), heard: service.heard.map(heardAs) };
}

const answer = (socket: Socket): unknown => socket.write(response(200));
const reset = (socket: Socket): unknown => socket.resetAndDestroy();
const isOdd = (request: string): boolean => request.includes('?odd');

describe('a connection that had answered is closed in place of a response', () => {
  test('once, as it was idle: the request is sent again, and nothing is said', async () => {
    const { shown } = await inTurn((socket, _, nth) => (nth === 1 ? reset(socket) : answer(socket)), ['list', 'odd']);
    expect(shown).toEqual(['list 200', 'odd 200']);
  });

  test('a creation is sent again as a new one', async () => {
    const { shown, heard } = await inTurn(
      (socket, _, nth) => (nth === 1 ? reset(socket) : answer(socket)),
      ['list', 'add'],
    );
    expect(shown).toEqual(['list 200', 'add 200']);
    expect(heard.slice(0, 3)).toEqual(['list', 'add', 'add again']);
  });

  test('and so is a new one: it is the service', async () => {
    const { shown } = await inTurn((socket, text) => (isOdd(text) ? reset(socket) : answer(socket)), ['list', 'odd']);
    expect(shown).toEqual(['list 200', 'odd reset', 'odd reset']);
  });

  test('because of the request, as the control shows', async () => {
    const { shown } = await inTurn(
      (socket, text, _, onConnection) => (isOdd(text) && onConnection > 0 ? reset(socket) : answer(socket)),
      ['list', 'odd'],
    );
    expect(shown).toEqual(['list 200', 'list 200', 'odd reset']);
  });

  test('because of the request before it, though the connection was open until then: it is the service', async () => {
    const spoilt = new WeakSet<Socket>();
    const { shown } = await inTurn(
      (socket, text) => {
        if (spoilt.has(socket)) return reset(socket);
        if (isOdd(text)) spoilt.add(socket);
        return answer(socket);
      },
      ['odd', 'list'],
    );
    expect(shown).toEqual(['odd 200', 'odd 200', 'list reset']);
  });

  test('whatever is sent second on a connection: it is the service', async () => {
    const { shown } = await inTurn(
      (socket, _, __, onConnection) => (onConnection > 0 ? reset(socket) : answer(socket)),
      ['list', 'odd'],
    );
    expect(shown).toEqual(['list 200', 'list 200', 'odd reset']);
  });

  test('as it is closed after each response: nothing is said, and soon each request has its own', async () => {
    const { shown, heard } = await inTurn(
      (socket, _, __, onConnection) => {
        if (onConnection === 0) answer(socket);
        setTimeout(() => socket.destroy(), 2);
      },
      times(20, () => 'list'),
      0,
    );
    expect(shown).toEqual(times(20, () => 'list 200'));
    expect(heard.length).toBeLessThan(20 + 10);
  });
});

describe('a service that serves fewer connections than there are', () => {
  /** Sends three calls on each of as many connections. */
  async function onAll(port: number, connections: number, word: string, changes = {}) {
    const { send, shown, network } = sessionTo(port, { connections, ...changes });
    await Promise.all(times(3 * connections, (at) => send(word, at % connections)));
    return { seen: new Set(shown()), network };
  }

  test.each(['list', 'add'])('ten, and closes the others (%s)', async (one) => {
    let open = 0;
    const server = createServer((socket) => {
      if (++open > 10) socket.resetAndDestroy();
      socket
        .on('close', () => (open -= 1))
        .on('data', () => socket.write(response(200)))
        .on('error', () => {});
    });
    const { seen, network } = await onAll((await listen(server)).port, 16, one);
    expect(seen).toEqual(new Set([`${one} 200`]));
    expect(network.reduced?.to).toBeLessThanOrEqual(10);
    expect(network.reduced?.to).toBeGreaterThanOrEqual(4);
  });

  test.each(['list', 'add'])('one, while the others wait (%s)', async (one) => {
    const waiting: Socket[] = [];
    const serveNext = (): void => {
      waiting[0]?.on('data', () => waiting[0]?.write(response(200))).resume();
    };
    const server = createServer((socket) => {
      socket.pause().on('close', () => {
        const wasServed = waiting[0] === socket;
        waiting.splice(waiting.indexOf(socket), 1);
        if (wasServed) serveNext();
      });
      if (waiting.push(socket) === 1) serveNext();
    });
    const { seen, network } = await onAll((await listen(server)).port, 4, one, { requestTimeoutMs: 1_500 });
    expect(seen).toEqual(new Set([`${one} 200`]));
    expect(network.reduced).toEqual({ to: 1, because: expect.any(String) });
  });

  test('but not one that never answers creations, of which two are sent again', async () => {
    const service = await raw((socket, text) => void (text.startsWith('GET') && answer(socket)));
    const { send, shown, network } = sessionTo(service.port, { connections: 8, ...SOON });
    await Promise.all(times(4, (at) => send('list', at)));
    await Promise.all(times(8, (at) => send('add', at)));
    expect(shown().slice(4)).toEqual(times(8, () => 'add timeout'));
    expect(network.reduced).toBeUndefined();
    expect(service.heard.length).toBe(4 + 8 + 2);
  });
});
