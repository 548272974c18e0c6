import type { IncomingMessage } from 'node:http';
import { isInt64 } from '../../contract/exact-integer.ts';
import {
  breaking,
  breakingLater,
  changeResponse,
  changeText,
  combine,
  errorResponse,
  jsonResponse,
  onEveryNth,
  override,
  responsesOf,
  type StepsChange,
} from '../changes.ts';
import { assignInSequence, type Pet, seedAnimal } from '../collection.ts';
import type { ApiResponse, Call, Fault } from '../steps.ts';
import { both, fetched, has, newest, oldest, on, sends, sizeOf, where } from './conditions.ts';
import {
  answering,
  changingEveryNth,
  findingOthers,
  INT64_MAX,
  onStored,
  overlapping,
  readingId,
  showing,
  whole,
} from './effects.ts';

/** Looks for another id than the one asked for. */
const findingBy = (alter: (id: bigint) => bigint) =>
  override('findPet', (original) => (id, call) => original(alter(id), call));

const INT32_MAX = 2n ** 31n - 1n;

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Reads as an id the digits that a text of this form has in its group. */
const readingDigits = (form: RegExp) =>
  readingId(form, (text) => {
    const digits = form.exec(text)?.[1];
    return digits === undefined ? undefined : BigInt(digits);
  });

/** The path segment of the id as it was sent, with its percent-encoding. */
const sentId = ({ incoming }: Call): string => incoming.url?.split('?')[0]?.split('/').at(-1) ?? '';

/** Assigns ids in sequence from a number that may depend on how many animals the service starts with. */
const idsFrom = (first: bigint | ((atStart: bigint) => bigint)) =>
  override('assignId', () => {
    let next: (() => bigint) | undefined;
    return (service) => {
      next ??= assignInSequence(typeof first === 'bigint' ? first : first(BigInt(service.seedAnimals ?? 5)));
      return next();
    };
  });

/** Does not find some of the animals. */
const missing = (misses: (pet: Pet, call: Call) => boolean) =>
  override('findPet', (original) => (id, call) => {
    const pet = original(id, call);
    return pet === undefined || misses(pet, call) ? undefined : pet;
  });

/** Finds something where there is nothing. */
const findingInstead = (find: (id: bigint, call: Call) => Pet | undefined) =>
  override('findPet', (original) => (id, call) => original(id, call) ?? find(id, call));

/** How an animal was added. */
interface Addition {
  /** How many were added before it. */
  readonly place: number;
  readonly time: number;
  readonly incoming: IncomingMessage;
  readonly body: unknown;
}

/** Does not find some of the animals that were added, by how, how long ago (ms) and how many additions ago that was. */
const missingAdded =
  (misses: (addition: Addition, call: Call, age: number, since: number) => boolean): StepsChange =>
  (steps) => {
    const bodies = new WeakMap<IncomingMessage, unknown>();
    const additions = new Map<bigint, Addition>();
    return combine(
      override('validateNewPet', (original) => (body, call) => {
        bodies.set(call.incoming, body);
        return original(body, call);
      }),
      onStored(({ id }, { incoming }) => {
        additions.set(id, { place: additions.size, time: performance.now(), incoming, body: bodies.get(incoming) });
      }),
      missing(({ id }, call) => {
        const addition = additions.get(id);
        if (addition === undefined) return false;
        return misses(addition, call, performance.now() - addition.time, additions.size - addition.place - 1);
      }),
    )(steps);
  };

/** Answers some int64 that no animal has. */
const unknownInt64 = (which: (id: bigint, call: Call) => boolean, respond: (call: Call) => ApiResponse) =>
  changeResponse(
    (response, call) => {
      const text = call.petId ?? '';
      return (
        responsesOf('getPet', 404)(response, call) && /^(0|-?[1-9]\d{0,18})$/.test(text) && which(BigInt(text), call)
      );
    },
    (_, call) => respond(call),
  );

/** Answers some ids that are not an int64 in plain notation. */
const notInt64 = (matches: RegExp, respond: (call: Call) => ApiResponse) =>
  override('getPet', (original) => (call) => (matches.test(call.petId ?? '') ? respond(call) : original(call)));

