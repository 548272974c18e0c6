import { bearerToken } from '../authentication.ts';
import { answering, changing, variant, without } from '../changing.ts';
import { invalidBody, invalidParameter, Refusal } from '../errors.ts';
import { isObject, type Json, readJson, readNumber } from '../json.ts';
import { LIMIT_DEFAULT, LIMIT_MAXIMUM, LIMIT_MINIMUM } from '../listing.ts';
import type { NewPet, PetStatus } from '../pet.ts';
import type { Call, Variant } from '../steps.ts';

/** Reads a limit that the usual step refuses. */
const readingLimit = (read: (limit: number) => number | undefined) =>
  changing('readLimit', (usual) => (call) => {
    const text = call.query.get('limit');
    const limit = text === null ? undefined : read(/^-?\d+$/.test(text) ? Number(text) : Number.NaN);
    return limit ?? usual(call);
  });

/** Refuses an animal on a point on which the specification is silent. */
const refusing = (message: string, refuses: (pet: NewPet, body: unknown) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    if (refuses(pet, body)) throw invalidBody(message);
    return pet;
  });

/** The status of an animal whose status was left out. */
const omittedStatus = (status: PetStatus | undefined) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    if (isObject(body) && Object.hasOwn(body, 'status')) return pet;
    const { status: _, ...rest } = pet;
    return status === undefined ? rest : { ...rest, status };
  });

/** What a body holds beside the members of a NewPet. */
const unknownMembers = (body: unknown): readonly string[] =>
  isObject(body) ? Object.keys(body).filter((name) => !['name', 'categoryId', 'status', 'id'].includes(name)) : [];

const isJson = (value: unknown): value is Json =>
  value === null ||
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ||
  (typeof value === 'object' && Object.values(value).every(isJson));

const removedWith = (status: 404 | 410) =>
  changing('getPet', (usual) => (call) => {
    if (call.shop.today() >= '2030-12-05') throw new Refusal(status, 'removed', 'This operation was removed.');
    return usual(call);
  });

/** Judges something before the key. */
const judgingFirst = (judge: (call: Call) => Promise<void> | void) =>
  changing('perform', (usual) => async (call) => {
    await judge(call);
    return usual(call);
  });

const hasControl = /[\u0000-\u001f\u007f]/;
const longerThan1000 = (name: string): boolean => [...name].length > 1000;

/** Whether headers are left out of some answers. */
const withoutHeaders = (...names: readonly string[]) =>
  answering(
    () => true,
    (answer) => ({ ...answer, headers: names.reduce(without<string>, answer.headers) }),
  );

const mediaTypeMissing = (call: Call): boolean => call.header('content-type') === undefined;

