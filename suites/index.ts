/** The specification, one file a part. */
import type { Part } from '../src/check/requirement.ts';
import { service } from './1-service.ts';
import { resources } from './2-resources.ts';
import { states } from './3-states.ts';
import { listPets } from './4.1-list-pets.ts';
import { createPet } from './4.2-create-pet.ts';
import { getPet } from './4.3-get-pet.ts';
import { authentication } from './5-authentication.ts';
import { errors } from './7-errors.ts';
import { limits } from './8-limits.ts';
import { versioning } from './9-versioning.ts';

export const PARTS: readonly Part[] = [
  service,
  resources,
  states,
  listPets,
  createPet,
  getPet,
  authentication,
  errors,
  limits,
  versioning,
];
