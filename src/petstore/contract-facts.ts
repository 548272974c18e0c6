import { DOCUMENT } from '../contract/document.prebuilt.ts';
import { factsOf, type OpenApiDocument } from '../contract/document.ts';

/** The statuses that the code is written for; {@link contractFacts} fails where the contract lists others. */
const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

/**
 * Reads the bounds, statuses and members of bodies from its OpenAPI document.
 *
 * @throws ContractError where the document lacks one of them
 * @throws Error where it lists other statuses, or bounds a body in a way that no input follows
 */
export function contractFacts(document: OpenApiDocument) {
  const limit = document.parameter('listPets', 'limit');
  const bound = (keyword: 'minimum' | 'maximum' | 'default'): number => {
    const value = limit[keyword];
    if (typeof value !== 'number') throw new Error(`spec/openapi.yaml: the parameter limit has no ${keyword}`);
    return value;
  };
  const statuses = JSON.stringify(document.schema('PetStatus').enum);
  if (statuses !== JSON.stringify(STATUSES)) {
    throw new Error(`spec/openapi.yaml: PetStatus is ${statuses}; the suite expects ${JSON.stringify(STATUSES)}`);
  }
  assertFollowed(document);
  return {
    limit: { minimum: bound('minimum'), maximum: bound('maximum'), default: bound('default') },
    members: document.propertyNames,
  } as const;
}

/** The keywords of NewPet and its members that the inputs are written for, and those that demand nothing. */
const FOLLOWED = new Set('type format required properties title description example examples'.split(' '));

/** A body that is valid for the suite must be valid by the contract too: a bound that no input knows would be broken. */
function assertFollowed(document: OpenApiDocument): void {
  const body = document.schema('NewPet');
  const members = Object.keys(body.properties ?? {}).map(
    (name) => [`NewPet.${name}`, document.member('NewPet', name)] as const,
  );
  for (const [place, schema] of [['NewPet', body] as const, ...members]) {
    const isFollowed = (keyword: string): boolean =>
      FOLLOWED.has(keyword) || (keyword === 'enum' && schema.enum === document.schema('PetStatus').enum);
    const unknown = Object.keys(schema).find((keyword) => !isFollowed(keyword));
    if (unknown === undefined) continue;
    const next = 'take it out, or change the inputs in src/petstore/inputs and then this list of keywords';
    throw new Error(
      `spec/openapi.yaml: ${place} has ${unknown}, which the bodies that the suite sends do not follow; ${next}`,
    );
  }
}

const facts = contractFacts(factsOf(DOCUMENT));

/** The bounds of the parameter `limit` of listPets. */
export const LIMIT = facts.limit;
/** The values of PetStatus, in the order of the contract. */
export const PET_STATUSES: readonly PetStatus[] = STATUSES;
/** Every member that a body may have by the contract. */
export const MEMBERS = facts.members;
/** The day on which getPet may be removed (parts 4.3 and 9 of the specification; the contract has it only as prose). */
export const REMOVAL_DATE = '2030-12-05';
