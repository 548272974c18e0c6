import type { IncomingMessage } from 'node:http';
import {
  changeResponse,
  combine,
  errorResponse,
  fault,
  jsonResponse,
  onEveryNth,
  override,
  responsesOf,
  type StepsChange,
} from '../changes.ts';
import { assignInSequence, type Pet } from '../collection.ts';
import { petNotFound } from '../errors.ts';
import type { ApiResponse, Call, Fault, Service } from '../steps.ts';
import { changingEveryNth, crash, fetched, findingBy, has, overlapping, readingId } from './builders.ts';

const INT64_MAX = 2n ** 63n - 1n;

const newest = ({ collection }: Service): Pet | undefined => collection.newest(1)[0];
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const whole = (value: number): bigint | undefined => (Number.isSafeInteger(value) ? BigInt(value) : undefined);

/** The number that a text holds in a form. */
const digitsIn = (form: RegExp, text: string): bigint | undefined => {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
};

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

/** Ids that are scattered over int64, without one twice: the factor is odd. */
const scatteredIds = override(
  'assignId',
  (original) => async (service) => BigInt.asIntN(64, (await original(service)) * 0x9e37_79b9_7f4a_7c15n),
);

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
  readonly socket: object;
  readonly chunked: boolean;
  readonly statusSent: boolean;
  readonly deletedSent: boolean;
}

