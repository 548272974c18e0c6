import { LIMIT, type PetStatus } from '../../petstore/contract-facts.ts';
import { bearerToken } from '../authentication.ts';
import { changeResponse, everyResponse, override, variant, without } from '../changes.ts';
import type { NewPet } from '../collection.ts';
import { ApiError, invalidBody, invalidParameter } from '../errors.ts';
import { isObject, readJson, readNumber } from '../json.ts';
import type { Call, Variant } from '../steps.ts';
import { checkingBeforeKey, keeping, SPECIFIED, unknownMembers } from './builders.ts';

/** Reads a limit that the original step refuses; several are left to it. */
const readingLimit = (read: (limit: number) => number | undefined) =>
  override('readLimit', (original) => (call) => {
    const [text, ...others] = call.query.getAll('limit');
    if (text === undefined || others.length > 0) return original(call);
    return read(/^-?\d+$/.test(text) ? Number(text) : Number.NaN) ?? original(call);
  });

/** Refuses animals where the specification leaves it open. */
const refusing = (message: string, refuses: (pet: NewPet, body: unknown) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    if (refuses(pet, body)) throw invalidBody(message);
    return pet;
  });

/** The status of an animal whose status was left out. */
const omittedStatus = (status: PetStatus | undefined) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    if (isObject(body) && Object.hasOwn(body, 'status')) return pet;
    const { status: _, ...rest } = pet;
    return status === undefined ? rest : { ...rest, status };
  });

const removedWith = (status: 404 | 410) =>
  override('getPet', (original) => (call) => {
    if (call.service.today() >= '2030-12-05') throw new ApiError(status, 'removed', 'This operation was removed.');
    return original(call);
  });

const hasControl = /[\u0000-\u001f\u007f]/;
const longerThan1000 = (name: string): boolean => [...name].length > 1000;

/** Leaves headers out of every response. */
const withoutHeaders = (...names: readonly string[]) =>
  changeResponse(everyResponse, (response) => ({
    ...response,
    headers: names.reduce(without<string>, response.headers),
  }));

const mediaTypeMissing = (call: Call): boolean => call.header('content-type') === undefined;

