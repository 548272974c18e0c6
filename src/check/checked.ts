import type { Exchange } from '../reading/exchange.ts';
import type { Question } from './rule.ts';

/** A rule that an exchange breaks. */
export interface Violation {
  readonly requirement: string;
  /** What the rule checks: that a response came, its status, its form, or its content. */
  readonly about: 'connection' | 'status' | 'message' | 'content';
  /** What is wrong, in a sentence without a full stop. */
  readonly says: string;
  /** The member at fault; it distinguishes findings of one rule. */
  readonly member?: string | undefined;
  /** A JSON pointer to what is wrong in the body of the response. */
  readonly at?: string | undefined;
  /** The operation at fault, if another one shows it. */
  readonly operation?: string | undefined;
  /** Exchanges that the rule relied on, oldest first. */
  readonly earlier: readonly Exchange[];
}

/** What a service does at a point that the specification leaves open. */
export interface Recording {
  readonly requirement: string;
  readonly reading: string;
}

/** A rule that had something to check in a response: it holds or is broken there. */
export interface Tested {
  readonly requirement: string;
  /** The sentence of the rule; none for the status that the specification gives. */
  readonly rule: string | undefined;
  readonly holds: boolean;
}

/** A question of a rule. */
export interface OpenQuestion extends Question {
  readonly requirement: string;
}

/** The result of checking an exchange against every rule. */
export interface Checked {
  readonly exchange: Exchange;
  readonly violations: readonly Violation[];
  readonly tested: readonly Tested[];
  readonly recorded: readonly Recording[];
  /** The requirement that says how the service must respond. */
  readonly requirement: string;
  readonly mustBe: 'accepted' | 'rejected' | 'either';
  /** The permitted statuses, in words. */
  readonly expected: string;
  /** What is unusual about the request, a few words each; empty for a plain one. */
  readonly unusual: readonly string[];
  /** The plainest call of its operation. */
  readonly isPlain: boolean;
  /** What kind of request it is, such as that of valid pages. */
  readonly kind: string;
  /** What was sent apart from its key, as far as it matters where no response comes. */
  readonly sent: string;
  /** A valid request that was accepted. */
  readonly isControl: boolean;
  /** What it sends in place of the right key, such as "no key". */
  readonly wrongKey: string | undefined;
  /** The key is in a spelling that may be rejected. */
  readonly isKeyOpen: boolean;
  /** What must be asked again before it is a violation. */
  readonly questions: readonly OpenQuestion[];
}
