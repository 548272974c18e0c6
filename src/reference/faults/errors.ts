import {
  answering,
  answersOf,
  answersWith,
  changing,
  errorAnswer,
  fault,
  isError,
  rewriting,
  without,
} from '../changing.ts';
import type { Refusal } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Call, Fault, Operation } from '../steps.ts';

/** Describes errors wrongly. */
const describing = (alter: (members: JsonObject, refusal: Refusal, call: Call) => JsonObject) =>
  changing('describeError', (usual) => (refusal, call) => alter(usual(refusal, call), refusal, call));

/** Every error that the specification knows (part 7). */
const ERRORS: readonly (readonly [Operation, number])[] = [
  ['listPets', 401],
  ['createPet', 400],
  ['createPet', 401],
  ['getPet', 401],
  ['getPet', 404],
];

/** A fault of each of those errors. */
const eachError = (
  name: string,
  breaks: string,
  says: string,
  alter: (members: JsonObject, status: number) => JsonObject,
): readonly Fault[] =>
  ERRORS.map(([operation, status]) =>
    fault(
      `${operation.toLowerCase()}-${status}-${name}`,
      breaks,
      `The ${status} of ${operation} ${says}.`,
      describing((members, refusal, call) =>
        call.operation === operation && refusal.status === status ? alter(members, status) : members,
      ),
    ),
  );

export const errorFaults: readonly Fault[] = [
  ...eachError('lacks-code', 'ERR-1', 'has no `code`', (members) => without(members, 'code')),
  ...eachError('other-status', 'ERR-2', 'has another `status` in its body', (members, status) => ({
    ...members,
    status: status + 1,
  })),
  fault(
    'error-lacks-message',
    'ERR-1',
    'An Error has no `message`.',
    describing((members) => without(members, 'message')),
  ),
  fault(
    'error-status-as-string',
    'ERR-1',
    'The `status` of an Error is a string.',
    describing((members, { status }) => ({ ...members, status: String(status) })),
  ),
  fault(
    'error-code-a-number',
    'ERR-1',
    'The `code` of an Error is a number.',
    describing((members) => ({ ...members, code: 1001 })),
  ),
  fault(
    'error-nested',
    'ERR-1',
    'The Error stands under `error`.',
    describing((members) => ({ error: members })),
  ),
  fault(
    'error-without-body',
    'ERR-1',
    'An Error has no body.',
    answering(isError, (answer) => ({ ...answer, body: '' })),
  ),
  fault(
    'error-malformed-json-lacks-code',
    'ERR-1',
    'The 400 of a malformed body is written by the parser and has no `code`.',
    describing((members, { message }) =>
      message.includes('well-formed') ? { error: 'Bad Request', message, status: 400 } : members,
    ),
  ),
  fault(
    'error-id-not-int64-lacks-code',
    'ERR-1',
    'The 404 of an id that is not an int64 is written by the router and has no `code`.',
    rewriting(
      (answer, call) => answersOf('getPet', 404)(answer, call) && !/^-?\d+$/.test(call.petId ?? ''),
      () => '{"message":"Not Found","status":404}',
    ),
  ),
  fault(
    'error-html-page',
    'ERR-1',
    'A 404 is a page of HTML.',
    answering(answersWith(404), () => ({
      ...errorAnswer(404),
      headers: { 'Content-Type': 'text/html' },
      body: '<!doctype html><h1>Not Found</h1>',
    })),
  ),
];
