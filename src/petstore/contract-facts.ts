import { DOCUMENT } from '../contract/document.prebuilt.ts';
import { factsOf, type OpenApiDocument } from '../contract/document.ts';

/** The statuses that the code is written for; {@link contractFacts} fails where the contract lists others. */
const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

/**
 * Reads the bounds, statuses and paths of the service from its OpenAPI document.
 *
 * @throws ContractError where the document lacks one of them
 * @throws Error where it lists other statuses
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
  const { path } = document.operation('getPet');
  return {
    limit: { minimum: bound('minimum'), maximum: bound('maximum'), default: bound('default') },
    petsPath: document.operation('listPets').path,
    petPath: (petId: string): string => path.replace('{petId}', () => petId),
    members: document.propertyNames,
  } as const;
}

const facts = contractFacts(factsOf(DOCUMENT));

/** The bounds of the parameter `limit` of listPets. */
export const LIMIT = facts.limit;
/** The values of PetStatus, in the order of the contract. */
export const PET_STATUSES: readonly PetStatus[] = STATUSES;
/** The path of listPets and createPet. */
export const PETS_PATH = facts.petsPath;
/** The path of getPet; `petId` is sent verbatim. */
export const { petPath } = facts;
/** Every member that a body may have by the contract. */
export const MEMBERS = facts.members;
/** The day on which getPet may be removed (parts 4.3 and 9 of the specification; the contract has it only as prose). */
export const REMOVAL_DATE = '2030-12-05';
export const REMOVAL_DATE_IN_WORDS = '5 December 2030';
