import type { WireRequest } from '../http/exchange.ts';

/** A request as a check means it. A service's own calls add what they are made of. */
export interface Call {
  /** The request exactly as it goes on the wire. */
  readonly request: WireRequest;
  /** In a few words, such as "getThing of 7 with no key". */
  readonly description: string;
  /** Calls with the same key are one request to a service: it has no reason to answer them differently. */
  readonly equivalence: string;
  /** What kind of request it is: failures to answer two kinds may have two reasons. */
  readonly kind?: string;
  /** Whether an answer may leave something at the service: not at all, only by mistake, or as it should. */
  readonly effect: 'reads' | 'must not create' | 'may create';
}
