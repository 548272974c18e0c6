import type { Violation } from './checked.ts';
import type { Rows } from './rows.ts';
import type { Applies, Rule } from './rule.ts';
import type { Script } from './script.ts';

/** A requirement of the catalogue: what must hold, and what is sent to test it. */
export interface Requirement {
  readonly id: string;
  readonly says: string;
  /** Which exchanges its rule checks; the rule itself may find nothing to check in one. */
  readonly when?: Applies | undefined;
  readonly broken?: Rule | undefined;
  /**
   * What the rule checks: that a response came, its status, its form, or its content. A permitted status breaks no rule about
   * the status; where it is not permitted, form and content are not checked.
   */
  readonly about: Violation['about'];
  /** What a response says about an open point, in the present tense. */
  readonly records?: ((...of: Parameters<Applies>) => string | undefined) | undefined;
  readonly sends: readonly Rows[];
  /** It is about animals of the run in lists: not fully tested where lists do not show them. */
  readonly isAboutListed?: boolean;
  /** It is about several requests on one connection: not applicable where the service closes each after one response. */
  readonly isAboutConnection?: boolean;
  /** The UTC dates from which on, and before which, it applies. */
  readonly from?: string;
  readonly until?: string;
  readonly scripts: readonly Script[];
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

/**
 * A requirement; `about` is `content` and nothing is sent unless it says otherwise. Without a rule of its own, the status of
 * the requests that it names is its rule.
 */
export const requirement = (
  id: string,
  says: string,
  options: Partial<Omit<Requirement, 'id' | 'says'>> = {},
): Requirement => ({ id, says, about: 'content', sends: [], scripts: [], ...options });
