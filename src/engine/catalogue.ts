import type { RequirementKind } from '../report/model/result.ts';
import { patternToRegExp } from './selection.ts';

/** A part of the specification. */
export interface Part {
  /** Its number, such as `4.1`. */
  readonly part: string;
  readonly title: string;
  /** What the ids of its requirements start with: `LIST` of `LIST-2`. */
  readonly prefix: string;
}

/** A requirement: a statement of the specification, or a point that it leaves open. */
export interface Requirement {
  readonly id: string;
  /** The part of the specification that the id belongs to. */
  readonly part: string;
  /** Where the specification says it, such as `4.1 rule 2`. */
  readonly source: readonly string[];
  readonly kind: RequirementKind;
  readonly says: string;
  /** The one step that leads from what is stated to this; on derived rows only. */
  readonly because?: string;
  /** What an implementation may do; on open rows only. */
  readonly readings?: readonly string[];
  /** Why no check can judge it. */
  readonly untestable?: string;
  /** What to change in a service that fails, where it is known. */
  readonly remedy?: string;
}

export interface Catalogue {
  /** In the order of the file. */
  readonly requirements: readonly Requirement[];
  find(id: string): Requirement | undefined;
  /** The requirements whose id matches a pattern such as `LIST-*`, in any letter case. */
  matching(pattern: string): readonly Requirement[];
}

/** The catalogue with these requirements, which are valid. */
export function catalogueOf(requirements: readonly Requirement[]): Catalogue {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  return {
    requirements,
    find: (id) => byId.get(id),
    matching(pattern) {
      const matches = patternToRegExp(pattern.trim());
      return requirements.filter(({ id }) => matches.test(id));
    },
  };
}
