/**
 * What was learnt about connections at some cost, and no other test holds: raw servers, what is sent to them, and what is
 * seen and said. Whoever builds connections anew begins here.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { NetworkOptions } from '../http/network.ts';
import { listen, raw, response, type Script, SOON, times } from '../http/rig.fixture.ts';
import { heardAs, sessionTo } from './session.fixture.ts';

const OK = response(200);
/** What HAProxy, Jetty and fasthttp write to an idle connection before they close it (RFC 9110, 15.5.9). */
const NOTICE = response(408, 'late', ['connection: close']);

const answer = (socket: Socket): unknown => socket.write(OK);
const reset = (socket: Socket): unknown => socket.resetAndDestroy();
const isOdd = (request: string): boolean => request.includes('?odd');
const isFirstAdd = (request: string): boolean => heardAs(request) === 'add';
/** Lets an unlucky request meet something once; whatever is sent later is answered. */
const once =
  (unlucky: number, meets: (socket: Socket) => unknown): Script =>
  (socket, _, nth) =>
    nth === unlucky ? meets(socket) : answer(socket);

/** Closes idle connections; until then, whatever comes second on one crosses the close. */
const closingIdle =
  (milliseconds: number): Script =>
  (socket, _, __, onConnection) => {
    if (onConnection > 0) return reset(socket);
    setTimeout(() => socket.destroy(), milliseconds);
    return answer(socket);
  };

/** Has one place, which is free again only a few milliseconds after the client closed its side. */
function slowToClose(): Script {
  let open = 0;
  return (socket, _, __, onConnection) => {
    if (onConnection === 0) {
      open += 1;
      socket.allowHalfOpen = true;
      socket.on('end', () => setTimeout(() => socket.end(), 5)).on('close', () => (open -= 1));
    }
    socket.write(open > 1 ? response(503) : OK);
  };
}

/** Answers some requests as if after two seconds, by the clock that the suite reads, and once it closed the connection before. */
function late(isLate: (request: string, nth: number) => boolean): Script {
  const now = performance.now.bind(performance);
  let lateBy = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + lateBy);
  onTestFinished(() => void vi.restoreAllMocks());
  let before: Socket | undefined;
  return (socket, request, nth) => {
    if (before !== socket) before?.end();
    before = socket;
    if (isLate(request, nth)) lateBy += 2_000;
    setTimeout(() => answer(socket), 5);
  };
}

/** Closes a connection at what comes after one certain request. */
function spoiledByOdd(): Script {
  const spoilt = new WeakSet<Socket>();
  return (socket, request) => {
    if (spoilt.has(socket)) return reset(socket);
    if (isOdd(request)) spoilt.add(socket);
    return answer(socket);
  };
}

/** Longer than all that went before; what came meanwhile, such as the end of a connection, is read. */
async function pause(since: number): Promise<void> {
  await wait(10 + performance.now() - since);
  await turn();
}

/**
 * What is sent in one step: calls in turn on a kept connection, or on a new one; several texts are sent at once, each on
 * a connection of its own.
 */
type Step = 'pause' | string | readonly string[];

interface Noted {
  /** What the server received, those sent again included. */
  readonly heard?: readonly string[];
  readonly requests?: number;
  readonly connections?: number;
  /** To how many connections the run was reduced. */
  readonly reducedTo?: number | undefined;
}

