import { invalidParameter } from './errors.ts';
import { isPetStatus, PET_STATUSES, type Pet, type PetStatus } from './pet.ts';
import type { Answer, Call, PageRequest } from './steps.ts';

/** The bounds of `limit` (part 8). */
export const LIMIT_DEFAULT = 20;
export const LIMIT_MINIMUM = 1;
export const LIMIT_MAXIMUM = 100;

/** listPets (part 4.1). */
export function listPets(call: Call): Answer {
  const { steps } = call.shop;
  const limit = steps.readLimit(call);
  const status = steps.readStatusFilter(call);
  const page = steps.selectPage({ limit, status }, call);
  return steps.reply(
    200,
    page.map((pet) => steps.describePet(pet, call)),
    {},
    call,
  );
}

/** `limit`, 20 when it is absent; out of its bounds it is refused. */
export function readLimit(call: Call): number {
  const text = call.query.get('limit');
  if (text === null) return LIMIT_DEFAULT;
  const limit = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (limit >= LIMIT_MINIMUM && limit <= LIMIT_MAXIMUM) return limit;
  throw invalidParameter(`limit is an integer from ${LIMIT_MINIMUM} to ${LIMIT_MAXIMUM}.`);
}

/** `status`; a value outside the enumeration is refused. */
export function readStatusFilter(call: Call): PetStatus | undefined {
  const text = call.query.get('status');
  if (text === null) return undefined;
  if (isPetStatus(text)) return text;
  throw invalidParameter(`status is one of ${PET_STATUSES.join(', ')}.`);
}

/** The newest animals that match. */
export function selectPage({ limit, status }: PageRequest, call: Call): readonly Pet[] {
  return status === 'nothing' ? [] : call.shop.collection.newest(limit, status);
}
