import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { choosing, combine, everyResponse, onEveryNth, override, type ResponseFilter } from '../changes.ts';
import type { Variant } from '../steps.ts';
import { closing, readingFirst } from './builders.ts';

const configuring = (set: (server: Server) => void) =>
  override('configure', (original) => (server, service) => {
    original(server, service);
    set(server);
  });

/** Serves so many connections at once; further ones wait until one closes, as they do in a backlog. */
const othersWait = (most: number) =>
  configuring((server) => {
    const listeners = server.listeners('connection');
    const waiting: Socket[] = [];
    let open = 0;
    const serveNext = (): void => {
      const socket = open < most ? waiting.shift() : undefined;
      if (socket === undefined) return;
      // The other side closed it while it waited, and had sent nothing.
      if (socket.readableEnded) socket.destroy();
      if (!socket.destroyed) {
        open += 1;
        socket.once('close', () => {
          open -= 1;
          serveNext();
        });
        for (const listener of listeners) Reflect.apply(listener, server, [socket]);
      }
      serveNext();
    };
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      waiting.push(socket.on('error', () => {}));
      serveNext();
    });
  });

/** Serves so many connections at once, and closes others as soon as they are accepted. */
const othersClosed = (most: number) =>
  configuring((server) => {
    server.maxConnections = most;
  });

/** Closes connections that were idle for so long. Node.js would wait a second more than its `keepAliveTimeout`. */
const idleFor = (milliseconds: number) =>
  override('send', (original) => (response, call) => {
    call.outgoing.once('finish', () => call.incoming.socket.setTimeout(milliseconds));
    return original(response, call);
  });

/** Closes the connection after some responses, which do not announce it. */
const closingUnannounced = (which: ResponseFilter) =>
  combine(
    override('send', (original) => (response, call) => {
      if (which(response, call)) call.outgoing.once('finish', () => call.incoming.socket.destroySoon());
      return original(response, call);
    }),
    readingFirst,
  );

const NOTICE = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Writes a notice to a connection that was idle for so long, and closes it. */
const noticeAfter = (milliseconds: number) =>
  combine(
    idleFor(milliseconds),
    configuring((server) => {
      server.on('timeout', (socket) => {
        socket.write(NOTICE);
        socket.destroySoon();
      });
    }),
  );

/** How many connections are served, and when they are closed. */
// biome-ignore format: one table
export const connectionVariants: readonly Variant[] = [
  ...choosing('SERV-5', {
    'connections-above-16-wait': ['16 connections are served at once; others wait until one closes.', othersWait(16)],
    'connections-above-8-wait': ['Eight connections are served at once; others wait until one closes.', othersWait(8)],
    'connections-above-4-wait': ['Four connections are served at once; others wait until one closes.', othersWait(4)],
    'connections-above-1-wait': ['One connection is served at a time; others wait until it closes.', othersWait(1)],
    'connections-above-16-closed': ['16 connections are served at once; others are closed when they are accepted.',
      othersClosed(16)],
    'connections-above-8-closed': ['Eight connections are served at once; others are closed when they are accepted.',
      othersClosed(8)],
    'connections-above-4-closed': ['Four connections are served at once; others are closed when they are accepted.',
      othersClosed(4)],
    'connections-above-1-closed': ['One connection is served at a time; others are closed when they are accepted.',
      othersClosed(1)],
    'eight-workers': [
      'Eight workers serve one connection each, and close it after 5 s without a request; others wait in the backlog.',
      combine(othersWait(8), idleFor(5_000))],
    'connection-closed-unannounced': ['Every response is followed by the end of its connection, which it does not announce.',
      closingUnannounced(everyResponse)],
    'connection-closed-after-one-in-10': ['One response in ten announces the end of its connection.',
      onEveryNth(10, closing)],
    'connection-closed-unannounced-after-one-in-10': [
      'One response in ten is followed by the end of its connection, which it does not announce.',
      onEveryNth(10, closingUnannounced)],
    'idle-connections-closed-at-5-ms': ['An idle connection is closed after 5 ms.', idleFor(5)],
    'idle-connections-closed': ['An idle connection is closed after 50 ms.', idleFor(50)],
    'idle-connections-answered-408-at-5-ms': ['A connection that was idle for 5 ms gets a 408 and is closed.',
      noticeAfter(5)],
    'idle-connections-answered-408-at-50-ms': ['A connection that was idle for 50 ms gets a 408 and is closed.',
      noticeAfter(50)],
    'idle-connections-answered-408-at-500-ms': ['A connection that was idle for 500 ms gets a 408 and is closed.',
      noticeAfter(500)],
  }),
];
