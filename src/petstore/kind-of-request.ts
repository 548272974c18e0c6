import type { Call } from './call.ts';

/**
 * What makes two requests one for a service: it has no reason to answer them differently. All of the request counts,
 * but for the serial numbers in the names of the run's own animals.
 */
export function kindOf(call: Call): string {
  const who = call.credential.name;
  switch (call.operation) {
    case 'listPets':
      return `list ${who} ${call.limit} ${call.status}`;
    case 'getPet':
      return `get ${who} ${call.petId}`;
    case 'createPet': {
      const { body } = call;
      if (body.kind !== 'sound') return `create ${who} ${body.label}`;
      const { name, categoryId, status } = body.pet;
      return `create ${who} ${body.label} ${name.replace(/[A-Za-z0-9]+/g, 'x')} ${categoryId} ${status}`;
    }
  }
}
