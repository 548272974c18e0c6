import { breaking, changeResponse, errorResponse, onEveryNth, override, textOf } from '../changes.ts';
import type { ApiResponse, Fault, Operation } from '../steps.ts';
import { fetched, hasStatus, where } from './conditions.ts';
import { answering, answeringLists, changingEveryNth, respondingToGets } from './effects.ts';

const redirected = (status: number, Location: string): ApiResponse => ({
  ...errorResponse(status),
  headers: { 'Content-Type': 'application/json', Location },
});

/** Answers an operation as if it were not found under `/v1`. */
const missingUnderVersion = (operation: Operation, response: ApiResponse) =>
  override('serve', (original) => async (call) => (call.operation === operation ? response : original(call)));

/** Part 9, versions and removal. */
// biome-ignore format: one table
export const versionFaults: readonly Fault[] = [
  ...breaking('VERS-1', {
    'filtered-list-sent-to-v2': ['listPets with a `status` is redirected to /v2.',
      answeringLists(hasStatus, redirected(307, '/v2/pets'))],
    'one-in-50-getpets-sent-to-v2': ['One getPet in 50 is redirected to /v2.',
      onEveryNth(50, (isDue) =>
        changeResponse(where(fetched, isDue), (_, { petId }) => redirected(307, `/v2/pets/${petId}`)))],
    'createpet-not-under-v1': ['createPet is not found under /v1.',
      missingUnderVersion('createPet', errorResponse(404))],
    'gets-answered-404': ['Every GET is answered with 404.', respondingToGets(() => errorResponse(404))],
  }),
  ...breaking('VERS-3', {
    'getpet-brown-outs': ['To announce the removal, getPet answers one request in 25 with 410.',
      changingEveryNth(25, fetched, () => errorResponse(410))],
    'getpet-sent-to-its-replacement': ['getPet is redirected to listPets with the `status` of the animal.',
      changeResponse(fetched, (response) =>
        redirected(301, `/v1/pets?status=${/"status":"(\w+)"/.exec(textOf(response))?.[1]}`))],
    'getpet-of-sold-answered-410': ['getPet is removed for sold animals: it answers 410.',
      answering(410, (response, call) => fetched(response, call) && textOf(response).includes('"status":"sold"'))],
    'getpet-answered-410': ['getPet is already removed: it answers 410.',
      missingUnderVersion('getPet', errorResponse(410))],
    'getpet-finds-nothing': ['getPet still answers, but finds no animal.', override('findPet', () => () => undefined)],
  }),
];
