import type { Headers, Sent, WireRequest } from './message.ts';

/** What is sent, as data: texts with names in them. */
export interface Call {
  /** The operation that it is meant for; what it says is read from its bytes. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** What follows the base path: `/pets?limit=7`, `/pets/$ID`. */
  readonly target: string;
  /** All headers in order, except those that the connection adds (Host, Content-Length, Transfer-Encoding). */
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** The body is sent without a length, in chunks of this many bytes. */
  readonly chunkBytes?: number | undefined;
}

/** One request and what became of it. */
export interface Exchange extends Sent {
  /** From 1, in the order of the responses. */
  readonly number: number;
  readonly call: Call;
  /** What the names in its texts stood for; the key is never among them. */
  readonly names: Readonly<Record<string, string>>;
  readonly request: WireRequest;
  /** The question whose answer it completes, sent again while nothing else was in flight. */
  readonly again?: string | undefined;
}
