import { INT64_MIN } from '../../contract/exact-integer.ts';
import { combine, fault, onEveryNth, override, type StepsChange, without } from '../changes.ts';
import { assignInSequence, isPetStatus, type NewPet, type Pet } from '../collection.ts';
import { ApiError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ApiResponse, Fault, Operation, Service, Steps } from '../steps.ts';
import {
  crashingOnName,
  crashingOnPet,
  creatingWith,
  describing,
  has,
  hasUnknownMember,
  readingPieces,
  refusingPets,
  rows,
  storing,
  storingCategory,
  storingName,
  storingStatus,
  whereStatusOmitted,
} from './builders.ts';

/** Refuses names with 400. */
const refusingNames = (refuses: (name: string) => boolean) => refusingPets(({ name }) => refuses(name));

/** Refuses names with 403, as a firewall before the service does. */
const forbiddingNames = (pattern: RegExp) =>
  refusingPets(
    ({ name }) => pattern.test(name),
    () => new ApiError(403, 'forbidden', 'The request looks like an attack.'),
  );

const isNines = (value: bigint): boolean => /^-?9{4,}$/.test(`${value}`);

/** Gives an animal the id of an earlier one that is alike without being the same. */
const sharingIds = (isAlike: (pet: NewPet, earlier: NewPet) => boolean): StepsChange => {
  const isSame = (one: NewPet, other: NewPet): boolean =>
    one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;
  return (steps) =>
    creatingWith((own) => {
      let latest: NewPet | undefined;
      let earlier: Pet | undefined;
      return {
        validateNewPet: (body, call) => {
          const pet = own.validateNewPet(body, call);
          latest = pet;
          earlier = call.service.collection
            .oldestFirst(undefined)
            .find((stored) => isAlike(pet, stored) && !isSame(pet, stored));
          return pet;
        },
        assignId: (service: Service) =>
          latest === undefined || earlier === undefined ? own.assignId(service) : earlier.id,
      };
    })(steps);
};

/** Stores a name as it was first spelled, where one that counts as equal is known. */
const storingFirstSpelling = (key: (name: string) => string) => (steps: Steps) => {
  const known = new Map<string, string>();
  return storingName((name) => {
    const first = known.get(key(name)) ?? name;
    known.set(key(name), first);
    return first;
  })(steps);
};

/** Shows animals otherwise than they were created, in the responses of getPet and listPets. */
const readingBack = (alter: (pet: Pet) => Pet) =>
  override(
    'describePet',
    (original) => (pet, call) => original(call.operation === 'createPet' ? pet : alter(pet), call),
  );

const showingName = (operation: 'getPet' | 'listPets', alter: (name: string) => string) =>
  describing((members, { name }) => ({ ...members, name: alter(name) }), operation);

/** Changes an animal some time after it was stored. */
const changingLater = (milliseconds: number, alter: (pet: Pet) => Pet) =>
  override('store', (original) => (pet, call) => {
    original(pet, call);
    const altered = alter(pet);
    if (altered !== pet) void call.service.pause(milliseconds).then(() => call.service.collection.add(altered));
  });

/** Changes an animal once that many more were stored. */
const changingAfter = (count: number, alter: (pet: Pet) => Pet) => (steps: Steps) => {
  const stored: Pet[] = [];
  return override('store', (original) => (pet, call) => {
    original(pet, call);
    const old = stored[stored.push(pet) - 1 - count];
    const altered = old === undefined ? undefined : alter(old);
    if (altered !== old && altered !== undefined) call.service.collection.add(altered);
  })(steps);
};

/** Cuts a text after so many bytes of UTF-8; a character that is cut in two becomes U+FFFD. */
const cutAtBytes = (text: string, most: number): string => Buffer.from(text).subarray(0, most).toString('utf8');

const LITERALS = new Map(Object.entries({ yes: 'true', on: 'true', no: 'false', off: 'false' }));

/** Notes the ids of the animals whose status was omitted. */
const notingOmitted = (omitted: Set<bigint>) =>
  whereStatusOmitted((own) => ({
    store: (pet, call) => {
      omitted.add(pet.id);
      own.store(pet, call);
    },
  }));

