import { once } from 'node:events';
import type { PetStatus } from '../../petstore/contract-facts.ts';
import { bearerToken } from '../authentication.ts';
import {
  changeResponse,
  combine,
  errorResponse,
  everyNth,
  fault,
  override,
  type ResponseFilter,
  responsesOf,
  type StepsChange,
  textOf,
} from '../changes.ts';
import { assignInSequence, isPetStatus, type NewPet, type Pet } from '../collection.ts';
import { ApiError, invalidBody, invalidParameter } from '../errors.ts';
import { isObject, type JsonObject } from '../json.ts';
import { populate } from '../operations.ts';
import type { ApiResponse, Call, Fault, Operation, PageRequest, Service, Steps } from '../steps.ts';

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

const isGet = ({ incoming }: Call): boolean => incoming.method === 'GET';
export const ofGets: ResponseFilter = (_, call) => isGet(call);

/** Answers every GET alike. */
export const respondingToGets = (respond: () => ApiResponse) =>
  override('serve', (original) => async (call) => (isGet(call) ? respond() : original(call)));

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

type Row<What> = readonly [name: string, says: string, what: What];

/** Faults of one requirement that differ in one function. */
export const rows = <What>(
  breaks: string,
  make: (what: What) => StepsChange,
  ...table: readonly Row<What>[]
): Fault[] => table.map(([name, says, what]) => fault(name, breaks, says, make(what)));

/** An object as it was sent. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Repairs a text that is not JSON before it is refused. */
export const repairing = (repair: (text: string) => string) =>
  override('parseBody', (original) => (text, call) => {
    try {
      return original(text, call);
    } catch (error) {
      const repaired = repair(text);
      if (repaired === text) throw error;
      return original(repaired, call);
    }
  });

/** Turns a member that is present into something else before the body is validated. */
export const coercingPresent = (name: string, coerce: (value: unknown, body: JsonMembers) => unknown) =>
  override(
    'validateNewPet',
    (original) => (body, call) =>
      original(isObject(body) && has(body, name) ? { ...body, [name]: coerce(body[name], body) } : body, call),
  );

/** Refuses a valid body for how it is written. */
export const refusingTexts = (refuses: (text: string) => boolean) =>
  override('parseBody', (original) => (text, call) => {
    const body = original(text, call);
    if (refuses(text)) throw invalidBody('The body is not acceptable.');
    return body;
  });

/** Refuses an invalid body as usual, but adds its animal. */
export const addingTheRefused = (which: (body: JsonMembers) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    try {
      return original(body, call);
    } catch (error) {
      if (isObject(body) && which(body)) addAnyway(body, call);
      throw error;
    }
  });

/** Adds an animal with the valid members of a body. */
export function addAnyway({ name, categoryId }: JsonMembers, call: Call): void {
  const { steps } = call.service;
  const id = steps.assignId(call.service);
  if (typeof id !== 'bigint') return;
  const pet = {
    id,
    name: typeof name === 'string' ? name : '',
    categoryId: typeof categoryId === 'bigint' ? categoryId : 0n,
    status: 'available',
  } as const;
  steps.store(pet, call);
}

/** Fails as a bug in the service does. */
export const crash = (what: string): never => {
  throw new TypeError(what);
};

/** Fails on a body before it is parsed. */
export const crashingOnBody = (matches: (text: string) => boolean) =>
  override(
    'parseBody',
    (original) => (text, call) => (matches(text) ? crash('unexpected body') : original(text, call)),
  );

/** Fails on a valid animal. */
export const crashingOnPet = (matches: (pet: NewPet, body: unknown) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    return matches(pet, body) ? crash('unexpected value') : pet;
  });

export const crashingOnName = (matches: RegExp) => crashingOnPet(({ name }) => matches.test(name));

export const storingName = (alter: (name: string) => string) => storing((pet) => ({ ...pet, name: alter(pet.name) }));

export const storingCategory = (alter: (id: bigint) => bigint) =>
  storing((pet) => ({ ...pet, categoryId: alter(pet.categoryId) }));

