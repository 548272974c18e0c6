import type { RequestSpace } from '../../engine/request-space.ts';
import { GET_REQUESTS } from './get-requests.ts';
import { KEY_REQUESTS } from './keys.ts';
import { LIST_QUERIES } from './list-queries.ts';

/** Every request space of which covering arrays are stored. */
export const SPACES: readonly Pick<RequestSpace<unknown>, 'name' | 'factors' | 'strength'>[] = [
  LIST_QUERIES,
  GET_REQUESTS,
  KEY_REQUESTS,
];
