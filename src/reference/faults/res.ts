import { changeText, combine, fault, onEveryNth, override, without } from '../changes.ts';
import { assignInSequence } from '../collection.ts';
import { isObject } from '../json.ts';
import type { Fault } from '../steps.ts';
import {
  created,
  describing,
  fetched,
  has,
  idsBeyondDoubles,
  refusingPets,
  showingId,
  storing,
  storingCategory,
  storingName,
  storingStatus,
} from './builders.ts';

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Part 2, resources. */
export const resourceFaults: readonly Fault[] = [
  fault(
    'status-upper-cased-in-list',
    'RES-1',
    'The status is in upper case in lists.',
    describing((members, { status }) => ({ ...members, status: status?.toUpperCase() ?? 'AVAILABLE' }), 'listPets'),
  ),
  fault(
    'omitted-status-null',
    'RES-1',
    'An omitted status comes back as null.',
    combine(
      storingStatus((status, body) => (has(body, 'status') ? status : undefined)),
      describing((members, { status }) => ({ ...members, status: status ?? null })),
    ),
  ),

  fault(
    'name-left-out-by-getpet',
    'RES-2',
    'The animal in answer to getPet has no name.',
    describing((members) => without(members, 'name'), 'getPet'),
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
    'one-in-50-animals-lacks-name',
    'RES-2',
    'One animal in 50 lacks its name.',
    onEveryNth(50, (isDue) => describing((members) => (isDue() ? without(members, 'name') : members))),
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
    'created-wrapped',
    'RES-4',
    'The animal in the 201 is wrapped in an object, as `pet`.',
    changeText(created, (text) => `{"pet":${text}}`),
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
    'getpet-wrapped',
    'RES-4',
    'The animal in getPet is wrapped in an object, as `data`.',
    changeText(fetched, (text) => `{"data":${text}}`),
  ),

  fault('ids-race', 'RES-5', 'Two animals added at the same time get the same id.', (steps) => {
    let last = 0n;
    return override('assignId', () => async () => {
      const next = last + 1n;
      // As if the last id were read from a database and written back: others come in between.
      await new Promise((resolve) => setTimeout(resolve, 2));
      last = next;
      return next;
    })(steps);
  }),
  fault(
    'ids-from-milliseconds',
    'RES-5',
    'The id is the time in milliseconds.',
    override('assignId', () => () => BigInt(Date.now())),
  ),
  fault(
    'ids-rounded',
    'RES-5',
    'Ids beyond 2^53 are stored as doubles, so neighbours become equal.',
    override('assignId', () => {
      const next = assignInSequence(2n ** 60n);
      return () => BigInt(Number(next()));
    }),
  ),

  fault(
    'name-trimmed',
    'RES-6',
    'White space around a name is removed.',
    storingName((name) => name.trim()),
  ),
  fault(
    'name-cut-at-255',
    'RES-6',
    'A name is cut after 255 characters.',
    storingName((name) => name.slice(0, 255)),
  ),
  fault(
    'name-decoded-by-blocks',
    'RES-6',
    'The UTF-8 of a name is decoded in blocks of 256 bytes.',
    storingName((name) => {
      const bytes = Buffer.from(name);
      const blocks = Array.from({ length: Math.ceil(bytes.length / 256) }, (_, at) =>
        bytes.toString('utf8', at * 256, (at + 1) * 256),
      );
      return blocks.join('');
    }),
  ),
  fault(
    'name-composed',
    'RES-6',
    'A name is normalised to NFC.',
    storingName((name) => name.normalize('NFC')),
  ),
  fault(
    'name-html-escaped',
    'RES-6',
    'HTML special characters in a name are escaped.',
    storingName((name) => name.replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] ?? character)),
  ),
  fault(
    'name-astral-lost',
    'RES-6',
    'Characters beyond U+FFFF are lost from a name.',
    storingName((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  fault(
    'name-read-as-latin1',
    'RES-6',
    'UTF-8 is read as Latin-1, so é becomes Ã©.',
    storingName((name) => Buffer.from(name, 'utf8').toString('latin1')),
  ),
  fault(
    'name-backslash-lost',
    'RES-6',
    'A backslash in a name is lost.',
    storingName((name) => name.replaceAll('\\', '')),
  ),
  fault(
    'name-above-255-refused',
    'RES-6',
    'A name of more than 255 characters is refused.',
    refusingPets(({ name }) => name.length > 255 && name.length <= 1000),
  ),
  fault(
    'one-in-25-names-cut',
    'RES-6',
    'One name in 25 loses its last character.',
    onEveryNth(25, (isDue) => storingName((name) => (isDue() ? [...name].slice(0, -1).join('') : name))),
  ),

  fault(
    'category-rounded',
    'RES-7',
    '`categoryId` is stored as a double, so it is rounded beyond 2^53.',
    storingCategory((id) => BigInt.asIntN(64, BigInt(Number(id)))),
  ),
  fault(
    'category-kept-in-32-bits',
    'RES-7',
    '`categoryId` is stored in 32 bits.',
    storingCategory((id) => BigInt.asIntN(32, id)),
  ),
  fault(
    'category-negative-refused',
    'RES-7',
    'A negative `categoryId` is refused.',
    refusingPets(({ categoryId }) => categoryId < 0n),
  ),
  fault(
    'category-maximum-refused',
    'RES-7',
    'The largest int64 is refused as `categoryId`.',
    refusingPets(({ categoryId }) => categoryId === 2n ** 63n - 1n),
  ),

  fault(
    'status-sent-ignored',
    'RES-8',
    'Every new animal is available, whatever was sent.',
    storingStatus(() => 'available'),
  ),
  fault(
    'status-sold-and-pending-swapped',
    'RES-8',
    '`sold` and `pending` are swapped.',
    storingStatus((status) => (status === 'sold' ? 'pending' : status === 'pending' ? 'sold' : status)),
  ),
  fault(
    'one-in-20-statuses-changed',
    'RES-8',
    'One new animal in 20 is stored with another status.',
    onEveryNth(20, (isDue) =>
      storingStatus((status) => (isDue() ? (status === 'sold' ? 'available' : 'sold') : status)),
    ),
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
    'The 201 repeats the name as sent, but it is stored in lower case.',
    override('store', (original) => (pet, call) => original({ ...pet, name: pet.name.toLowerCase() }, call)),
  ),
  fault(
    'fields-of-two-animals-mixed',
    'RES-9',
    "In a list of two or more, the first two animals have each other's names.",
    override('selectPage', (original) => (page, call) => {
      const pets = original(page, call);
      const [first, second] = pets;
      if (first === undefined || second === undefined) return pets;
      return [{ ...first, name: second.name }, { ...second, name: first.name }, ...pets.slice(2)];
    }),
  ),
  fault(
    'list-rounds-ids',
    'RES-9',
    'Ids are beyond 2^53 and a list rounds them.',
    combine(
      idsBeyondDoubles,
      showingId('listPets', (id) => BigInt(Number(id))),
    ),
  ),

  fault(
    'name-line-ends-made-one',
    'RES-10',
    'CRLF in a name becomes LF.',
    storingName((name) => name.replaceAll('\r\n', '\n')),
  ),
  fault(
    'control-characters-dropped',
    'RES-10',
    'Control characters in a name are dropped.',
    storingName((name) => name.replace(/[\u0000-\u001f\u007f]/g, '')),
  ),
  fault(
    'name-cut-at-nul',
    'RES-10',
    'A name ends at its first NUL.',
    storingName((name) => name.split('\0')[0] ?? ''),
  ),

  fault(
    'unknown-member-goes-into-the-name',
    'RES-11',
    'An unknown member `color` is appended to the name.',
    storing((pet, body) => (isObject(body) && 'color' in body ? { ...pet, name: `${pet.name} (brown)` } : pet)),
  ),

  fault(
    'client-id-adopted',
    'RES-12',
    'An `id` in the body becomes the id of the animal.',
    override('createPet', (original) => async (call) => {
      const { service } = call;
      let wished: bigint | undefined;
      const own = service.steps;
      return original({
        ...call,
        service: {
          ...service,
          steps: {
            ...own,
            validateNewPet: (body, inner) => {
              wished = isObject(body) && typeof body['id'] === 'bigint' ? BigInt.asIntN(64, body['id']) : undefined;
              return own.validateNewPet(body, inner);
            },
            assignId: (inner) => wished ?? own.assignId(inner),
          },
        },
      });
    }),
  ),
];