// biome-ignore format: one table
const LESSONS: readonly (readonly [
  lesson: string, network: Partial<NetworkOptions>, server: () => Script, sent: readonly Step[], checked: readonly string[], noted: Noted,
])[] = [
  // A notice of closing.
  [
    'a notice of closing on an idle connection says nothing of a request, but that the service closes idle connections',
    {}, () => (socket, _, nth) => { answer(socket); if (nth === 0) setTimeout(() => socket.end(NOTICE), 2); },
    ['list', 'pause', 'odd', 'pause', 'odd'],
    ['list 200', 'odd 200', 'odd 200'], { heard: ['list', 'odd', 'odd'] },
  ],
  [
    'a notice that crosses a request is no response to it: a creation is sent again as a new one',
    {}, () => once(1, (socket) => socket.end(NOTICE)), ['list', 'add'],
    ['list 200', 'add 200'], { heard: ['list', 'add', 'add again'], connections: 2 },
  ],
  [
    'a notice that comes again on a new connection is the response',
    {}, () => (socket, request) => (isOdd(request) ? socket.end(NOTICE) : answer(socket)), ['list', 'odd'],
    ['list 200', 'odd 408'], { heard: ['list', 'odd', 'odd'] },
  ],
  [
    'half a notice is half a response',
    {}, () => once(1, (socket) => socket.end(NOTICE.slice(0, -1))), ['list', 'odd'],
    ['list 200', 'odd wrong-length'], { heard: ['list', 'odd'] },
  ],
  [
    'a 408 that announces no close is no notice',
    {}, () => once(1, (socket) => socket.write(response(408))), ['list', 'odd'],
    ['list 200', 'odd 408'], { heard: ['list', 'odd'] },
  ],
  [
    'a 408 on a new connection, which was never idle, is no notice',
    {}, () => once(0, (socket) => socket.end(NOTICE)), ['odd'],
    ['odd 408'], { heard: ['odd'] },
  ],

  // When a service closes a connection.
  [
    'a connection that was idle is closed in place of a response: the request is sent again, a creation as a new one, and behind a control',
    {}, () => once(1, reset), ['list', 'pause', 'add'],
    ['list 200', 'add 200'], { heard: ['list', 'add', 'add again', 'list', 'add again'] },
  ],
  [
    'a new connection is closed, too: it is the service',
    {}, () => (socket, request) => (isOdd(request) ? reset(socket) : answer(socket)), ['list', 'pause', 'odd'],
    ['list 200', 'odd reset', 'odd reset'], {},
  ],
  [
    'whatever is sent second on a connection is not answered, as the control shows: it is the service',
    {}, () => (socket, _, __, onConnection) => (onConnection > 0 ? reset(socket) : answer(socket)), ['list', 'pause', 'odd'],
    ['list 200', 'list 200', 'odd reset'], {},
  ],
  [
    'one request alone is not answered where it comes second, as the control shows: it is the service',
    {}, () => (socket, request, _, onConnection) => (isOdd(request) && onConnection > 0 ? reset(socket) : answer(socket)), ['list', 'pause', 'odd'],
    ['list 200', 'list 200', 'odd reset'], {},
  ],
  [
    'a request spoils its connection, though it stays open until the next one: it is the service',
    {}, spoiledByOdd, ['odd', 'pause', 'list'],
    ['odd 200', 'odd 200', 'list reset'], {},
  ],
  [
    'a close that a response announces does not show that idle connections are closed',
    {}, () => once(0, (socket) => socket.end(response(200, '[]', ['connection: close']))),
    ['list', 'pause', 'odd', 'pause', 'odd'],
    ['list 200', 'odd 200', 'odd 200'], { connections: 2 },
  ],
  [
    'a service may close each connection after ten responses, just as the next request comes',
    {}, () => (socket, _, __, onConnection) => (onConnection < 10 ? answer(socket) : reset(socket)),
    times(15, () => 'list'),
    times(15, () => 'list 200'), {},
  ],
  [
    'a service may close what was idle for 5 ms: only a rest shows that it was not the request',
    {}, () => closingIdle(5), ['list', 'odd'],
    ['list 200', 'odd 200'], {},
  ],
  [
    'a service may close what was idle for 50 ms: only a longer rest shows it',
    {}, () => closingIdle(50), ['list', 'odd'],
    ['list 200', 'odd 200'], {},
  ],
  [
    'why a connection was closed is found out twelve times, however often it happens',
    { connections: 2 }, () => (socket, request, _, onConnection) => (isFirstAdd(request) && onConnection > 0 ? reset(socket) : answer(socket)),
    times(14, () => 'new list add'),
    times(14, () => ['list 200', 'add 200']).flat(), { requests: 12 * 5 + 2 * 3 },
  ],
  [
    'a connection is opened when the one before is closed on both sides: a service with N places never sees N + 1',
    {}, slowToClose, ['list', 'new odd', 'list', 'new list odd'],
    ['list 200', 'odd 200', 'list 200', 'list 200', 'odd 200'], { connections: 4 },
  ],

  // How many connections a service serves.
  [
    'a new connection is reset while no more are open than were served at once: it is the service',
    { connections: 2 }, () => once(2, reset), [['list', 'list'], 'new odd'],
    ['list 200', 'list 200', 'odd reset'], { heard: ['list', 'list', 'odd'], reducedTo: undefined },
  ],
  [
    'two creations wait for each other while no more are open than were served at once: it is the service',
    { connections: 2, ...SOON }, () => (socket, request) => isFirstAdd(request) || answer(socket), [['list', 'list'], ['new add', 'new add']],
    ['list 200', 'list 200', 'add timeout', 'add timeout'], { heard: ['list', 'list', 'add', 'add'], reducedTo: undefined },
  ],
  [
    'a connection that has answered is not one too many: silence on it is the service, whatever a new one waits for',
    { connections: 2, ...SOON }, () => (socket, request) => isFirstAdd(request) || answer(socket), ['list', ['add', 'add']],
    ['list 200', 'add timeout', 'add 200'], { heard: ['list', 'add', 'add', 'add again'], reducedTo: 1 },
  ],
  [
    'what waits on a connection too many is not counted among the time-outs after which an operation is given up',
    { connections: 8, ...SOON }, () => (socket, _, nth) => (nth >= 1 && nth <= 8) || answer(socket), ['list', times(7, () => 'new odd')],
    ['list 200', 'odd timeout', ...times(6, () => 'odd 200')], { requests: 1 + 7 + 7, reducedTo: 1 },
  ],
  [
    'a late response on a new connection shows that it waited for another one to be closed',
    { connections: 2 }, () => late(isOdd), ['list', 'new odd'],
    ['list 200', 'odd 200'], { heard: ['list', 'odd', 'list'], reducedTo: 1 },
  ],
  [
    'a late response shows nothing where the plain call is as late when it is sent alone',
    { connections: 2 }, () => late((_, nth) => nth > 0), ['list', 'new odd'],
    ['list 200', 'odd 200'], { heard: ['list', 'odd', 'list'], reducedTo: undefined },
  ],
];

