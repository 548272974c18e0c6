import type { OperationId } from '../report/model/result.ts';
import type { Credential } from './credential.ts';

/** A request as it goes on the wire. `path` is relative to the base address and is sent verbatim. */
export interface WireRequest {
  readonly operation: OperationId;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly contentType?: string;
  readonly body?: Uint8Array;
  readonly credential: Credential;
}

/** A whole response; `body` is after any content encoding was undone. */
export interface Response {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** Why the content encoding could not be undone; the body is then as it came. */
  readonly encodingFault: string | undefined;
  /** Bytes of the whole body, where only its beginning was kept. */
  readonly fullSize?: number;
  readonly milliseconds: number;
}

/** No whole response: a stable code and a sentence that says what happened instead. */
export interface NoResponse {
  readonly kind: 'no response';
  readonly code: string;
  readonly sentence: string;
  readonly milliseconds: number;
}

export type Answer = Response | NoResponse;

/** One request and what came of it. Exchanges are numbered in the order in which they were answered. */
export interface Exchange {
  readonly number: number;
  readonly request: WireRequest;
  readonly answer: Answer;
  /** Clock times (milliseconds, monotonic) at which the request left and the answer was complete. */
  readonly sentAt: number;
  readonly answeredAt: number;
  /** It was sent twice: the first time its connection died or nothing came back in time. */
  readonly resent: boolean;
}

/** The value of a header, names compared without case; the values of repeated headers are joined with a comma. */
export function headerOf(response: Response, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = response.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
