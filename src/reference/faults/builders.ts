import type { PetStatus } from '../../petstore/contract-facts.ts';
import { bearerToken } from '../authentication.ts';
import {
  changeResponse,
  combine,
  errorResponse,
  everyNth,
  override,
  type ResponseFilter,
  responsesOf,
  type StepsChange,
  textOf,
} from '../changes.ts';
import { assignInSequence, type NewPet } from '../collection.ts';
import { ApiError, invalidBody, invalidParameter } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';
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

export const OPERATIONS: readonly Operation[] = ['listPets', 'createPet', 'getPet'];

/** Also accepts some requests that the original step refuses. */
export const alsoAccepting = (accepts: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => {
    if (!accepts(call)) original(call);
  });

/** Accepts keys that are close to the right one. */
export const acceptingKeys = (accepts: (given: string, right: string) => boolean) =>
  alsoAccepting((call) => accepts(bearerToken(call) ?? '', call.service.token));

export const authorization = (call: Call): string => call.header('authorization') ?? '';
export const isKeyless = (call: Call): boolean => bearerToken(call) === undefined;
export const invalidKey = () => new ApiError(401, 'unauthorized', 'The API key is not valid.');

/** Answers a refused key with another status. */
export const refusingWith = (status: number, which: (call: Call) => boolean) =>
  changeResponse(
    (response, call) => response.status === 401 && which(call),
    () => errorResponse(status),
  );

/** Adds the animal although the key was refused. */
export const addingAnyway = (which: (call: Call) => boolean) =>
  override('perform', (original) => async (call) => {
    try {
      return await original(call);
    } catch (error) {
      if (call.operation === 'createPet' && error instanceof ApiError && error.status === 401 && which(call)) {
        await call.service.steps.createPet(call);
      }
      throw error;
    }
  });

/** Accepts every request on a connection on which a valid key was sent, or only some of them. */
export const rememberingConnections = (which: (call: Call) => boolean) => (steps: Steps) => {
  const known = new WeakSet<object>();
  return override('authenticate', (original) => (call) => {
    if (which(call) && known.has(call.incoming.socket)) return;
    original(call);
    known.add(call.incoming.socket);
  })(steps);
};

/** Reads an id from a text that is not one. */
export const readingId = (read: (text: string) => bigint | undefined) =>
  override('readPetId', (original) => (call) => {
    const text = call.petId ?? '';
    return (/^-?\d{1,18}$/.test(text) ? undefined : read(text)) ?? original(call);
  });

/** Looks for another id than the one asked for. */
export const findingBy = (alter: (id: bigint) => bigint) =>
  override('findPet', (original) => (id, call) => original(alter(id), call));

/** Answers an int64 that no animal has. */
export const unknownIdWith = (respond: (call: Call) => ApiResponse) =>
  changeResponse(
    (response, call) => responsesOf('getPet', 404)(response, call) && /^-?\d{1,18}$/.test(call.petId ?? ''),
    (_, call) => respond(call),
  );

/** Describes errors wrongly. */
export const describingErrors = (alter: (members: JsonObject, error: ApiError, call: Call) => JsonObject) =>
  override('describeError', (original) => (error, call) => alter(original(error, call), error, call));

/** Sends responses with another media type, or with none. */
export const labelled = (which: ResponseFilter, mediaType: string | undefined) =>
  changeResponse(which, (response) => {
    const { 'Content-Type': _, ...headers } = response.headers;
    return { ...response, headers: mediaType === undefined ? headers : { ...headers, 'Content-Type': mediaType } };
  });

/** Sends responses in another encoding. */
export const encoded = (which: ResponseFilter, encode: (text: string) => Buffer) =>
  changeResponse(which, (response) => ({ ...response, body: encode(textOf(response)) }));

/** Fails as a bug in the service does. */
export const crash = (what: string): never => {
  throw new TypeError(what);
};

export type Send = (response: ApiResponse, call: Call) => Promise<void> | void;

/** Puts some responses on the wire in another way. */
export const sending = (which: ResponseFilter, send: Send) =>
  override(
    'send',
    (original) => (response, call) => (which(response, call) ? send(response, call) : original(response, call)),
  );

/** Never responds. */
export const hang: Send = () => {};

/** Resets the connection without a response. */
export const reset: Send = (_, { incoming }) => {
  incoming.socket.resetAndDestroy();
};

/** Sends the headers of a response, and announces a length if one is given. */
export const writeHead = ({ status, headers }: ApiResponse, { outgoing }: Call, length?: number) =>
  outgoing.writeHead(status, length === undefined ? headers : { ...headers, 'Content-Length': length });

export const lengthOf = ({ body }: ApiResponse): number => Buffer.byteLength(body);

/** Announces the whole body and closes in the middle of it. */
export const breakOff: Send = (response, call) => {
  const body = Buffer.from(response.body);
  const half = body.subarray(0, Math.floor(body.length / 2));
  writeHead(response, call, body.length).write(half, () => call.incoming.socket.destroy());
};

/** Writes the bytes of a response by hand and closes. */
export function raw(
  statusLine: string,
  response: ApiResponse,
  framing: string,
  call: Call,
  text = textOf(response),
): void {
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  call.incoming.socket.end([statusLine, ...headers, framing, '', text].join('\r\n'));
}

/** Holds some requests for a few milliseconds, so that they overlap, and tells how many of them are under way. */
export const overlapping =
  (which: (call: Call) => boolean, make: (underWay: () => number) => StepsChange) =>
  (steps: Steps): Steps => {
    let count = 0;
    return combine(
      make(() => count),
      override('serve', (original) => async (call) => {
        if (!which(call)) return original(call);
        count += 1;
        await call.service.pause(8);
        try {
          return await original(call);
        } finally {
          count -= 1;
        }
      }),
    )(steps);
  };

/** A change that takes effect only from the `count`-th request on. */
export const lateBy =
  (count: number, make: (isLate: () => boolean) => StepsChange) =>
  (steps: Steps): Steps => {
    let calls = 0;
    return combine(
      make(() => calls > count),
      override('serve', (original) => (call) => {
        calls += 1;
        return original(call);
      }),
    )(steps);
  };
