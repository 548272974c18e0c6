import { once } from 'node:events';
import { isObject } from '../../contract/json-pointer.ts';
import {
  changeResponse,
  combine,
  errorResponse,
  everyNth,
  onEveryNth,
  override,
  type ResponseFilter,
  type StepsChange,
  textOf,
} from '../changes.ts';
import { assignInSequence, type NewPet, type Pet, seedAnimal } from '../collection.ts';
import { invalidBody, invalidParameter } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { populate } from '../operations.ts';
import type { ApiResponse, Call, Operation, PageRequest, Service, Steps } from '../steps.ts';
import { has, hasLimit, isGet, isJson, isKeyless, type JsonMembers, type When, where } from './conditions.ts';

/** What the faults of several requirement prefixes are built from. */

/** A limit that no collection reaches. */
export const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Answers with an Error in the place of some responses. */
export const answering = (status: number, which: ResponseFilter) => changeResponse(which, () => errorResponse(status));

/** Answers every GET alike. */
export const respondingToGets = (respond: () => ApiResponse) =>
  override('serve', (original) => async (call) => (isGet(call) ? respond() : original(call)));

/** Changes every `count`-th of some responses. */
export const changingEveryNth =
  (count: number, which: ResponseFilter, alter: (response: ApiResponse, call: Call) => ApiResponse) =>
  (steps: Steps): Steps => {
    const isDue = everyNth(count);
    return changeResponse(where(which, isDue), alter)(steps);
  };

/** Changes a limit after it was read, or the default. */
export const withLimit = (change: (limit: number, call: Call) => number) =>
  override('readLimit', (original) => (call) => change(original(call), call));

