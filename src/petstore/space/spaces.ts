import type { RequestSpace } from '../../engine/request-space.ts';
import { LIST_QUERIES } from './list-queries.ts';

/** Every request space of which covering arrays are stored. */
export const SPACES: readonly Pick<RequestSpace<unknown>, 'name' | 'factors' | 'strength'>[] = [LIST_QUERIES];
