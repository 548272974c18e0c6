import type { IncomingMessage } from 'node:http';
import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  fault,
  onEveryNth,
  override,
  responsesOf,
} from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError } from '../errors.ts';
import { isObject, readJson } from '../json.ts';
import type { ApiResponse, Call, Fault } from '../steps.ts';
import {
  addAnyway,
  addingTheRefused,
  coercingPresent,
  created,
  has,
  idsBeyondDoubles,
  leavingOutAdded,
  refusingPets,
  refusingTexts,
  repairing,
  showingId,
  storingStatus,
} from './builders.ts';

/** Turns one member into something valid before the body is validated; undefined where it is absent. */
const coercing = (name: string, coerce: (value: unknown) => unknown) =>
  override(
    'validateNewPet',
    (original) => (body, call) =>
      original(isObject(body) ? { ...body, [name]: coerce(has(body, name) ? body[name] : undefined) } : body, call),
  );

/** Reads a body that is not an object as one. */
const readingAsObject = (read: (body: unknown) => unknown) =>
  override('validateNewPet', (original) => (body, call) => original(isObject(body) ? body : read(body), call));

const isBodiless = (call: Call): boolean =>
  (call.header('content-length') ?? '0') === '0' && call.header('transfer-encoding') === undefined;
const withStatus =
  (status: number) =>
  (response: ApiResponse): ApiResponse => ({ ...response, status });

