import type { Count, Milliseconds, OperationId } from './scalars.ts';

/** A body as it was on the wire: text or base64, of `size` bytes in all; `cut` where it is longer than what is shown. */
export type BodyEvidence =
  | { readonly encoding: 'text'; readonly text: string; readonly size: Count; readonly cut: boolean }
  | { readonly encoding: 'base64'; readonly base64: string; readonly size: Count; readonly cut: boolean };

/** Name and value of a header, in the letter case it had on the wire; secret values are redacted. */
export type HeaderEvidence = readonly [name: string, value: string];

/** A request as it was sent. */
export interface RequestEvidence {
  readonly method: string;
  readonly url: string;
  /** In the order they were sent. */
  readonly headers: readonly HeaderEvidence[];
  /** Bytes of its path and headers, with what is not shown of them, where they are many. @asType integer @minimum 0 */
  readonly headersSize?: number | undefined;
  readonly body?: BodyEvidence | undefined;
}

/** A response, or the reason why there is none. */
export type AnswerEvidence =
  | {
      readonly kind: 'response';
      /** HTTP status. @asType integer */
      readonly status: number;
      /** In the order they were received. */
      readonly headers: readonly HeaderEvidence[];
      readonly body: BodyEvidence;
      /** Time to the last byte. */
      readonly milliseconds: Milliseconds;
    }
  | {
      readonly kind: 'no response';
      /** Stable code of the reason. */
      readonly code: string;
      /** The reason in a sentence. */
      readonly sentence: string;
      /** Time until it was clear that there is none. */
      readonly milliseconds: Milliseconds;
    };

/** A part of a body. */
export interface ExcerptEvidence {
  /** Where it stands in the body, as a JSON pointer. */
  readonly pointer: string;
  /** What it says, as JSON. */
  readonly text: string;
}

/** One request and the answer to it. */
export interface ExchangeEvidence {
  /** Its role in the evidence: what was judged, the positive control, or what led up to it. */
  readonly role: 'judged' | 'control' | 'context';
  readonly operation: OperationId;
  readonly request: RequestEvidence;
  readonly answer: AnswerEvidence;
  /** When the request was sent, in ISO 8601 and UTC. */
  readonly sentAt?: string | undefined;
  /** The part of the response's body that is meant, where it is not the whole. */
  readonly excerpt?: ExcerptEvidence | undefined;
  /** A shell command that sends the same request; it reads the key from an environment variable. */
  readonly curl: string;
}
