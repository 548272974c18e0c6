import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/**
 * Remembers which requests went out on a connection that had served others before. Only those can fall victim to
 * the keep-alive race, in which the service closes an idle connection at the moment that a request is sent on it.
 */
export class SocketHistory {
  readonly #served = new WeakMap<object, number>();
  readonly #reused = new WeakMap<object, boolean>();
  #created: object | undefined;

  readonly #onCreate = (message: unknown): void => {
    this.#created = part(message, 'request');
  };

  readonly #onSend = (message: unknown): void => {
    const request = part(message, 'request');
    const socket = part(message, 'socket');
    if (request === undefined || socket === undefined) return;
    const served = this.#served.get(socket) ?? 0;
    this.#served.set(socket, served + 1);
    this.#reused.set(request, served > 0);
  };

  constructor() {
    subscribe('undici:request:create', this.#onCreate);
    subscribe('undici:client:sendHeaders', this.#onSend);
  }

  /** Runs `send`, which must hand its request to undici before it first awaits; returns that request's handle. */
  track<T>(send: () => T): { readonly result: T; readonly wasReused: () => boolean } {
    this.#created = undefined;
    const result = send();
    const created = this.#created;
    return { result, wasReused: () => created !== undefined && this.#reused.get(created) === true };
  }

  close(): void {
    unsubscribe('undici:request:create', this.#onCreate);
    unsubscribe('undici:client:sendHeaders', this.#onSend);
  }
}

function part(message: unknown, name: 'request' | 'socket'): object | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const value: unknown = Reflect.get(message, name);
  return typeof value === 'object' && value !== null ? value : undefined;
}
