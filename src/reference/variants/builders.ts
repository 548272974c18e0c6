import { LIMIT, PET_STATUSES } from '../../contract/contract-facts.ts';
import { isObject } from '../../contract/json-pointer.ts';
import {
  changeResponse,
  combine,
  errorResponse,
  everyResponse,
  override,
  type ResponseFilter,
  SPECIFIED,
} from '../changes.ts';
import { assignInSequence, type NewPet, type Pet, seedAnimal } from '../collection.ts';
import { invalidBody, invalidParameter } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import { populate } from '../operations.ts';
import type { ApiResponse, Call, PageRequest, Service, Steps, Variant } from '../steps.ts';

/** What variants of several kinds are built from. */

/** What a parameter is read as: a value, `undefined` as though it were absent, or `refused`. */
export type Reading<Value> = Value | undefined | 'refused';

/** Reads the limits that are not written plainly from 1 to 100; several have been given where there are several texts. */
export const readingLimits = (read: (texts: readonly string[]) => Reading<number>) =>
  override('readLimit', (original) => (call) => {
    const texts = call.query.getAll('limit');
    if (texts.length === 0 || (texts.length === 1 && isPlainLimit(texts[0] ?? ''))) return original(call);
    const limit = read(texts);
    if (limit === 'refused') throw invalidParameter('limit is not acceptable.');
    return limit ?? LIMIT.default;
  });

const isPlainLimit = (text: string): boolean => /^([1-9]\d?|100)$/.test(text);

/** Reads one limit in another way. Of several, the first one counts, and must be written plainly. */
export const readingLimit = (read: (text: string) => Reading<number>) =>
  readingLimits(([first = '', ...others]) => {
    if (isPlainLimit(first)) return Number(first);
    return others.length > 0 ? 'refused' : read(first);
  });

/** An integer as most languages read it: a sign, zeros before it, a fraction of zero and blanks around it. */
export const lenientInteger = (text: string): number | undefined =>
  /^\s*[+-]?\d+(\.0*)?\s*$/.test(text) ? Number(text) : undefined;

export const clampedLimit = (limit: number): number => Math.min(Math.max(Math.trunc(limit), 1), 100);

/** Checks something before the key. */
export const checkingBeforeKey = (check: (call: Call) => Promise<void> | void) =>
  override('perform', (original) => async (call) => {
    await check(call);
    return original(call);
  });

/** Checks something after the key, before the operation. */
export const checkingAfterKey = (check: (call: Call) => void) =>
  override('authenticate', (original) => (call) => {
    original(call);
    check(call);
  });

/** Alters a valid animal before it is stored. */
export const storing = (alter: (pet: NewPet, body: Members) => NewPet) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    return isObject(body) ? alter(pet, body) : pet;
  });

type Members = Readonly<Record<string, unknown>>;

/** Refuses animals where the specification leaves it open. */
export const refusing = (message: string, refuses: (name: string, body: Members) => boolean) =>
  storing((pet, body) => {
    if (refuses(pet.name, body)) throw invalidBody(message);
    return pet;
  });

/** Adds headers to every response. */
export const withHeaders = (headers: Readonly<Record<string, string>>) =>
  changeResponse(everyResponse, (response) => ({ ...response, headers: { ...response.headers, ...headers } }));

/** Adds members to every animal, after those of the specification. */
export const addingToAnimals = (members: (id: bigint) => Readonly<Record<string, Json>>) =>
  override('describePet', (original) => (pet, call) => ({ ...members(pet.id), ...original(pet, call) }));

/** A random integer from 0 to below `count`. */
export const below = (count: number, service: Service): number => Math.floor(service.random() * count);

/** Cuts pages from what `choose` makes of all animals that match, oldest first. */
export const paging = (choose: (matching: readonly Pet[], page: PageRequest, call: Call) => readonly Pet[]) =>
  override(
    'selectPage',
    () => (page, call) => choose(call.service.collection.oldestFirst(page.status), page, call).slice(0, page.limit),
  );

/** Pages that are shorter than the limit. */
export const shortened = (most: (page: PageRequest) => number) =>
  override(
    'selectPage',
    (original) => (page, call) => original({ ...page, limit: Math.min(page.limit, most(page)) }, call),
  );

/** A collection that starts with the given number of animals of others. */
export const populatedWith = (seedAnimals: number) =>
  override('populate', () => (service) => populate({ ...service, seedAnimals: service.seedAnimals ?? seedAnimals }));

const OTHERS = 12;

/** Other callers, who add animals, change their status and remove them again. They touch only their own. */
export const busy = (milliseconds: number) =>
  override('populate', (original) => async (service) => {
    await original(service);
    const others: bigint[] = [];
    let turn = 0;
    service.every(milliseconds, () => {
      turn += 1;
      const oldest = others[0];
      const known = oldest === undefined ? undefined : service.collection.get(oldest);
      if (others.length < OTHERS) {
        const id = service.steps.assignId(service);
        if (typeof id !== 'bigint') return;
        others.push(id);
        service.collection.add({ ...seedAnimal(turn), name: `Other ${turn}`, id });
      } else if (turn % 3 === 0 && oldest !== undefined) {
        others.shift();
        service.collection.remove(oldest);
      } else if (known !== undefined) {
        others.push(known.id);
        others.shift();
        service.collection.add({ ...known, status: PET_STATUSES[turn % PET_STATUSES.length] ?? 'available' });
      }
    });
  });