/** Refuses limits that are valid. */
export const refusingLimits = (refuses: (limit: number) => boolean) =>
  override('readLimit', (original) => (call) => {
    const limit = original(call);
    if (hasLimit(call) && refuses(limit)) throw invalidParameter('limit is not acceptable.');
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
export const storingStatus = (alter: (status: string | undefined, body: unknown) => string | undefined) =>
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

/** Refuses a valid body for how it is written. */
export const refusingTexts = (
  refuses: (text: string) => boolean,
  makeError: () => Error = () => invalidBody('The body is not acceptable.'),
) =>
  override('parseBody', (original) => (text, call) => {
    const body = original(text, call);
    if (refuses(text)) throw makeError();
    return body;
  });

/** Creates an animal with some steps of its own. */
export const creatingWith = (make: (own: Steps) => Partial<Steps>) =>
  override('createPet', (original) => (call) => {
    const own = call.service.steps;
    return original({ ...call, service: { ...call.service, steps: { ...own, ...make(own) } } });
  });

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

/** Answers some lists otherwise, before their parameters are read. */
export const answeringLists = (when: When, response: ApiResponse) =>
  override('listPets', (original) => (call) => (when(call) ? response : original(call)));

/** Reads a limit otherwise; undefined leaves it to the original step. */
export const readingLimit = (read: (text: string | null, call: Call) => number | undefined) =>
  override('readLimit', (original) => (call) => read(call.query.get('limit'), call) ?? original(call));

/** Shows other animals on a page than the original step selects. */
export const showing = (alter: (pets: readonly Pet[], page: PageRequest, call: Call) => readonly Pet[]) =>
  override('selectPage', (original) => (page, call) => alter(original(page, call), page, call));

/** Cuts pages from what `choose` makes of the animals that match, newest first. */
export const selecting = (choose: (matching: readonly Pet[], call: Call) => readonly Pet[]) =>
  override('selectPage', () => ({ limit, status }, call) => {
    const matching = call.service.collection.newest(EVERYTHING, status);
    return choose(matching, call).slice(0, limit);
  });

/** A list of the animals that `isShown` lets through; getPet knows the others all the same. */
export const listingOnly = (isShown: (pet: Pet, call: Call) => boolean) =>
  selecting((pets, call) => pets.filter((pet) => isShown(pet, call)));

/** Does something when an animal was stored. */
export const onStored = (act: (pet: Pet, call: Call) => void) =>
  override('store', (original) => (pet, call) => {
    original(pet, call);
    act(pet, call);
  });

/** A change that takes effect some time (ms) after the first animal was added. */
export const onceAged =
  (milliseconds: number, make: (isAged: () => boolean) => StepsChange): StepsChange =>
  (steps) => {
    let isCounting = false;
    let isAged = false;
    const counting = onStored((_, { service }) => {
      if (isCounting) return;
      isCounting = true;
      void service.pause(milliseconds).then(() => {
        isAged = true;
      });
    });
    return combine(
      counting,
      make(() => isAged),
    )(steps);
  };

/** Lists everything but those of the added animals that are chosen when they are stored. */
export const leavingOutAdded =
  (choosing: () => (pet: Pet, call: Call) => boolean): StepsChange =>
  (steps) => {
    const isChosen = choosing();
    const left = new Set<bigint>();
    return combine(
      onStored((pet, call) => {
        if (isChosen(pet, call)) left.add(pet.id);
      }),
      listingOnly(({ id }) => !left.has(id)),
    )(steps);
  };

/** Does something with an object that is refused, which is refused all the same. */
export const onRefused = (act: (body: JsonMembers, call: Call) => void) =>
  override('validateNewPet', (original) => (body, call) => {
    try {
      return original(body, call);
    } catch (error) {
      if (isObject(body)) act(body, call);
      throw error;
    }
  });

/** Starts with the given number of animals. */
export const startingWith = (seedAnimals: number): StepsChange =>
  override('populate', () => (service) => populate({ ...service, seedAnimals }));

/** Starts with animals of one status only. */
export const startingWithOnly = (status: string) =>
  override('populate', () => async (service) => {
    for (let place = 0; place < 4; place += 1) {
      service.collection.add({ ...seedAnimal(place), status, id: await service.steps.assignId(service) });
    }
  });

/** Takes some limits that were given for another. */
export const limitAs = (read: (limit: number) => number, when: When = () => true) =>
  withLimit((limit, call) => (hasLimit(call) && when(call) ? read(limit) : limit));

/** Reads as an id what has this form and is none. */
export const readingId = (form: RegExp, read: (text: string) => bigint | undefined) =>
  override('readPetId', (original) => (call) => {
    const text = call.petId ?? '';
    return (form.test(text) && !/^-?\d{1,18}$/.test(text) ? read(text) : undefined) ?? original(call);
  });

/** Sends responses in another encoding. */
export const encoded = (which: ResponseFilter, encode: (text: string) => Buffer) =>
  changeResponse(which, (response) => ({ ...response, body: encode(textOf(response)) }));

/** Holds some requests for a few milliseconds, so that they overlap, and gives the number that is in flight. */
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

/** Reads bodies of createPet without a key before they are refused; undefined stands for one that is not JSON. */
export const readingKeylessBodies = (then: (body: unknown, call: Call) => void) =>
  override('perform', (original) => async (call) => {
    const { steps } = call.service;
    if (call.operation === 'createPet' && isKeyless(call)) then(parsed(await steps.readBody(call), call), call);
    return original(call);
  });

function parsed(text: string, call: Call): unknown {
  try {
    return call.service.steps.parseBody(text, call);
  } catch {
    return undefined;
  }
}

export const INT64_MAX = 2n ** 63n - 1n;

export const whole = (value: number): bigint | undefined => (Number.isSafeInteger(value) ? BigInt(value) : undefined);

/** Makes a change that knows which animals were there at the start. */
export const knowingOthers =
  (make: (isOther: (pet: Pet) => boolean) => StepsChange): StepsChange =>
  (steps) => {
    const others = new Set<bigint>();
    return combine(
      override('populate', (original) => async (service) => {
        await original(service);
        for (const { id } of service.collection.oldestFirst(undefined)) others.add(id);
      }),
      make(({ id }) => others.has(id)),
    )(steps);
  };

/** Finds another animal, or none, in the place of one that was there at the start. */
export const findingOthers = (find: (pet: Pet, call: Call) => Pet | undefined) =>
  knowingOthers((isOther) =>
    override('findPet', (original) => (id, call) => {
      const pet = original(id, call);
      return pet !== undefined && isOther(pet) ? find(pet, call) : pet;
    }),
  );

/** Keeps the lists that `keyOf` gives the same key, each for the given number of milliseconds. */
export const keeping =
  (milliseconds: number, keyOf: (call: Call) => string | undefined): StepsChange =>
  (steps) => {
    const kept = new Map<string, { readonly response: ApiResponse; readonly until: number }>();
    return override('listPets', (original) => async (call) => {
      const key = keyOf(call);
      if (key === undefined) return original(call);
      const found = kept.get(key);
      if (found !== undefined && performance.now() < found.until) return found.response;
      const response = await original(call);
      kept.set(key, { response, until: performance.now() + milliseconds });
      return response;
    })(steps);
  };

/** Changes every `count`-th page. */
export const onEveryNthPage = (
  count: number,
  alter: (pets: readonly Pet[], limit: number, call: Call) => readonly Pet[],
  when: When = () => true,
) =>
  onEveryNth(count, (isDue) =>
    showing((pets, { limit }, call) => (when(call) && isDue() ? alter(pets, limit, call) : pets)),
  );

/** Reads limits of one form otherwise. */
export const limitLike = (form: RegExp, read: (text: string) => number, when: When = () => true) =>
  readingLimit((text, call) => (text !== null && form.test(text) && when(call) ? read(text) : undefined));

/** Notes the ids of the animals whose status was omitted. */
export const notingOmitted = (omitted: Set<bigint>) =>
  whereStatusOmitted((own) => ({
    store: (pet, call) => {
      omitted.add(pet.id);
      own.store(pet, call);
    },
  }));

/** Describes animals whose status was omitted in another way, in the responses of some operations. */
export const describingOmitted =
  (
    alter: (members: JsonObject) => JsonObject,
    where: readonly Operation[] = ['createPet', 'getPet', 'listPets'],
  ): StepsChange =>
  (steps) => {
    const omitted = new Set<bigint>();
    return combine(
      notingOmitted(omitted),
      override('describePet', (original) => (pet, call) => {
        const members = original(pet, call);
        return omitted.has(pet.id) && where.some((operation) => operation === call.operation)
          ? alter(members)
          : members;
      }),
    )(steps);
  };

export const withStatus =
  (status: string) =>
  (members: JsonObject): JsonObject => ({ ...members, status });

/** Refuses an invalid body as usual, but adds its animal. */
export const addingTheRefused = (which: (body: JsonMembers) => boolean) =>
  onRefused((body, call) => {
    if (which(body)) addAnyway(body, call);
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

/** Stores animals otherwise than the response to createPet says. */
export const storingAs = (alter: (pet: Pet) => Pet) =>
  override('store', (original) => (pet, call) => original(alter(pet), call));

/** Assigns some ids by the animal and its body; undefined leaves it to the original step. */
export const assigningIds = (assign: (pet: NewPet, body: unknown, service: Service) => bigint | undefined) =>
  creatingWith((own) => {
    let id: bigint | undefined;
    return {
      validateNewPet: (body, call) => {
        const pet = own.validateNewPet(body, call);
        id = assign(pet, body, call.service);
        return pet;
      },
      assignId: (service) => id ?? own.assignId(service),
    };
  });
/** Fails otherwise where a member of a body stands twice, with different values. */
export const onDuplicates = (fail: () => never) =>
  override('parseBody', (original) => (text, call) => {
    try {
      return original(text, call);
    } catch (error) {
      if (isJson(text)) fail();
      throw error;
    }
  });
