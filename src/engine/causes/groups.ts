import type { Finding } from '../wrong-answers.ts';
import type { FailedCheck } from './failed-check.ts';

/** Something that a check found wrong. */
export interface Member {
  readonly check: FailedCheck;
  readonly finding: Finding;
}

/** Findings that may turn out to have one cause. */
export class Groups {
  readonly #members: readonly Member[];
  readonly #groups = new Map<Member, Set<Member>>();

  constructor(members: readonly Member[]) {
    this.#members = members;
    for (const member of members) this.#groups.set(member, new Set([member]));
  }

  /** In the order of their first members. */
  get all(): readonly (readonly Member[])[] {
    return [...new Set(this.#groups.values())].map((group) => this.#members.filter((member) => group.has(member)));
  }

  areOne(one: Member, other: Member): boolean {
    return this.#groups.get(one) === this.#groups.get(other);
  }

  unite(...members: readonly Member[]): void {
    const groups = [...new Set(members.flatMap((member) => this.#groups.get(member) ?? []))];
    const [first, ...others] = groups;
    for (const group of others) {
      for (const member of group) {
        first?.add(member);
        if (first !== undefined) this.#groups.set(member, first);
      }
    }
  }

  /** Unites the members for which `traitOf` gives the same text. */
  uniteBy(traitOf: (member: Member) => string | undefined): void {
    const byTrait = new Map<string, Member[]>();
    for (const member of this.#members) {
      const trait = traitOf(member);
      if (trait !== undefined) byTrait.set(trait, [...(byTrait.get(trait) ?? []), member]);
    }
    for (const alike of byTrait.values()) this.unite(...alike);
  }
}
