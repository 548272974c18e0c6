import type { Collection } from '../known/collection.ts';
import type { Seen } from '../known/seen.ts';
import type { Exchange } from '../reading/exchange.ts';

/** What is wrong, and the evidence. */
export interface Broken {
  /** In a sentence without a full stop. */
  readonly says: string;
  /** Exchanges that the rule relied on, oldest first. */
  readonly earlier?: readonly Exchange[];
  /** The member at fault; it distinguishes findings of one rule. */
  readonly member?: string | undefined;
  /** A JSON pointer to what is wrong in the body of the response. */
  readonly at?: string | undefined;
  /** The operation at fault, if another one shows it. */
  readonly operation?: string | undefined;
}

/** What looks wrong, but lag, a cache or another client may explain: it is asked again. */
export interface Question extends Broken {
  /** The same for the same question. */
  readonly key: string;
  /** Sent in this order while nothing else is in flight. */
  readonly again: readonly Pick<Exchange, 'call' | 'names'>[];
  /** It is no suspicion yet, as nothing has shown that the service should have responded otherwise. */
  readonly isMoot?: boolean;
  /** Whether another response shows that it was explained. */
  readonly isContradictedBy?: (seen: Seen) => boolean;
}

/** What a rule says of a response: what is, or may be, wrong; false if it holds; undefined if there is nothing to check. */
export type RuleResult = string | Broken | Question | false | undefined;

export const isQuestion = (result: RuleResult): result is Question => typeof result === 'object' && 'key' in result;

/** Which exchanges a rule is about. */
export type Applies = (seen: Seen, known: Collection) => boolean;

/** A pure function of an exchange and of what was known before it. */
export type Rule = (seen: Seen, known: Collection) => RuleResult;
