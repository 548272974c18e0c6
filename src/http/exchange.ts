import type { Credential } from './credential.ts';

/** A request as it is sent. `path` is relative to the base URL and is sent verbatim. */
export interface WireRequest {
  /** The name of the operation: what the circuit breaker and the limiter distinguish. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly body?: Uint8Array | undefined;
  /** True for a body without a length, sent in chunks. */
  readonly chunked?: boolean | undefined;
  /** Headers beside those of the body and the credential; only `Accept: application/json` where not given. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Sent without a User-Agent. */
  readonly withoutUserAgent?: boolean | undefined;
  readonly credential: Credential;
}

/** A complete response; `body` is after content decoding. */
export interface Response {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Why the content encoding could not be decoded; the body is then as received. */
  readonly encodingFault: string | undefined;
  /** The size of the complete body in bytes, where `body` is only its beginning. */
  readonly fullSize?: number | undefined;
  /** Why the body is not known, where it is not: `body` is then empty. */
  readonly unknownBody?: string | undefined;
  readonly milliseconds: number;
}

/** No complete response: a stable code, and a sentence that says what happened instead. */
export interface NoResponse {
  readonly kind: 'no response';
  readonly code: string;
  readonly sentence: string;
  readonly milliseconds: number;
}

export type Answer = Response | NoResponse;

/** How large the head of a request is as it is sent, in each respect in which servers bound it: bytes, and a number of fields. */
export interface HeadSize {
  readonly total: number;
  readonly requestLine: number;
  readonly longestField: number;
  readonly fields: number;
}

/** One request and its answer. Exchanges are numbered in the order of their answers. */
export interface Exchange {
  readonly number: number;
  readonly request: WireRequest;
  readonly answer: Answer;
  /** When the request was sent and the answer was complete (milliseconds, monotonic). */
  readonly sentAt: number;
  readonly answeredAt: number;
  /** It was sent twice: the first time its connection was closed, or nothing came back in time. */
  readonly resent: boolean;
}

/** The headers that a request has beside those of its body, its credential and the user. */
export const usualHeaders: NonNullable<WireRequest['headers']> = [['accept', 'application/json']];

/** A path with one more parameter in its query. */
export function withQuery(path: string, query: string | undefined): string {
  return query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The value of a header, whatever the case of its name; repeated headers are joined with a comma. */
export function headerOf(response: Pick<Response, 'headers'>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = response.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
