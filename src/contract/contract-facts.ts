import { isDeepStrictEqual } from 'node:util';
import { DOCUMENT } from './document.prebuilt.ts';
import { type JsonSchema, namedSchema, parameterSchema } from './document.ts';

/**
 * Reads the bounds of the parameter `limit` and the values of PetStatus from an OpenAPI document with resolved references.
 *
 * @throws Error if the document lacks one, or bounds a body in a way that no input respects
 */
export function contractFacts(document: unknown) {
  const limit = parameterSchema(document, 'listPets', 'limit');
  const bound = (keyword: 'minimum' | 'maximum' | 'default'): number => {
    const value = limit[keyword];
    if (typeof value !== 'number') throw new Error(`spec/openapi.yaml: the parameter limit has no ${keyword}`);
    return value;
  };
  const values: unknown = namedSchema(document, 'PetStatus').enum;
  const statuses = Array.isArray(values) ? values.map(String) : [];
  if (statuses.length === 0) throw new Error('spec/openapi.yaml: PetStatus lists no values');
  const body = namedSchema(document, 'NewPet');
  assertFollowed('NewPet', body, statuses);
  const shown = new Map<string, unknown>(Object.entries(namedSchema(document, 'Pet').properties ?? {}));
  for (const [name, member] of Object.entries(body.properties ?? {})) {
    assertFollowed(`NewPet.${name}`, member, statuses);
    if (!isDeepStrictEqual(shown.get(name), member))
      throw new Error(`spec/openapi.yaml: Pet.${name} is not as NewPet.${name}; an animal is shown as it was added`);
  }
  return { statuses, limit: { minimum: bound('minimum'), maximum: bound('maximum'), default: bound('default') } };
}

/** The keywords of NewPet and its members that the inputs respect, and those that constrain nothing. */
const KEPT_KEYWORDS = new Set('type format required properties title description example examples'.split(' '));

/** Ensures that bodies that the suite considers valid are valid by the contract too. */
function assertFollowed(place: string, schema: JsonSchema, statuses: readonly string[]): void {
  const isFollowed = (keyword: string): boolean =>
    KEPT_KEYWORDS.has(keyword) || (keyword === 'enum' && isDeepStrictEqual(schema.enum, statuses));
  const unknown = Object.keys(schema).find((keyword) => !isFollowed(keyword));
  if (unknown === undefined) return;
  const next = 'remove it, or change the inputs in src/inputs and then KEPT_KEYWORDS in this file';
  throw new Error(
    `spec/openapi.yaml: ${place} has ${unknown}, which the bodies that the suite sends do not respect; ${next}`,
  );
}

const facts = contractFacts(DOCUMENT);

/** The bounds of the parameter `limit` of listPets. */
export const LIMIT = facts.limit;
/** The values of PetStatus, in the order of the contract. */
export const PET_STATUSES: readonly string[] = facts.statuses;
/** The day on which getPet may be removed (parts 4.3 and 9 of the specification; the contract has it only as prose). */
export const REMOVAL_DATE = '2030-12-05';
