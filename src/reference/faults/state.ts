import { fault } from '../changes.ts';
import { ApiError } from '../errors.ts';
import type { Fault } from '../steps.ts';
import { has, refusingPets } from './builders.ts';

/** Part 3, the status of an animal. */
export const stateFaults: readonly Fault[] = [
  fault(
    'omitted-status-refused',
    'STATE-1',
    'A body without a status is refused.',
    refusingPets((_, body) => !has(body, 'status')),
  ),
  fault(
    'omitted-status-answered-422',
    'STATE-1',
    'A body without a status is answered with 422.',
    refusingPets(
      (_, body) => !has(body, 'status'),
      () => new ApiError(422, 'invalid_body', 'The status is missing.'),
    ),
  ),
];
