import { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import type { Response } from './exchange.ts';
import { headerPairs } from './message.ts';

/** The head of a response, with the body that follows it. */
interface ResponseHead {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly body: IncomingBody;
}

/** So many bytes may wait to be read before the service has to wait. */
const MOST_WAITING_BYTES = 64 * 1024;

/** The body of a response while it comes: read at once, or piece by piece. */
export class IncomingBody {
  readonly #controller: Dispatcher.DispatchController;
  #pieces: Uint8Array[] = [];
  #waiting = 0;
  #isReadAtOnce = false;
  #end: { readonly error?: unknown } | undefined;
  #notify = (): void => {};

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    if (!this.#isReadAtOnce && this.#waiting > MOST_WAITING_BYTES) this.#controller.pause();
    this.#notify();
  }

  /** Nothing more comes: the body is complete, or broke off with an error. */
  end(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#notify();
  }

  /** Gives up what is still to come, and with it the connection. */
  destroy(): void {
    this.#controller.abort(new errors.RequestAbortedError());
  }

  /** The whole body: for one that is known to be small. */
  async bytes(): Promise<Uint8Array> {
    this.#isReadAtOnce = true;
    this.#controller.resume();
    while (this.#end === undefined) await this.#news();
    if ('error' in this.#end) throw this.#end.error;
    // A copy: a piece is part of a larger buffer, which it would keep in memory.
    const whole = new Uint8Array(this.#waiting);
    let size = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, size);
      size += piece.length;
    }
    return whole;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const pieces = this.#pieces;
      this.#pieces = [];
      this.#waiting = 0;
      yield* pieces;
      if (this.#pieces.length > 0) continue;
      if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
      if (this.#end !== undefined) return;
      const news = this.#news();
      // More may come before this returns.
      this.#controller.resume();
      await news;
    }
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve;
    });
  }
}

/**
 * Sends a request and resolves with the head of its response. undici's own `request` makes a stream of every body,
 * which takes longer.
 *
 * @param signal when aborted, its reason is the error with which the request or its body ends
 */
export function dispatch(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<ResponseHead> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: IncomingBody | undefined;
    const fail = (error: unknown): void => {
      reject(error);
      body?.end({ error });
      if (options.body instanceof Readable) options.body.on('error', () => {}).destroy();
    };
    const abort = (): void => {
      controller?.abort(signal.reason);
      if (body !== undefined) fail(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        if (signal.aborted) abort();
      },
      onResponseStart: (started, status) => {
        if (status < 200) return;
        body = new IncomingBody(started);
        resolve({ status, headers: headerPairs(started.rawHeaders), body });
      },
      onResponseData: (_controller, piece) => body?.push(piece),
      onResponseEnd: () => body?.end({}),
      onResponseError: (_controller, error) => fail(error),
    });
  });
}
