import { errorResponse, fault, override } from '../changes.ts';
import type { ApiResponse, Fault, Operation } from '../steps.ts';
import { respondingToGets } from './builders.ts';

/** Answers an operation as if it were not found under `/v1`. */
const missingUnderVersion = (operation: Operation, response: ApiResponse) =>
  override('serve', (original) => async (call) => (call.operation === operation ? response : original(call)));

/** Part 9, versions and removal. */
export const versionFaults: readonly Fault[] = [
  fault(
    'listpets-not-under-v1',
    'VERS-1',
    'listPets is not found under /v1.',
    missingUnderVersion('listPets', errorResponse(404)),
  ),
  fault(
    'createpet-not-under-v1',
    'VERS-1',
    'createPet is not found under /v1.',
    missingUnderVersion('createPet', errorResponse(404)),
  ),
  fault(
    'getpet-not-under-v1',
    'VERS-1',
    'getPet is not found under /v1.',
    missingUnderVersion('getPet', errorResponse(404)),
  ),
  fault(
    'v1-sent-to-v2',
    'VERS-1',
    'listPets under /v1 is redirected to /v2.',
    missingUnderVersion('listPets', {
      ...errorResponse(308),
      headers: { 'Content-Type': 'application/json', Location: '/v2/pets' },
    }),
  ),
  fault(
    'gets-answered-404',
    'VERS-1',
    'Every GET is answered with 404.',
    respondingToGets(() => errorResponse(404)),
  ),

  fault(
    'getpet-answered-410',
    'VERS-3',
    'getPet is already removed: it answers 410.',
    missingUnderVersion('getPet', errorResponse(410)),
  ),
  fault(
    'getpet-finds-nothing',
    'VERS-3',
    'getPet still answers, but finds no animal.',
    override('findPet', () => () => undefined),
  ),
];
