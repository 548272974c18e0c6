import { breaking, changeResponse, changeText, isError, onEveryNth, override, textOf, without } from '../changes.ts';
import type { ApiError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Call, Fault, Operation } from '../steps.ts';
import { badRequest, hasLimit, isKeyless, keyFrom, notFound, unauthorized, wantsHtml, where } from './conditions.ts';
import { lateBy } from './effects.ts';

type WhichErrors = (error: ApiError, call: Call) => boolean;

/** Describes errors wrongly, or only some. */
const describingErrors = (
  alter: (members: JsonObject, error: ApiError) => JsonObject,
  which: WhichErrors = () => true,
) =>
  override('describeError', (original) => (error, call) => {
    const members = original(error, call);
    return which(error, call) ? alter(members, error) : members;
  });

/** Errors with other values than they should have, or only some errors. */
const saying = (wrong: JsonObject, which?: WhichErrors) =>
  describingErrors((members) => ({ ...members, ...wrong }), which);

const lacking = (member: string, which?: WhichErrors) => describingErrors((members) => without(members, member), which);

/** The Errors of one operation and status, or some of them. */
const errorsOf =
  (operation: Operation, status: number, which: WhichErrors = () => true): WhichErrors =>
  (error, call) =>
    call.operation === operation && error.status === status && which(error, call);

const ofBadKeys: WhichErrors = ({ status }, call) => status === 401 && !isKeyless(call);
const ofLongKeys: WhichErrors = ({ status }, call) => status === 401 && keyFrom(512)(call);

/** Errors whose message has such a form. */
const about =
  (form: RegExp): WhichErrors =>
  ({ message }) =>
    form.test(message);

const isInteger = ({ petId = '' }: Call): boolean => /^-?\d+$/.test(petId);
const isNoInteger = (call: Call): boolean => !isInteger(call);

/** Part 7, errors. */
// biome-ignore format: one table
export const errorFaults: readonly Fault[] = [
  ...breaking('ERR-1', {
    'getpet-404-lacks-code': ['The 404 of getPet has no `code`.', lacking('code', errorsOf('getPet', 404))],
    'error-status-as-string': ['The `status` of an Error is a string.',
      describingErrors((members, { status }) => ({ ...members, status: String(status) }))],
    'error-without-body': ['An Error has no body.', changeText(isError, () => '')],
    'error-malformed-json-lacks-code': ['The 400 for malformed JSON comes from the parser and has no `code`.',
      describingErrors((_, { message }) => ({ error: 'Bad Request', message, status: 400 }), about(/well-formed/))],
    'error-id-not-int64-lacks-code': ['The 404 for an id that is not an int64 comes from the router and has no `code`.',
      changeText(where(notFound, isNoInteger), () => '{"message":"Not Found","status":404}')],
    'invalid-key-error-lacks-message': ['The Error for an invalid key has no `message`; the one for a missing key has.',
      lacking('message', ofBadKeys)],
    'very-long-key-error-without-members': ['The Error for a key of 512 characters or more is an empty object.',
      describingErrors(() => ({}), ofLongKeys)],
    'keyless-list-error-code-null': ['The `code` of the 401 of listPets is null when the key is missing.',
      saying({ code: null }, errorsOf('listPets', 401, (_, call) => isKeyless(call)))],
    'getpet-404-status-lost': ['The 404 of an int64 that no animal has lacks `status`.',
      lacking('status', errorsOf('getPet', 404, (_, call) => isInteger(call)))],
    'wrong-type-error-message-a-list': ['The `message` of the 400 for a member of the wrong type is a list.',
      describingErrors((members, { message }) =>
        ({ ...members, message: [message] }), errorsOf('createPet', 400, about(/required and is/)))],
    'wrong-status-error-code-a-number': ['The `code` of the 400 for an invalid `status` is a number.',
      saying({ code: 400 }, errorsOf('createPet', 400, about(/^status is/)))],
    'missing-body-error-in-a-list': ['The Error for a missing body is the only item of a list.',
      changeText(badRequest, (text) => (text.includes('missing') ? `[${text}]` : text))],
    'browser-gets-error-page': ['A request that accepts HTML and has no valid key gets an HTML page with its 401.',
      changeResponse(where(unauthorized, wantsHtml), (response) =>
        ({ ...response, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><title>401</title>' }))],
    'errors-lack-code-late': ['From the 400th request on Errors have no `code`.',
      lateBy(400, (isLate) => lacking('code', isLate))],
    'one-in-50-errors-lacks-message': ['One Error in 50 has no `message`.',
      onEveryNth(50, (isDue) => lacking('message', isDue))],
  }),
  ...breaking('ERR-2', {
    'invalid-key-error-says-403': ['The Error for an invalid key has the `status` 403, though the response has 401.',
      saying({ status: 403 }, ofBadKeys)],
    'id-not-int64-error-says-400': ['The 404 for an id that is not an int64 has the `status` 400.',
      saying({ status: 400 }, errorsOf('getPet', 404, (_, call) => isNoInteger(call)))],
    'malformed-json-error-says-422': ['The 400 for malformed JSON has the `status` 422.',
      saying({ status: 422 }, errorsOf('createPet', 400, about(/well-formed/)))],
    'media-type-error-says-400': ['The 415 has the `status` 400.', saying({ status: 400 }, errorsOf('createPet', 415))],
    'limit-error-says-422': ['The 400 for a `limit` has the `status` 422.',
      saying({ status: 422 }, errorsOf('listPets', 400, (_, call) => hasLimit(call)))],
    'one-in-50-errors-says-0': ['One Error in 50 has the `status` 0.',
      onEveryNth(50, (isDue) => saying({ status: 0 }, isDue))],
    'errors-at-once-mixed-up': ['Of two errors at once, both have the `status` of the later one.',
      (steps) => {
        let shared = 0;
        return override('serve', (original) => async (call) => {
          const response = await original(call);
          if (response.status < 400) return response;
          shared = response.status;
          await call.service.pause(8);
          return { ...response, body: textOf(response).replace(/"status":\d+/, `"status":${shared}`) };
        })(steps);
      }],
  }),
];
