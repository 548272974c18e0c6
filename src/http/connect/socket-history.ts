import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Stage } from '../failures.ts';

/** The state of a request, as its connection shows it. */
export interface Tracked<T> {
  readonly result: T;
  /**
   * How far it has come, whether it was sent on a connection that had carried others before, and whether that connection
   * ended before all of it was written.
   */
  readonly stage: () => Stage & { readonly wasReused: boolean; readonly wasCut: boolean };
}

interface SentOn {
  readonly socket: Socket;
  readonly wasReused: boolean;
  readonly bytesBefore: number;
}

/**
 * Remembers the connection of every request. Only one that had carried others before can lose the keep-alive race, in
 * which the service closes an idle connection at the moment that a request is sent on it.
 */
export class SocketHistory {
  readonly #used = new WeakSet<object>();
  readonly #sentOn = new WeakMap<object, SentOn>();
  readonly #cut = new WeakSet<object>();
  /** The requests that are tracked: other clients of the process have theirs. */
  readonly #tracked = new WeakSet<object>();
  #created: object | undefined;
  #isCreating = false;

  readonly #onCreate = (message: unknown): void => {
    // The first is the one that is tracked; connecting to a proxy for it creates another.
    if (!this.#isCreating || this.#created !== undefined) return;
    this.#created = requestIn(message);
    if (this.#created !== undefined) this.#tracked.add(this.#created);
  };

  readonly #onSend = (message: unknown): void => {
    const request = requestIn(message);
    const socket = member(message, 'socket');
    if (request === undefined || !this.#tracked.has(request) || !(socket instanceof Socket)) return;
    if (!this.#used.has(socket)) this.#watch(socket);
    this.#sentOn.set(request, { socket, wasReused: this.#used.has(socket), bytesBefore: socket.bytesRead });
    this.#used.add(socket);
  };

  constructor() {
    subscribe('undici:request:create', this.#onCreate);
    subscribe('undici:client:sendHeaders', this.#onSend);
  }

  /** Runs `send`, which must pass its request to undici before it first awaits. */
  track<T>(send: () => T): Tracked<T> {
    this.#created = undefined;
    this.#isCreating = true;
    const result = send();
    this.#isCreating = false;
    const created = this.#created;
    const stage = () => {
      const sent = created === undefined ? undefined : this.#sentOn.get(created);
      if (sent === undefined) return { wasSent: false, wasReused: false, hasResponse: false, wasCut: false };
      const { socket, wasReused, bytesBefore } = sent;
      return { wasSent: true, wasReused, hasResponse: socket.bytesRead > bytesBefore, wasCut: this.#cut.has(socket) };
    };
    return { result, stage };
  }

  #watch(socket: Socket): void {
    const noteEnd = (): void => {
      if (socket.writableLength > 0) this.#cut.add(socket);
    };
    // Before undici, which closes the connection then.
    socket.prependOnceListener('end', noteEnd).prependOnceListener('error', noteEnd);
  }

  close(): void {
    unsubscribe('undici:request:create', this.#onCreate);
    unsubscribe('undici:client:sendHeaders', this.#onSend);
  }
}

function requestIn(message: unknown): object | undefined {
  const request = member(message, 'request');
  return typeof request === 'object' && request !== null ? request : undefined;
}

function member(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
}
