import { invalidBody, Refusal } from './errors.ts';
import { isInt64 } from './int64.ts';
import { isObject, readJson } from './json.ts';
import { isPetStatus, type NewPet, PET_STATUSES, type Pet } from './pet.ts';
import type { Answer, Call } from './steps.ts';
import { readBytes } from './wire.ts';

/** The largest body that is read, in bytes. */
const BODY_MAXIMUM = 1024 * 1024;

/** The specification leaves this value open (part 3). */
const STATUS_WHEN_OMITTED = 'available';

/** createPet (part 4.2). */
export async function createPet(call: Call): Promise<Answer> {
  const { shop } = call;
  const { steps } = shop;
  steps.checkMediaType(call);
  const newPet = steps.validateNewPet(steps.parseBody(await steps.readBody(call), call), call);
  const pet: Pet = { ...newPet, id: await steps.assignId(shop) };
  steps.store(pet, call);
  const headers = { Location: `${shop.basePath}/pets/${pet.id}` };
  return steps.reply(201, steps.describePet(pet, call), headers, call);
}

/** A body may be sent without a media type, but not with another one than JSON. */
export function checkMediaType(call: Call): void {
  const mediaType = (call.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase();
  if (mediaType === 'application/json' && call.header('content-encoding') === undefined) return;
  throw new Refusal(415, 'unsupported_media_type', 'Send the animal as application/json, uncompressed.');
}

/** The body as text; it has to be UTF-8, without a byte order mark. */
export async function readBody(call: Call): Promise<string> {
  const bytes = await readBytes(call.incoming, BODY_MAXIMUM);
  if (bytes === undefined) throw invalidBody(`The body is larger than ${BODY_MAXIMUM} bytes.`);
  if (bytes.length === 0) throw invalidBody('The body is missing.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
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

/** The rules of part 4.2 for a body; members that a NewPet does not have are ignored. */
export function validateNewPet(body: unknown): NewPet {
  if (!isObject(body)) throw invalidBody('The body is not a JSON object.');
  const member = (name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined);
  const name = member('name');
  const categoryId = member('categoryId');
  const status = Object.hasOwn(body, 'status') ? body['status'] : STATUS_WHEN_OMITTED;
  if (typeof name !== 'string') throw invalidBody('name is required and is a string.');
  if (!isInt64(categoryId)) throw invalidBody('categoryId is required and is an int64 integer.');
  if (!isPetStatus(status)) throw invalidBody(`status is one of ${PET_STATUSES.join(', ')}.`);
  return { name, categoryId, status };
}

/** Identifiers are given in sequence. */
export function assignInSequence(first = 1n): () => bigint {
  let next = first;
  return () => {
    const id = next;
    next += 1n;
    return id;
  };
}

export function store(pet: Pet, call: Call): void {
  call.shop.collection.add(pet);
}
