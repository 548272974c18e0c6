import { answersOf, changing, fault, isSuccess, rewriting, together, without } from '../changing.ts';
import { invalidBody } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import type { NewPet, Pet, PetStatus } from '../pet.ts';
import type { Call, Fault, Operation } from '../steps.ts';

/** Stores something else than what was sent; every answer then agrees. */
const keeping = (alter: (pet: NewPet, body: unknown) => NewPet) =>
  changing('validateNewPet', (usual) => (body, call) => alter(usual(body, call), body));
const keepingName = (alter: (name: string) => string) => keeping((pet) => ({ ...pet, name: alter(pet.name) }));
const keepingCategory = (alter: (id: bigint) => bigint) =>
  keeping((pet) => ({ ...pet, categoryId: alter(pet.categoryId) }));
const keepingStatus = (alter: (status: PetStatus | undefined, body: unknown) => PetStatus | undefined) =>
  keeping(({ status, ...pet }, body) => {
    const altered = alter(status, body);
    return altered === undefined ? pet : { ...pet, status: altered };
  });

/** Describes animals wrongly, everywhere or in the answers of one operation. */
const describing = (alter: (members: JsonObject, pet: Pet, call: Call) => JsonObject, only?: Operation) =>
  changing('describePet', (usual) => (pet, call) => {
    const members = usual(pet, call);
    return only === undefined || call.operation === only ? alter(members, pet, call) : members;
  });

/** Refuses names that have to be accepted. */
const refusingNames = (refuses: (name: string) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    if (refuses(pet.name)) throw invalidBody('The name is not acceptable.');
    return pet;
  });
const refusingCategories = (refuses: (id: bigint) => boolean) =>
  changing('validateNewPet', (usual) => (body, call) => {
    const pet = usual(body, call);
    if (refuses(pet.categoryId)) throw invalidBody('The category does not exist.');
    return pet;
  });

const statusSent = (body: unknown): boolean => isObject(body) && Object.hasOwn(body, 'status');
const codePoints = (name: string): readonly string[] => [...name];
const HTML = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;
const isHtml = (letter: string): letter is keyof typeof HTML => letter in HTML;