/** Part 4.2, createPet. */
export const createFaults: readonly Fault[] = [
  fault('created-answered-200', 'CREATE-1', 'createPet answers 200.', changeResponse(created, withStatus(200))),
  fault(
    'created-answered-303',
    'CREATE-1',
    'createPet redirects to the animal with 303.',
    changeResponse(created, withStatus(303)),
  ),
  fault(
    'created-animal-in-array',
    'CREATE-1',
    'The 201 holds the animal in an array.',
    changeText(created, (text) => `[${text}]`),
  ),
  fault(
    'pending-refused',
    'CREATE-1',
    'An animal with the status `pending` is refused.',
    refusingPets(({ status }) => status === 'pending'),
  ),

  fault(
    'name-missing-accepted',
    'CREATE-2',
    'Without `name`, the animal is named "unnamed".',
    coercing('name', (name) => (name === undefined ? 'unnamed' : name)),
  ),
  fault(
    'category-missing-accepted',
    'CREATE-2',
    'Without `categoryId`, the category is 0.',
    coercing('categoryId', (id) => (id === undefined ? 0n : id)),
  ),
  fault(
    'wrapped-body-unwrapped',
    'CREATE-2',
    'An object that holds the animal under `pet` is unwrapped.',
    override('validateNewPet', (original) => (body, call) => {
      const inner = isObject(body) ? body['pet'] : undefined;
      return original(isObject(inner) ? inner : body, call);
    }),
  ),
  fault(
    'required-members-answered-422',
    'CREATE-2',
    'Every refused body is answered with 422.',
    changeResponse(responsesOf('createPet', 400), () => errorResponse(422)),
  ),

  fault(
    'body-missing-accepted',
    'CREATE-3',
    'Without a body, an animal with default values is added.',
    override(
      'readBody',
      (original) => async (call) => (isBodiless(call) ? '{"name":"unnamed","categoryId":0}' : original(call)),
    ),
  ),
  fault(
    'body-missing-answered-411',
    'CREATE-3',
    'A missing body is answered with 411.',
    override('createPet', (original) => async (call) => (isBodiless(call) ? errorResponse(411) : original(call))),
  ),

  fault(
    'trailing-comma-accepted',
    'CREATE-4',
    'A comma before the closing brace is accepted.',
    repairing((text) => text.replace(/,(\s*[}\]])/g, '$1')),
  ),
  fault(
    'text-after-json-accepted',
    'CREATE-4',
    'Anything after the first JSON value is ignored.',
    repairing((text) => text.replace(/\}[^}]+(\{.*)?$|\}\}+$/s, '}')),
  ),
  fault(
    'truncated-json-accepted',
    'CREATE-4',
    'A missing closing brace is added.',
    repairing((text) => (text.split('"').length % 2 === 0 ? `${text}"}` : `${text}}`)),
  ),
  fault(
    'form-body-accepted',
    'CREATE-4',
    'A body such as `name=Rex&categoryId=1` is read as a form.',
    repairing((text) => {
      const form = new URLSearchParams(text);
      return form.has('name') && form.has('categoryId')
        ? JSON.stringify({ name: form.get('name'), categoryId: Number(form.get('categoryId')) })
        : text;
    }),
  ),
  fault(
    'malformed-json-answered-422',
    'CREATE-4',
    'A malformed body is answered with 422.',
    override('parseBody', (original) => (text, call) => {
      try {
        return original(text, call);
      } catch {
        throw new ApiError(422, 'invalid_body', 'The body is not well-formed JSON.');
      }
    }),
  ),

  fault(
    'name-number-accepted',
    'CREATE-5',
    'A number as `name` is turned into a string.',
    coercingPresent('name', (name) => (typeof name === 'bigint' || typeof name === 'number' ? String(name) : name)),
  ),
  fault(
    'name-array-accepted',
    'CREATE-5',
    'An array as `name` is joined into a string.',
    coercingPresent('name', (name) => (Array.isArray(name) ? name.join(',') : name)),
  ),

  fault(
    'category-string-accepted',
    'CREATE-6',
    'Digits in a string are accepted as `categoryId`.',
    coercingPresent('categoryId', (id) => (typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : id)),
  ),
  fault(
    'category-fraction-truncated',
    'CREATE-6',
    'A fraction as `categoryId` is truncated.',
    coercingPresent('categoryId', (id) =>
      typeof id === 'number' && Math.abs(id) < 1e15 ? BigInt(Math.trunc(id)) : id,
    ),
  ),
  fault(
    'category-beyond-int64-wrapped',
    'CREATE-6',
    'A `categoryId` beyond int64 wraps around.',
    coercingPresent('categoryId', (id) => (typeof id === 'bigint' ? BigInt.asIntN(64, id) : id)),
  ),

  fault(
    'status-in-any-letter-case',
    'CREATE-7',
    'A status in any letter case is accepted.',
    coercingPresent('status', (status) => (typeof status === 'string' ? status.toLowerCase() : status)),
  ),
  fault(
    'status-null-accepted',
    'CREATE-7',
    'A null status is treated as omitted.',
    coercingPresent('status', (status) => (status === null ? 'available' : status)),
  ),
  fault(
    'status-unknown-accepted',
    'CREATE-7',
    'A string outside the enumeration is treated as `available`.',
    coercingPresent('status', (status) => (typeof status === 'string' && !isPetStatus(status) ? 'available' : status)),
  ),
  fault(
    'one-in-15-invalid-statuses-accepted',
    'CREATE-7',
    'One invalid status in 15 is treated as `available`.',
    onEveryNth(15, (isDue) =>
      override('validateNewPet', (original) => (body, call) => {
        try {
          return original(body, call);
        } catch (error) {
          if (!(error instanceof ApiError && error.message.startsWith('status') && isDue())) throw error;
          return original({ ...Object(body), status: 'available' }, call);
        }
      }),
    ),
  ),

  fault(
    'array-accepted',
    'CREATE-8',
    'Of an array of animals, the first is added.',
    readingAsObject((body) => (Array.isArray(body) ? body[0] : body)),
  ),
  fault(
    'null-accepted',
    'CREATE-8',
    'A null body adds an animal with default values.',
    readingAsObject((body) => (body === null ? { name: 'unnamed', categoryId: 0n } : body)),
  ),
  fault(
    'json-in-string-accepted',
    'CREATE-8',
    'A body that is a JSON string containing JSON is unpacked.',
    readingAsObject((body) => {
      try {
        return typeof body === 'string' ? readJson(body) : body;
      } catch {
        return body;
      }
    }),
  ),

  fault(
    'refused-status-added',
    'CREATE-9',
    'A body with an invalid status is refused, but the animal is added.',
    addingTheRefused((body) => has(body, 'name') && has(body, 'categoryId') && has(body, 'status')),
  ),
  fault(
    'refused-added-unlisted',
    'CREATE-9',
    'An object that is refused is added anyway; no list shows it.',
    (steps) => {
      const refused = new WeakSet<IncomingMessage>();
      return combine(
        leavingOutAdded(
          () =>
            (_, { incoming }) =>
              refused.has(incoming),
        ),
        override('validateNewPet', (original) => (body, call) => {
          try {
            return original(body, call);
          } catch (error) {
            refused.add(call.incoming);
            if (isObject(body)) addAnyway(body, call);
            throw error;
          }
        }),
      )(steps);
    },
  ),
  fault(
    'refused-all-added',
    'CREATE-9',
    'Every object that is refused is added anyway.',
    addingTheRefused(() => true),
  ),
  fault(
    'one-in-15-refused-bodies-added',
    'CREATE-9',
    'One refused body in 15 is added anyway.',
    onEveryNth(15, (isDue) => addingTheRefused((body) => has(body, 'name') && isDue())),
  ),

  fault('same-body-answered-409', 'CREATE-10', 'A body that was sent before is answered with 409.', (steps) => {
    const seen = new Set<string>();
    return override('parseBody', (original) => (text, call) => {
      const body = original(text, call);
      if (seen.has(text)) throw new ApiError(409, 'conflict', 'The animal exists.');
      seen.add(text);
      return body;
    })(steps);
  }),
  fault(
    'same-body-same-animal',
    'CREATE-10',
    'A body that was sent before returns the animal created then.',
    (steps) => {
      const answers = new Map<string, ApiResponse>();
      return override('createPet', (original) => async (call) => {
        const text = await call.service.steps.readBody(call);
        const before = answers.get(text);
        if (before !== undefined) return before;
        const { steps: all } = call.service;
        const response = await original({
          ...call,
          service: { ...call.service, steps: { ...all, readBody: async () => text } },
        });
        if (response.status === 201) answers.set(text, response);
        return response;
      })(steps);
    },
  ),

  fault(
    'kept-under-category-id',
    'CREATE-11',
    'An animal is stored under its category id, not under the id in the 201.',
    override('store', (original) => (pet, call) => original({ ...pet, id: pet.categoryId }, call)),
  ),
  fault(
    'created-says-next-id',
    'CREATE-11',
    'The 201 shows the id after the one that was assigned.',
    showingId('createPet', (id) => id + 1n),
  ),
  fault(
    'created-says-rounded-id',
    'CREATE-11',
    'Ids are beyond 2^53 and the 201 rounds them.',
    combine(
      idsBeyondDoubles,
      showingId('createPet', (id) => BigInt(Number(id))),
    ),
  ),
  fault(
    'always-the-same-animal',
    'CREATE-11',
    'Every valid request gets the right status, but always the same animal.',
    override('describePet', () => () => ({ id: 1n, name: 'Bella', categoryId: 1n, status: 'available' })),
  ),

  fault(
    'charset-parameter-refused',
    'CREATE-12',
    '`application/json; charset=utf-8` is refused.',
    override('checkMediaType', (original) => (call) => {
      original(call);
      if (call.header('content-type')?.includes(';'))
        throw new ApiError(415, 'unsupported_media_type', 'Send application/json.');
    }),
  ),
  fault(
    'line-breaks-between-members-refused',
    'CREATE-12',
    'A body with line breaks is refused.',
    refusingTexts((text) => /[\r\n]/.test(text)),
  ),
  fault(
    'other-member-order-refused',
    'CREATE-12',
    'A body whose first member is not `name` is refused.',
    refusingTexts((text) => !/^\s*\{\s*"name"/.test(text)),
  ),
  fault(
    'unicode-escapes-refused',
    'CREATE-12',
    'Escapes such as \\u00e9 are refused.',
    refusingTexts((text) => /(?<!\\)(?:\\\\)*\\u/.test(text)),
  ),
  fault(
    'status-lost-when-it-comes-first',
    'CREATE-12',
    'A status that is the first member of the body is lost.',
    storingStatus((status, body) => (isObject(body) && Object.keys(body)[0] === 'status' ? undefined : status)),
  ),
];
