import { bearerToken } from '../authentication.ts';
import { changeResponse, choosing, everyResponse, override, SPECIFIED, without } from '../changes.ts';
import { ApiError, invalidParameter, unauthorized } from '../errors.ts';
import { readJson, readNumber } from '../json.ts';
import type { Variant } from '../steps.ts';
import {
  checkingBeforeKey,
  clampedLimit,
  keeping,
  omittedAs,
  readingLimit,
  refusing,
  unknownMembers,
} from './builders.ts';

const removedWith = (status: 404 | 410) =>
  override('getPet', (original) => (call) => {
    if (call.service.today() >= '2030-12-05') throw new ApiError(status, 'removed', 'This operation was removed.');
    return original(call);
  });

/** Leaves headers out of every response. */
const withoutHeaders = (...names: readonly string[]) =>
  changeResponse(everyResponse, (response) => ({
    ...response,
    headers: names.reduce(without<string>, response.headers),
  }));

// biome-ignore format: one table
export const choiceVariants: readonly Variant[] = [
  ...choosing('LIST-10', {
    'limits-clamped': ['A `limit` out of range is clamped; one that is not an integer is ignored.',
      readingLimit((text) => (/^-?\d+$/.test(text) ? clampedLimit(Number(text)) : undefined))],
    'limits-ignored': ['A `limit` out of range is ignored.',
      readingLimit((text) =>
        (/^\d+$/.test(text) && clampedLimit(Number(text)) === Number(text) ? Number(text) : undefined))],
  }),
  ...choosing('LIST-11', {
    'unknown-status-filter-gives-nothing': ['A status filter outside the enumeration gives an empty list.',
      override('readStatusFilter', (original) => (call) => {
        const [status, ...others] = call.query.getAll('status');
        return others.length > 0 ? original(call) : status;
      })],
  }),
  ...choosing('GET-5', {
    'ids-not-int64-answered-400': ['An id that is not an int64 is answered with 400.',
      override('readPetId', (original) => (call) => {
        try {
          return original(call);
        } catch {
          throw invalidParameter('petId is an int64 integer.');
        }
      })],
  }),
  ...choosing('AUTH-9', {
    'body-before-key': ['An invalid body is answered with 400 before the key is checked.',
      override('perform', (original) => async (call) => {
        if (call.operation !== 'createPet') return original(call);
        const { steps } = call.service;
        const text = await steps.readBody(call);
        steps.validateNewPet(steps.parseBody(text, call), call);
        return original({ ...call, service: { ...call.service, steps: { ...steps, readBody: async () => text } } });
      })],
    'media-type-before-key': ['A body of another media type is answered with 415 before the key is checked.',
      checkingBeforeKey((call) => { if (call.operation === 'createPet') call.service.steps.checkMediaType(call); })],
    'parameters-before-key': ['Query parameters out of range are answered with 400 before the key is checked.',
      checkingBeforeKey((call) => {
        if (call.operation !== 'listPets') return;
        call.service.steps.readLimit(call);
        call.service.steps.readStatusFilter(call);
      })],
  }),
  ...choosing('RES-11', {
    'unknown-members-echoed': ['Unknown members are stored and returned.', keeping(unknownMembers)],
    'unknown-members-refused': ['Unknown members are refused.',
      refusing('The body has a member that is not known.', (_, body) =>
        Object.keys(body).some((name) => !SPECIFIED.includes(name)))],
  }),
  ...choosing('RES-12', {
    'client-id-refused': ['An `id` in the body is refused.',
      refusing('The service assigns the id.', (_, body) => Object.hasOwn(body, 'id'))],
  }),
  ...choosing('CREATE-13', {
    'media-type-ignored': ['The media type of a body is ignored.', override('checkMediaType', () => () => {})],
    'media-type-required': ['A body without a media type is answered with 415.',
      override('checkMediaType', (original) => (call) => {
        const isMissing = call.header('content-type') === undefined;
        if (isMissing) throw new ApiError(415, 'unsupported_media_type', 'Say application/json.');
        original(call);
      })],
  }),
  ...choosing('RES-13', {
    'integers-plain-only': ['Integers written `1.0` or `1e2` are refused.',
      override('parseBody', (original) => (text, call) => {
        original(text, call);
        return readJson(text, {
          parseNumber: (number) => (/^-?\d+$/.test(number) ? readNumber(number) : Number(number)),
        });
      })],
  }),
  ...choosing('CREATE-14', {
    'last-duplicate-wins': ['Of duplicate members, the last one counts.',
      override('parseBody', (original) => (text, call) => {
        try {
          return readJson(text, { onDuplicateKey: ({ newValue }) => newValue });
        } catch {
          return original(text, call);
        }
      })],
  }),
  ...choosing('RES-10', {
    'lone-surrogates-replaced': ['A lone surrogate in a name becomes U+FFFD.',
      override('validateNewPet', (original) => (body, call) => {
        const pet = original(body, call);
        return { ...pet, name: pet.name.replace(/\p{Cs}/gu, '\ufffd') };
      })],
    'odd-names-refused': [
      'A name is refused if it is empty, longer than 1,000 characters, or contains control characters or lone surrogates.',
      refusing('name is not acceptable.', (name) =>
        name === '' || [...name].length > 1000 || /[\p{Cs}\u0000-\u001f\u007f]/u.test(name))],
  }),
  ...choosing('STATE-2', {
    'omitted-status-absent': ['An omitted status stays absent.', omittedAs(() => undefined)],
  }),
  ...choosing('AUTH-8', {
    'bearer-in-these-letters-only': ['The scheme must be written exactly `Bearer`.',
      override('authenticate', (original) => (call) => {
        original(call);
        if (bearerToken(call) !== undefined && !call.header('authorization')?.startsWith('Bearer ')) {
          throw unauthorized('Write the scheme as Bearer.');
        }
      })],
  }),
  ...choosing('AUTH-10', {
    'no-challenge': ['A 401 has no WWW-Authenticate.', withoutHeaders('WWW-Authenticate')],
  }),
  ...choosing('CREATE-15', {
    'no-location': ['A 201 has no Location.', withoutHeaders('Location')],
  }),
  ...choosing('VERS-5', {
    'no-announcement': ['getPet does not announce its removal in headers.',
      withoutHeaders('Deprecation', 'Sunset', 'Link')],
  }),
  ...choosing('VERS-4', {
    'removed-with-404': ['From 5 December 2030, getPet answers 404.', removedWith(404)],
    'removed-with-410': ['From 5 December 2030, getPet answers 410.', removedWith(410)],
  }),
  ...choosing('ERR-3', {
    'errors-empty': ['The `code` and the `message` of an Error are empty.',
      override('describeError', (original) => (error, call) => ({ ...original(error, call), code: '', message: '' }))],
  }),
  ...choosing('RES-9', {
    'animals-with-more-members': ['An animal has additional members.',
      override('describePet', (original) => (pet, call) =>
        ({ createdAt: '2026-01-01T00:00:00Z', tags: [], owner: null, ...original(pet, call),
        links: { self: `${call.service.basePath}/pets/${pet.id}` } }))],
    'members-in-other-order': ['The members of animals and Errors are in reverse order.',
      (steps) => override('describePet', (original) => (pet, call) =>
        Object.fromEntries(Object.entries(original(pet, call)).reverse()))(override('describeError', (original) =>
        (error, call) => Object.fromEntries(Object.entries(original(error, call)).reverse()))(steps))],
  }),
];
