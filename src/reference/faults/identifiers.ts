import { changing, everyNth, fault, together } from '../changing.ts';
import { assignInSequence } from '../creation.ts';
import type { Fault, Operation, Steps } from '../steps.ts';

/** Assigns ids from what the usual step assigns. */
const assigning = (alter: (id: bigint, previous: bigint) => bigint) => (steps: Steps) => {
  let previous = 1n;
  return changing('assignId', (usual) => async (shop) => {
    const id = alter(await usual(shop), previous);
    previous = id;
    return id;
  })(steps);
};

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
    'ids-from-seconds',
    'RES-5',
    'The id is the time in seconds.',
    changing('assignId', () => () => BigInt(Math.floor(Date.now() / 1000))),
  ),
  fault('every-tenth-id-given-again', 'RES-5', 'Every tenth animal gets the id of the one before it.', (steps) => {
    const due = everyNth(10);
    return assigning((id, previous) => (due() ? previous : id))(steps);
  }),
  fault(
    'ids-wrap-at-16',
    'RES-5',
    'After 16 animals the ids start again.',
    assigning((id) => (id % 16n) + 1n),
  ),
  fault(
    'ids-in-6-bits',
    'RES-5',
    'After 64 animals the ids start again.',
    assigning((id) => id & 63n),
  ),
  fault(
    'ids-drawn-from-a-hundred',
    'RES-5',
    'Ids are drawn by chance from a hundred.',
    changing('assignId', () => (shop) => BigInt(Math.floor(shop.random() * 100))),
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
    'created-says-id-0',
    'CREATE-11',
    'The 201 always names the id 0.',
    showingId('createPet', () => 0n),
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
    'created-says-id-without-sign',
    'CREATE-11',
    'Ids are negative and the 201 leaves out the sign.',
    together(
      changing('assignId', (usual) => async (shop) => -(await usual(shop))),
      showingId('createPet', (id) => -id),
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
