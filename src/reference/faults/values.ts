import { changing, fault, together, without } from '../changing.ts';
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
    'name-cut-at-255',
    'RES-6',
    'A name is cut after 255 characters.',
    keepingName((name) => name.slice(0, 255)),
  ),
  fault(
    'name-decoded-by-blocks',
    'RES-6',
    'Of a name in UTF-8, blocks of 256 bytes are decoded one by one.',
    keepingName((name) => {
      const bytes = Buffer.from(name);
      const blocks = Array.from({ length: Math.ceil(bytes.length / 256) }, (_, at) =>
        bytes.toString('utf8', at * 256, (at + 1) * 256),
      );
      return blocks.join('');
    }),
  ),
  fault(
    'name-line-ends-made-one',
    'RES-10',
    'A carriage return and a line feed in a name become a line feed.',
    keepingName((name) => name.replaceAll('\r\n', '\n')),
  ),
  fault(
    'name-composed',
    'RES-6',
    'A name is normalised to NFC.',
    keepingName((name) => name.normalize('NFC')),
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
    'name-astral-lost',
    'RES-6',
    'Characters beyond U+FFFF are lost from a name.',
    keepingName((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  fault(
    'name-read-as-latin1',
    'RES-6',
    'UTF-8 is read as Latin-1, so é becomes Ã©.',
    keepingName((name) => Buffer.from(name, 'utf8').toString('latin1')),
  ),
  fault(
    'name-backslash-lost',
    'RES-6',
    'A backslash in a name is lost.',
    keepingName((name) => name.replaceAll('\\', '')),
  ),
  fault(
    'name-above-255-refused',
    'RES-6',
    'A name of more than 255 characters is refused.',
    refusingNames((name) => name.length > 255 && name.length <= 1000),
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
    'category-lost-in-list',
    'RES-3',
    'The animals of a list have no category.',
    describing((members) => without(members, 'categoryId'), 'listPets'),
  ),
  fault(
    'category-as-string',
    'RES-3',
    '`categoryId` comes back as a string.',
    describing((members, { categoryId }) => ({ ...members, categoryId: categoryId.toString() })),
  ),
  fault(
    'category-null-in-getpet',
    'RES-3',
    'getPet gives null as the category.',
    describing((members) => ({ ...members, categoryId: null }), 'getPet'),
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
    'category-negative-refused',
    'RES-7',
    'A negative `categoryId` is refused.',
    refusingCategories((id) => id < 0n),
  ),
  fault(
    'category-maximum-refused',
    'RES-7',
    'The largest int64 is refused as `categoryId`.',
    refusingCategories((id) => id === 2n ** 63n - 1n),
  ),
  fault(
    'status-upper-cased-in-list',
    'RES-1',
    'The status stands in capitals in a list.',
    describing((members, { status }) => ({ ...members, status: status?.toUpperCase() ?? 'AVAILABLE' }), 'listPets'),
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
    'status-sent-ignored',
    'RES-8',
    'Every new animal is available, whatever was sent.',
    keepingStatus(() => 'available'),
  ),
  fault(
    'status-sold-and-pending-swapped',
    'RES-8',
    '`sold` and `pending` are swapped.',
    keepingStatus((status) => (status === 'sold' ? 'pending' : status === 'pending' ? 'sold' : status)),
  ),
  fault(
    'list-leaves-out-status',
    'RES-9',
    'A list leaves out the status.',
    describing((members) => without(members, 'status'), 'listPets'),
  ),
  fault(
    'getpet-shows-sold-as-pending',
    'RES-9',
    'getPet shows sold animals as pending.',
    describing((members, { status }) => (status === 'sold' ? { ...members, status: 'pending' } : members), 'getPet'),
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
    'status-lost-when-it-comes-first',
    'CREATE-12',
    'A status that is the first member of the body is lost.',
    keepingStatus((status, body) => (isObject(body) && Object.keys(body)[0] === 'status' ? undefined : status)),
  ),
  fault(
    'unknown-member-goes-into-the-name',
    'RES-11',
    'An unknown member `color` is added to the name.',
    keeping((pet, body) => (isObject(body) && 'color' in body ? { ...pet, name: `${pet.name} (brown)` } : pet)),
  ),
];
