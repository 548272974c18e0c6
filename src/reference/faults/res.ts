import { INT64_MIN } from '../../contract/exact-integer.ts';
import { isObject } from '../../contract/json-pointer.ts';
import {
  breaking,
  breakingLater,
  changeText,
  combine,
  onEveryNth,
  override,
  type StepsChange,
  without,
} from '../changes.ts';
import { assignInSequence, type NewPet, type Pet } from '../collection.ts';
import { ApiError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Call, Fault, Operation, Service, Steps } from '../steps.ts';
import {
  asDouble,
  created,
  has,
  hasStatus,
  hasUnknownMember,
  heldIn,
  isCategory,
  member,
  onLimit,
  outsideStrings,
  sends,
  sizeOf,
} from './conditions.ts';
import {
  assigningIds,
  creatingWith,
  describingOmitted,
  findingOthers,
  idsBeyondDoubles,
  knowingOthers,
  onEveryNthPage,
  onStored,
  readingId,
  readingPieces,
  refusingPets,
  showing,
  showingId,
  storing,
  storingAs,
  storingStatus,
  withStatus,
} from './effects.ts';

/** Shows animals otherwise in the responses of one operation. */
const showingIn = (operation: Operation, alter: (pet: Pet, call: Call) => Pet) =>
  override(
    'describePet',
    (original) => (pet, call) => original(call.operation === operation ? alter(pet, call) : pet, call),
  );

const storingName = (alter: (name: string) => string) => storing((pet) => ({ ...pet, name: alter(pet.name) }));

const storingCategory = (alter: (id: bigint) => bigint) =>
  storing((pet) => ({ ...pet, categoryId: alter(pet.categoryId) }));

/** Gives an animal the id that its body asks for. */
const adoptingIds = (adopts: (id: bigint, service: Service) => boolean) =>
  assigningIds((_, body, service) => {
    const id = member(body, 'id');
    return isCategory(id) && adopts(id, service) ? id : undefined;
  });

/** Rewrites what stands outside the strings of a body. */
const rewritingOutside = (rewrite: (part: string) => string) =>
  override('parseBody', (original) => (text, call) => original(outsideStrings(text, rewrite), call));

/** Describes animals wrongly, everywhere or in the responses of one operation. */
const describing = (alter: (members: JsonObject, pet: Pet, call: Call) => JsonObject, only?: Operation) =>
  override('describePet', (original) => (pet, call) => {
    const members = original(pet, call);
    return only === undefined || call.operation === only ? alter(members, pet, call) : members;
  });

/** Replaces the animal at one place of a page, counted from 0. */
const atPlace = (place: number, alter: (pet: Pet, before: Pet) => Pet) => (pets: readonly Pet[]) =>
  pets.map((pet, at) => (at === place ? alter(pet, pets[at - 1] ?? pet) : pet));

/** Refuses names with 400, as too long or unusual. */
const refusingNames = (refuses: (name: string) => boolean) => refusingPets(({ name }) => refuses(name));

/** Gives an animal the id of an earlier one that is alike without being the same. */
const sharingIds = (isAlike: (pet: NewPet, earlier: NewPet) => boolean) =>
  assigningIds((pet, _, { collection }) => {
    const isSame = ({ name, categoryId, status }: Pet): boolean =>
      name === pet.name && categoryId === pet.categoryId && status === pet.status;
    return collection.oldestFirst(undefined).find((earlier) => isAlike(pet, earlier) && !isSame(earlier))?.id;
  });

/** Stores a name as it was first spelled, where one that counts as equal is known. */
const storingFirstSpelling = (key: (name: string) => string) => (steps: Steps) => {
  const known = new Map<string, string>();
  return storingName((name) => {
    const first = known.get(key(name)) ?? name;
    known.set(key(name), first);
    return first;
  })(steps);
};

/** What Windows-1252 has from 0x80 to 0x9F; blanks stand for nothing. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

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

/** Labels of statuses in German. */
const GERMAN: Readonly<Record<string, string>> = { available: 'verfügbar', pending: 'reserviert', sold: 'verkauft' };

