import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** What became of a request on its way, as far as the connection tells. */
export interface Sent {
  /** It left: a connection was made and the head was written. */
  readonly hasLeft: () => boolean;
  /** It went out on a connection that had served others before. */
  readonly wasReused: () => boolean;
  /** Something came back, be it the first byte of a response. */
  readonly hasAnswer: () => boolean;
}

interface Journey {
  readonly socket: object;
  readonly wasReused: boolean;
  readonly bytesBefore: number;
}

/**
 * Remembers on which connection every request went out. Only one that had served others before can fall victim to the
 * keep-alive race, in which the service closes an idle connection at the moment that a request is sent on it.
 */
export class SocketHistory {
  readonly #used = new WeakSet<object>();
  readonly #journeys = new WeakMap<object, Journey>();
  #created: object | undefined;

  readonly #onCreate = (message: unknown): void => {
    this.#created = part(message, 'request');
  };

  readonly #onSend = (message: unknown): void => {
    const request = part(message, 'request');
    const socket = part(message, 'socket');
    if (request === undefined || socket === undefined) return;
    const wasReused = this.#used.has(socket);
    this.#used.add(socket);
    this.#journeys.set(request, { socket, wasReused, bytesBefore: bytesRead(socket) });
  };

  constructor() {
    subscribe('undici:request:create', this.#onCreate);
    subscribe('undici:client:sendHeaders', this.#onSend);
  }

  /** Runs `send`, which must hand its request to undici before it first awaits. */
  track<T>(send: () => T): { readonly result: T } & Sent {
    this.#created = undefined;
    const result = send();
    const created = this.#created;
    const journey = (): Journey | undefined => (created === undefined ? undefined : this.#journeys.get(created));
    return {
      result,
      hasLeft: () => journey() !== undefined,
      wasReused: () => journey()?.wasReused === true,
      hasAnswer: () => {
        const { socket, bytesBefore } = journey() ?? {};
        return socket !== undefined && bytesRead(socket) > (bytesBefore ?? 0);
      },
    };
  }

  close(): void {
    unsubscribe('undici:request:create', this.#onCreate);
    unsubscribe('undici:client:sendHeaders', this.#onSend);
  }
}

function bytesRead(socket: object): number {
  const value: unknown = Reflect.get(socket, 'bytesRead');
  return typeof value === 'number' ? value : 0;
}

function part(message: unknown, name: 'request' | 'socket'): object | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const value: unknown = Reflect.get(message, name);
  return typeof value === 'object' && value !== null ? value : undefined;
}
