import type { Exchange } from '../../http/exchange.ts';
import type { Reply } from '../reply.ts';

/** How a call was sent, and with which others. */
export interface HowSent<R extends Reply> {
  readonly calls: readonly R['call'][];
  /** Undefined for a call that was sent by itself. */
  readonly together: 'on one connection' | 'at one moment' | undefined;
  /** Its place among the calls. */
  readonly at: number;
}

/** How an exchange was sent, and what came of it. */
export interface Sent<R extends Reply> extends HowSent<R> {
  /** How many creations the run had begun when the answer came: any of them may have had a part in it. */
  readonly created: number;
  /** The id that its answer gave. */
  readonly given: string | undefined;
}

/** How each exchange of a run was sent. It keeps no exchange alive: whoever keeps one, such as a proof, does. */
export class SentCalls<R extends Reply> {
  readonly #sent = new WeakMap<Exchange, Sent<R>>();
  readonly #given: (reply: R) => string | undefined;

  /** @param given the id that an answer gave to what it created */
  constructor(given: (reply: R) => string | undefined) {
    this.#given = given;
  }

  note(reply: R, sent: Omit<Sent<R>, 'given'>): void {
    this.#sent.set(reply.exchange, { ...sent, given: this.#given(reply) });
  }

  of(exchange: Exchange): Sent<R> | undefined {
    return this.#sent.get(exchange);
  }
}
