import type { Collection } from '../known/collection.ts';
import type { Seen } from '../known/seen.ts';
import type { Exchange } from '../reading/exchange.ts';
import type { Unsure, Violation } from './checked.ts';
import type { Rows } from './rows.ts';
import type { Script } from './script.ts';

/** What is wrong, and the evidence. */
export interface Broken {
  readonly says: string;
  readonly earlier?: readonly Exchange[];
  readonly member?: string | undefined;
  /** A JSON pointer to what is wrong in the body of the response. */
  readonly at?: string | undefined;
  /** The operation at fault, if another one shows it. */
  readonly operation?: string;
  /** What must be sent again first, if lag, a cache or another client may explain it. */
  readonly unsure?: Unsure;
  /** It was sent again for long enough. */
  readonly isLasting?: boolean;
}

/** The result of a rule: what is wrong, or nothing. */
export type RuleResult = string | Broken | false | undefined;

/** A pure function of an exchange and of what was known before it. */
export type Rule = (seen: Seen, known: Collection) => RuleResult;

/** A requirement of the catalogue: what must hold, and what is sent to test it. */
export interface Requirement {
  readonly id: string;
  readonly says: string;
  /** Which exchanges its rule checks. */
  readonly when?: ((seen: Seen, known: Collection) => boolean) | undefined;
  readonly broken?: Rule | undefined;
  /**
   * What the rule checks: that a response came, its status, its form, or its content. A rule about the status checks
   * responses that are not permitted, one about form or content those that are.
   */
  readonly about: Violation['about'];
  /** What a response says about an open point, in the present tense. */
  readonly records?: ((seen: Seen, known: Collection) => string | undefined) | undefined;
  readonly sends: readonly Rows[];
  /** Only creations can test it. */
  readonly needsWrites?: boolean;
  /** Why it is not tested where pages have no room for animals of the run. */
  readonly lacksRoom?: string;
  /** The UTC dates from which on, and before which, it applies. */
  readonly from?: string;
  readonly until?: string;
  readonly script?: Script | undefined;
}

/** A part of the specification. */
export interface Part {
  /** Such as `4.1`. */
  readonly number: string;
  /** As reports name it. */
  readonly title: string;
  /** What the ids of its requirements start with: `LIST` of `LIST-2`. */
  readonly prefix: string;
  readonly requirements: readonly Requirement[];
}

export const part = (number: string, title: string, prefix: string, requirements: readonly Requirement[]): Part => ({
  number,
  title,
  prefix,
  requirements,
});

/** A requirement; `about` is `content` and nothing is sent unless it says otherwise. */
export const requirement = (
  id: string,
  says: string,
  options: Partial<Omit<Requirement, 'id' | 'says'>> = {},
): Requirement => ({ id, says, about: 'content', sends: [], ...options });
