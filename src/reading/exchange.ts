import type { Sent, WireRequest } from '../http/message.ts';
import type { Call } from './call.ts';
import { fill, type Names, type Terms } from './fill.ts';
import { type Reading, read } from './reading.ts';

/** A request as it is sent, and what its bytes say; it is read once. */
export interface Filled {
  readonly request: WireRequest;
  readonly reading: Reading;
}

/** The bytes of a call, and what they say; undefined as for {@link fill}. */
export function filled(call: Call, names: Names, terms: Terms): Filled | undefined {
  const request = fill(call, names, terms);
  if (request === undefined) return undefined;
  const reading = read(request, terms);
  return { request: { ...request, mayBeClosed: reading.head.mayBeClosed }, reading };
}

/** One request and what became of it. */
export interface Exchange extends Sent, Filled {
  /** From 1, in the order of the responses. */
  readonly number: number;
  readonly call: Call;
  /** What the names in its texts stood for; the key is never among them. */
  readonly names: Names;
  /** The same for all that one lane, script or question sent in order, on whichever connections. */
  readonly sequence?: number | undefined;
  /** It was sent while nothing else was in flight. */
  readonly isQuiet?: boolean | undefined;
  /** The questions whose answer it completes. */
  readonly again?: readonly string[] | undefined;
}

/** How a request was sent beside others. */
export type Order = Pick<Exchange, 'sequence' | 'isQuiet' | 'again'>;