/** Does not find some of the animals that were added, by how that was, and by how many were added since. */
const missingAdded =
  (misses: (addition: Addition, call: Call, since: number) => boolean): StepsChange =>
  (steps) => {
    const bodies = new WeakMap<IncomingMessage, unknown>();
    const additions = new Map<bigint, Addition>();
    return combine(
      override('validateNewPet', (original) => (body, call) => {
        bodies.set(call.incoming, body);
        return original(body, call);
      }),
      override('store', (original) => (pet, call) => {
        additions.set(pet.id, {
          place: additions.size,
          time: performance.now(),
          socket: call.incoming.socket,
          chunked: call.header('transfer-encoding') !== undefined,
          statusSent: has(bodies.get(call.incoming), 'status'),
          deletedSent: has(bodies.get(call.incoming), 'deleted'),
        });
        original(pet, call);
      }),
      missing(({ id }, call) => {
        const addition = additions.get(id);
        return addition !== undefined && misses(addition, call, additions.size - addition.place - 1);
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

/** getPet by the numbers of its ids, their spellings, the age of the animal and how it was made. */
export const getIdFaults: readonly Fault[] = [
  fault(
    'getpet-id-0-answered-404',
    'GET-4',
    'The animal with the id 0 is added and listed, but cannot be fetched.',
    combine(
      idsFrom((atStart) => -atStart - 12n),
      missing(({ id }) => id === 0n),
    ),
  ),
  fault(
    'getpet-negative-id-answered-404',
    'GET-1',
    'Ids are scattered over int64, and animals with a negative one cannot be fetched.',
    combine(
      scatteredIds,
      missing(({ id }) => id < 0n),
    ),
  ),
  fault(
    'getpet-id-above-127-answered-404',
    'GET-1',
    'Ids begin at 101 and are compared as objects, so animals above 127 cannot be fetched.',
    combine(
      idsFrom(101n),
      missing(({ id }) => id > 127n),
    ),
  ),
  fault(
    'getpet-encoded-digits-answered-404',
    'GET-1',
    'An id with a percent-encoded digit in it is not found.',
    override('readPetId', (original) => (call) => {
      if (/%3\d/.test(sentId(call))) throw petNotFound(sentId(call));
      return original(call);
    }),
  ),

  fault(
    'next-id-answered-200-null',
    'GET-2',
    'The id that will be given next is answered with 200 and null.',
    unknownInt64(
      (id, { service }) => id === (newest(service)?.id ?? 0n) + 1n,
      () => jsonResponse(200, 'null'),
    ),
  ),
  fault(
    'unknown-id-above-int32-answered-400',
    'GET-2',
    'An unknown id that does not fit into 32 bits is answered with 400.',
    unknownInt64(
      (id) => id !== BigInt.asIntN(32, id),
      () => errorResponse(400),
    ),
  ),
  fault(
    'int64-bounds-answered-400',
    'GET-2',
    'The least and the greatest int64 are taken for out of range and answered with 400.',
    unknownInt64(
      (id) => id === INT64_MAX || id === -INT64_MAX - 1n,
      () => errorResponse(400),
    ),
  ),
  fault(
    'unknown-id-found-when-asked-again',
    'GET-2',
    'An unknown id is answered with 404 at first, and with 200 and null when it is asked for again.',
    (steps) => {
      const asked = new Set<bigint>();
      return unknownInt64(
        (id) => asked.size === asked.add(id).size,
        () => jsonResponse(200, 'null'),
      )(steps);
    },
  ),
  fault(
    'unknown-id-below-the-first-answered-410',
    'GET-2',
    'An id below that of the oldest animal counts as removed and is answered with 410.',
    unknownInt64(
      (id, { service }) => id < (service.collection.oldestFirst(undefined)[0]?.id ?? 0n),
      () => errorResponse(410),
    ),
  ),

  fault(
    'negative-id-counts-from-the-end',
    'GET-3',
    'A negative id counts from the end: -1 returns the newest animal.',
    findingInstead((id, { service }) => service.collection.oldestFirst(undefined).at(id < 0n ? Number(id) : Infinity)),
  ),
  fault(
    'next-id-gives-newest',
    'GET-3',
    'The id that will be given next returns the newest animal.',
    findingInstead((id, { service }) => {
      const last = newest(service);
      return last?.id === id - 1n ? last : undefined;
    }),
  ),
  fault(
    'ids-read-as-floats',
    'GET-3',
    'Ids are around 2^24 and looked up as 32-bit floats, so every other one returns its neighbour.',
    combine(
      idsFrom(2n ** 24n - 20n),
      override(
        'findPet',
        (original) => (id, call) => original(BigInt(Math.fround(Number(id))), call) ?? original(id, call),
      ),
    ),
  ),
  fault(
    'id-loses-zeros-at-its-end',
    'GET-3',
    'Zeros at the end of an id are dropped: 10 returns animal 1.',
    findingBy((id) => (id === 0n ? id : BigInt(id.toString().replace(/0+$/, '')))),
  ),
  fault(
    'id-with-leading-zero-read-as-octal',
    'GET-5',
    'An id with a leading zero is read as octal: 010 returns animal 8.',
    override('readPetId', (original) => (call) => {
      const text = call.petId ?? '';
      return /^0[0-7]{2,}$/.test(text) ? BigInt(`0o${text}`) : original(call);
    }),
  ),
  fault(
    'id-read-with-thousands-separators',
    'GET-5',
    'A dot in an id is taken for a thousands separator: 1.0 returns animal 10.',
    readingId((text) => (/^\d{1,6}\.0{1,3}$/.test(text) ? BigInt(text.replace('.', '')) : undefined)),
  ),
  fault(
    'fetched-animals-cached-by-two-digits',
    'GET-3',
    'Animals are cached by the last two digits of the id: 105 returns animal 5 if that was fetched before.',
    (steps) => {
      const cache = new Map<bigint, Pet>();
      return override('findPet', (original) => (id, call) => {
        const key = magnitude(id) % 100n;
        const pet = original(id, call);
        if (pet !== undefined && !cache.has(key)) cache.set(key, pet);
        return pet && cache.get(key);
      })(steps);
    },
  ),
  fault(
    'animals-in-slots-of-16-bits',
    'GET-3',
    'The low 16 bits of an int32 are the slot of an animal, whose id is not compared: 65541 returns animal 5.',
    override(
      'findPet',
      (original) => (id, call) =>
        original(id, call) ?? (id > 0n && id < 2n ** 31n ? original(BigInt.asUintN(16, id), call) : undefined),
    ),
  ),
  fault(
    'id-cut-to-nine-digits',
    'GET-3',
    'An id has room for nine digits, and the first of a longer one are dropped: 1000000005 returns animal 5.',
    override('findPet', (original) => (id, call) => original(id, call) ?? original(id % 10n ** 9n, call)),
  ),
  fault(
    'negative-id-read-modulo-2-to-the-64th',
    'GET-5',
    'An id is read as an unsigned integer, where a minus sign subtracts from 2^64: -18446744073709551611 returns animal 5.',
    readingId((text) => (/^-\d{20}$/.test(text) ? 2n ** 64n + BigInt(text) : undefined)),
  ),
  fault(
    'fetches-at-once-mixed-up',
    'GET-3',
    'The id is kept in one place for all requests, so of two fetches at once both return the same animal.',
    (steps) => {
      let shared = 0n;
      return combine(
        override('getPet', (original) => async (call) => {
          shared = call.service.steps.readPetId(call);
          await call.service.pause(8);
          return original(call);
        }),
        override(
          'findPet',
          (original) => (id, call) => (original(id, call) === undefined ? undefined : original(shared, call)),
        ),
      )(steps);
    },
  ),
  fault(
    'one-in-50-fetches-gives-the-one-before',
    'GET-3',
    'One fetch in 50 returns the animal before.',
    onEveryNth(50, (isDue) =>
      override('findPet', (original) => (id, call) => {
        const pet = original(id, call);
        return pet !== undefined && isDue() ? (original(id - 1n, call) ?? pet) : pet;
      }),
    ),
  ),

  fault(
    'getpet-omitted-status-answered-404',
    'GET-4',
    'An animal that was added without a status cannot be fetched.',
    missingAdded(({ statusSent }) => !statusSent),
  ),
  fault(
    'getpet-chunked-answered-404',
    'GET-4',
    'An animal whose body was sent in chunks cannot be fetched.',
    missingAdded(({ chunked }) => chunked),
  ),
  fault(
    'getpet-knows-last-60',
    'GET-4',
    'An animal cannot be fetched any more once 60 others were added.',
    missingAdded((_, __, since) => since >= 60),
  ),
  fault(
    'every-20th-animal-not-fetched',
    'GET-4',
    'Every 20th animal that is added cannot be fetched.',
    missingAdded(({ place }) => place % 20 === 19),
  ),
  fault(
    'getpet-404-for-20-ms',
    'GET-4',
    'An animal cannot be fetched in the first 20 ms.',
    missingAdded(({ time }) => performance.now() - time < 20),
  ),
  fault(
    'getpet-404-for-a-second-with-an-encoded-digit',
    'GET-1',
    'In the first second, an animal cannot be fetched where a digit of its id is percent-encoded.',
    missingAdded(({ time }, call) => performance.now() - time < 1000 && sentId(call).includes('%')),
  ),
  fault(
    'unknown-member-deleted-obeyed',
    'GET-4',
    'An animal cannot be fetched if its body had the member `deleted`, which a NewPet does not have.',
    missingAdded(({ deletedSent }) => deletedSent),
  ),
  fault(
    'getpet-404-after-400-requests',
    'GET-4',
    'An animal cannot be fetched any more once 400 further requests were answered.',
    (steps) => {
      let requests = 0;
      const added = new Map<bigint, number>();
      return combine(
        override('serve', (original) => (call) => {
          requests += 1;
          return original(call);
        }),
        override('store', (original) => (pet, call) => {
          added.set(pet.id, requests);
          original(pet, call);
        }),
        missing(({ id }) => requests - (added.get(id) ?? requests) > 400),
      )(steps);
    },
  ),
  fault(
    'getpet-404-on-other-connections',
    'GET-4',
    'For a second, an animal can only be fetched over the connection on which it was added.',
    missingAdded(({ socket, time }, { incoming }) => socket !== incoming.socket && performance.now() - time < 1000),
  ),
  fault(
    'every-other-fetch-from-a-late-replica',
    'GET-4',
    'Every other fetch goes to a replica that learns of an animal after 600 ms.',
    onEveryNth(2, (isDue) => missingAdded(({ time }) => isDue() && performance.now() - time < 600)),
  ),
  fault(
    'getpet-304-when-fetched-twice-in-a-row',
    'GET-1',
    'The animal that was fetched last is answered with 304 when it is fetched again, though nobody asked for that.',
    (steps) => {
      let last: string | undefined;
      return changeResponse(fetched, (response, { petId }) => {
        if (petId === last) return { ...response, status: 304, body: '' };
        last = petId;
        return response;
      })(steps);
    },
  ),
  fault(
    'id-asked-too-early-stays-unknown',
    'GET-4',
    'An id that was asked for before it was given stays unknown.',
    (steps) => {
      const unknown = new Set<bigint>();
      return override('findPet', (original) => (id, call) => {
        const pet = original(id, call);
        if (pet === undefined) unknown.add(id);
        return unknown.has(id) ? undefined : pet;
      })(steps);
    },
  ),
  fault(
    'getpet-misses-what-was-added-at-once',
    'GET-4',
    'Of several animals added at the same moment, only the last can be fetched.',
    (steps) => {
      const lost = new Set<bigint>();
      return overlapping(
        ({ operation }) => operation === 'createPet',
        (underWay) =>
          combine(
            override('store', (original) => (pet, call) => {
              if (underWay() > 1) lost.add(pet.id);
              original(pet, call);
            }),
            missing(({ id }) => lost.has(id)),
          ),
      )(steps);
    },
  ),
  fault(
    'getpet-404-while-adding',
    'GET-4',
    'While an animal is being added, no other can be fetched.',
    overlapping(
      ({ operation }) => operation === 'createPet',
      (underWay) => missing(() => underWay() > 0),
    ),
  ),
  fault(
    'one-in-40-fetches-404',
    'GET-4',
    'One fetch in 40 misses the animal.',
    changingEveryNth(40, fetched, () => errorResponse(404)),
  ),

  fault(
    'sign-bit-of-id-ignored',
    'GET-3',
    'The sign bit of an id is ignored: 5 - 2^63 finds animal 5.',
    override('findPet', (original) => (id, call) => original(BigInt.asUintN(63, id), call)),
  ),
  fault(
    'id-in-hex-read',
    'GET-5',
    'An id in hexadecimal, octal or binary notation is read: 0x1 returns animal 1.',
    readingId((text) => (/^0(x[\da-f]{1,15}|o[0-7]{1,20}|b[01]{1,60})$/i.test(text) ? BigInt(text) : undefined)),
  ),
  fault(
    'id-with-exponent-read',
    'GET-5',
    'An id with an exponent is read: 1e0 returns animal 1.',
    readingId((text) => (/^\d+e[+-]?\d+$/i.test(text) ? whole(Number(text)) : undefined)),
  ),
  fault(
    'id-fraction-truncated',
    'GET-5',
    'The fraction of an id is cut off: 1.5 returns animal 1.',
    readingId((text) => (/^\d{1,15}\.\d+$/.test(text) ? whole(Math.trunc(Number(text))) : undefined)),
  ),
  fault(
    'id-wildcards-match',
    'GET-5',
    '`%` and `_` in an id match any digits, as in SQL.',
    override('readPetId', (original) => (call) => {
      const text = call.petId ?? '';
      if (!/^[\d%_]*[%_][\d%_]*$/.test(text)) return original(call);
      const pattern = new RegExp(`^${text.replaceAll('%', '.*').replaceAll('_', '.')}$`);
      const pets = call.service.collection.oldestFirst(undefined);
      return pets.find(({ id }) => pattern.test(id.toString()))?.id ?? original(call);
    }),
  ),
  fault(
    'id-in-digits-of-other-scripts-read',
    'GET-5',
    'Digits of other scripts are read as an id.',
    readingId((text) => {
      const plain = text.replace(/[\u0660-\u0669\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15));
      return /^\d{1,18}$/.test(plain) ? BigInt(plain) : undefined;
    }),
  ),
  fault(
    'id-with-extension-read',
    'GET-5',
    '`12.json` is read as 12.',
    readingId((text) => (/^\d{1,18}\.[a-z]+$/i.test(text) ? BigInt(text.split('.')[0] ?? '') : undefined)),
  ),
  fault(
    'id-decoded-twice',
    'GET-5',
    'The percent-encoding of an id is decoded twice: `%2531` is read as 1.',
    readingId((text) => (/^(\d|%3\d){1,18}$/.test(text) ? BigInt(decodeURIComponent(text)) : undefined)),
  ),
  fault(
    'id-null-answered-200-null',
    'GET-5',
    'The words `null`, `undefined` and `NaN` as the id are answered with 200 and null.',
    notInt64(/^(null|undefined|nan)$/i, () => jsonResponse(200, 'null')),
  ),
  fault(
    'id-word-sent-to-the-list',
    'GET-5',
    'A word as the id is redirected to the list.',
    notInt64(/^[a-z]+$/i, ({ service }) => ({
      ...errorResponse(302),
      headers: { 'Content-Type': 'application/json', Location: `${service.basePath}/pets` },
    })),
  ),
  fault(
    'id-beyond-int64-answered-422',
    'GET-5',
    'A number beyond int64 as the id is answered with 422, any other that is not an int64 with 404.',
    override('getPet', (original) => (call) => {
      const text = call.petId ?? '';
      return /^-?\d{19,}$/.test(text) && BigInt(text) !== BigInt.asIntN(64, BigInt(text))
        ? errorResponse(422)
        : original(call);
    }),
  ),
  fault(
    'id-before-an-encoded-slash-read',
    'GET-5',
    'An encoded slash behind an id (`5%2F`) is dropped, as a router does that takes no notice of a slash at the end.',
    readingId((text) => digitsIn(/^(-?\d+)\/$/, text)),
  ),
  fault(
    'id-after-an-encoded-slash-read',
    'GET-5',
    'An encoded slash before an id (`%2F5`) is dropped, as one of two slashes in a row.',
    readingId((text) => digitsIn(/^\/(-?\d+)$/, text)),
  ),
  fault(
    'id-after-an-encoded-dot-segment-read',
    'GET-5',
    'Of a path with an encoded slash in it (`..%2F5`), the last segment is read as the id.',
    readingId((text) => digitsIn(/^\.\.\/(-?\d+)$/, text)),
  ),
  fault(
    'id-with-an-encoded-slash-answered-403',
    'GET-5',
    'An encoded slash before an id (`%2F5`) is answered with 403.',
    notInt64(/^\//, () => errorResponse(403)),
  ),
  fault(
    'id-matrix-parameter-stripped',
    'GET-5',
    'Matrix parameters behind an id (`5;v=1`) are stripped.',
    readingId((text) => digitsIn(/^(-?\d+);/, text)),
  ),
  fault(
    'id-with-a-tiny-fraction-read',
    'GET-5',
    'An id whose fraction is too small for a double is read (`5.00000000000000000001`).',
    readingId((text) =>
      /^-?\d{1,15}\.\d+$/.test(text) && Number.isInteger(Number(text)) ? whole(Number(text)) : undefined,
    ),
  ),
  fault(
    'animals-of-the-start-need-no-key',
    'AUTH-2',
    'getPet answers without a key for the animals with the ids 1 to 5.',
    override('authenticate', (original) => (call) => {
      if (call.operation !== 'getPet' || !/^[1-5]$/.test(call.petId ?? '')) original(call);
    }),
  ),
  fault(
    'ids-up-to-17-bits-come-round',
    'GET-2',
    'An id from 65,536 to 131,071 is looked for by its last 16 bits.',
    findingBy((id) => (id >= 65_536n && id < 131_072n ? id - 65_536n : id)),
  ),
  fault(
    'id-of-a-slug-read',
    'GET-5',
    'An id before a name, as in the address of a page (`5-rex`), is read.',
    readingId((text) => digitsIn(/^(-?\d+)-[a-z]+$/, text)),
  ),
  fault(
    'petid-like-builtin-makes-500',
    'SERV-4',
    'A petId that every object knows, such as "constructor" or "toString", makes the service fail.',
    readingId((text) => (text in {} ? crash('not an animal') : undefined)),
  ),
];
