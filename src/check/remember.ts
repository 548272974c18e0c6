import type { Collection } from '../known/collection.ts';
import { animalOf, minuteOf, plainIdOf } from '../known/recall.ts';
import { differingMember, isComplete, memberText, type Seen } from '../known/seen.ts';
import { get } from '../reading/call.ts';
import type { RememberedEntry } from '../reading/fill.ts';
import { textsOf } from '../reading/members.ts';
import { excerpt } from '../text.ts';
import type { RuleResult } from './rule.ts';
import type { Tools } from './script.ts';

export const REMEMBERED_FORMAT = 'conformance-remembered/1';

/** What a run saves for the next one, in the order of creation. */
export interface Remembered {
  readonly format: typeof REMEMBERED_FORMAT;
  /** The base URL of the target. */
  readonly target: string;
  /** @maxItems 25 */
  readonly entries: readonly RememberedEntry[];
}

const MAX_KEPT = 25;

/** What the next run rechecks, of as many kinds as possible; none if this one created nothing. */
export function toRemember({ ownAnimals, tag, recall }: Known): readonly RememberedEntry[] {
  const kinds = new Map<string, RememberedEntry[]>();
  for (const own of ownAnimals) {
    const { name, categoryId, status, isStatusOmitted, exchange } = own;
    if (!name.includes(tag) || !/^\P{Surrogate}{1,500}$/su.test(name)) continue;
    const kind = [status, isStatusOmitted, /^[\w ]+$/.test(name), categoryId > 0n, `${categoryId}`.length > 15].join();
    const addedAt = new Date(performance.timeOrigin + exchange.answeredAt).toISOString();
    kinds.set(kind, [...(kinds.get(kind) ?? []), { id: `${own.id}`, fields: textsOf(own), addedAt }]);
  }
  const unchanged = recall.inState('unchanged').map(({ entry }) => entry);
  const rounds = Array.from({ length: MAX_KEPT }, (_, at) => [...kinds.values()].flatMap((alike) => alike[at] ?? []));
  return kinds.size === 0 ? [] : [...rounds.flat(), ...unchanged].slice(0, MAX_KEPT);
}

type Known = Pick<Collection, 'ownAnimals' | 'tag' | 'recall'>;

const descriptionOf = (entry: RememberedEntry): string =>
  `animal ${entry.id}, which an earlier run created on ${minuteOf(entry)} as ${excerpt(JSON.stringify(entry.fields), 200)},`;

/** For GET-4. */
export const isStillThere = ({ reading, status }: Seen, { recall }: Known): RuleResult => {
  const sighting = status === 404 ? recall.sightingToRecheck(plainIdOf(reading)) : undefined;
  return sighting !== undefined && { says: `${descriptionOf(sighting.entry)} is not found`, earlier: sighting.earlier };
};

/** For RES-9. */
export const isUnchanged = ({ animals }: Seen, { recall }: Known): RuleResult => {
  for (const animal of animals) {
    const sighting = recall.sightingToRecheck(animal.id);
    const member = sighting && isComplete(animal) ? differingMember(animal, animalOf(sighting.entry)) : undefined;
    if (sighting === undefined || member === undefined) continue;
    const says = `${descriptionOf(sighting.entry)} now has the ${member} ${memberText(animal, member)}`;
    return { says, member, earlier: sighting.earlier };
  }
  return undefined;
};

/** Whether an exchange rechecks one of them. */
export const isFromEarlierRun = ({ reading }: Seen, { recall }: Known): boolean =>
  recall.sightingToRecheck(plainIdOf(reading)) !== undefined;

/** Requests all of them, then those again that were not found unchanged. */
export const RECALL = {
  stages: ['found'],
  run: async ({ known, together }: Pick<Tools, 'together'> & { readonly known: Known }): Promise<void> => {
    for (let round = 0; round < 2; round += 1) await together(known.recall.due.map((id) => ({ call: get(), id })));
  },
} as const;