/** Describes animals whose status was omitted in another way, in the responses of some operations. */
const describingOmitted =
  (
    alter: (members: JsonObject) => JsonObject,
    where: readonly Operation[] = ['createPet', 'getPet', 'listPets'],
  ): StepsChange =>
  (steps) => {
    const omitted = new Set<bigint>();
    return combine(
      notingOmitted(omitted),
      override('describePet', (original) => (pet, call) => {
        const members = original(pet, call);
        return omitted.has(pet.id) && where.some((operation) => operation === call.operation)
          ? alter(members)
          : members;
      }),
    )(steps);
  };
const withoutStatus = (members: JsonObject): JsonObject => without(members, 'status');
const withStatus =
  (status: string) =>
  (members: JsonObject): JsonObject => ({ ...members, status });

/** Animals that are added at the same time share what was read last. */
const mixing =
  (mix: (pet: Pet, latest: NewPet) => Pet): StepsChange =>
  (steps) => {
    let latest: NewPet | undefined;
    return creatingWith((own) => ({
      validateNewPet: (body, call) => {
        latest = own.validateNewPet(body, call);
        return latest;
      },
      assignId: async (service: Service) => {
        const id = await own.assignId(service);
        await service.pause(3);
        return id;
      },
      store: (pet, call) => own.store(latest === undefined ? pet : mix(pet, latest), call),
      describePet: (pet, call) => own.describePet(call.service.collection.get(pet.id) ?? pet, call),
    }))(steps);
  };