export const valueFaults: readonly Fault[] = [
  fault(
    'name-trimmed',
    'RES-6',
    'White space around a name is removed.',
    keepingName((name) => name.trim()),
  ),
  fault(
    'name-trimmed-at-end',
    'RES-6',
    'Spaces at the end of a name are removed.',
    keepingName((name) => name.trimEnd()),
  ),
  fault(
    'name-spaces-collapsed',
    'RES-6',
    'Several spaces in a name become one.',
    keepingName((name) => name.replace(/ +/g, ' ')),
  ),
  fault(
    'name-cut-at-255',
    'RES-6',
    'A name is cut after 255 characters.',
    keepingName((name) => name.slice(0, 255)),
  ),
  fault(
    'name-cut-at-100',
    'RES-6',
    'A name is cut after 100 characters.',
    keepingName((name) => name.slice(0, 100)),
  ),
  fault(
    'name-cut-at-50',
    'RES-6',
    'A name is cut after 50 characters.',
    keepingName((name) => name.slice(0, 50)),
  ),
  fault(
    'name-cut-at-999-bytes',
    'RES-6',
    'A name is cut after 999 bytes.',
    keepingName((name) => {
      const kept: string[] = [];
      let bytes = 0;
      for (const character of codePoints(name)) {
        bytes += Buffer.byteLength(character);
        if (bytes > 999) break;
        kept.push(character);
      }
      return kept.join('');
    }),
  ),
  fault(
    'name-composed',
    'RES-6',
    'A name is normalised to NFC.',
    keepingName((name) => name.normalize('NFC')),
  ),
  fault(
    'name-decomposed',
    'RES-6',
    'A name is normalised to NFD.',
    keepingName((name) => name.normalize('NFD')),
  ),
  fault(
    'name-compatibility-folded',
    'RES-6',
    'A name is normalised to NFKC, so ligatures and wide letters are lost.',
    keepingName((name) => name.normalize('NFKC')),
  ),
  fault(
    'name-html-escaped',
    'RES-6',
    'The letters of HTML are escaped in a name.',
    keepingName((name) =>
      codePoints(name)
        .map((letter) => (isHtml(letter) ? HTML[letter] : letter))
        .join(''),
    ),
  ),
  fault(
    'name-ampersand-escaped',
    'RES-6',
    'An ampersand in a name becomes `&amp;`.',
    keepingName((name) => name.replaceAll('&', '&amp;')),
  ),
  fault(
    'name-tags-removed',
    'RES-6',
    'Whatever looks like an HTML tag is removed from a name.',
    keepingName((name) => name.replace(/<[^>]*>/g, '')),
  ),
  fault(
    'name-percent-decoded',
    'RES-6',
    'Percent escapes in a name are decoded.',
    keepingName((name) =>
      name.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  ),
  fault(
    'name-plus-lost',
    'RES-6',
    'A plus sign in a name becomes a space.',
    keepingName((name) => name.replaceAll('+', ' ')),
  ),
  fault(
    'name-lower-cased',
    'RES-6',
    'A name is lower-cased.',
    keepingName((name) => name.toLowerCase()),
  ),
  fault(
    'name-first-letter-capital',
    'RES-6',
    'The first letter of a name is made a capital.',
    keepingName((name) => name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())),
  ),
  fault(
    'name-astral-lost',
    'RES-6',
    'Characters beyond U+FFFF are lost from a name.',
    keepingName((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  fault(
    'name-astral-replaced',
    'RES-6',
    'Characters beyond U+FFFF become U+FFFD in a name.',
    keepingName((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  ),
  fault(
    'name-not-latin-replaced',
    'RES-6',
    'Characters beyond U+00FF become question marks in a name.',
    keepingName((name) => name.replace(/[^\u0000-\u00ff]/gu, '?')),
  ),
  fault(
    'name-not-ascii-replaced',
    'RES-6',
    'Characters beyond ASCII become question marks in a name.',
    keepingName((name) => name.replace(/[^\u0000-\u007f]/gu, '?')),
  ),
  fault(
    'name-read-as-latin1',
    'RES-6',
    'UTF-8 is read as Latin-1, so é becomes Ã©.',
    keepingName((name) => Buffer.from(name, 'utf8').toString('latin1')),
  ),
  fault(
    'name-accents-removed',
    'RES-6',
    'Accents are removed from a name.',
    keepingName((name) =>
      name
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC'),
    ),
  ),
  fault(
    'name-invisible-removed',
    'RES-6',
    'Zero-width and direction characters are removed from a name.',
    keepingName((name) => name.replace(/\p{Cf}/gu, '')),
  ),
  fault(
    'name-backslash-doubled',
    'RES-6',
    'A backslash in a name is doubled.',
    keepingName((name) => name.replaceAll('\\', '\\\\')),
  ),
  fault(
    'name-backslash-lost',
    'RES-6',
    'A backslash in a name is lost.',
    keepingName((name) => name.replaceAll('\\', '')),
  ),
  fault(
    'name-apostrophe-doubled',
    'RES-6',
    'An apostrophe in a name is doubled.',
    keepingName((name) => name.replaceAll("'", "''")),
  ),
  fault(
    'name-quotes-removed',
    'RES-6',
    'Double quotes are removed from a name.',
    keepingName((name) => name.replaceAll('"', '')),
  ),
  fault(
    'name-no-break-space-lost',
    'RES-6',
    'A no-break space in a name becomes a plain one.',
    keepingName((name) => name.replaceAll('\u00a0', ' ')),
  ),
  fault(
    'name-of-blanks-refused',
    'RES-6',
    'A name of spaces only is refused.',
    refusingNames((name) => name !== '' && name.trim() === ''),
  ),
  fault(
    'name-of-one-letter-refused',
    'RES-6',
    'A name of one character is refused.',
    refusingNames((name) => codePoints(name).length === 1),
  ),
  fault(
    'name-above-255-refused',
    'RES-6',
    'A name of more than 255 characters is refused.',
    refusingNames((name) => name.length > 255 && name.length <= 1000),
  ),
  fault(
    'name-above-64-refused',
    'RES-6',
    'A name of more than 64 characters is refused.',
    refusingNames((name) => name.length > 64),
  ),
  fault(
    'name-beyond-letters-refused',
    'RES-6',
    'A name may hold only letters, digits, spaces and hyphens.',
    refusingNames((name) => name !== '' && !/^[\p{L}\p{N}\p{M} -]+$/u.test(name)),
  ),
  fault(
    'name-with-emoji-refused',
    'RES-6',
    'A name with characters beyond U+FFFF is refused.',
    refusingNames((name) => /[\u{10000}-\u{10ffff}]/u.test(name)),
  ),
  fault(
    'control-characters-dropped',
    'RES-10',
    'Control characters are accepted in a name but dropped.',
    keepingName((name) => name.replace(/[\u0000-\u001f\u007f]/g, '')),
  ),
  fault(
    'name-cut-at-nul',
    'RES-10',
    'A name ends at its first NUL.',
    keepingName((name) => name.split('\0')[0] ?? ''),
  ),
  fault(
    'empty-name-replaced',
    'RES-10',
    'An empty name becomes "unnamed".',
    keepingName((name) => (name === '' ? 'unnamed' : name)),
  ),
  fault(
    'name-above-1000-cut',
    'RES-10',
    'A name of more than 1,000 characters is accepted but cut.',
    keepingName((name) => codePoints(name).slice(0, 1000).join('')),
  ),

  fault(
    'name-of-digits-made-number',
    'RES-2',
    'A name of digits comes back as a number.',
    describing((members, { name }) => ({ ...members, name: /^[1-9]\d{0,14}$/.test(name) ? Number(name) : name })),
  ),
  fault(
    'name-like-literal-unquoted',
    'RES-2',
    'The names "null", "true" and "false" come back without quotes.',
    describing((members, { name }) => ({
      ...members,
      name: name === 'null' ? null : name === 'true' ? true : name === 'false' ? false : name,
    })),
  ),
  fault(
    'name-lost-in-list',
    'RES-2',
    'The animals of a list have no name.',
    describing((members) => without(members, 'name'), 'listPets'),
  ),
  fault(
    'name-lost-in-getpet',
    'RES-2',
    'The animal of getPet has no name.',
    describing((members) => without(members, 'name'), 'getPet'),
  ),
  fault(
    'name-null-in-list',
    'RES-2',
    'The names in a list are null.',
    describing((members) => ({ ...members, name: null }), 'listPets'),
  ),
  fault(
    'name-as-object',
    'RES-2',
    'A name comes back as an object of languages.',
    describing((members, { name }) => ({ ...members, name: { en: name } })),
  ),

  fault(
    'category-lost',
    'RES-3',
    'Animals come back without a category.',
    describing((members) => without(members, 'categoryId')),
  ),
  fault(
    'category-lost-in-list',
    'RES-3',
    'The animals of a list have no category.',
    describing((members) => without(members, 'categoryId'), 'listPets'),
  ),
  fault(
    'category-in-snake-case',
    'RES-3',
    '`categoryId` comes back as `category_id`.',
    describing((members, { categoryId }) => ({ ...without(members, 'categoryId'), category_id: categoryId })),
  ),
  fault(
    'category-as-string',
    'RES-3',
    '`categoryId` comes back as a string.',
    describing((members, { categoryId }) => ({ ...members, categoryId: categoryId.toString() })),
  ),
  fault(
    'category-beyond-2-53-as-string',
    'RES-3',
    '`categoryId` beyond 2^53 comes back as a string.',
    describing((members, { categoryId }) => ({
      ...members,
      categoryId: BigInt.asIntN(54, categoryId) === categoryId ? categoryId : categoryId.toString(),
    })),
  ),
  fault(
    'category-null-in-getpet',
    'RES-3',
    'getPet gives null as the category.',
    describing((members) => ({ ...members, categoryId: null }), 'getPet'),
  ),
  fault(
    'category-zero-as-null',
    'RES-3',
    'A category of 0 comes back as null.',
    describing((members, { categoryId }) => ({ ...members, categoryId: categoryId === 0n ? null : categoryId })),
  ),

  fault(
    'category-rounded',
    'RES-7',
    '`categoryId` goes through a double, so it is rounded beyond 2^53.',
    keepingCategory((id) => BigInt.asIntN(64, BigInt(Number(id)))),
  ),
  fault(
    'category-kept-in-32-bits',
    'RES-7',
    '`categoryId` is kept in 32 bits.',
    keepingCategory((id) => BigInt.asIntN(32, id)),
  ),
  fault(
    'category-unsigned',
    'RES-7',
    'A negative `categoryId` loses its sign.',
    keepingCategory((id) => (id < 0n ? BigInt.asIntN(64, -id) : id)),
  ),
  fault(
    'category-last-digit-zero',
    'RES-7',
    'Beyond 17 digits the last digit of `categoryId` becomes 0.',
    keepingCategory((id) => (id > 10n ** 17n ? id - (id % 10n) : id)),
  ),
  fault(
    'category-negative-refused',
    'RES-7',
    'A negative `categoryId` is refused.',
    refusingCategories((id) => id < 0n),
  ),
  fault(
    'category-zero-refused',
    'RES-7',
    'A `categoryId` of 0 is refused.',
    refusingCategories((id) => id === 0n),
  ),
  fault(
    'category-beyond-int32-refused',
    'RES-7',
    'A `categoryId` beyond 32 bits is refused.',
    refusingCategories((id) => id !== BigInt.asIntN(32, id)),
  ),
  fault(
    'category-beyond-2-53-refused',
    'RES-7',
    'A `categoryId` beyond 2^53 is refused.',
    refusingCategories((id) => id > 2n ** 53n || id < -(2n ** 53n)),
  ),
  fault(
    'category-maximum-refused',
    'RES-7',
    'The largest int64 is refused as `categoryId`.',
    refusingCategories((id) => id === 2n ** 63n - 1n),
  ),
  fault(
    'category-minimum-refused',
    'RES-7',
    'The smallest int64 is refused as `categoryId`.',
    refusingCategories((id) => id === -(2n ** 63n)),
  ),

  fault(
    'status-upper-cased',
    'RES-1',
    'The status comes back in capitals.',
    describing((members, { status }) => ({ ...members, status: status?.toUpperCase() ?? 'AVAILABLE' })),
  ),
  fault(
    'status-upper-cased-in-list',
    'RES-1',
    'The status stands in capitals in a list.',
    describing((members, { status }) => ({ ...members, status: status?.toUpperCase() ?? 'AVAILABLE' }), 'listPets'),
  ),
  fault(
    'status-as-number',
    'RES-1',
    'The status comes back as its place in the enumeration.',
    describing((members, { status }) => ({ ...members, status: status === 'sold' ? 2 : status === 'pending' ? 1 : 0 })),
  ),
  fault(
    'status-sold-as-unavailable',
    'RES-1',
    '`sold` comes back as `unavailable`.',
    describing((members, { status }) => ({
      ...members,
      status: status === 'sold' ? 'unavailable' : (status ?? 'available'),
    })),
  ),
  fault(
    'omitted-status-null',
    'RES-1',
    'An omitted status comes back as null.',
    together(
      keepingStatus((status, body) => (statusSent(body) ? status : undefined)),
      describing((members, { status }) => ({ ...members, status: status ?? null })),
    ),
  ),
  fault(
    'omitted-status-empty',
    'RES-1',
    'An omitted status comes back as an empty string.',
    together(
      keepingStatus((status, body) => (statusSent(body) ? status : undefined)),
      describing((members, { status }) => ({ ...members, status: status ?? '' })),
    ),
  ),
  fault(
    'omitted-status-unknown',
    'RES-1',
    'An omitted status comes back as "unknown".',
    together(
      keepingStatus((status, body) => (statusSent(body) ? status : undefined)),
      describing((members, { status }) => ({ ...members, status: status ?? 'unknown' })),
    ),
  ),

  fault(
    'status-sent-ignored',
    'RES-8',
    'Every new animal is available, whatever was sent.',
    keepingStatus(() => 'available'),
  ),
  fault(
    'status-sent-dropped',
    'RES-8',
    'The status that was sent is dropped.',
    keepingStatus(() => undefined),
  ),
  fault(
    'status-pending-kept-as-available',
    'RES-8',
    'A pending animal is kept as available.',
    keepingStatus((status) => (status === 'pending' ? 'available' : status)),
  ),
  fault(
    'status-sold-and-pending-swapped',
    'RES-8',
    '`sold` and `pending` are swapped.',
    keepingStatus((status) => (status === 'sold' ? 'pending' : status === 'pending' ? 'sold' : status)),
  ),
  fault(
    'status-sold-dropped',
    'RES-8',
    'A sold animal comes back without a status.',
    keepingStatus((status) => (status === 'sold' ? undefined : status)),
  ),

  fault(
    'list-shows-other-names',
    'RES-9',
    'A list shows names in capitals; getPet and the 201 do not.',
    describing((members, { name }) => ({ ...members, name: name.toUpperCase() }), 'listPets'),
  ),
  fault(
    'list-cuts-names',
    'RES-9',
    'A list shows at most 20 characters of a name.',
    describing((members, { name }) => ({ ...members, name: codePoints(name).slice(0, 20).join('') }), 'listPets'),
  ),
  fault(
    'list-rounds-category',
    'RES-9',
    'A list shows `categoryId` rounded to a double.',
    describing(
      (members, { categoryId }) => ({ ...members, categoryId: BigInt.asIntN(64, BigInt(Number(categoryId))) }),
      'listPets',
    ),
  ),
  fault(
    'list-leaves-out-status',
    'RES-9',
    'A list leaves out the status.',
    describing((members) => without(members, 'status'), 'listPets'),
  ),
  fault(
    'list-shows-all-available',
    'RES-9',
    'A list without a filter shows every animal as available.',
    describing(
      (members, _, call) => (call.query.has('status') ? members : { ...members, status: 'available' }),
      'listPets',
    ),
  ),
  fault(
    'getpet-leaves-out-status',
    'RES-9',
    'getPet leaves out the status.',
    describing((members) => without(members, 'status'), 'getPet'),
  ),
  fault(
    'getpet-gives-other-category',
    'RES-9',
    'getPet gives the category plus one.',
    describing((members, { categoryId }) => ({ ...members, categoryId: BigInt.asIntN(64, categoryId + 1n) }), 'getPet'),
  ),
  fault(
    'getpet-shows-sold-as-pending',
    'RES-9',
    'getPet shows sold animals as pending.',
    describing((members, { status }) => (status === 'sold' ? { ...members, status: 'pending' } : members), 'getPet'),
  ),
  fault(
    'created-leaves-out-status',
    'RES-9',
    'The 201 leaves out the status.',
    describing((members) => without(members, 'status'), 'createPet'),
  ),
  fault(
    'created-says-sent-name',
    'RES-9',
    'The 201 repeats the name as sent, but the animal is stored in small letters.',
    changing('store', (usual) => (pet, call) => usual({ ...pet, name: pet.name.toLowerCase() }, call)),
  ),
  fault(
    'fields-of-two-animals-mixed',
    'RES-9',
    "In a list of two or more, the first two animals have each other's names.",
    changing('selectPage', (usual) => (page, call) => {
      const pets = usual(page, call);
      const [first, second] = pets;
      if (first === undefined || second === undefined) return pets;
      return [{ ...first, name: second.name }, { ...second, name: first.name }, ...pets.slice(2)];
    }),
  ),

  fault(
    'id-lost-in-list',
    'RES-4',
    'The animals of a list have no id.',
    describing((members) => without(members, 'id'), 'listPets'),
  ),
  fault(
    'id-lost-in-getpet',
    'RES-4',
    'The animal of getPet has no id.',
    describing((members) => without(members, 'id'), 'getPet'),
  ),
  fault(
    'id-lost-in-created',
    'RES-4',
    'The 201 has no id.',
    describing((members) => without(members, 'id'), 'createPet'),
  ),
  fault(
    'id-as-string',
    'RES-4',
    'The id comes back as a string.',
    describing((members, { id }) => ({ ...members, id: id.toString() })),
  ),
  fault(
    'id-as-string-in-list',
    'RES-4',
    'The id stands as a string in a list.',
    describing((members, { id }) => ({ ...members, id: id.toString() }), 'listPets'),
  ),
  fault(
    'id-with-underscore',
    'RES-4',
    'The id comes back as `_id`.',
    describing((members, { id }) => ({ ...without(members, 'id'), _id: id })),
  ),
  fault(
    'id-null-in-created',
    'RES-4',
    'The id is null in the 201.',
    describing((members) => ({ ...members, id: null }), 'createPet'),
  ),
  fault(
    'id-with-fraction',
    'RES-4',
    'The id in the 201 ends in .5.',
    rewriting(answersOf('createPet', 201), (text) => text.replace(/"id":(-?\d+)/, '"id":$1.5')),
  ),
  fault(
    'id-as-uuid',
    'RES-4',
    'The id comes back as a UUID.',
    rewriting(isSuccess, (text) =>
      text.replace(/"id":(\d+)/g, (_, id: string) => `"id":"00000000-0000-4000-8000-${id.padStart(12, '0')}"`),
    ),
  ),
];
