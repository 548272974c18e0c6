import type { ServiceDescription } from '../report/model/service.ts';
import { KEY_VARIABLE } from './inputs/credentials.ts';
import { PARTS } from './parts.ts';

/** The Pet Store, as reports and messages name it. */
export const PET_STORE: ServiceDescription = {
  title: 'Pet Store',
  program: 'petstore-conformance',
  created: { one: 'animal', many: 'animals' },
  keyVariable: KEY_VARIABLE,
  parts: PARTS,
};
