import type { Answer, Response } from './exchange.ts';

/** A request that somebody else sent, and what came back, as it was recorded or passed by. */
export interface RecordedExchange {
  /** Where it was recorded, such as the path of a file. */
  readonly source: string;
  readonly method: string;
  /** Absolute, as it was written. */
  readonly url: string;
  /** Of the request. */
  readonly headers: Response['headers'];
  /** Undefined where the request has none. */
  readonly body: Uint8Array | 'not recorded' | undefined;
  readonly answer: Answer;
  /** When it was sent (milliseconds, monotonic; negative for what is older than this process). */
  readonly sentAt: number;
}
