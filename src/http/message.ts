import type { FailureCode } from './failure-codes.ts';

/** A request as its bytes are sent, and its outcome: plain data. Header names and values are Latin-1 text. */

/** Names and values in the order on the wire. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A request. `target` is the whole path with its query, sent letter by letter. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Headers;
  readonly body?: Uint8Array | undefined;
  /** The body is sent without a length, in chunks of this many bytes. */
  readonly chunkBytes?: number | undefined;
  /** It is no valid HTTP, so that a connection that is closed in place of a response says nothing. */
  readonly mayBeClosed?: boolean | undefined;
}

/** A complete response. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  /** After content decoding; as received if `encodingFault` says why it could not be decoded. */
  readonly body: Uint8Array;
  readonly encodingFault?: string | undefined;
  /** Why the body is not whole, if it is longer than the suite reads (`body` is then empty) or keeps. */
  readonly unread?: string | undefined;
}

/** No complete response. The service is at fault only if the request had reached it. */
export interface Failure {
  readonly kind: 'failure';
  readonly code: FailureCode;
  /** What happened instead, without a full stop. */
  readonly sentence: string;
  /** Whether a connection was made and at least a byte of the request was written to it. */
  readonly reached: boolean;
  /** The status of a response that began and broke off. */
  readonly status?: number | undefined;
  /** The response of a proxy that says that it did not reach the service. */
  readonly answer?: Answer | undefined;
}

export type Outcome = Answer | Failure;

/** What became of one request. Times are in milliseconds, monotonic. */
export interface Sent {
  readonly outcome: Outcome;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** The number of the socket, counted from 1 in the order of opening, and how many requests it had served before. */
  readonly connection: number;
  readonly place: number;
  /** How often it was written to a connection: more than once after a 429, or where a connection ended before all of it was. */
  readonly times: number;
  /** Its connection was new, but may have been closed as it was idle. */
  readonly hadWaited?: boolean | undefined;
  /** It got no response on a new connection while more were open than were ever served at once. */
  readonly crowd?: Crowd | undefined;
}

/** How many connections were open when a new one was closed, or waited. */
export interface Crowd {
  readonly open: number;
  readonly how: 'closed' | 'no response' | 'late response';
}

/** From when to when no request reached the service (ms, monotonic). */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** The value of a header, whatever the case of its name; repeated headers are joined with a comma. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** A longer body is not kept as a whole; of one of 100 usual animals, it would be twenty times as long (bytes). */
const KEPT_WHOLE = 192 * 1024;
const KEPT_BYTES = 16 * 1024;

/** Without most of a long body, for a response that is kept: a run has thousands, and a service may send megabytes in each. */
export function shortened(outcome: Outcome): Outcome {
  if (outcome.kind === 'failure' || outcome.body.length <= KEPT_WHOLE) return outcome;
  const unread = `the body has ${outcome.body.length} bytes, of which only the first ${KEPT_BYTES} are kept`;
  return { ...outcome, body: outcome.body.slice(0, KEPT_BYTES), unread };
}
