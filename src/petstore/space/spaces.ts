import type { RequestSpace } from '../../engine/request-space.ts';
import { GET_REQUESTS } from './get-requests.ts';
import { KEY_REQUESTS } from './keys.ts';
import { LIST_QUERIES } from './list-queries.ts';
import { NEW_PETS, WRITTEN_FORMS } from './new-pets.ts';
import { DEFECTIVE_BODIES, MALFORMED_BODIES, REFUSED_MEDIA } from './refused-bodies.ts';

/** Every request space. */
export const SPACES: readonly Omit<RequestSpace<unknown>, 'sample'>[] = [
  LIST_QUERIES,
  NEW_PETS,
  WRITTEN_FORMS,
  MALFORMED_BODIES,
  DEFECTIVE_BODIES,
  REFUSED_MEDIA,
  GET_REQUESTS,
  KEY_REQUESTS,
];
