import { petNotFound } from './errors.ts';
import { readInt64 } from './int64.ts';
import type { Pet } from './pet.ts';
import type { Answer, Call } from './steps.ts';

/**
 * The announcement of part 9: deprecated (RFC 9745, which asks for a date; the specification names none, so the service
 * gives its own), to be removed on 5 December 2030 (RFC 8594).
 */
const DEPRECATION = {
  Deprecation: '@1764892800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
} as const;

/** getPet (part 4.3). */
export function getPet(call: Call): Answer {
  const { shop } = call;
  const { steps } = shop;
  const id = steps.readPetId(call);
  const pet = steps.findPet(id, call);
  if (pet === undefined) throw petNotFound(id.toString());
  const headers = {
    ...DEPRECATION,
    Link: `<${shop.basePath}/pets>; rel="successor-version"`,
  };
  return steps.reply(200, steps.describePet(pet, call), headers, call);
}

/** What is not an int64 names no animal. */
export function readPetId(call: Call): bigint {
  const text = call.petId ?? '';
  const id = readInt64(text);
  if (id === undefined) throw petNotFound(text);
  return id;
}

export function findPet(id: bigint, call: Call): Pet | undefined {
  return call.shop.collection.get(id);
}