/** Part 4.3, getPet. */
// biome-ignore format: one table
export const getFaults: readonly Fault[] = [
  ...breaking('GET-1', {
    'getpet-id-above-127-answered-404': [
      'Ids begin at 101 and are compared as objects, so animals above 127 cannot be fetched.',
      combine(idsFrom(101n), missing(({ id }) => id > 127n))],
    'getpet-id-above-int32-answered-404': [
      'Ids begin just below 2^31 and are looked up in 32 bits, so animals beyond cannot be fetched.',
      combine(idsFrom(INT32_MAX - 20n), findingBy((id) => BigInt.asIntN(32, id)))],
    'getpet-404-for-a-second-with-an-encoded-digit': [
      'In the first second, an animal cannot be fetched where a digit of its id is percent-encoded.',
      missingAdded((_, call, age) => age < 1000 && sentId(call).includes('%'))],
    'getpet-304-when-fetched-twice-in-a-row': [
      'The animal that was fetched last is answered with 304 when it is fetched again, though nobody asked for that.',
      (steps) => {
        let last: string | undefined;
        return changeResponse(fetched, (response, { petId }) => {
          if (petId === last) return { ...response, status: 304, body: '' };
          last = petId;
          return response;
        })(steps);
      }],
    'getpet-answers-203': ['getPet answers 203.',
      changeResponse(fetched, (response) => ({ ...response, status: 203 }))],
    'fetched-animal-in-array': ['getPet answers with the animal in an array.',
      changeText(fetched, (text) => `[${text}]`)],
    'seventh-fetch-answered-404': ['From its seventh fetch on, an animal is not found.',
      (steps) => {
        const fetches = new Map<bigint, number>();
        return missing(({ id }) => {
          fetches.set(id, (fetches.get(id) ?? 0) + 1);
          return (fetches.get(id) ?? 0) > 6;
        })(steps);
      }],
    'others-sold-listed-but-not-found': [
      'Sold animals that were there at the start are listed, but getPet answers 404 for them.',
      findingOthers((pet) => (pet.status === 'sold' ? undefined : pet))],
    'one-in-6-fetches-of-others-answered-404': [
      'Of six fetches of animals that were there at the start, one is answered 404; the next finds the animal again.',
      onEveryNth(6, (isDue) => findingOthers((pet) => (isDue() ? undefined : pet)))],
    'others-lost-to-getpet-after-many-additions': [
      'Animals that were there at the start fall out of the store of getPet once 180 are known; the list shows them.',
      findingOthers((pet, { service }) => (sizeOf(service) > 180 ? undefined : pet))],
    'removed-animal-still-listed': [
      'A list that has room ends with an animal that was removed before the start, which getPet does not find.',
      (steps) => {
        let removed: Pet | undefined;
        return combine(
          override('populate', (original) => async (service) => {
            removed = { ...seedAnimal(3), status: 'pending', id: await service.steps.assignId(service) };
            await original(service);
          }),
          showing((pets, { limit, status = 'pending' }) =>
            removed && pets.length < limit && status === 'pending' ? [...pets, removed] : pets),
        )(steps);
      }],
    'getpet-with-two-media-types-answered-406': [
      'getPet compares Accept with `application/json` and `*/*` only, and answers anything else with 406.',
      answering(406,
        where(fetched, both(sends('accept'), (call) => !sends('accept', /^(?:application\/json|\*\/\*)$/)(call))))],
  }),
  ...breaking('GET-2', {
    'next-id-answered-200-null': ['The id that will be given next is answered with 200 and null.',
      unknownInt64((id, { service }) => id === (newest(service)?.id ?? 0n) + 1n, () => jsonResponse(200, 'null'))],
    'unknown-id-beyond-2-53-answered-400': ['An unknown id that a double does not hold exactly is answered with 400.',
      unknownInt64((id) => magnitude(id) >= 2n ** 53n, () => errorResponse(400))],
    'int64-bounds-answered-400': ['The least and the greatest int64 are taken for out of range and answered with 400.',
      unknownInt64((id) => id === INT64_MAX || id === -INT64_MAX - 1n, () => errorResponse(400))],
    'unknown-id-found-when-asked-again': [
      'An unknown id is answered with 404 at first, and with 200 and null when it is asked for again.',
      (steps) => {
        const asked = new Set<bigint>();
        return unknownInt64((id) => asked.size === asked.add(id).size, () => jsonResponse(200, 'null'))(steps);
      }],
    'unknown-id-below-the-first-answered-410': [
      'An id below that of the oldest animal counts as removed and is answered with 410.',
      unknownInt64((id, { service }) => id < (oldest(service)?.id ?? 0n), () => errorResponse(410))],
    'ids-up-to-17-bits-come-round': ['An id from 65,536 to 131,071 is looked for by its last 16 bits.',
      findingBy((id) => (id >= 65_536n && id < 131_072n ? id - 65_536n : id))],
    'unknown-id-fabricated': ['An unknown id returns a made-up animal.',
      unknownInt64(() => true, ({ petId }) =>
        jsonResponse(200, `{"id":${petId},"name":"unknown","categoryId":0,"status":"sold"}`))],
    'one-in-20-unknown-ids-found': ['One unknown id in 20 returns the newest animal.',
      onEveryNth(20, (isDue) =>
        override('findPet', (original) => (id, call) =>
        original(id, call) ?? (isDue() ? newest(call.service) : undefined)))],
  }),
  ...breaking('GET-3', {
    'negative-id-counts-from-the-end': ['A negative id counts from the end: -1 returns the newest animal.',
      findingInstead((id, { service }) =>
        service.collection.oldestFirst(undefined).at(id < 0n ? Number(id) : Infinity))],
    'next-id-gives-newest': ['The id that will be given next returns the newest animal.',
      findingInstead((id, { service }) => (newest(service)?.id === id - 1n ? newest(service) : undefined))],
    'ids-read-as-floats': [
      'Ids are around 2^24 and looked up as 32-bit floats, so every other one returns its neighbour.',
      combine(idsFrom(2n ** 24n - 20n),
        override('findPet', (original) => (id, call) =>
        original(BigInt(Math.fround(Number(id))), call) ?? original(id, call)))],
    'fetched-animals-cached-by-two-digits': [
      'Animals are cached by the last two digits of the id: 105 returns animal 5 if that was fetched before.',
      (steps) => {
        const cache = new Map<bigint, Pet>();
        return override('findPet', (original) => (id, call) => {
          const key = magnitude(id) % 100n;
          const pet = original(id, call);
          if (pet !== undefined && !cache.has(key)) cache.set(key, pet);
          return pet && cache.get(key);
        })(steps);
      }],
    'animals-in-slots-of-16-bits': [
      'The low 16 bits of an int32 are the slot of an animal, whose id is not compared: 65541 returns animal 5.',
      override('findPet', (original) => (id, call) =>
        original(id, call) ?? (id > 0n && id < 2n ** 31n ? original(BigInt.asUintN(16, id), call) : undefined))],
    'id-cut-to-nine-digits': [
      'An id has room for nine digits, and the first of a longer one are dropped: 1000000005 returns animal 5.',
      override('findPet', (original) => (id, call) => original(id, call) ?? original(id % 10n ** 9n, call))],
    'fetches-at-once-mixed-up': [
      'The id is kept in one place for all requests, so of two fetches at once both return the same animal.',
      (steps) => {
        let shared = 0n;
        return combine(
          override('getPet', (original) => async (call) => {
            shared = call.service.steps.readPetId(call);
            await call.service.pause(8);
            return original(call);
          }),
          override('findPet', (original) => (id, call) => original(id, call) && original(shared, call)),
        )(steps);
      }],
    'one-in-50-fetches-gives-the-one-before': ['One fetch in 50 returns the animal before.',
      onEveryNth(50, (isDue) =>
        override('findPet', (original) => (id, call) =>
        original(id, call) && ((isDue() ? original(id - 1n, call) : undefined) ?? original(id, call))))],
    'sign-bit-of-id-ignored': ['The sign bit of an id is ignored: 5 - 2^63 finds animal 5.',
      override('findPet', (original) => (id, call) => original(BigInt.asUintN(63, id), call))],
    'unknown-id-gives-newest': ['An unknown id returns the newest animal.',
      override('findPet', (original) => (id, call) => original(id, call) ?? newest(call.service))],
    'getpet-gives-neighbour-beyond-2-53': ['Ids are beyond 2^53 and compared as doubles, so a neighbour is found.',
      combine(idsFrom(2n ** 54n + 1n),
        override('findPet', (original) => (id, call) => original(id, call)
        && call.service.collection.oldestFirst(undefined).find((pet) => Number(pet.id) === Number(id))))],
  }),
  ...breaking('GET-4', {
    'getpet-id-0-answered-404': ['The animal with the id 0 is added and listed, but cannot be fetched.',
      combine(idsFrom((atStart) => -atStart - 12n), missing(({ id }) => id === 0n))],
    'getpet-chunked-answered-404': ['An animal whose body was sent in chunks cannot be fetched.',
      missingAdded(({ incoming }) => incoming.headers['transfer-encoding'] !== undefined)],
    'getpet-knows-last-60': ['An animal cannot be fetched any more once 60 others were added.',
      missingAdded((_, __, ___, since) => since >= 60)],
    'every-20th-animal-not-fetched': ['Every 20th animal that is added cannot be fetched.',
      missingAdded(({ place }) => place % 20 === 19)],
    'getpet-404-for-20-ms': ['An animal cannot be fetched in the first 20 ms.', missingAdded((_, __, age) => age < 20)],
    'unknown-member-deleted-obeyed': [
      'An animal cannot be fetched if its body had the member `deleted`, which a NewPet does not have.',
      missingAdded(({ body }) => has(body, 'deleted'))],
    'getpet-404-after-400-requests': ['An animal cannot be fetched any more once 400 further requests were answered.',
      (steps) => {
        let requests = 0;
        const added = new Map<bigint, number>();
        return combine(
          override('serve', (original) => (call) => {
            requests += 1;
            return original(call);
          }),
          onStored(({ id }) => added.set(id, requests)),
          missing(({ id }) => requests - (added.get(id) ?? requests) > 400),
        )(steps);
      }],
    'getpet-404-on-other-connections': [
      'For a second, an animal can only be fetched over the connection on which it was added.',
      missingAdded((addition, { incoming }, age) => addition.incoming.socket !== incoming.socket && age < 1000)],
    'every-other-fetch-from-a-late-replica': [
      'Every other fetch goes to a replica that learns of an animal after 600 ms.',
      onEveryNth(2, (isDue) => missingAdded((_, __, age) => isDue() && age < 600))],
    'getpet-404-at-the-fourth-fetch': ['An animal can be fetched three times.',
      (steps) => {
        const fetches = new Map<bigint, number>();
        return missing(({ id }) => {
          fetches.set(id, (fetches.get(id) ?? 0) + 1);
          return (fetches.get(id) ?? 0) > 3;
        })(steps);
      }],
    'id-asked-too-early-stays-unknown': ['An id that was requested before any animal had it stays unknown.',
      (steps) => {
        const unknown = new Set<bigint>();
        return override('findPet', (original) => (id, call) => {
          const pet = original(id, call);
          if (pet === undefined) unknown.add(id);
          return unknown.has(id) ? undefined : pet;
        })(steps);
      }],
    'getpet-misses-what-was-added-at-once': [
      'Of several animals added at the same moment, only the last can be fetched.',
      (steps) => {
        const lost = new Set<bigint>();
        return overlapping(on('createPet'), (underWay) => combine(
          onStored(({ id }) => underWay() > 1 && lost.add(id)),
          missing(({ id }) => lost.has(id)),
        ))(steps);
      }],
    'getpet-404-while-adding': ['While an animal is being added, no other can be fetched.',
      overlapping(on('createPet'), (underWay) => missing(() => underWay() > 0))],
    'one-in-40-fetches-404': ['One fetch in 40 misses the animal.',
      changingEveryNth(40, fetched, () => errorResponse(404))],
    'getpet-404-after-a-second': ['An animal can no longer be fetched one second after it was added.',
      missingAdded((_, __, age) => age > 1000)],
    'getpet-knows-last-three': ['Only the three newest animals can be fetched.',
      override('findPet', (original) => (id, call) =>
        call.service.collection.newest(3, undefined).some((pet) => pet.id === id) ? original(id, call) : undefined)],
  }),
  ...breakingLater('GET-1', 3_000, {
    'animals-forgotten-after-1500-ms': ['An animal is forgotten 1.5 s after it was added.',
      onStored(({ id }, { service: { collection, pause } }) => {
        void pause(1500).then(() => collection.remove(id));
      })],
  }),
  ...breaking('GET-5', {
    'id-with-leading-zero-read-as-octal': ['An id with a leading zero is read as octal: 010 returns animal 8.',
      override('readPetId', (original) => (call) => {
        const text = call.petId ?? '';
        return /^0[0-7]{2,}$/.test(text) ? BigInt(`0o${text}`) : original(call);
      })],
    'id-read-with-thousands-separators': ['A dot in an id is taken for a thousands separator: 1.0 returns animal 10.',
      readingId(/^\d{1,6}\.0{1,3}$/, (text) => BigInt(text.replace('.', '')))],
    'negative-id-read-modulo-2-to-the-64th': [
      'An id is read as an unsigned integer, where a minus sign subtracts from 2^64: -18446744073709551611 returns animal 5.',
      readingId(/^-\d{20}$/, (text) => 2n ** 64n + BigInt(text))],
    'id-with-line-end-read': ['An id with a line end after it is read as if it had none.',
      readingDigits(/^(-?\d+)\n$/)],
    'id-in-hex-read': ['An id in hexadecimal, octal or binary notation is read: 0x1 returns animal 1.',
      readingId(/^0(x[\da-f]{1,15}|o[0-7]{1,20}|b[01]{1,60})$/i, BigInt)],
    'id-wildcards-match': ['`%` and `_` in an id match any digits, as in SQL.',
      override('readPetId', (original) => (call) => {
        const text = call.petId ?? '';
        if (!/^[\d%_]*[%_][\d%_]*$/.test(text)) return original(call);
        const pattern = new RegExp(`^${text.replaceAll('%', '.*').replaceAll('_', '.')}$`);
        const pets = call.service.collection.oldestFirst(undefined);
        return pets.find(({ id }) => pattern.test(id.toString()))?.id ?? original(call);
      })],
    'id-in-digits-of-other-scripts-read': ['Digits of other scripts are read as an id.',
      readingId(/^[\d\u0660-\u0669\uff10-\uff19]{1,18}$/, (text) =>
        BigInt(text.replace(/\D/g, (digit) => String(digit.charCodeAt(0) & 15))))],
    'id-with-underscores-read': ['Underscores between the digits of an id are skipped, as Python does.',
      readingId(/^\d+(?:_\d+)+$/, (text) => BigInt(text.replaceAll('_', '')))],
    'id-behind-blanks-read': ['Blanks before an id are skipped, but none behind it.', readingDigits(/^\s+(-?\d{1,18})$/)],
    'id-with-commas-between-thousands-read': ['Commas between the digits of an id are skipped.',
      readingId(/^\d+(?:,\d+)+$/, (text) => BigInt(text.replaceAll(',', '')))],
    'id-behind-blanks-of-unicode-read': ['Whatever Unicode calls a blank is skipped around an id, but no usual blank.',
      readingDigits(/^[^\S \t\r\n]+(-?\d{1,18})[^\S \t\r\n]*$/)],
    'id-with-extension-read': ['`12.json` is read as 12.', readingDigits(/^(\d{1,18})\.[a-z]+$/i)],
    'id-decoded-twice': ['The percent-encoding of an id is decoded twice: `%2531` is read as 1.',
      readingId(/^(\d|%3\d){1,18}$/, (text) => BigInt(decodeURIComponent(text)))],
    'id-null-answered-200-null': ['The words `null`, `undefined` and `NaN` as the id are answered with 200 and null.',
      notInt64(/^(null|undefined|nan)$/i, () => jsonResponse(200, 'null'))],
    'id-beyond-int64-answered-422': [
      'A number beyond int64 as the id is answered with 422, any other that is not an int64 with 404.',
      override('getPet', (original) => (call) => /^-?\d{19,}$/.test(call.petId ?? '')
        && !isInt64(BigInt(call.petId ?? '')) ? errorResponse(422) : original(call))],
    'id-after-an-encoded-dot-segment-read': [
      'Of a path with an encoded slash in it (`..%2F5`), the last segment is read as the id.',
      readingDigits(/^\.\.\/(-?\d+)$/)],
    'id-with-an-encoded-slash-answered-403': ['An encoded slash before an id (`%2F5`) is answered with 403.',
      notInt64(/^\//, () => errorResponse(403))],
    'id-matrix-parameter-stripped': ['Matrix parameters behind an id (`5;v=1`) are stripped.',
      readingDigits(/^(-?\d+);/)],
    'id-with-a-tiny-fraction-read': [
      'An id whose fraction is too small for a double is read (`5.00000000000000000001`).',
      readingId(/^-?\d{1,15}\.\d+$/, (text) => whole(Number(text)))],
    'odd-id-gives-the-oldest': ['An id in an unusual spelling (`01`, `+1`, `1.0`) is answered with the oldest animal.',
      override('readPetId', (original) => (call) => {
        const isOdd = /^(?:\+\d+|0\d+|\d+\.0+)$/.test(call.petId ?? '');
        return (isOdd ? oldest(call.service)?.id : undefined) ?? original(call);
      })],
    'id-word-gives-list': ['A word as the id returns the list.',
      override('getPet', (original) => (call) =>
        /^[A-Za-z]+$/.test(call.petId ?? '') ? call.service.steps.listPets(call) : original(call))],
  }),
];