/** Describes animals wrongly, everywhere or in the responses of one operation. */
export const describing = (alter: (members: JsonObject, pet: Pet) => JsonObject, only?: Operation) =>
  override('describePet', (original) => (pet, call) => {
    const members = original(pet, call);
    return only === undefined || call.operation === only ? alter(members, pet) : members;
  });

/** Fails on a body after it was parsed. */
export const crashingOnParsed = (matches: (body: unknown, text: string, call: Call) => boolean) =>
  override('parseBody', (original) => (text, call) => {
    const body = original(text, call);
    return matches(body, text, call) ? crash('unexpected member') : body;
  });

/** Whether a body has a member that a NewPet does not have. */
export const hasUnknownMember = (body: unknown): boolean =>
  isObject(body) && Object.keys(body).some((name) => !['name', 'categoryId', 'status', 'id'].includes(name));

const STRING_OR_REST = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[^"]+/g;

/** Rewrites what stands outside the strings of a JSON text. */
export const outsideStrings = (text: string, rewrite: (part: string) => string): string =>
  text.replace(STRING_OR_REST, (part) => (part.startsWith('"') ? part : rewrite(part)));

/** Rewrites the strings of a JSON text, quotes included. */
export const insideStrings = (text: string, rewrite: (part: string) => string): string =>
  text.replace(STRING_OR_REST, (part) => (part.startsWith('"') ? rewrite(part) : part));

/** Creates an animal with some steps of its own. */
export const creatingWith = (make: (own: Steps) => Partial<Steps>) =>
  override('createPet', (original) => (call) => {
    const own = call.service.steps;
    return original({ ...call, service: { ...call.service, steps: { ...own, ...make(own) } } });
  });

/** Creations wait a moment for their id, as for a database. */
export const waitingForIds = creatingWith((own) => ({
  assignId: async (service: Service) => {
    const id = await own.assignId(service);
    await service.pause(3);
    return id;
  },
}));

/** Creates an animal whose status was omitted with some steps of its own. */
export const whereStatusOmitted = (make: (own: Steps) => Partial<Pick<Steps, 'store' | 'describePet'>>) =>
  creatingWith((own) => {
    const changed = { ...own, ...make(own) };
    let steps = own;
    return {
      validateNewPet: (body, call) => {
        if (!has(body, 'status')) steps = changed;
        return own.validateNewPet(body, call);
      },
      store: (pet, call) => steps.store(pet, call),
      describePet: (pet, call) => steps.describePet(pet, call),
    };
  });

/** Reads a body from the pieces in which it arrives: its chunks, or what the network makes of it. */
export const readingPieces = (read: (pieces: readonly Buffer[]) => string) =>
  override('readBody', () => async ({ incoming }) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    await once(incoming, 'end');
    if (pieces.length === 0) throw invalidBody('The body is missing.');
    return read(pieces);
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

/** A list of the animals that `isShown` lets through; getPet knows the others all the same. */
export const listingOnly = (isShown: (pet: Pet, call: Call) => boolean) =>
  override('selectPage', () => ({ limit, status }, call) => {
    const { collection } = call.service;
    const shown = collection.oldestFirst(status).filter((pet) => isShown(pet, call));
    return shown.slice(-limit).reverse();
  });

/** Lists everything but those of the added animals that are chosen when they are stored. */
export const leavingOutAdded =
  (choosing: () => (pet: Pet, call: Call) => boolean): StepsChange =>
  (steps) => {
    const isChosen = choosing();
    const left = new Set<bigint>();
    return combine(
      override('store', (original) => (pet, call) => {
        if (isChosen(pet, call)) left.add(pet.id);
        original(pet, call);
      }),
      listingOnly(({ id }) => !left.has(id)),
    )(steps);
  };

/** Starts with so many animals. */
export const startingWith = (seedAnimals: number): StepsChange =>
  override('populate', () => (service) => populate({ ...service, seedAnimals }));

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
