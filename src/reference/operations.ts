import { LIMIT, PET_STATUSES } from '../contract/contract-facts.ts';
import { isInt64 } from '../contract/exact-integer.ts';
import { isObject } from '../contract/json-pointer.ts';
import { isPetStatus, type NewPet, type Pet, seedAnimal } from './collection.ts';
import { invalidBody, invalidParameter, petNotFound, unsupportedMediaType } from './errors.ts';
import { readInt64, readJson } from './json.ts';
import type { ApiResponse, Call, PageRequest, Service } from './steps.ts';

/** The steps of listPets, createPet and getPet (part 4), and what is there before them. */

export function listPets(call: Call): ApiResponse {
  const { steps } = call.service;
  const page = steps.selectPage({ limit: steps.readLimit(call), status: steps.readStatusFilter(call) }, call);
  const pets = page.map((pet) => steps.describePet(pet, call));
  return steps.respond(200, pets, {}, call);
}

export function readLimit(call: Call): number {
  const text = call.query.get('limit');
  if (text === null) return LIMIT.default;
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (limit >= LIMIT.minimum && limit <= LIMIT.maximum) return limit;
  throw invalidParameter(`limit is an integer from ${LIMIT.minimum} to ${LIMIT.maximum}.`);
}

export function readStatusFilter(call: Call): string | undefined {
  const text = call.query.get('status') ?? undefined;
  if (text === undefined || isPetStatus(text)) return text;
  throw invalidParameter(`status is one of ${PET_STATUSES.join(', ')}.`);
}

export function selectPage({ limit, status }: PageRequest, call: Call): readonly Pet[] {
  return call.service.collection.newest(limit, status);
}

export async function createPet(call: Call): Promise<ApiResponse> {
  const { service } = call;
  const { steps } = service;
  steps.checkMediaType(call);
  const body = steps.parseBody(await steps.readBody(call), call);
  const newPet = steps.validateNewPet(body, call);
  const first = await steps.assignId(service);
  // The service assigns the id: one that the client happened to foretell is not used.
  const id = isObject(body) && body['id'] === first ? await steps.assignId(service) : first;
  const pet: Pet = { ...newPet, id };
  steps.store(pet, call);
  const headers = { Location: `${service.basePath}/pets/${pet.id}` };
  return steps.respond(201, steps.describePet(pet, call), headers, call);
}

/** A body may be sent without a media type, but not with one other than JSON. */
export function checkMediaType(call: Call): void {
  const mediaType = (call.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase();
  const coding = call.header('content-encoding') ?? 'identity';
  if (mediaType === 'application/json' && coding.toLowerCase() === 'identity') return;
  throw unsupportedMediaType('Send the animal as application/json, uncompressed.');
}

/** The largest body that is read, in bytes: no bound that a valid animal could meet, white space and all. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The longest name that is kept, in UTF-16 code units; the specification leaves names over 1,000 open. */
const MAX_NAME_LENGTH = 1024 * 1024;

/** The body must be UTF-8, without a byte order mark. One that is too large is read to its end, but not kept. */
export async function readBody(call: Call): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of call.incoming) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) throw invalidBody(`The body is larger than ${MAX_BODY_BYTES} bytes.`);
  if (size === 0) throw invalidBody('The body is missing.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw invalidBody('The body is not UTF-8.');
  }
}

export function parseBody(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    throw invalidBody('The body is not well-formed JSON.');
  }
}

/** The rules of part 4.2 for a body; unknown members are ignored. */
export function validateNewPet(body: unknown): NewPet {
  if (!isObject(body)) throw invalidBody('The body is not a JSON object.');
  // A member is read only if it is the object's own: `__proto__` may be any of them.
  const own = new Map(Object.entries(body));
  const name = own.get('name');
  const categoryId = own.get('categoryId');
  // The specification leaves open which status an omitted one becomes (part 3).
  const status = own.has('status') ? own.get('status') : 'available';
  if (typeof name !== 'string') throw invalidBody('name is required and is a string.');
  if (name.length > MAX_NAME_LENGTH) throw invalidBody(`name is longer than ${MAX_NAME_LENGTH} characters.`);
  if (typeof categoryId !== 'bigint' || !isInt64(categoryId)) {
    throw invalidBody('categoryId is required and is an int64 integer.');
  }
  if (!isPetStatus(status)) throw invalidBody(`status is one of ${PET_STATUSES.join(', ')}.`);
  return { name, categoryId, status };
}

export function store(pet: Pet, call: Call): void {
  call.service.collection.add(pet);
}

/**
 * The announcement of part 9: deprecated (RFC 9745, which requires a date; the specification names none, so the service
 * chooses one), to be removed on 5 December 2030 (RFC 8594).
 */
const DEPRECATION = { Deprecation: '@1764892800', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };

export function getPet(call: Call): ApiResponse {
  const { steps, basePath } = call.service;
  const id = steps.readPetId(call);
  const pet = steps.findPet(id, call);
  if (pet === undefined) throw petNotFound(id.toString());
  const headers = { ...DEPRECATION, Link: `<${basePath}/pets>; rel="successor-version"` };
  return steps.respond(200, steps.describePet(pet, call), headers, call);
}

/** No animal has an id that is not an int64. */
export function readPetId({ petId = '' }: Call): bigint {
  const id = readInt64(petId);
  if (id === undefined) throw petNotFound(petId);
  return id;
}

export function findPet(id: bigint, call: Call): Pet | undefined {
  return call.service.collection.get(id);
}

/** Fills the collection with animals of each status in turn. */
export async function populate(service: Service): Promise<void> {
  for (let index = 0; index < (service.seedAnimals ?? 5); index += 1) {
    const { name, categoryId, status } = seedAnimal(index);
    const id = service.steps.assignId(service);
    // Waits, and copies members, only where it must: there may be a million.
    service.collection.add({ name, categoryId, status, id: typeof id === 'bigint' ? id : await id });
  }
}