/** What is stored, and comes back, of a name, a category, a status and an id. */
export const valueFaults: readonly Fault[] = [
  ...rows<(name: string) => string>(
    'RES-6',
    storingName,
    [
      'name-apostrophe-doubled',
      'An apostrophe in a name is doubled, as for SQL.',
      (name) => name.replaceAll("'", "''"),
    ],
    [
      'name-cut-at-sql-comment',
      'A name ends before `--`, as at a comment of SQL.',
      (name) => name.replace(/--[\s\S]*/, ''),
    ],
    [
      'name-entities-decoded',
      'HTML entities in a name are decoded: `&amp;` becomes `&`.',
      (name) =>
        name
          .replace(/&amp;/g, '&')
          .replace(/&lt;/g, '<')
          .replace(/&gt;/g, '>')
          .replace(/&quot;/g, '"')
          .replace(/&#0*39;/g, "'"),
    ],
    [
      'name-percent-decoded',
      'A name is percent-decoded: `%20` becomes a blank.',
      (name) => name.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ],
    [
      'name-not-available-made-empty',
      'The names "NA", "N/A" and "nan", in any letter case, are stored as an empty string, as by a reader of tables.',
      (name) => (/^(?:n\/?a|nan)$/i.test(name) ? '' : name),
    ],
    [
      'name-placeholders-emptied',
      'A placeholder such as `${x}` or `#{x}` in a name is replaced with nothing.',
      (name) => name.replace(/[$#]\{[^}]*\}/g, ''),
    ],
    [
      'name-doubled-percent-halved',
      'A name is used as a format: `%%` becomes `%`, and `%s` and `%d` vanish.',
      (name) => name.replace(/%([%sd])/g, (_, kind: string) => (kind === '%' ? '%' : '')),
    ],
    [
      'name-cut-to-last-path-segment',
      'Of a name with slashes only what follows the last one is kept.',
      (name) => name.replace(/^[\s\S]*[/](?=[\s\S])/, ''),
    ],
    [
      'name-escapes-interpreted',
      'A backslash with a letter after it, as the two characters `\\n`, is read as an escape once more.',
      (name) => name.replace(/\\([nrt])/g, (_, kind: string) => (kind === 'n' ? '\n' : kind === 'r' ? '\r' : '\t')),
    ],
    [
      'name-like-moment-put-in-utc',
      'A name that reads as a moment, such as "2030-12-05T10:00:00+02:00", is written as that moment in UTC.',
      (name) => (/^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d$/.test(name) ? new Date(name).toISOString() : name),
    ],
    [
      'name-marks-above-eight-dropped',
      'Of more than eight combining marks in a row, a filter keeps eight.',
      (name) => name.replace(/(\p{M}{8})\p{M}+/gu, '$1'),
    ],
    [
      'name-like-formula-guarded',
      'A name that begins with `=`, `+`, `-` or `@` gets an apostrophe before it.',
      (name) => name.replace(/^[=+\-@]/, "'$&"),
    ],
    [
      'name-yes-and-no-made-literals',
      'The names "yes", "no", "on" and "off" are stored as "true" and "false".',
      (name) => LITERALS.get(name.toLowerCase()) ?? name,
    ],
    [
      'name-like-number-rewritten',
      'A name that reads as a number is rewritten: "007" becomes "7", "1.0" becomes "1".',
      (name) => (/^[+-]?\d{1,15}(?:\.\d+)?(?:e\d{1,2})?$/i.test(name) ? String(Number(name)) : name),
    ],
    ['name-blanks-collapsed', 'Several blanks in a row become one.', (name) => name.replace(/ {2,}/g, ' ')],
    [
      'name-zero-width-dropped',
      'Zero-width spaces and joiners in a name are dropped.',
      (name) => name.replace(/[\u200b-\u200d\u2060]/g, ''),
    ],
    ['name-combining-marks-dropped', 'Combining marks in a name are dropped.', (name) => name.replace(/\p{Mn}/gu, '')],
    [
      'name-compatibility-composed',
      'Compatibility characters in a name, such as ﬁ and Ａ, become plain letters.',
      (name) =>
        name.replace(/[\ufb00-\ufb06\uff01-\uff5e\u2460-\u2473\u00b2\u00b3\u00b9\u2122]/g, (one) =>
          one.normalize('NFKC'),
        ),
    ],
    [
      'name-noncharacters-replaced',
      'Noncharacters such as U+FFFE and U+FDD0 in a name become U+FFFD.',
      (name) => name.replace(/\p{Noncharacter_Code_Point}/gu, '\ufffd'),
    ],
    [
      'name-cut-at-255-bytes',
      'A name is cut after 255 bytes, perhaps within a character.',
      (name) => cutAtBytes(name, 255),
    ],
    [
      'name-full-buffer-loses-its-last',
      'A name of exactly 16, 32, 64, 128, 256 or 512 bytes loses its last character to the end mark.',
      (name) =>
        [16, 32, 64, 128, 256, 512].includes(Buffer.byteLength(name)) ? [...name].slice(0, -1).join('') : name,
    ],
  ),
  ...rows<(name: string) => string>(
    'RES-6',
    storingFirstSpelling,
    [
      'name-as-first-spelled-in-any-case',
      'A name that differs from an earlier one only in letter case comes back as the earlier one.',
      (name) => name.toLowerCase(),
    ],
    [
      'name-as-first-normalised',
      'A name that differs from an earlier one only in its Unicode normalisation comes back as the earlier one.',
      (name) => name.normalize('NFC'),
    ],
  ),
  ...rows<(name: string) => boolean>(
    'RES-6',
    refusingNames,
    [
      'blank-name-refused',
      'A name of nothing but blanks is refused.',
      (name) => /^[\s\u3000]+$/.test(name) && !/[\u0000-\u001f]/.test(name),
    ],
    ['one-character-name-refused', 'A name of one character is refused.', (name) => [...name].length === 1],
    ['name-of-1000-refused', 'A name of exactly 1,000 characters is refused.', (name) => name.length === 1000],
    [
      'name-of-a-member-refused',
      'The name "status" or "categoryId" is taken for the member, and refused.',
      (name) => name === 'status' || name === 'categoryId',
    ],
    [
      'name-above-255-bytes-refused',
      'A name of more than 255 bytes is refused, though it has fewer characters.',
      (name) => name.length <= 255 && Buffer.byteLength(name) > 255,
    ],
  ),
  ...rows('RES-6', forbiddingNames, [
    'script-in-name-answered-403',
    'A name with a script tag is taken for an attack and answered with 403.',
    /<script|javascript:|onerror=/i,
  ]),
  fault(
    'names-unique-in-their-first-191',
    'RES-6',
    'A name whose first 191 characters are taken is refused.',
    (steps) => {
      const taken = new Set<string>();
      return refusingNames((name) => {
        const start = name.slice(0, 191);
        const isTaken = name.length > 191 && taken.has(start);
        taken.add(start);
        return isTaken;
      })(steps);
    },
  ),
  fault(
    'names-mixed-when-created-at-once',
    'RES-6',
    'Of animals that are added at the same time, one may get the name of another.',
    mixing((pet, { name }) => ({ ...pet, name })),
  ),
  fault(
    'name-read-as-latin1-without-charset',
    'RES-6',
    'Where the `Content-Type` names no charset, the body is read as Latin-1.',
    override('readBody', (original) => async (call) => {
      const text = await original(call);
      return call.header('content-type')?.includes('charset') ? text : Buffer.from(text).toString('latin1');
    }),
  ),

  fault(
    'name-decoded-by-chunks',
    'RES-6',
    'Each piece in which a body arrives is decoded by itself, so that a character on a border is lost.',
    readingPieces((pieces) => pieces.map((piece) => piece.toString()).join('')),
  ),
  fault(
    'escaped-pairs-lost',
    'RES-6',
    'Two escapes that make one character, as in `\\ud83d\\ude00`, become two U+FFFD.',
    override(
      'parseBody',
      (original) => (text, call) =>
        original(text.replace(/(?<!\\)((?:\\\\)*)\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '$1\\ufffd\\ufffd'), call),
    ),
  ),

  fault(
    'empty-name-replaced',
    'RES-10',
    'An empty name is replaced with "unnamed".',
    storingName((name) => (name === '' ? 'unnamed' : name)),
  ),
  fault(
    'name-cut-at-1000',
    'RES-10',
    'A name of more than 1,000 characters is accepted, but cut.',
    storingName((name) => name.slice(0, 1000)),
  ),
  fault(
    'name-above-1000-answered-413',
    'RES-10',
    'A name of more than 1,000 characters is answered with 413.',
    refusingPets(
      ({ name }) => name.length > 1000,
      () => new ApiError(413, 'too_large', 'The name is too long.'),
    ),
  ),
  fault(
    'empty-name-null',
    'RES-2',
    'An empty name comes back as null, as some databases do.',
    describing((members, { name }) => (name === '' ? { ...members, name: null } : members)),
  ),

  ...rows<RegExp>(
    'SERV-4',
    crashingOnName,
    [
      'percent-in-name-makes-500',
      'A percent sign that is not followed by two hexadecimal digits makes the service fail, in a name.',
      /%(?![\da-f]{2})/i,
    ],
    [
      'builtin-name-makes-500',
      'The names `__proto__`, `constructor` and `hasOwnProperty` make the service fail.',
      /^(?:__proto__|constructor|hasOwnProperty|prototype|toString)$/,
    ],
    [
      'control-in-name-makes-500',
      'A control character that XML does not allow makes the service fail, in a name.',
      /[\u0001-\u0008\u000b\u000c\u000e-\u001f]/,
    ],
  ),
  ...rows<(pet: NewPet) => boolean>(
    'SERV-4',
    crashingOnPet,
    [
      'name-above-2704-bytes-makes-500',
      'A name of more than 2,704 bytes is too large for the index and makes the service fail.',
      ({ name }) => Buffer.byteLength(name) > 2704,
    ],
    [
      'category-minimum-makes-500',
      'The smallest int64 as `categoryId` makes the service fail, as it has no absolute value.',
      ({ categoryId }) => categoryId === INT64_MIN,
    ],
  ),

  ...rows<(id: bigint) => boolean>(
    'RES-7',
    (refuses) => refusingPets(({ categoryId }) => refuses(categoryId)),
    ['category-zero-refused', 'The `categoryId` 0 is refused, as if it were missing.', (id) => id === 0n],
    ['category-minus-one-refused', 'The `categoryId` -1 is refused, as it stands for none.', (id) => id === -1n],
    [
      'category-beyond-doubles-refused',
      'A `categoryId` of 2^53 or more is refused, on either side of 0.',
      (id) => !Number.isSafeInteger(Number(id)),
    ],
  ),
  ...rows<(id: bigint) => bigint>(
    'RES-7',
    storingCategory,
    [
      'category-kept-in-unsigned-32-bits',
      '`categoryId` is stored in 32 bits without a sign.',
      (id) => BigInt.asUintN(32, id),
    ],
    [
      'category-loses-its-sign',
      'A negative `categoryId` comes back positive.',
      (id) => (id < 0n && id > INT64_MIN ? -id : id),
    ],
    [
      'category-odd-beyond-doubles-made-even',
      'Between 2^53 and 2^54, an odd `categoryId` becomes even.',
      (id) => (id > 2n ** 53n && id < 2n ** 54n ? id - (id % 2n) : id),
    ],
  ),
  fault(
    'category-beyond-doubles-as-string',
    'RES-3',
    'A `categoryId` beyond 2^53 comes back as a string.',
    describing((members, { categoryId }) =>
      Number.isSafeInteger(Number(categoryId)) ? members : { ...members, categoryId: categoryId.toString() },
    ),
  ),
  fault(
    'category-zero-left-out',
    'RES-3',
    'The `categoryId` 0 is left out of every response.',
    describing((members, { categoryId }) => (categoryId === 0n ? without(members, 'categoryId') : members)),
  ),
  fault(
    'category-negative-null-in-list',
    'RES-3',
    'Lists show a negative `categoryId` as null.',
    describing((members, { categoryId }) => (categoryId < 0n ? { ...members, categoryId: null } : members), 'listPets'),
  ),

  fault(
    'status-lost-beside-category-zero',
    'RES-8',
    'With the `categoryId` 0, the status that was sent is lost and the animal is available.',
    storing((pet) => (pet.categoryId === 0n ? { ...pet, status: 'available' } : pet)),
  ),
  fault(
    'status-lost-beside-unknown-member',
    'RES-11',
    'In a body with a member that a NewPet does not have, the status is lost and the animal is available.',
    storingStatus((status, body) => (hasUnknownMember(body) ? 'available' : status)),
  ),
  fault(
    'status-lost-behind-sixteen-members',
    'RES-11',
    'A status that stands behind sixteen other members is not read, and the animal is available.',
    storingStatus((status, body) => (Object.keys(Object(body)).indexOf('status') >= 16 ? 'available' : status)),
  ),
  fault(
    'pending-ends-after-a-second',
    'RES-9',
    'An animal that was added as pending is available after a second.',
    changingLater(1000, (pet) => (pet.status === 'pending' ? { ...pet, status: 'available' } : pet)),
  ),
  fault(
    'sold-available-again-after-30-more',
    'RES-9',
    'A sold animal is available again once 30 more animals were added.',
    changingAfter(30, (pet) => (pet.status === 'sold' ? { ...pet, status: 'available' } : pet)),
  ),
  fault(
    'statuses-mixed-when-created-at-once',
    'RES-8',
    'Of animals that are added at the same time, one may get the status of another.',
    mixing((pet, { status = 'available' }) => ({ ...pet, status })),
  ),

  ...rows<RegExp>(
    'RES-6',
    (words) => refusingNames((name) => words.test(name)),
    [
      'name-reserved-file-refused',
      'A name that Windows reserves for a device, such as "con" or "nul", is refused.',
      /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.\w*)?$/i,
    ],
    [
      'name-profanity-inside-refused',
      'A name in which a filter finds a bad word, as in "Scunthorpe", is refused.',
      /cunt|penis|shit|dick|cock|wank/i,
    ],
  ),

  fault(
    'one-in-45-creations-refused',
    'CREATE-1',
    'One valid animal in 45 is refused with 400, whatever it is.',
    onEveryNth(45, (isDue) => refusingPets(() => isDue())),
  ),
  fault(
    'category-of-nines-made-zero',
    'RES-7',
    'A `categoryId` of nines alone, from 9999 on, is taken for a missing one and stored as 0.',
    storingCategory((id) => (isNines(id) ? 0n : id)),
  ),
  fault(
    'category-round-refused',
    'RES-7',
    'A negative `categoryId` that is a power of ten, from -10 on, is refused.',
    refusingPets(({ categoryId }) => /^-10+$/.test(`${categoryId}`)),
  ),
  fault(
    'category-of-nine-digits-cut-in-list',
    'RES-9',
    'Lists show only the first eight digits of a `categoryId` of nine to fifteen digits.',
    describing(
      (members, { categoryId }) =>
        /^\d{9,15}$/.test(`${categoryId}`) ? { ...members, categoryId: BigInt(`${categoryId}`.slice(0, 8)) } : members,
      'listPets',
    ),
  ),

  fault(
    'namesake-of-another-status-gets-its-id',
    'RES-5',
    'An animal with the name and the category of another, but with another status, gets its id and replaces it.',
    sharingIds((pet, earlier) => pet.name === earlier.name && pet.categoryId === earlier.categoryId),
  ),
  fault(
    'namesake-gets-the-status-of-the-first',
    'RES-8',
    'An animal with the name of another gets the status of that one.',
    override('validateNewPet', (original) => (body, call) => {
      const pet = original(body, call);
      const first = call.service.collection.oldestFirst(undefined).find(({ name }) => name === pet.name);
      return first?.status === undefined ? pet : { ...pet, status: first.status };
    }),
  ),
  fault(
    'id-found-by-name-and-category-in-one',
    'RES-5',
    'Two animals get one id where name and category are the same text when written one after the other.',
    sharingIds(
      (pet, earlier) =>
        pet.name !== earlier.name && `${pet.name}${pet.categoryId}` === `${earlier.name}${earlier.categoryId}`,
    ),
  ),
  fault(
    'getpet-shows-the-category-of-a-namesake',
    'RES-9',
    'getPet shows the category of the first animal with the same name.',
    override('describePet', (original) => (pet, call) => {
      if (call.operation !== 'getPet') return original(pet, call);
      const namesake = call.service.collection.oldestFirst(undefined).find(({ name }) => name === pet.name);
      return original({ ...pet, categoryId: namesake?.categoryId ?? pet.categoryId }, call);
    }),
  ),
  fault(
    'list-shortens-long-names',
    'RES-9',
    'Lists show a name of more than 50 characters shortened, with an ellipsis.',
    showingName('listPets', (name) => ([...name].length > 50 ? `${[...name].slice(0, 49).join('')}…` : name)),
  ),
  fault(
    'list-shows-astral-as-question-marks',
    'RES-9',
    'Lists show characters beyond U+FFFF as question marks.',
    showingName('listPets', (name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
  fault(
    'list-rounds-categories',
    'RES-9',
    'Lists round a `categoryId` beyond 2^53.',
    describing(
      (members, { categoryId }) => ({ ...members, categoryId: BigInt.asIntN(64, BigInt(Number(categoryId))) }),
      'listPets',
    ),
  ),
  fault(
    'created-repeats-the-category',
    'RES-9',
    'The 201 repeats the `categoryId` as sent, but it is stored in 32 bits.',
    readingBack((pet) => ({ ...pet, categoryId: BigInt.asIntN(32, pet.categoryId) })),
  ),
  fault(
    'names-fade-after-a-second',
    'RES-9',
    'A second after an animal was added, the letters of its name beyond ASCII become question marks.',
    changingLater(1000, (pet) => {
      const name = pet.name.replace(/[^\u0000-\u007f]/gu, '?');
      return name === pet.name ? pet : { ...pet, name };
    }),
  ),
  fault(
    'categories-fade-after-20-more',
    'RES-9',
    'Once 20 more animals were added, the `categoryId` of an animal is rounded to a double.',
    changingAfter(20, (pet) => {
      const categoryId = BigInt.asIntN(64, BigInt(Number(pet.categoryId)));
      return categoryId === pet.categoryId ? pet : { ...pet, categoryId };
    }),
  ),

  fault(
    'omitted-status-empty',
    'RES-1',
    'An omitted status comes back as an empty string.',
    describingOmitted(withStatus('')),
  ),
  fault(
    'status-padded-when-read-back',
    'RES-1',
    'getPet and lists show the status padded with blanks to nine letters.',
    override('describePet', (original) => (pet, call) => {
      const members = original(pet, call);
      return call.operation === 'createPet' || pet.status === undefined
        ? members
        : { ...members, status: pet.status.padEnd(9) };
    }),
  ),
  fault(
    'ids-beyond-int64',
    'RES-4',
    'Ids begin at 2^63, which is no int64.',
    combine(
      override('assignId', () => assignInSequence(2n ** 63n)),
      override(
        'readPetId',
        (original) => (call) => (/^\d{19}$/.test(call.petId ?? '') ? BigInt(call.petId ?? '') : original(call)),
      ),
    ),
  ),
  fault(
    'ids-kept-in-7-bits',
    'RES-5',
    'After the id 127 they begin at 0 again, and new animals replace old ones.',
    override('assignId', (original) => async (service) => (await original(service)) % 128n),
  ),
  fault(
    'ids-counted-per-status',
    'RES-5',
    'New animals of each status are counted on their own, so that a sold and a pending one get the same id.',
    (steps) => {
      const counts = new Map<string, bigint>();
      return creatingWith((own) => {
        let status = '';
        return {
          validateNewPet: (body, call) => {
            const pet = own.validateNewPet(body, call);
            status = pet.status ?? '';
            return pet;
          },
          assignId: () => {
            const id = (counts.get(status) ?? 1_000_000n) + 1n;
            counts.set(status, id);
            return id;
          },
        };
      })(steps);
    },
  ),

  fault(
    'one-in-5-omitted-statuses-refused',
    'STATE-1',
    'One body in five without a status is refused.',
    onEveryNth(5, (isDue) => refusingPets((_, body) => !has(body, 'status') && isDue())),
  ),
  fault(
    'omitted-status-pending-when-read-back',
    'STATE-2',
    'Where the status is omitted, the 201 says available, but the animal is stored as pending.',
    whereStatusOmitted((own) => ({ store: (pet, call) => own.store({ ...pet, status: 'pending' }, call) })),
  ),
  fault(
    'omitted-status-absent-in-created-only',
    'STATE-2',
    'Where the status is omitted, the 201 has none, but getPet and lists show available.',
    describingOmitted(withoutStatus, ['createPet']),
  ),
  fault(
    'omitted-status-sold-in-getpet',
    'STATE-2',
    'Where the status is omitted, getPet shows sold, but the 201 and lists show available.',
    describingOmitted(withStatus('sold'), ['getPet']),
  ),
  fault(
    'omitted-status-not-found-by-filter',
    'STATE-2',
    'Where the status is omitted, every response shows available, but `status=available` leaves the animal out.',
    (steps) => {
      const omitted = new Set<bigint>();
      return combine(
        notingOmitted(omitted),
        override('selectPage', (original) => (page, call) => {
          if (page.status === undefined) return original(page, call);
          const shown = call.service.collection.oldestFirst(page.status).filter(({ id }) => !omitted.has(id));
          return shown.slice(-page.limit).reverse();
        }),
      )(steps);
    },
  ),
  fault(
    'page-kept-where-the-status-is-omitted',
    'STATE-2',
    'A filtered page without `limit` is kept until an animal is added with its status in the body; one that takes it does not count.',
    (steps) => {
      const kept = new Map<string, ApiResponse>();
      return combine(
        override('validateNewPet', (original) => (body, call) => {
          const pet = original(body, call);
          if (has(body, 'status')) kept.delete(pet.status ?? '');
          return pet;
        }),
        override('listPets', (original) => async (call) => {
          const status = call.query.get('status') ?? '';
          if (!isPetStatus(status) || call.query.has('limit')) return original(call);
          const response = kept.get(status) ?? (await original(call));
          kept.set(status, response);
          return response;
        }),
      )(steps);
    },
  ),
  fault(
    'null-of-copy-in-name-lost',
    'RES-6',
    'A name of a backslash and a capital N, which is the NULL of COPY, comes back empty.',
    storingName((name) => (name === '\\N' ? '' : name)),
  ),
  fault(
    'omitted-status-changes-after-a-second',
    'STATE-2',
    'An omitted status is available at first, and pending a second later.',
    whereStatusOmitted((own) => ({
      store: (pet, call) => {
        own.store(pet, call);
        const { pause, collection } = call.service;
        void pause(1000).then(() => collection.add({ ...pet, status: 'pending' }));
      },
    })),
  ),
];