/** Part 2, resources. */
// biome-ignore format: one table
export const resourceFaults: readonly Fault[] = [
  ...breaking('RES-1', {
    'status-upper-cased-in-list': ['The status is in upper case in lists.',
      describing((members, { status }) => ({ ...members, status: status?.toUpperCase() ?? 'AVAILABLE' }), 'listPets')],
    'status-in-the-language-of-the-client': ['Where German is preferred, a status is its German label.',
      describing((members, { status = 'available' }, call) =>
        (sends('accept-language', /^de\b/)(call) ? { ...members, status: GERMAN[status] ?? status } : members))],
    'status-of-lists-in-french': ['Where French is preferred, lists show a status with a French label.',
      describing((members, { status }, call) =>
        (status === 'sold' && sends('accept-language', /^fr\b/)(call) ? { ...members, status: 'vendu' } : members),
        'listPets')],
    'omitted-status-null': ['An omitted status comes back as null.',
      combine(storingStatus((status, body) => (has(body, 'status') ? status : undefined)),
        describing((members, { status }) => ({ ...members, status: status ?? null })))],
    'omitted-status-null-beside-unknown-members': [
      'An omitted status comes back as null where the body has a member that NewPet does not have.',
      combine(storingStatus((status, body) => (has(body, 'status') || !hasUnknownMember(body) ? status : undefined)),
        describing((members, { status }) => ({ ...members, status: status ?? null })))],
    'omitted-status-empty': ['An omitted status comes back as an empty string.', describingOmitted(withStatus(''))],
    'status-padded-when-read-back': ['getPet and lists show the status padded with blanks to nine letters.',
      describing((members, { status = '' }, { operation }) =>
        (operation === 'createPet' ? members : { ...members, status: status.padEnd(9) }))],
  }),
  ...breaking('RES-2', {
    'name-of-digits-made-number': ['A name of digits comes back as a number.',
      describing((members, { name }) => ({ ...members, name: /^[1-9]\d{0,14}$/.test(name) ? Number(name) : name }))],
    'name-like-literal-unquoted': ['The names "null", "true" and "false" come back without quotes.',
      describing((members, { name }) =>
        ({ ...members, name: name === 'null' ? null : name === 'true' ? true : name === 'false' ? false : name }))],
    'one-in-50-animals-lacks-name': ['One animal in 50 lacks its name.',
      onEveryNth(50, (isDue) => describing((members) => (isDue() ? without(members, 'name') : members)))],
    'empty-name-null': ['An empty name comes back as null, as some databases do.',
      describing((members, { name }) => (name === '' ? { ...members, name: null } : members))],
  }),
  ...breaking('RES-3', {
    'category-beyond-doubles-as-string': ['A `categoryId` beyond 2^53 comes back as a string.',
      describing((members, { categoryId }) =>
        Number.isSafeInteger(Number(categoryId)) ? members : { ...members, categoryId: categoryId.toString() })],
    'category-left-out-for-prefer-minimal': ['Lists and getPet leave out the `categoryId` where `return=minimal` is preferred.',
      describing((members, _, call) =>
        (call.operation !== 'createPet' && sends('prefer', /return=minimal/)(call)
        ? without(members, 'categoryId') : members))],
    'category-zero-left-out': ['The `categoryId` 0 is left out of every response.',
      describing((members, { categoryId }) => (categoryId === 0n ? without(members, 'categoryId') : members))],
    'category-negative-null-in-list': ['Lists show a negative `categoryId` as null.',
      describing((members, { categoryId }) =>
        (categoryId < 0n ? { ...members, categoryId: null } : members), 'listPets')],
  }),
  ...breaking('RES-4', {
    'created-wrapped': ['The animal in the 201 is wrapped in an object, as `pet`.',
      changeText(created, (text) => `{"pet":${text}}`)],
    'id-lost-in-created': ['The 201 has no id.', describing((members) => without(members, 'id'), 'createPet')],
    'id-as-string': ['The id comes back as a string.',
      describing((members, { id }) => ({ ...members, id: id.toString() }))],
    'ids-beyond-int64': ['Ids begin at 2^63, which is no int64.',
      combine(override('assignId', () => assignInSequence(2n ** 63n)), readingId(/^\d{19}$/, BigInt))],
  }),
  ...breaking('RES-5', {
    'one-in-30-creations-shows-the-id-before': ['One 201 in 30 shows the id of the animal added before it.',
      onEveryNth(30, (isDue) =>
        describing((members, { id }) => (isDue() ? { ...members, id: id - 1n } : members), 'createPet'))],
    'ids-race': ['Two animals added at the same time get the same id.',
      (steps) => {
        let last = 0n;
        return override('assignId', () => async (service) => {
          const next = last + 1n;
          // As if the last id were read from a database and written back: others come in between.
          await service.pause(2);
          last = next;
          return next;
        })(steps);
      }],
    'ids-from-milliseconds': ['The id is the time in milliseconds.',
      override('assignId', () => () => BigInt(Date.now()))],
    'ids-rounded': ['Ids beyond 2^53 are stored as doubles, so neighbours become equal.',
      override('assignId', () => {
        const next = assignInSequence(2n ** 60n);
        return () => BigInt(Number(next()));
      })],
    'one-in-20-creations-with-old-id': ['One animal in 20 gets the id of the one before it.',
      onEveryNth(20, (isDue) => {
        let previous: bigint | undefined;
        return override('assignId', (original) => async (service) => {
          const id = isDue() && previous !== undefined ? previous : await original(service);
          previous = id;
          return id;
        });
      })],
    'namesake-of-another-status-gets-its-id': [
      'An animal with the name and the category of another, but with another status, gets its id and replaces it.',
      sharingIds((pet, earlier) => pet.name === earlier.name && pet.categoryId === earlier.categoryId)],
    'id-found-by-name-and-category-in-one': [
      'Two animals get one id where name and category are the same text when written one after the other.',
      sharingIds((pet, earlier) =>
        pet.name !== earlier.name && `${pet.name}${pet.categoryId}` === `${earlier.name}${earlier.categoryId}`)],
    'ids-kept-in-7-bits': ['After the id 127 they begin at 0 again, and new animals replace old ones.',
      override('assignId', (original) => async (service) => (await original(service)) % 128n)],
    'ids-counted-per-status': [
      'New animals of each status are counted on their own, so that a sold and a pending one get the same id.',
      (steps) => {
        const counts = new Map<string, bigint>();
        return assigningIds(({ status = '' }) => {
          const id = (counts.get(status) ?? 1_000_000n) + 1n;
          counts.set(status, id);
          return id;
        })(steps);
      }],
  }),
  ...breaking('RES-6', {
    'name-trimmed': ['White space around a name is removed.', storingName((name) => name.trim())],
    'name-decoded-by-blocks': ['The UTF-8 of a name is decoded in blocks of 256 bytes.',
      storingName((name) => {
        const bytes = Buffer.from(name);
        let text = '';
        for (let at = 0; at < bytes.length; at += 256) text += bytes.toString('utf8', at, at + 256);
        return text;
      })],
    'name-composed': ['A name is normalised to NFC.', storingName((name) => name.normalize('NFC'))],
    'name-html-escaped': ['HTML special characters in a name are escaped.',
      storingName((name) => name.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`))],
    'name-above-255-refused': ['A name of more than 255 characters is refused.',
      refusingPets(({ name }) => name.length > 255 && name.length <= 1000)],
    'one-in-25-names-cut': ['One name in 25 loses its last character.',
      onEveryNth(25, (isDue) => storingName((name) => (isDue() ? [...name].slice(0, -1).join('') : name)))],
    'name-apostrophe-doubled': ['An apostrophe in a name is doubled, as for SQL.',
      storingName((name) => name.replaceAll("'", "''"))],
    'name-percent-decoded': ['A name is percent-decoded: `%20` becomes a blank.',
      storingName((name) =>
        name.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))))],
    'name-soft-hyphens-dropped': ['Soft hyphens and operators that are not seen are dropped from a name.',
      storingName((name) => name.replace(/[\u00ad\u2061-\u2064]/g, ''))],
    'name-template-rendered': ['A name is rendered as a template: `{{…}}` and `<%…%>` vanish.',
      storingName((name) => name.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|<%[\s\S]*?%>/g, ''))],
    'name-doubled-percent-halved': ['A name is used as a format: `%%` becomes `%`, and `%s` and `%d` vanish.',
      storingName((name) => name.replace(/%([%sd])/g, (_, kind: string) => (kind === '%' ? '%' : '')))],
    'name-cut-to-last-path-segment': ['Of a name with slashes only what follows the last one is kept.',
      storingName((name) => name.replace(/^[\s\S]*[/](?=[\s\S])/, ''))],
    'name-escapes-interpreted': [
      'A backslash with a letter after it, as the two characters `\\n`, is read as an escape once more.',
      storingName((name) =>
        name.replace(/\\([nrt])/g, (_, kind: string) => (kind === 'n' ? '\n' : kind === 'r' ? '\r' : '\t')))],
    'name-marks-above-eight-dropped': ['Of more than eight combining marks in a row, a filter keeps eight.',
      storingName((name) => name.replace(/(\p{M}{8})\p{M}+/gu, '$1'))],
    'name-like-formula-guarded': ['A name that begins with `=`, `+`, `-` or `@` gets an apostrophe before it.',
      storingName((name) => name.replace(/^[=+\-@]/, "'$&"))],
    'name-like-number-rewritten': ['A name that reads as a number is rewritten: "007" becomes "7", "1.0" becomes "1".',
      storingName((name) => (/^[+-]?\d{1,15}(?:\.\d+)?(?:e\d{1,2})?$/i.test(name) ? String(Number(name)) : name))],
    'name-like-number-with-exponent-rewritten': ['A name that reads as a number with an exponent is written out.',
      storingName((name) => (/^\d+(?:\.\d+)?e\d{1,2}$/i.test(name) ? String(Number(name)) : name))],
    'name-like-a-moment-with-offset-rewritten': ['A name that is a date and a time with an offset is converted to UTC.',
      storingName((name) =>
        (/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(name) ? new Date(name).toISOString() : name))],
    'name-like-a-moment-in-utc-rewritten': ['The fractions of a second in a name that is a time in UTC get three digits.',
      storingName((name) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(name) ? new Date(name).toISOString() : name))],
    'name-that-counts-as-empty-refused': ['A name that PHP calls empty, which "0" is, is refused.',
      refusingNames((name) => name === '0')],
    'name-like-a-date-of-ajax-rewritten': ['A name that is a date in the form of ASP.NET AJAX is written out.',
      storingName((name) => {
        const milliseconds = /^\/Date\((\d{1,13})\)\/$/.exec(name)?.[1];
        return milliseconds === undefined ? name : new Date(Number(milliseconds)).toISOString();
      })],
    'name-like-json-written-again': ['A name that is an array of numbers as JSON is read and written again.',
      storingName((name) => (/^\[\d+(?:, *\d+)*\]$/.test(name) ? name.replaceAll(' ', '') : name))],
    'name-like-a-word-of-yaml-rewritten': ['A name that YAML 1.1 takes for a truth value becomes `true` or `false`.',
      storingName((name) => (/^(?:yes|on)$/i.test(name) ? 'true' : /^(?:no|off)$/i.test(name) ? 'false' : name))],
    'name-blanks-collapsed': ['Several blanks in a row become one.',
      storingName((name) => name.replace(/ {2,}/g, ' '))],
    'name-byte-order-mark-dropped': ['U+FEFF at the beginning of a name is dropped.',
      storingName((name) => name.replace(/^\ufeff/, ''))],
    'name-compatibility-composed': ['Compatibility characters in a name, such as ﬁ and Ａ, become plain letters.',
      storingName((name) =>
        name.replace(/[\ufb00-\ufb06\uff01-\uff5e\u2460-\u2473\u00b2\u00b3\u00b9\u2122]/g, (one) =>
        one.normalize('NFKC')))],
    'name-beyond-plane-1-lost': ['Characters beyond U+1FFFF in a name become U+FFFD.',
      storingName((name) => name.replace(/[\u{20000}-\u{10ffff}]/gu, '\ufffd'))],
    'name-noncharacters-replaced': ['Noncharacters such as U+FFFE and U+FDD0 in a name become U+FFFD.',
      storingName((name) => name.replace(/\p{Noncharacter_Code_Point}/gu, '\ufffd'))],
    'name-kept-in-windows-1252': ['Letters of a name that Windows-1252 lacks become question marks.',
      storingName((name) =>
        name.replace(/[\u0100-\u0151\u0154-\u015f\u0162-\u0177\u0179-\u017c\u017f-\u0191\u0193-\u02c5\u0370-\u1fff\u3040-\ud7ff]/g, '?'))],
    'name-cut-at-255-bytes': ['A name is cut after 255 bytes, perhaps within a character.',
      storingName((name) => Buffer.from(name).subarray(0, 255).toString('utf8'))],
    'name-full-buffer-loses-its-last': [
      'A name of exactly 16, 32, 64, 128, 256 or 512 bytes loses its last character to the end mark.',
      storingName((name) =>
        [16, 32, 64, 128, 256, 512].includes(Buffer.byteLength(name)) ? [...name].slice(0, -1).join('') : name)],
    'name-as-first-normalised': [
      'A name that differs from an earlier one only in its Unicode normalisation comes back as the earlier one.',
      storingFirstSpelling((name) => name.normalize('NFC'))],
    'blank-name-refused': ['A name of nothing but blanks is refused.',
      refusingNames((name) => /^[\s\u3000]+$/.test(name) && !/[\u0000-\u001f]/.test(name))],
    'one-character-name-refused': ['A name of one character is refused.',
      refusingNames((name) => [...name].length === 1)],
    'name-of-1000-refused': ['A name of exactly 1,000 characters is refused.',
      refusingNames((name) => name.length === 1000)],
    'name-above-2048-bytes-refused': [
      'A name of more than 2,048 bytes is refused, though it has no more than 1,000 characters.',
      refusingNames((name) => name.length <= 1000 && Buffer.byteLength(name) > 2048)],
    'attack-in-name-answered-403': [
      'A name with a fragment that some attacks contain, of a template, a path or a command, is answered with 403.',
      refusingPets(({ name }) => /\$\{jndi:|\bphp:\/\/|\/bin\/sh|\bsleep\(/i.test(name), () =>
        new ApiError(403, 'forbidden', 'The request looks like an attack.'))],
    'names-unique-in-their-first-191': ['A name whose first 191 characters are taken is refused.',
      (steps) => {
        const taken = new Set<string>();
        return refusingNames((name) => {
          const start = name.slice(0, 191);
          const isTaken = name.length > 191 && taken.has(start);
          taken.add(start);
          return isTaken;
        })(steps);
      }],
    'names-mixed-when-created-at-once': ['Of animals that are added at the same time, one may get the name of another.',
      mixing((pet, { name }) => ({ ...pet, name }))],
    'name-read-as-latin1-without-charset': ['Where the `Content-Type` names no charset, the body is read as Latin-1.',
      override('readBody', (original) => async (call) => {
        const text = await original(call);
        return sends('content-type', /charset/)(call) ? text : Buffer.from(text).toString('latin1');
      })],
    'name-decoded-by-chunks': [
      'Each piece in which a body arrives is decoded by itself, so that a character on a border is lost.',
      readingPieces((pieces) => pieces.map((piece) => piece.toString()).join(''))],
    'escaped-pairs-lost': ['Two escapes that make one character, as in `\\ud83d\\ude00`, become two U+FFFD.',
      override('parseBody', (original) => (text, call) =>
        original(text.replace(/(?<!\\)((?:\\\\)*)\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '$1\\ufffd\\ufffd'),
        call))],
    'name-reserved-file-refused': ['A name that Windows reserves for a device, such as "con" or "nul", is refused.',
      refusingNames((name) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.\w*)?$/i.test(name))],
    'null-of-copy-in-name-lost': ['A name of a backslash and a capital N, which is the NULL of COPY, comes back empty.',
      storingName((name) => (name === '\\N' ? '' : name))],
  }),
  ...breaking('RES-7', {
    'category-rounded': ['`categoryId` is stored as a double, so it is rounded beyond 2^53.',
      storingCategory(asDouble)],
    'category-kept-in-32-bits': ['`categoryId` is stored in 32 bits.', storingCategory((id) => BigInt.asIntN(32, id))],
    'category-maximum-refused': ['The largest int64 is refused as `categoryId`.',
      refusingPets(({ categoryId }) => categoryId === 2n ** 63n - 1n)],
    'category-loses-its-sign': ['A negative `categoryId` comes back positive.',
      storingCategory((id) => (id < 0n && id > INT64_MIN ? -id : id))],
    'category-odd-beyond-doubles-made-even': ['Between 2^53 and 2^54, an odd `categoryId` becomes even.',
      storingCategory((id) => (id > 2n ** 53n && id < 2n ** 54n ? id - (id % 2n) : id))],
    'category-of-nines-made-zero': [
      'A `categoryId` of nines alone, from 9999 on, is taken for a missing one and stored as 0.',
      storingCategory((id) => (/^-?9{4,}$/.test(`${id}`) ? 0n : id))],
    'category-round-refused': ['A negative `categoryId` that is a power of ten, from -10 on, is refused.',
      refusingPets(({ categoryId }) => /^-10+$/.test(`${categoryId}`))],
  }),
  ...breaking('RES-8', {
    'status-sent-ignored': ['Every new animal is available, whatever was sent.', storingStatus(() => 'available')],
    'one-in-20-statuses-changed': ['One new animal in 20 is stored with another status.',
      onEveryNth(20, (isDue) =>
        storingStatus((status) => (isDue() ? (status === 'sold' ? 'available' : 'sold') : status)))],
    'status-lost-beside-category-zero': [
      'With the `categoryId` 0, the status that was sent is lost and the animal is available.',
      storing((pet) => (pet.categoryId === 0n ? { ...pet, status: 'available' } : pet))],
    'statuses-mixed-when-created-at-once': [
      'Of animals that are added at the same time, one may get the status of another.',
      mixing((pet, { status = 'available' }) => ({ ...pet, status }))],
    'namesake-gets-the-status-of-the-first': ['An animal with the name of another gets the status of that one.',
      override('validateNewPet', (original) => (body, call) => {
        const pet = original(body, call);
        const first = call.service.collection.oldestFirst(undefined).find(({ name }) => name === pet.name);
        return first?.status === undefined ? pet : { ...pet, status: first.status };
      })],
  }),
  ...breaking('RES-9', {
    'last-of-a-full-page-with-category-before': [
      'The last animal of a page with as many as `limit` says has the category of the one before it.',
      showing((pets, { limit }) => pets.length < limit
        ? pets : atPlace(limit - 1, (pet, before) => ({ ...pet, categoryId: before.categoryId }))(pets))],
    'second-place-with-status-of-the-first': [
      'Without a filter, the second animal of a list has the status of the first.',
      showing((pets, page) => {
        const { status } = pets[0] ?? {};
        if (page.status !== undefined || status === undefined) return pets;
        return atPlace(1, (pet) => ({ ...pet, status }))(pets);
      })],
    'names-shifted-from-place-51': ['From the 51st place of a page on, an animal has the name of the one before it.',
      showing((pets) => pets.map((pet, at) => (at < 50 ? pet : { ...pet, name: pets[at - 1]?.name ?? pet.name })))],
    'limit-1-with-another-category': ['With `limit=1`, the `categoryId` of the animal is 0.',
      showingIn('listPets', (pet, call) => (onLimit(/^1$/)(call) ? { ...pet, categoryId: 0n } : pet))],
    'list-cuts-names-at-64': ['A list cuts names after 64 characters; getPet does not.',
      showingIn('listPets', (pet) => ({ ...pet, name: [...pet.name].slice(0, 64).join('') }))],
    'list-drops-blanks-after-names': ['A list drops blanks at the end of a name; getPet keeps them.',
      showingIn('listPets', (pet) => ({ ...pet, name: pet.name.replace(/ +$/, '') }))],
    'filtered-list-rounds-categories': [
      'A list with a filter rounds `categoryId` beyond 2^53; a list without one and getPet do not.',
      showingIn('listPets', (pet, call) => (hasStatus(call) ? { ...pet, categoryId: asDouble(pet.categoryId) } : pet))],
    'page-of-20-shows-no-category-of-others': [
      'With `limit=20`, an animal that was there at the start is shown with the `categoryId` 0.',
      knowingOthers((isOther) =>
        showingIn('listPets', (pet, call) =>
        (isOther(pet) && onLimit(/^20$/)(call) ? { ...pet, categoryId: 0n } : pet)))],
    'others-pending-fetched-as-available': [
      'Pending animals that were there at the start are listed as pending, but getPet shows them as available.',
      knowingOthers((isOther) =>
        showingIn('getPet', (pet) =>
        (isOther(pet) && pet.status === 'pending' ? { ...pet, status: 'available' } : pet)))],
    'others-fetched-as-available-after-many-additions': [
      'Once 100 animals are known, getPet shows those that were there at the start as available.',
      findingOthers((pet, { service }) => (sizeOf(service) > 100 ? { ...pet, status: 'available' } : pet))],
    'filter-shows-what-others-once-were': [
      'Where there is room, `status=pending` shows an animal that was there at the start as pending, which it is no more.',
      knowingOthers((isOther) =>
        showing((pets, { limit, status }, { service }) => {
          if (status !== 'pending' || pets.length >= limit) return pets;
          const stale = service.collection.oldestFirst('available').find(isOther);
          return stale === undefined ? pets : [...pets, { ...stale, status }];
        }),
      )],
    'one-in-100-pages-with-a-wrong-category': [
      'On one page in 100, the first animal has a `categoryId` that is one too high.',
      onEveryNthPage(100, (pets) =>
        atPlace(0, (pet) => ({ ...pet, categoryId: BigInt.asIntN(64, pet.categoryId + 1n) }))(pets))],
    'created-says-sent-name': ['The 201 repeats the name as sent, but it is stored in lower case.',
      storingAs((pet) => ({ ...pet, name: pet.name.toLowerCase() }))],
    'list-rounds-ids': ['Ids are beyond 2^53 and a list rounds them.',
      combine(idsBeyondDoubles, showingId('listPets', (id) => BigInt(Number(id))))],
    'pending-ends-after-a-second': ['An animal that was added as pending is available after a second.',
      onStored((pet, { service: { collection, pause } }) => {
        if (pet.status === 'pending') void pause(1000).then(() => collection.add({ ...pet, status: 'available' }));
      })],
    'sold-available-again-after-30-more': ['A sold animal is available again once 30 more animals were added.',
      (steps) => {
        const stored: Pet[] = [];
        return onStored((pet, { service }) => {
          const old = stored[stored.push(pet) - 31];
          if (old?.status === 'sold') service.collection.add({ ...old, status: 'available' });
        })(steps);
      }],
    'category-of-nine-digits-cut-in-list': [
      'Lists show only the first eight digits of a `categoryId` of nine to fifteen digits.',
      describing((members, { categoryId }) => /^\d{9,15}$/.test(`${categoryId}`)
        ? { ...members, categoryId: BigInt(`${categoryId}`.slice(0, 8)) } : members, 'listPets')],
    'getpet-shows-the-category-of-a-namesake': ['getPet shows the category of the first animal with the same name.',
      showingIn('getPet', (pet, { service: { collection } }) =>
        ({ ...pet, categoryId: collection.oldestFirst(undefined).find(({ name }) =>
        name === pet.name)?.categoryId ?? pet.categoryId }))],
    'list-shows-the-status-of-a-namesake': [
      'Lists without a filter show the status of the first animal with the same name and category.',
      showingIn('listPets', (pet, { query, service: { collection } }) => {
        const first = collection.oldestFirst(undefined)
          .find(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
        return query.has('status') || first === undefined ? pet : { ...first, id: pet.id };
      })],
    'getpet-cuts-names-at-100': ['getPet cuts a name after 100 characters.',
      showingIn('getPet', (pet) => ({ ...pet, name: [...pet.name].slice(0, 100).join('') }))],
    'list-shows-astral-as-question-marks': ['Lists show characters beyond U+FFFF as question marks.',
      showingIn('listPets', (pet) => ({ ...pet, name: pet.name.replace(/[\u{10000}-\u{10ffff}]/gu, '?') }))],
    'created-repeats-the-status': ['The 201 repeats a status of pending, but the animal is stored as available.',
      storingAs((pet) => (pet.status === 'pending' ? { ...pet, status: 'available' } : pet))],
  }),
  ...breakingLater('RES-9', 3_000, {
    'job-cuts-names-after-1500-ms': ['A job cuts every name to 20 characters, 1.5 s after the animal was added.',
      onStored((pet, { service: { collection, pause } }) => {
        void pause(1500).then(() => collection.add({ ...pet, name: pet.name.slice(0, 20) }));
      })],
  }),
  ...breaking('RES-10', {
    'name-line-ends-made-one': ['CRLF in a name becomes LF.', storingName((name) => name.replaceAll('\r\n', '\n'))],
    'control-characters-dropped': ['Control characters in a name are dropped.',
      storingName((name) => name.replace(/[\u0000-\u001f\u007f]/g, ''))],
    'name-cut-at-nul': ['A name ends at its first NUL.', storingName((name) => name.split('\0')[0] ?? '')],
    'empty-name-replaced': ['An empty name is replaced with "unnamed".',
      storingName((name) => (name === '' ? 'unnamed' : name))],
    'name-above-1000-answered-413': ['A name of more than 1,000 characters is answered with 413.',
      refusingPets(({ name }) => name.length > 1000, () => new ApiError(413, 'too_large', 'The name is too long.'))],
    'name-cut-at-4096': ['A name of more than 4,096 characters is accepted, but cut.',
      storingName((name) => name.slice(0, 4096))],
    'name-c1-read-as-windows-1252': ['The control characters U+0080 to U+009F in a name are read as Windows-1252.',
      storingName((name) =>
        name.replace(/[\u0080-\u009f]/g, (unit) => WINDOWS_1252[unit.charCodeAt(0) - 0x80]?.trim() || unit))],
  }),
  ...breaking('RES-11', {
    'body-of-over-500-members-answered-422': ['A body of more than 500 members is answered with 422.',
      refusingPets((_, body) => Object.keys(Object(body)).length > 500, () =>
        new ApiError(422, 'invalid_body', 'There are too many members.'))],
    'nested-name-wins': [
      'A `name` inside a member that a NewPet does not have takes the place of the name of the animal.',
      storing((pet, body) => {
        const [name] = Object.values(Object(body)).flatMap((value) => heldIn(value, 'name') ?? []);
        return { ...pet, name: name ?? pet.name };
      })],
    'first-name-in-the-body-wins': [
      'The first `name` of the body counts, at any depth: also one inside an unknown member before that of the animal.',
      storing((pet, body) => {
        const [name] = Object.entries(Object(body)).flatMap(([key, value]) =>
          key === 'name' && typeof value === 'string' ? value : (heldIn(value, 'name') ?? []));
        return { ...pet, name: name ?? pet.name };
      })],
    'first-member-in-any-case-wins': [
      'Names of members are compared without regard to letter case, and of several the first counts.',
      storing((pet, body) => {
        const [, name] = Object.entries(Object(body)).find(([key]) => key.toLowerCase() === 'name') ?? [];
        return { ...pet, name: typeof name === 'string' ? name : pet.name };
      })],
    'unknown-member-goes-into-the-name': ['An unknown member `color` is appended to the name.',
      storing((pet, body) => (isObject(body) && 'color' in body ? { ...pet, name: `${pet.name} (brown)` } : pet))],
    'category-rounded-beside-unknown-member': [
      'In a body with a member that a NewPet does not have, `categoryId` is rounded to a double.',
      storing((pet, body) => hasUnknownMember(body) ? { ...pet, categoryId: asDouble(pet.categoryId) } : pet)],
    'status-lost-behind-sixteen-members': [
      'A status that stands behind sixteen other members is not read, and the animal is available.',
      storingStatus((status, body) => (Object.keys(Object(body)).indexOf('status') >= 16 ? 'available' : status))],
  }),
  ...breaking('RES-12', {
    'client-id-overwrites-the-animal': [
      'An `id` in the body that an animal has replaces that animal; any other is ignored.',
      adoptingIds((id, { collection }) => collection.get(id) !== undefined)],
    'client-id-zero-or-negative-adopted': ['An `id` in the body that is 0 or negative becomes the id of the animal.',
      adoptingIds((id) => id <= 0n)],
    'client-id-adopted-where-free-and-int32': [
      'An `id` in the body that is a positive int32 and no animal has becomes the id of the animal.',
      adoptingIds((id, { collection }) => id > 0n && id < 2n ** 31n && collection.get(id) === undefined)],
    'client-id-answered-409': ['An `id` in the body that an animal has is answered with 409.',
      override('validateNewPet', (original) => (body, call) => {
        const id = member(body, 'id');
        if (typeof id !== 'bigint' || !call.service.collection.get(id)) return original(body, call);
        throw new ApiError(409, 'conflict', 'The id is taken.');
      })],
  }),
  ...breaking('RES-13', {
    'integers-cut-at-the-exponent': ['An integer with an exponent loses it: `1e2` is stored as 1.',
      rewritingOutside((part) => part.replace(/(\d)e\+?\d+/gi, '$1'))],
    'integers-lose-their-point': ['An integer with a fraction of zero loses its point: `1.0` is stored as 10.',
      rewritingOutside((part) => part.replace(/(\d)\.(0+)(?!\d)/g, '$1$2'))],
    'integers-with-fraction-rounded': [
      'An integer with a fraction of zero or an exponent is read as a double, and rounded beyond 2^53.',
      rewritingOutside((part) =>
        part.replace(/-?\d+(?:\.0+(?:e\d+)?|e\+?\d+)(?![\d.])/gi, (number) =>
        Math.abs(Number(number)) < 2 ** 63 ? BigInt(Number(number)).toString() : number))],
  }),
];