export const choiceVariants: readonly Variant[] = [
  variant(
    'limits-clamped',
    'LIST-10',
    'A `limit` out of range is clamped; one that is not an integer is ignored.',
    readingLimit((limit) =>
      Number.isNaN(limit) ? LIMIT.default : Math.min(Math.max(limit, LIMIT.minimum), LIMIT.maximum),
    ),
  ),
  variant(
    'limits-ignored',
    'LIST-10',
    'A `limit` out of range is ignored.',
    readingLimit((limit) => (limit >= LIMIT.minimum && limit <= LIMIT.maximum ? limit : LIMIT.default)),
  ),
  variant(
    'unknown-status-filter-gives-nothing',
    'LIST-11',
    'A status filter outside the enumeration gives an empty list.',
    override('readStatusFilter', (original) => (call) => {
      const [status, ...others] = call.query.getAll('status');
      return others.length > 0 ? original(call) : status;
    }),
  ),
  variant(
    'ids-not-int64-answered-400',
    'GET-5',
    'An id that is not an int64 is answered with 400.',
    override('readPetId', (original) => (call) => {
      try {
        return original(call);
      } catch {
        throw invalidParameter('petId is an int64 integer.');
      }
    }),
  ),
  variant(
    'body-before-key',
    'AUTH-9',
    'An invalid body is answered with 400 before the key is checked.',
    override('perform', (original) => async (call) => {
      if (call.operation !== 'createPet') return original(call);
      const { steps } = call.service;
      const text = await steps.readBody(call);
      steps.validateNewPet(steps.parseBody(text, call), call);
      return original({ ...call, service: { ...call.service, steps: { ...steps, readBody: async () => text } } });
    }),
  ),
  variant(
    'media-type-before-key',
    'AUTH-9',
    'A body of another media type is answered with 415 before the key is checked.',
    checkingBeforeKey((call) => {
      if (call.operation === 'createPet') call.service.steps.checkMediaType(call);
    }),
  ),
  variant(
    'parameters-before-key',
    'AUTH-9',
    'Query parameters out of range are answered with 400 before the key is checked.',
    checkingBeforeKey((call) => {
      if (call.operation !== 'listPets') return;
      call.service.steps.readLimit(call);
      call.service.steps.readStatusFilter(call);
    }),
  ),
  variant('unknown-members-echoed', 'RES-11', 'Unknown members are stored and returned.', keeping(unknownMembers)),
  variant(
    'unknown-members-refused',
    'RES-11',
    'Unknown members are refused.',
    refusing(
      'The body has a member that is not known.',
      (_, body) => isObject(body) && Object.keys(body).some((name) => !SPECIFIED.includes(name)),
    ),
  ),
  variant(
    'client-id-refused',
    'RES-12',
    'An `id` in the body is refused.',
    refusing('The service assigns the id.', (_, body) => isObject(body) && Object.hasOwn(body, 'id')),
  ),
  variant(
    'media-type-ignored',
    'CREATE-13',
    'The media type of a body is ignored.',
    override('checkMediaType', () => () => {}),
  ),
  variant(
    'media-type-required',
    'CREATE-13',
    'A body without a media type is answered with 415.',
    override('checkMediaType', (original) => (call) => {
      if (mediaTypeMissing(call)) throw new ApiError(415, 'unsupported_media_type', 'Say application/json.');
      original(call);
    }),
  ),
  variant(
    'integers-plain-only',
    'RES-13',
    'Integers written `1.0` or `1e2` are refused.',
    override('parseBody', (original) => (text, call) => {
      original(text, call);
      return readJson(text, {
        parseNumber: (number) => (/^-?\d+$/.test(number) ? readNumber(number) : Number(number)),
      });
    }),
  ),
  variant(
    'last-duplicate-wins',
    'CREATE-14',
    'Of duplicate members, the last one counts.',
    override('parseBody', (original) => (text, call) => {
      try {
        return readJson(text, { onDuplicateKey: ({ newValue }) => newValue });
      } catch {
        return original(text, call);
      }
    }),
  ),
  variant(
    'lone-surrogates-replaced',
    'RES-10',
    'A lone surrogate in a name becomes U+FFFD.',
    override('validateNewPet', (original) => (body, call) => {
      const pet = original(body, call);
      return { ...pet, name: pet.name.replace(/\p{Cs}/gu, '\ufffd') };
    }),
  ),
  variant(
    'odd-names-refused',
    'RES-10',
    'A name is refused if it is empty, longer than 1,000 characters, or contains control characters or lone surrogates.',
    refusing(
      'name is not acceptable.',
      ({ name }) => name === '' || longerThan1000(name) || hasControl.test(name) || /\p{Cs}/u.test(name),
    ),
  ),
  variant('omitted-status-absent', 'STATE-2', 'An omitted status stays absent.', omittedStatus(undefined)),
  variant(
    'bearer-in-these-letters-only',
    'AUTH-8',
    'The scheme must be written exactly `Bearer`.',
    override('authenticate', (original) => (call) => {
      original(call);
      if (bearerToken(call) !== undefined && !call.header('authorization')?.startsWith('Bearer ')) {
        throw new ApiError(401, 'unauthorized', 'Write the scheme as Bearer.');
      }
    }),
  ),
  variant('no-challenge', 'AUTH-10', 'A 401 has no WWW-Authenticate.', withoutHeaders('WWW-Authenticate')),
  variant('no-location', 'CREATE-15', 'A 201 has no Location.', withoutHeaders('Location')),
  variant(
    'no-announcement',
    'VERS-5',
    'getPet does not announce its removal in headers.',
    withoutHeaders('Deprecation', 'Sunset', 'Link'),
  ),
  variant('removed-with-404', 'VERS-4', 'From 5 December 2030, getPet answers 404.', removedWith(404)),
  variant('removed-with-410', 'VERS-4', 'From 5 December 2030, getPet answers 410.', removedWith(410)),
  variant(
    'errors-empty',
    'ERR-3',
    'The `code` and the `message` of an Error are empty.',
    override('describeError', (original) => (error, call) => ({ ...original(error, call), code: '', message: '' })),
  ),
  variant(
    'animals-with-more-members',
    'RES-9',
    'An animal has additional members.',
    override('describePet', (original) => (pet, call) => ({
      createdAt: '2026-01-01T00:00:00Z',
      tags: [],
      owner: null,
      ...original(pet, call),
      links: { self: `${call.service.basePath}/pets/${pet.id}` },
    })),
  ),
  variant('members-in-other-order', 'RES-9', 'The members of animals and Errors are in reverse order.', (steps) =>
    override(
      'describePet',
      (original) => (pet, call) => Object.fromEntries(Object.entries(original(pet, call)).reverse()),
    )(
      override(
        'describeError',
        (original) => (error, call) => Object.fromEntries(Object.entries(original(error, call)).reverse()),
      )(steps),
    ),
  ),
];
