import type { Exchange } from '../http/exchange.ts';

/** A rule that an exchange has broken. */
export interface Violation {
  readonly requirement: string;
  /** What was read: that there is a response of a right status, a message that is one, or what it says. */
  readonly about: 'status' | 'message' | 'content';
  /** What is wrong, in a sentence without a full stop. */
  readonly says: string;
  /** Which member it is about; what distinguishes findings of one rule. */
  readonly member?: string | undefined;
  /** The operation that it is about, where another one shows it. */
  readonly operation?: string | undefined;
  /** Exchanges that the rule relied on, oldest first. */
  readonly earlier: readonly Exchange[];
}

/** What a service does at a point that the specification leaves open. */
export interface Recording {
  readonly requirement: string;
  readonly reading: string;
}

/** What an exchange says about the service: every rule was asked. */
export interface Checked {
  readonly exchange: Exchange;
  readonly violations: readonly Violation[];
  /** The requirements of which a rule was applied to it. */
  readonly tested: ReadonlySet<string>;
  readonly recorded: readonly Recording[];
  /** The requirement that says what was right, and what that is. */
  readonly requirement: string;
  readonly mustBe: 'accepted' | 'rejected' | 'either';
  /** The statuses that are right, in words. */
  readonly expected: string;
  /** What is unusual about the request, a few words each; empty for a plain one. */
  readonly unusual: readonly string[];
  /** What kind of request it is: narrowing must keep it. */
  readonly kind: string;
  /** A plain request was accepted as it must be. */
  readonly isControl: boolean;
  /** The wrong key is all that is wrong. */
  readonly isAboutKey: boolean;
  /** What it leaves in doubt: requests that are to be asked again in a quiet moment, by what they are about. */
  readonly doubts: readonly Doubt[];
}

/** Something that lag, a cache or another client can explain. */
export interface Doubt {
  readonly key: string;
  /** Asked in this order on one connection, while nothing else is under way. */
  readonly calls: readonly { readonly call: Exchange['call']; readonly names: Exchange['names'] }[];
  /** Asked before others. */
  readonly isUrgent: boolean;
}