export const choiceVariants: readonly Variant[] = [
  variant(
    'limits-clamped',
    'LIST-10',
    'A `limit` out of range is moved into it; what is not an integer is ignored.',
    readingLimit((limit) =>
      Number.isNaN(limit) ? LIMIT_DEFAULT : Math.min(Math.max(limit, LIMIT_MINIMUM), LIMIT_MAXIMUM),
    ),
  ),
  variant(
    'limits-ignored',
    'LIST-10',
    'A `limit` out of range is ignored.',
    readingLimit((limit) => (limit >= LIMIT_MINIMUM && limit <= LIMIT_MAXIMUM ? limit : LIMIT_DEFAULT)),
  ),
  variant(
    'unknown-status-filter-gives-nothing',
    'LIST-11',
    'A status filter outside the enumeration gives an empty list.',
    changing('readStatusFilter', (usual) => (call) => {
      try {
        return usual(call);
      } catch {
        return 'nothing';
      }
    }),
  ),
  variant(
    'ids-not-int64-answered-400',
    'GET-5',
    'An id that is not an int64 is answered with 400.',
    changing('readPetId', (usual) => (call) => {
      try {
        return usual(call);
      } catch {
        throw invalidParameter('petId is an int64 integer.');
      }
    }),
  ),
  variant(
    'body-before-key',
    'AUTH-9',
    'A refused body is answered with 400 before the key is looked at.',
    changing('perform', (usual) => async (call) => {
      if (call.operation !== 'createPet') return usual(call);
      const { steps } = call.shop;
      const text = await steps.readBody(call);
      steps.validateNewPet(steps.parseBody(text, call), call);
      return usual({ ...call, shop: { ...call.shop, steps: { ...steps, readBody: async () => text } } });
    }),
  ),
  variant(
    'media-type-before-key',
    'AUTH-9',
    'A body of another media type is answered with 415 before the key is looked at.',
    judgingFirst((call) => {
      if (call.operation === 'createPet') call.shop.steps.checkMediaType(call);
    }),
  ),
  variant(
    'parameters-before-key',
    'AUTH-9',
    'Query parameters out of range are answered with 400 before the key is looked at.',
    judgingFirst((call) => {
      if (call.operation !== 'listPets') return;
      call.shop.steps.readLimit(call);
      call.shop.steps.readStatusFilter(call);
    }),
  ),
  variant(
    'unknown-members-echoed',
    'RES-11',
    'Members that a NewPet does not have are kept and given back.',
    changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      if (!isObject(body)) return pet;
      const extra = unknownMembers(body).flatMap((name): [string, Json][] => {
        const value = body[name];
        return isJson(value) ? [[name, value]] : [];
      });
      return { ...pet, extra: Object.fromEntries(extra) };
    }),
  ),
  variant(
    'unknown-members-refused',
    'RES-11',
    'Members that a NewPet does not have are refused.',
    refusing('The body has a member that is not known.', (_, body) => unknownMembers(body).length > 0),
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
    'The media type of a body is not looked at.',
    changing('checkMediaType', () => () => {}),
  ),
  variant(
    'media-type-required',
    'CREATE-13',
    'A body without a media type is answered with 415.',
    changing('checkMediaType', (usual) => (call) => {
      if (mediaTypeMissing(call)) throw new Refusal(415, 'unsupported_media_type', 'Say application/json.');
      usual(call);
    }),
  ),
  variant(
    'integers-plain-only',
    'RES-13',
    'Integers written `1.0` or `1e2` are refused.',
    changing('parseBody', (usual) => (text, call) => {
      usual(text, call);
      return readJson(text, {
        parseNumber: (number) => (/^-?\d+$/.test(number) ? readNumber(number) : Number(number)),
      });
    }),
  ),
  variant(
    'last-duplicate-wins',
    'CREATE-14',
    'Of a member that stands twice the last is taken.',
    changing('parseBody', (usual) => (text, call) => {
      try {
        return readJson(text, { onDuplicateKey: ({ newValue }) => newValue });
      } catch {
        return usual(text, call);
      }
    }),
  ),
  variant(
    'lone-surrogates-replaced',
    'RES-10',
    'A lone surrogate in a name becomes U+FFFD.',
    changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      return { ...pet, name: pet.name.replace(/\p{Cs}/gu, '\ufffd') };
    }),
  ),
  variant(
    'odd-names-refused',
    'RES-10',
    'A name is refused when it is empty, too long, or holds control characters or lone surrogates.',
    refusing(
      'name is not acceptable.',
      ({ name }) => name === '' || longerThan1000(name) || hasControl.test(name) || /\p{Cs}/u.test(name),
    ),
  ),
  variant('omitted-status-absent', 'STATE-2', 'An omitted status stays absent.', omittedStatus(undefined)),
  variant(
    'bearer-in-these-letters-only',
    'AUTH-8',
    'The scheme has to be written `Bearer`.',
    changing('authenticate', (usual) => (call) => {
      usual(call);
      if (bearerToken(call) !== undefined && !call.header('authorization')?.startsWith('Bearer ')) {
        throw new Refusal(401, 'unauthorized', 'Write the scheme as Bearer.');
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
    changing('describeError', (usual) => (refusal, call) => ({ ...usual(refusal, call), code: '', message: '' })),
  ),
  variant(
    'animals-with-more-members',
    'RES-9',
    'An animal has further members.',
    changing('describePet', (usual) => (pet, call) => ({
      createdAt: '2026-01-01T00:00:00Z',
      tags: [],
      owner: null,
      ...usual(pet, call),
      links: { self: `${call.shop.basePath}/pets/${pet.id}` },
    })),
  ),
  variant('members-in-other-order', 'RES-9', 'The members of animals and Errors stand in reverse order.', (steps) =>
    changing(
      'describePet',
      (usual) => (pet, call) => Object.fromEntries(Object.entries(usual(pet, call)).reverse()),
    )(
      changing(
        'describeError',
        (usual) => (refusal, call) => Object.fromEntries(Object.entries(usual(refusal, call)).reverse()),
      )(steps),
    ),
  ),
];
