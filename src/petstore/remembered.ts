import type { Recall } from './recall.ts';
import type { PetReply } from './reply.ts';
import { isFoundAsListed } from './rules/animals.ts';
import {
  hasStillItsId,
  isAnother,
  isStillThere,
  isStillTheSame,
  type JudgeRecalled,
  type Recalled,
} from './rules/remembered.ts';
import { whereWritable } from './unless-inconclusive.ts';
import type { Vocabulary } from './vocabulary.ts';

const isGone = ({ entry, fetched, page }: Recalled): boolean =>
  (fetched.status === 404 && page === undefined) || isAnother(entry, fetched.animals[0]);

/** From this many ids on, it is no coincidence if nearly all pairs ascend. */
const ENOUGH_IDS = 10;
const NEARLY_ALL = 0.9;
/** Ids that are further apart from one run to the next are made of the time. */
const COUNTED = 100_000n;

/** Whether ids are counted up or down, and those of this run continue those of animals that were added in this order. */
function goOn(before: readonly bigint[], now: readonly bigint[]): boolean {
  const pairs = before.flatMap((one, at) => before.slice(at + 1).map((other) => one < other));
  const ascending = pairs.filter(Boolean).length / pairs.length;
  const isUp = ascending >= NEARLY_ALL;
  if (before.length < ENOUGH_IDS || (!isUp && ascending > 1 - NEARLY_ALL)) return false;
  // How far the id of another animal is beyond the last one.
  const beyond = (id: bigint): readonly bigint[] => before.map((old) => (isUp ? id - old : old - id));
  return now.some((id) => beyond(id).every((by) => by > 0n && by < COUNTED));
}

/**
 * Whether the collection may have been emptied since: nearly all that is remembered is gone, and ids were given again, or
 * nothing shows that they go on where they were. An animal that somebody has added since may look like the one of its id.
 *
 * @param own ids of this run
 */
function isReset({ all, shown }: Recall, own: readonly bigint[]): boolean {
  if (all.filter(isGone).length < NEARLY_ALL * all.length) return false;
  const before = all.map(({ entry }) => BigInt(entry.id));
  const isAmongThem = (id: bigint): boolean => before.some((old) => old <= id) && before.some((old) => id <= old);
  const areGivenAgain = shown.some(isAmongThem) || all.some(({ fetched }) => fetched.status !== 404);
  return areGivenAgain || !goOn(before, own);
}

const isStillFound: JudgeRecalled = (entry, ...seen) => {
  const [fetched, page] = seen.toReversed();
  return page === undefined || fetched === undefined ? 'holds' : isFoundAsListed(BigInt(entry.id), page, fetched);
};

/** What each requirement says of what an earlier run has added. */
const JUDGED_BY = {
  'SERV-1': isStillThere,
  'GET-1': isStillFound,
  'RES-5': hasStillItsId,
  'RES-9': isStillTheSame,
} as const;

/** Judges what became of what an earlier run added, as far as a requirement owns it. */
export const recalls =
  (requirement: keyof typeof JUDGED_BY) =>
  async ({ collection, expect, notApplicable, observe }: Vocabulary): Promise<void> => {
    const recall = await collection.recalled();
    const { all } = recall;
    if (all.length === 0) notApplicable('no animal of an earlier run is remembered (--remember)');
    if (collection.model.getPetMayBeGone) notApplicable('what is remembered is fetched, and getPet may be gone');
    await whereWritable(collection.anAnimal);
    const ids = collection.model.created.map(({ id }) => id);
    if (isReset(recall, ids)) {
      if (requirement === 'SERV-1') observe('was reset: it has none of the animals that an earlier run added');
      notApplicable('the collection was reset since the run that is remembered');
    }
    for (const { entry, fetched, page } of all) {
      const judge = (...seen: PetReply[]) => JUDGED_BY[requirement](entry, ...seen);
      expect(judge, ...(page === undefined ? [] : [page]), fetched);
    }
  };