test.each(LESSONS)('%s', async (_, changes, server, sent, checked, noted) => {
  const service = await raw(server());
  const { network, ...session } = sessionTo(service.port, changes);
  const send = (text: string, at: number) =>
    text.startsWith('new ') ? session.send(text.slice('new '.length), at + 1, true) : session.send(text, at);
  const started = performance.now();
  for (const step of sent) {
    if (step === 'pause') await pause(started);
    else await Promise.all([step].flat().map(send));
  }
  const all: Noted = {
    heard: service.heard.map(heardAs),
    requests: service.heard.length,
    connections: service.counts.connections,
    reducedTo: network.reduced?.to,
  };
  expect({ checked: session.shown(), ...all }).toEqual({ checked, ...all, ...noted });
});

describe('a service that serves fewer connections than there are', () => {
  /** Serves so many at once; closes the others, or lets them wait. */
  function serving(most: number, other: 'closed' | 'waiting'): Server {
    const open: Socket[] = [];
    const serve = (socket: Socket | undefined): void => {
      socket?.on('data', () => answer(socket)).resume();
    };
    return createServer((socket) => {
      if (open.length >= most && other === 'closed') return void socket.resetAndDestroy();
      socket.pause().on('close', () => {
        const place = open.indexOf(socket);
        open.splice(place, 1);
        if (place < most) serve(open[most - 1]);
      });
      if (open.push(socket) <= most) serve(socket);
    });
  }

  test.each([
    ['ten, and closes the others', 10, 'closed', 16],
    ['one, while the others wait', 1, 'waiting', 4],
  ] as const)('%s', async (_, most, other, connections) => {
    const { port } = await listen(serving(most, other));
    const { send, shown, network } = sessionTo(port, { connections, requestTimeoutMs: 1_500 });
    await Promise.all(times(3 * connections, (at) => send('add', at % connections)));
    expect(new Set(shown())).toEqual(new Set(['add 200']));
    expect(network.reduced?.to).toBeLessThanOrEqual(most);
    expect(network.reduced?.to).toBeGreaterThanOrEqual(Math.min(most, 4));
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
