import type { Part } from '../engine/catalogue.ts';
import type { ServiceDescription } from '../report/model/service.ts';
import { KEY_VARIABLE } from './inputs/credentials.ts';

/** The parts of the Pet Store's specification in its order, with short titles for reports. */
export const PARTS: readonly Part[] = [
  { part: '1', title: 'Service', prefix: 'SERV' },
  { part: '2', title: 'Fields', prefix: 'RES' },
  { part: '3', title: 'States', prefix: 'STATE' },
  { part: '4.1', title: 'listPets', prefix: 'LIST' },
  { part: '4.2', title: 'createPet', prefix: 'CREATE' },
  { part: '4.3', title: 'getPet', prefix: 'GET' },
  { part: '4.4', title: 'Other operations', prefix: 'OTHER' },
  { part: '5', title: 'Authentication', prefix: 'AUTH' },
  { part: '6', title: 'Events', prefix: 'EVENT' },
  { part: '7', title: 'Errors', prefix: 'ERR' },
  { part: '8', title: 'Limits', prefix: 'LIM' },
  { part: '9', title: 'Versioning', prefix: 'VERS' },
];

/** The Pet Store, as reports and messages name it. */
export const PET_STORE: ServiceDescription = {
  title: 'Pet Store',
  program: 'petstore-conformance',
  created: { one: 'animal', many: 'animals' },
  keyVariable: KEY_VARIABLE,
  parts: PARTS,
};
