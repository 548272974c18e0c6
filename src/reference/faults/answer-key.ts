import { changing, errorAnswer, fault } from '../changing.ts';
import type { Answer, Call, Fault } from '../steps.ts';

/** Answers everything in the same way, as a service that is not there yet does. */
const always = (answer: (call: Call) => Answer) => changing('serve', () => async (call) => answer(call));
const json = (status: number, body: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});
const ANIMAL = '{"id":1,"name":"Bella","categoryId":1,"status":"available"}';

export const answerKeyFaults: readonly Fault[] = [
  fault(
    'always-200',
    'AUTH-2',
    'Every request is answered with 200: a list for listPets, an animal for the others.',
    always((call) => json(200, call.operation === 'listPets' ? `[${ANIMAL}]` : ANIMAL)),
  ),
  fault(
    'always-201',
    'LIST-1',
    'Every request is answered with 201 and an animal.',
    always(() => json(201, ANIMAL)),
  ),
  fault(
    'always-400',
    'LIST-1',
    'Every request is answered with 400.',
    always(() => errorAnswer(400)),
  ),
  fault(
    'always-401',
    'AUTH-1',
    'Every request is answered with 401.',
    always(() => errorAnswer(401)),
  ),
  fault(
    'always-404',
    'VERS-1',
    'Every request is answered with 404.',
    always(() => errorAnswer(404)),
  ),
  fault(
    'always-500',
    'SERV-4',
    'Every request is answered with 500.',
    always(() => errorAnswer(500)),
  ),
  fault(
    'always-empty-list',
    'GET-1',
    'Every request is answered with 200 and an empty list.',
    always(() => json(200, '[]')),
  ),
  fault(
    'always-the-same-animal',
    'CREATE-11',
    'Every good request is answered as it should be, but always with the same animal.',
    changing('describePet', () => () => ({ id: 1n, name: 'Bella', categoryId: 1n, status: 'available' })),
  ),
];
