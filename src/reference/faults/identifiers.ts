import { changing, fault, together } from '../changing.ts';
import { assignInSequence } from '../creation.ts';
import type { Fault, Operation } from '../steps.ts';

/** Ids that no double can hold; what a double makes of one is nobody's id. */
export const idsBeyondDoubles = changing('assignId', () => {
  const next = assignInSequence();
  return () => 2n ** 54n + 4n * next() + 1n;
});

/** Ids beyond 2^53, one beside the other, so that several become the same double. */
export const neighbouringIdsBeyondDoubles = changing('assignId', () => assignInSequence(2n ** 54n + 1n));

/** Writes the id in the answers of one operation as a double can hold it, or otherwise wrongly. */
const showingId = (operation: Operation, alter: (id: bigint) => bigint) =>
  changing('describePet', (usual) => (pet, call) => {
    const members = usual(pet, call);
    return call.operation === operation ? { ...members, id: alter(pet.id) } : members;
  });

export const identifierFaults: readonly Fault[] = [
  fault('ids-race', 'RES-5', 'Two animals added at the same moment get the same id.', (steps) => {
    let last = 0n;
    return changing('assignId', () => async () => {
      const next = last + 1n;
      // As if the last id were read from a database and written back: others come in between.
      await new Promise((resolve) => setTimeout(resolve, 2));
      last = next;
      return next;
    })(steps);
  }),
  fault(
    'ids-from-milliseconds',
    'RES-5',
    'The id is the time in milliseconds.',
    changing('assignId', () => () => BigInt(Date.now())),
  ),
  fault(
    'kept-under-category-id',
    'CREATE-11',
    'An animal is kept under the id of its category, not under the one in the 201.',
    changing('store', (usual) => (pet, call) => usual({ ...pet, id: pet.categoryId }, call)),
  ),
  fault(
    'ids-rounded',
    'RES-5',
    'Ids beyond 2^53 go through a double, so neighbours become one.',
    changing('assignId', () => {
      const next = assignInSequence(2n ** 60n);
      return () => BigInt(Number(next()));
    }),
  ),

  fault(
    'created-says-next-id',
    'CREATE-11',
    'The 201 names the id after the one that was assigned.',
    showingId('createPet', (id) => id + 1n),
  ),
  fault(
    'created-says-rounded-id',
    'CREATE-11',
    'Ids are beyond 2^53 and the 201 rounds them.',
    together(
      idsBeyondDoubles,
      showingId('createPet', (id) => BigInt(Number(id))),
    ),
  ),
  fault(
    'list-rounds-ids',
    'RES-9',
    'Ids are beyond 2^53 and a list rounds them.',
    together(
      idsBeyondDoubles,
      showingId('listPets', (id) => BigInt(Number(id))),
    ),
  ),
];