/** Resolves once a request has been read to its end: bytes left unread would reset the connection when it is closed. */
function readToEnd({ incoming }: Call): Promise<void> {
  if (incoming.readableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    incoming
      .once('close', resolve)
      .once('end', resolve)
      .once('error', () => resolve())
      .resume();
  });
}

/** Sends no response before the request has been read to its end. */
export const readingFirst = override('send', (original) => async (response, call) => {
  await readToEnd(call);
  await original(response, call);
});

/** Closes the connection after some responses. */
export const closing = (which: ResponseFilter) =>
  combine(
    readingFirst,
    changeResponse(which, (response) => ({ ...response, headers: { ...response.headers, Connection: 'close' } })),
  );

/** Writes the bytes of a response by hand, and closes the connection. */
export async function sendByHand(
  statusLine: string,
  framing: readonly string[],
  body: string | Uint8Array,
  response: ApiResponse,
  call: Call,
  { isAnnounced } = { isAnnounced: true },
): Promise<void> {
  await readToEnd(call);
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  const close = isAnnounced ? ['Connection: close'] : [];
  const head = [statusLine, ...headers, ...framing, ...close, '', ''].join('\r\n');
  call.incoming.socket.end(Buffer.concat([Buffer.from(head), Buffer.from(body)]));
}

/** Ids made from the sequence 1, 2, 3, …. */
export const identified = (make: (place: bigint, service: Service) => bigint) =>
  override('assignId', () => {
    const next = assignInSequence();
    return (service) => make(next(), service);
  });

export const isJson = (value: unknown): value is Json =>
  value === null ||
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
  (typeof value === 'object' && Object.values(value).every(isJson));

/** The members of a body that a NewPet does not have. */
export const unknownMembers = (body: Members): JsonObject =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, Json][] =>
      !SPECIFIED.includes(name) && isJson(value) ? [[name, value]] : [],
    ),
  );

/** Keeps further members with an animal. */
export const keeping = (extra: (body: Members) => JsonObject) =>
  storing((pet, body) => ({ ...pet, extra: extra(body) }));

/** The status of an animal whose status was left out. */
export const omittedAs = (choose: (pet: NewPet) => NewPet['status']) =>
  storing((pet, body) => {
    const status = Object.hasOwn(body, 'status') ? pet.status : choose(pet);
    const { status: _, ...rest } = pet;
    return status === undefined ? rest : { ...rest, status };
  });

/** Puts every response on the wire in another way. */
export const sending = (put: Steps['send']) => override('send', () => put);

export const tooMany = (headers: Readonly<Record<string, string>>): ApiResponse => {
  const response = errorResponse(429);
  return { ...response, headers: { ...response.headers, ...headers } };
};

/** A page of a proxy. */
export const asPage = (status: number): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'text/html', Server: 'nginx/1.27.0' },
  body: `<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`,
});

/** A response with neither a body nor a media type. */
export const withoutBody = (status: number): ApiResponse => ({ status, headers: {}, body: '' });

/** Answers some requests before they reach the service. */
export const answeringBefore = (which: (call: Call) => boolean, answer: (call: Call) => ApiResponse) =>
  override('serve', (original) => async (call) => (which(call) ? answer(call) : original(call)));

/** Delays some requests before they are looked at. */
export const delayed = (milliseconds: (call: Call, place: number) => number) => (steps: Steps) => {
  let place = 0;
  return override('serve', (original) => async (call) => {
    place += 1;
    await call.service.pause(milliseconds(call, place));
    return original(call);
  })(steps);
};

/** Answers 429 to some requests, at most the given number a second on average. */
export const limiting =
  (
    perSecond: number,
    atOnce: number,
    applies: (call: Call) => boolean,
    refuse: (milliseconds: number) => ApiResponse,
  ) =>
  (steps: Steps): Steps => {
    let left = atOnce;
    let since = performance.now();
    return override('serve', (original) => async (call) => {
      if (!applies(call)) return original(call);
      const time = performance.now();
      left = Math.min(atOnce, left + ((time - since) * perSecond) / 1000);
      since = time;
      if (left < 1) return refuse(((1 - left) * 1000) / perSecond);
      left -= 1;
      return original(call);
    })(steps);
  };

export const always = (): boolean => true;

/** Finds variants among others by their names. */
export const among =
  (variants: readonly Variant[]) =>
  (name: string): Variant => {
    const found = variants.find((other) => other.name === name);
    if (found === undefined) throw new Error(`No variant is called ${name}`);
    return found;
  };
