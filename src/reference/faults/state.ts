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
    'only-one-omitted-status-taken',
    'STATE-1',
    'Only one animal may be added without a status, as with a unique index.',
    (steps) => {
      let taken = 0;
      return refusingPets((_, body) => {
        if (!has(body, 'status')) taken += 1;
        return !has(body, 'status') && taken > 1;
      })(steps);
    },
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
