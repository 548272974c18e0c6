import type { PetStatus } from '../../petstore/contract-facts.ts';
import {
  changeResponse,
  combine,
  everyNth,
  override,
  type ResponseFilter,
  responsesOf,
  type StepsChange,
} from '../changes.ts';
import { assignInSequence, isPetStatus, type NewPet, type Pet } from '../collection.ts';
import { invalidBody, invalidParameter } from '../errors.ts';
import { isObject } from '../json.ts';
import { populate } from '../operations.ts';
import type { ApiResponse, Call, Operation, PageRequest, Steps } from '../steps.ts';

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

/** Which requests a fault applies to. */
export type When = (call: Call) => boolean;

/** Whether one of the values of a query parameter, decoded, has this form. */
export const onLimit =
  (form: RegExp): When =>
  ({ query }) =>
    query.getAll('limit').some((text) => form.test(text));
export const onStatus =
  (form: RegExp): When =>
  ({ query }) =>
    query.getAll('status').some((text) => form.test(text));

export const hasLimit: When = ({ query }) => query.has('limit');
export const hasStatus: When = ({ query }) => query.has('status');
export const hasUnknownStatus: When = ({ query }) => query.has('status') && !isPetStatus(query.get('status'));

/** Requests that all of the conditions are met by. */
export const both =
  (...conditions: readonly When[]): When =>
  (call) =>
    conditions.every((condition) => condition(call));

/** The query as it stands on the wire, not decoded: names and values in their order. */
export const rawQuery = ({ incoming }: Call): readonly (readonly [name: string, value: string])[] =>
  (incoming.url?.split('?')[1] ?? '').split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });

/** Answers some lists otherwise, before their parameters are read. */
export const answeringLists = (when: When, response: ApiResponse) =>
  override('listPets', (original) => (call) => (when(call) ? response : original(call)));

/** Reads a limit otherwise; undefined leaves it to the original step. */
export const readingLimit = (read: (text: string | null, call: Call) => number | undefined) =>
  override('readLimit', (original) => (call) => read(call.query.get('limit'), call) ?? original(call));

/** Lets animals with some statuses through the filter; undefined leaves it to the original steps. */
export const lettingThrough = (choose: (call: Call) => readonly PetStatus[] | undefined) =>
  combine(
    override('readStatusFilter', (original) => (call) => (choose(call) === undefined ? original(call) : undefined)),
    override('selectPage', (original) => (page, call) => {
      const statuses = choose(call);
      if (statuses === undefined) return original(page, call);
      const everything = original({ limit: EVERYTHING, status: undefined }, call);
      return everything.filter(({ status }) => status !== undefined && statuses.includes(status)).slice(0, page.limit);
    }),
  );

/** Shows other animals on a page than the original step selects. */
export const showing = (alter: (pets: readonly Pet[], page: PageRequest, call: Call) => readonly Pet[]) =>
  override('selectPage', (original) => (page, call) => alter(original(page, call), page, call));

/** Starts with so many animals. */
export const startingWith = (seedAnimals: number): StepsChange =>
  override('populate', () => (service) => populate({ ...service, seedAnimals }));
