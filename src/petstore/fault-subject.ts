import { readDocument } from '../contract/document.ts';
import { pointerTokens } from '../contract/json-pointer.ts';

/** The members that are kept of a large body. */
export const MEMBERS = readDocument().propertyNames;

const FIELDS = {
  pet: ['id', 'name', 'categoryId', 'status'],
  error: ['code', 'message', 'status'],
} as const;

type Resource = keyof typeof FIELDS;

/** What of a response body is at fault: the page, a resource in it or one of that resource's fields. */
export type FaultSubject = 'pets' | { [R in Resource]: R | `${R}.${(typeof FIELDS)[R][number]}` }[Resource];

/** What a fault at this JSON pointer of a body concerns. */
export function subjectOf(shape: 'pets' | Resource, pointer: string): FaultSubject {
  const tokens = pointerTokens(pointer);
  if (shape !== 'pets') return fieldOf(shape, tokens[0]);
  // An entry that is not an object makes the list no list of animals.
  return tokens.length < 2 ? 'pets' : fieldOf('pet', tokens[1]);
}

function fieldOf(resource: Resource, name: string | undefined): FaultSubject {
  if (resource === 'error') {
    const field = FIELDS.error.find((known) => known === name);
    return field === undefined ? 'error' : `error.${field}`;
  }
  const field = FIELDS.pet.find((known) => known === name);
  return field === undefined ? 'pet' : `pet.${field}`;
}
