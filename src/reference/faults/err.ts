import {
  changeResponse,
  changeText,
  errorResponse,
  fault,
  isError,
  onEveryNth,
  override,
  responsesOf,
  responsesWith,
  without,
} from '../changes.ts';
import type { JsonObject } from '../json.ts';
import type { Fault, Operation } from '../steps.ts';
import { describingErrors } from './builders.ts';

/** Every error in the specification (part 7). */
const ERRORS: readonly (readonly [Operation, number])[] = [
  ['listPets', 401],
  ['createPet', 400],
  ['createPet', 401],
  ['getPet', 401],
  ['getPet', 404],
];

/** One fault for each of those errors. */
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
      describingErrors((members, error, call) =>
        call.operation === operation && error.status === status ? alter(members, status) : members,
      ),
    ),
  );

/** Part 7, errors. */
export const errorFaults: readonly Fault[] = [
  ...eachError('lacks-code', 'ERR-1', 'has no `code`', (members) => without(members, 'code')),
  fault(
    'error-lacks-message',
    'ERR-1',
    'An Error has no `message`.',
    describingErrors((members) => without(members, 'message')),
  ),
  fault(
    'error-status-as-string',
    'ERR-1',
    'The `status` of an Error is a string.',
    describingErrors((members, { status }) => ({ ...members, status: String(status) })),
  ),
  fault(
    'error-code-a-number',
    'ERR-1',
    'The `code` of an Error is a number.',
    describingErrors((members) => ({ ...members, code: 1001 })),
  ),
  fault(
    'error-nested',
    'ERR-1',
    'The Error is wrapped in an object, as `error`.',
    describingErrors((members) => ({ error: members })),
  ),
  fault(
    'error-without-body',
    'ERR-1',
    'An Error has no body.',
    changeResponse(isError, (response) => ({ ...response, body: '' })),
  ),
  fault(
    'error-malformed-json-lacks-code',
    'ERR-1',
    'The 400 for malformed JSON comes from the parser and has no `code`.',
    describingErrors((members, { message }) =>
      message.includes('well-formed') ? { error: 'Bad Request', message, status: 400 } : members,
    ),
  ),
  fault(
    'error-id-not-int64-lacks-code',
    'ERR-1',
    'The 404 for an id that is not an int64 comes from the router and has no `code`.',
    changeText(
      (response, call) => responsesOf('getPet', 404)(response, call) && !/^-?\d+$/.test(call.petId ?? ''),
      () => '{"message":"Not Found","status":404}',
    ),
  ),
  fault(
    'error-html-page',
    'ERR-1',
    'A 404 is an HTML page.',
    changeResponse(responsesWith(404), () => ({
      ...errorResponse(404),
      headers: { 'Content-Type': 'text/html' },
      body: '<!doctype html><h1>Not Found</h1>',
    })),
  ),
  fault(
    'one-in-15-errors-lacks-code',
    'ERR-1',
    'One Error in 15 lacks its `code`.',
    onEveryNth(15, (isDue) =>
      override(
        'describeError',
        (original) => (error, call) => (isDue() ? without(original(error, call), 'code') : original(error, call)),
      ),
    ),
  ),

  ...eachError('other-status', 'ERR-2', 'has another `status` in its body', (members, status) => ({
    ...members,
    status: status + 1,
  })),
];
