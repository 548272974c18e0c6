import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  fault,
  jsonResponse,
  onEveryNth,
  override,
} from '../changes.ts';
import { assignInSequence } from '../collection.ts';
import { petNotFound } from '../errors.ts';
import type { Fault, Steps } from '../steps.ts';
import { fetched, findingBy, idsBeyondDoubles, readingId, respondingToGets, unknownIdWith } from './builders.ts';

/** Consecutive ids beyond 2^53, so that several become the same double. */
const neighbouringIdsBeyondDoubles = override('assignId', () => assignInSequence(2n ** 54n + 1n));

/** Finds animals according to the milliseconds since they were added; undefined for those there were at the start. */
const findingByAge = (finds: (age: number | undefined) => boolean) => (steps: Steps) => {
  const added = new Map<bigint, number>();
  return combine(
    override('store', (original) => (pet, call) => {
      added.set(pet.id, performance.now());
      original(pet, call);
    }),
    override('findPet', (original) => (id, call) => {
      const since = added.get(id);
      return finds(since === undefined ? undefined : performance.now() - since) ? original(id, call) : undefined;
    }),
  )(steps);
};

/** Part 4.3, getPet. */
export const getFaults: readonly Fault[] = [
  fault(
    'getpet-answers-203',
    'GET-1',
    'getPet answers 203.',
    changeResponse(fetched, (response) => ({ ...response, status: 203 })),
  ),
  fault(
    'fetched-animal-in-array',
    'GET-1',
    'getPet answers with the animal in an array.',
    changeText(fetched, (text) => `[${text}]`),
  ),
  fault(
    'getpet-finds-new-animals-only',
    'GET-1',
    'Animals that existed at the start are listed but cannot be fetched.',
    findingByAge((age) => age !== undefined),
  ),
  fault(
    'getpet-beyond-2-53-answered-404',
    'GET-1',
    'Ids are beyond 2^53, and animals cannot be fetched by them.',
    combine(
      idsBeyondDoubles,
      findingBy((id) => BigInt(Number(id))),
    ),
  ),
  fault(
    'gets-answered-empty-list',
    'GET-1',
    'Every GET is answered with 200 and an empty list.',
    respondingToGets(() => jsonResponse(200, '[]')),
  ),

  fault(
    'unknown-id-answered-200-null',
    'GET-2',
    'An unknown id is answered with 200 and null.',
    unknownIdWith(() => jsonResponse(200, 'null')),
  ),
  fault(
    'unknown-id-fabricated',
    'GET-2',
    'An unknown id returns a made-up animal.',
    unknownIdWith((call) =>
      jsonResponse(200, `{"id":${call.petId},"name":"unknown","categoryId":0,"status":"available"}`),
    ),
  ),
  fault(
    'unknown-id-answered-400',
    'GET-2',
    'An unknown id is answered with 400.',
    unknownIdWith(() => errorResponse(400)),
  ),
  fault(
    'one-in-20-unknown-ids-found',
    'GET-2',
    'One unknown id in 20 returns the newest animal.',
    onEveryNth(20, (isDue) =>
      override(
        'findPet',
        (original) => (id, call) =>
          original(id, call) ?? (isDue() ? call.service.collection.newest(1, undefined)[0] : undefined),
      ),
    ),
  ),

  fault(
    'unknown-id-gives-newest',
    'GET-3',
    'An unknown id returns the newest animal.',
    override(
      'findPet',
      (original) => (id, call) => original(id, call) ?? call.service.collection.newest(1, undefined)[0],
    ),
  ),
  fault(
    'negative-id-gives-positive',
    'GET-3',
    'The sign of an id is ignored.',
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
    'Ids are beyond 2^53 and compared as doubles, so a neighbour is found.',
    combine(
      neighbouringIdsBeyondDoubles,
      override(
        'findPet',
        (original) => (id, call) =>
          original(id, call) === undefined
            ? undefined
            : (call.service.collection.oldestFirst(undefined).find((pet) => Number(pet.id) === Number(id)) ??
              original(id, call)),
      ),
    ),
  ),

  fault(
    'getpet-sold-answered-404',
    'GET-4',
    'A sold animal cannot be fetched.',
    override('findPet', (original) => (id, call) => {
      const pet = original(id, call);
      return pet?.status === 'sold' ? undefined : pet;
    }),
  ),
  fault(
    'getpet-404-for-300-ms',
    'GET-4',
    'An animal cannot be fetched in the first 300 ms.',
    findingByAge((age) => age === undefined || age >= 300),
  ),
  fault(
    'getpet-404-after-a-second',
    'GET-4',
    'An animal can no longer be fetched one second after it was added.',
    findingByAge((age) => age === undefined || age <= 1000),
  ),
  fault(
    'getpet-knows-last-three',
    'GET-4',
    'Only the three newest animals can be fetched.',
    override(
      'findPet',
      (original) => (id, call) =>
        call.service.collection.newest(3, undefined).some((pet) => pet.id === id) ? original(id, call) : undefined,
    ),
  ),

  fault(
    'odd-id-gives-the-oldest',
    'GET-5',
    'An id in an odd spelling (`01`, `+1`, `1.0`) is answered with the oldest animal.',
    override('readPetId', (original) => (call) => {
      const isOdd = /^(?:\+\d+|0\d+|\d+\.0+)$/.test(call.petId ?? '');
      return (isOdd ? call.service.collection.oldestFirst(undefined)[0]?.id : undefined) ?? original(call);
    }),
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
    'A word as the id returns the list.',
    override(
      'getPet',
      (original) => (call) =>
        /^[A-Za-z]+$/.test(call.petId ?? '') ? call.service.steps.listPets(call) : original(call),
    ),
  ),
  fault(
    'id-not-int64-answered-422',
    'GET-5',
    'An id that is not an int64 is answered with 422.',
    override('readPetId', (original) => (call) => {
      try {
        return original(call);
      } catch {
        throw Object.assign(petNotFound(call.petId ?? ''), { status: 422 });
      }
    }),
  ),
  fault('seventh-fetch-answered-404', 'GET-1', 'From its seventh fetch on, an animal is not found.', (steps: Steps) => {
    const fetches = new Map<bigint, number>();
    return override('findPet', (original) => (id, call) => {
      const count = (fetches.get(id) ?? 0) + 1;
      fetches.set(id, count);
      return count > 6 ? undefined : original(id, call);
    })(steps);
  }),
];
