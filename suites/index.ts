import type { PetCheck } from '../src/petstore/index.ts';
import { often, service } from './1-service.ts';
import { resources } from './2-resources.ts';
import { states } from './3-states.ts';
import { listPetsChecks } from './4.1-list-pets.ts';
import { createPetChecks } from './4.2-create-pet.ts';
import { getPetChecks } from './4.3-get-pet.ts';
import { authentication } from './5-authentication.ts';
import { errors } from './7-errors.ts';
import { limits } from './8-limits.ts';
import { versioning } from './9-versioning.ts';

/** Every check, in the order of the specification, except those that count at the end. Part 6 has nothing to check. */
export const CHECKS: readonly PetCheck[] = [
  ...service,
  ...resources,
  ...states,
  ...listPetsChecks,
  ...createPetChecks,
  ...getPetChecks,
  ...authentication,
  ...errors,
  ...limits,
  ...versioning,
  ...often,
];
