import type { Collection } from '../known/collection.ts';
import type { CreatedAnimal } from '../known/recall.ts';
import { animalOf, minuteOf, plainIdOf } from '../known/recall.ts';
import { differingMember, isComplete, memberText, type Seen } from '../known/seen.ts';
import { get } from '../reading/call.ts';
import { excerpt } from '../text.ts';
import type { RuleResult } from './rule.ts';
import type { Tools } from './script.ts';

type Known = Pick<Collection, 'recall'>;

const descriptionOf = (entry: CreatedAnimal): string =>
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
