import { answering, answersOf, changing, errorAnswer, fault, rewriting, together } from '../changing.ts';
import { petNotFound } from '../errors.ts';
import type { Answer, Call, Fault, Operation, Steps } from '../steps.ts';
import { idsBeyondDoubles, neighbouringIdsBeyondDoubles } from './identifiers.ts';

const fetched = answersOf('getPet', 200);
const unknown = answersOf('getPet', 404);

/** Reads an identifier out of a text that is none. */
const readingId = (read: (text: string) => bigint | undefined) =>
  changing('readPetId', (usual) => (call) => {
    const text = call.petId ?? '';
    return (/^-?\d{1,18}$/.test(text) ? undefined : read(text)) ?? usual(call);
  });

/** Looks for another id than the one asked for. */
const findingBy = (alter: (id: bigint, call: Call) => bigint) =>
  changing('findPet', (usual) => (id, call) => usual(alter(id, call), call));

/** Answers an int64 that no animal has. */
const unknownWith = (alter: (call: Call, answer: Answer) => Answer) =>
  answering(
    (answer, call) => unknown(answer, call) && /^-?\d{1,18}$/.test(call.petId ?? ''),
    (answer, call) => alter(call, answer),
  );
const json = (status: number, body: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** As if an operation were not found under `/v1`. */
const missingUnderVersion = (operation: Operation, answer: (call: Call) => Answer) =>
  changing('serve', (usual) => async (call) => (call.operation === operation ? answer(call) : usual(call)));

/** Remembers when an animal was added, by the clock of the machine. */
const hidingByAge = (hidden: (milliseconds: number) => boolean) => (steps: Steps) => {
  const added = new Map<bigint, number>();
  return together(
    changing('store', (usual) => (pet, call) => {
      added.set(pet.id, performance.now());
      usual(pet, call);
    }),
    changing('findPet', (usual) => (id, call) => {
      const since = added.get(id);
      return since !== undefined && hidden(performance.now() - since) ? undefined : usual(id, call);
    }),
  )(steps);
};

/** Finds what was added by a request, and nothing that was there before. */
const findingTheNewOnly = (steps: Steps) => {
  const added = new Set<bigint>();
  return together(
    changing('store', (usual) => (pet, call) => {
      added.add(pet.id);
      usual(pet, call);
    }),
    changing('findPet', (usual) => (id, call) => (added.has(id) ? usual(id, call) : undefined)),
  )(steps);
};

export const fetchingFaults: readonly Fault[] = [
  fault(
    'getpet-answers-203',
    'GET-1',
    'getPet answers 203.',
    answering(fetched, (answer) => ({ ...answer, status: 203 })),
  ),
  fault(
    'getpet-finds-new-animals-only',
    'GET-1',
    'Animals that were there before are listed and cannot be fetched.',
    findingTheNewOnly,
  ),
  fault(
    'getpet-wrapped',
    'RES-4',
    'The animal of getPet stands under `data`.',
    rewriting(fetched, (text) => `{"data":${text}}`),
  ),
  fault(
    'getpet-sold-answered-404',
    'GET-4',
    'A sold animal cannot be fetched.',
    changing('findPet', (usual) => (id, call) => {
      const pet = usual(id, call);
      return pet?.status === 'sold' ? undefined : pet;
    }),
  ),
  fault(
    'getpet-beyond-2-53-answered-404',
    'GET-1',
    'Ids are beyond 2^53 and cannot be fetched.',
    together(
      idsBeyondDoubles,
      findingBy((id) => BigInt(Number(id))),
    ),
  ),

  fault(
    'unknown-id-answered-200-null',
    'GET-2',
    'An unknown id is answered with 200 and null.',
    unknownWith(() => json(200, 'null')),
  ),
  fault(
    'unknown-id-fabricated',
    'GET-2',
    'An animal is made up for an unknown id.',
    unknownWith((call) => json(200, `{"id":${call.petId},"name":"unknown","categoryId":0,"status":"available"}`)),
  ),
  fault(
    'unknown-id-answered-400',
    'GET-2',
    'An unknown id is answered with 400.',
    unknownWith(() => errorAnswer(400)),
  ),
  fault(
    'unknown-id-gives-newest',
    'GET-3',
    'An unknown id gives the newest animal.',
    changing('findPet', (usual) => (id, call) => usual(id, call) ?? call.shop.collection.newest(1, undefined)[0]),
  ),
  fault(
    'negative-id-gives-positive',
    'GET-3',
    'The sign of an id is not read.',
    findingBy((id) => (id < 0n ? -id : id)),
  ),
  fault(
    'id-read-in-32-bits',
    'GET-3',
    'Only 32 bits of an id are read.',
    findingBy((id) => BigInt.asIntN(32, id)),
  ),
  fault(
    'getpet-gives-neighbour-beyond-2-53',
    'GET-3',
    'Ids are beyond 2^53 and are compared as doubles, so a neighbour is found.',
    together(
      neighbouringIdsBeyondDoubles,
      changing(
        'findPet',
        (usual) => (id, call) =>
          usual(id, call) === undefined
            ? undefined
            : (call.shop.collection.oldestFirst(undefined).find((pet) => Number(pet.id) === Number(id)) ??
              usual(id, call)),
      ),
    ),
  ),

  fault(
    'id-with-letters-after-it',
    'GET-5',
    '`12abc` is read as 12.',
    readingId((text) => (/^-?\d{1,18}\D/.test(text) ? BigInt(/^-?\d+/.exec(text)?.[0] ?? 0) : undefined)),
  ),
  fault(
    'id-with-20-digits-wrapped',
    'GET-5',
    'An id of 20 digits wraps around into int64.',
    readingId((text) => (/^\d{19,40}$/.test(text) ? BigInt.asIntN(64, BigInt(text)) : undefined)),
  ),
  fault(
    'id-word-gives-list',
    'GET-5',
    'A word as id gives the list.',
    changing(
      'getPet',
      (usual) => (call) => (/^[A-Za-z]+$/.test(call.petId ?? '') ? call.shop.steps.listPets(call) : usual(call)),
    ),
  ),
  fault(
    'id-not-int64-answered-422',
    'GET-5',
    'An id that is not an int64 is answered with 422.',
    changing('readPetId', (usual) => (call) => {
      try {
        return usual(call);
      } catch {
        throw Object.assign(petNotFound(call.petId ?? ''), { status: 422 });
      }
    }),
  ),

  fault(
    'getpet-404-for-300-ms',
    'GET-4',
    'An animal cannot be fetched in the first 300 ms.',
    hidingByAge((age) => age < 300),
  ),
  fault(
    'getpet-404-after-a-second',
    'GET-4',
    'An animal cannot be fetched any more one second after it was added.',
    hidingByAge((age) => age > 1000),
  ),
  fault(
    'getpet-knows-last-three',
    'GET-4',
    'Only the three newest animals can be fetched.',
    changing(
      'findPet',
      (usual) => (id, call) =>
        call.shop.collection.newest(3, undefined).some((pet) => pet.id === id) ? usual(id, call) : undefined,
    ),
  ),

  fault(
    'getpet-answered-410',
    'VERS-3',
    'getPet is gone already: it answers 410.',
    missingUnderVersion('getPet', () => errorAnswer(410)),
  ),
  fault(
    'getpet-finds-nothing',
    'VERS-3',
    'getPet still answers, but knows no animal any more.',
    changing('findPet', () => () => undefined),
  ),
  fault(
    'listpets-not-under-v1',
    'VERS-1',
    'listPets is not found under /v1.',
    missingUnderVersion('listPets', () => errorAnswer(404)),
  ),
  fault(
    'createpet-not-under-v1',
    'VERS-1',
    'createPet is not found under /v1.',
    missingUnderVersion('createPet', () => errorAnswer(404)),
  ),
  fault(
    'getpet-not-under-v1',
    'VERS-1',
    'getPet is not found under /v1.',
    missingUnderVersion('getPet', () => errorAnswer(404)),
  ),
  fault(
    'v1-sent-to-v2',
    'VERS-1',
    'listPets under /v1 is redirected to /v2.',
    missingUnderVersion('listPets', () => ({
      ...errorAnswer(308),
      headers: { 'Content-Type': 'application/json', Location: '/v2/pets' },
    })),
  ),

  fault(
    'created-not-kept',
    'SERV-1',
    'An animal is answered with 201 but not kept.',
    changing('store', () => () => {}),
  ),
  fault(
    'sold-not-kept',
    'SERV-1',
    'A sold animal is answered with 201 but not kept.',
    changing('store', (usual) => (pet, call) => {
      if (pet.status !== 'sold') usual(pet, call);
    }),
  ),
  fault('only-newest-kept', 'SERV-1', 'Adding an animal forgets the one added before it.', (steps) => {
    let before: bigint | undefined;
    return changing('store', (usual) => (pet, call) => {
      if (before !== undefined) call.shop.collection.remove(before);
      before = pet.id;
      usual(pet, call);
    })(steps);
  }),
  fault(
    'adding-renames-the-one-before',
    'SERV-1',
    'Adding an animal gives its name to the one added before it.',
    (steps) => {
      let before: bigint | undefined;
      return changing('store', (usual) => (pet, call) => {
        const earlier = before === undefined ? undefined : call.shop.collection.get(before);
        if (earlier !== undefined) call.shop.collection.add({ ...earlier, name: pet.name });
        before = pet.id;
        usual(pet, call);
      })(steps);
    },
  ),
];
