import type { PetStatus } from '../../petstore/contract-facts.ts';
import { changeResponse, everyNth, override, type ResponseFilter, responsesOf } from '../changes.ts';
import { assignInSequence, type NewPet } from '../collection.ts';
import { invalidBody, invalidParameter } from '../errors.ts';
import { isObject } from '../json.ts';
import type { ApiResponse, Call, Operation, Steps } from '../steps.ts';

/** What the faults of several requirement prefixes are built from. */

export const listed = responsesOf('listPets', 200);
export const created = responsesOf('createPet', 201);
export const fetched = responsesOf('getPet', 200);

/** An animal for faults that make one up. */
export const PET_JSON = '{"id":1,"name":"Bella","categoryId":1,"status":"available"}';

/** A limit that no collection reaches. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Whether a JSON value is an object with such a member. */
export const has = (body: unknown, name: string): boolean => isObject(body) && Object.hasOwn(body, name);

/** Gives every request the same kind of response, as a stub does. */
export const respondingAlways = (respond: (call: Call) => ApiResponse) =>
  override('serve', () => async (call) => respond(call));

/** Changes every `count`-th of some responses. */
export const changingEveryNth =
  (count: number, which: ResponseFilter, alter: (response: ApiResponse, call: Call) => ApiResponse) =>
  (steps: Steps): Steps => {
    const isDue = everyNth(count);
    return changeResponse((response, call) => which(response, call) && isDue(), alter)(steps);
  };

/** Changes a limit after it was read. */
export const withLimit = (change: (limit: number, call: Call) => number) =>
  override('readLimit', (original) => (call) => change(original(call), call));

/** Refuses limits that are valid. */
export const refusingLimits = (refuses: (limit: number) => boolean) =>
  override('readLimit', (original) => (call) => {
    const limit = original(call);
    if (call.query.has('limit') && refuses(limit)) throw invalidParameter('limit is not acceptable.');
    return limit;
  });

/** Stores something other than what was sent; all responses then agree. */
export const storing = (alter: (pet: NewPet, body: unknown) => NewPet) =>
  override('validateNewPet', (original) => (body, call) => alter(original(body, call), body));

/** Refuses valid animals. */
export const refusingPets = (
  refuses: (pet: NewPet, body: unknown) => boolean,
  makeError: () => Error = () => invalidBody('The animal is not acceptable.'),
) =>
  storing((pet, body) => {
    if (refuses(pet, body)) throw makeError();
    return pet;
  });

/** Stores another status than the one that was sent; undefined for none. */
export const storingStatus = (alter: (status: PetStatus | undefined, body: unknown) => PetStatus | undefined) =>
  storing(({ status, ...pet }, body) => {
    const altered = alter(status, body);
    return altered === undefined ? pet : { ...pet, status: altered };
  });

/** Ids that no double can hold; rounded to a double, none of them is the id of another animal. */
export const idsBeyondDoubles = override('assignId', () => {
  const next = assignInSequence();
  return () => 2n ** 54n + 4n * next() + 1n;
});

/** Shows another id in the responses of one operation. */
export const showingId = (operation: Operation, alter: (id: bigint) => bigint) =>
  override('describePet', (original) => (pet, call) => {
    const members = original(pet, call);
    return call.operation === operation ? { ...members, id: alter(pet.id) } : members;
  });
