import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { choosing, combine, override } from '../changes.ts';
import type { Pet } from '../collection.ts';
import type { Call, PageRequest, Service, Steps, Variant } from '../steps.ts';
import { below, busy, identified, paging, populatedWith, shortened } from './builders.ts';

/** Pages that never hold more than that. */
export const capped = (most: number) => shortened(() => most);

export const oldestFirst = paging((matching) => matching);

/** Random animals, none twice. */
function drawn(matching: readonly Pet[], { limit }: PageRequest, { service }: Call): readonly Pet[] {
  const places = new Set<number>();
  while (places.size < Math.min(limit, matching.length)) places.add(Math.floor(service.random() * matching.length));
  return [...places].flatMap((place) => matching[place] ?? []);
}

export const byChance = paging(drawn);

/** Shows new animals in lists only after a while; getPet knows them at once. */
const listingLate = (milliseconds: number) => (steps: Steps) => {
  const unlisted = new Map<bigint, Pet>();
  return combine(
    override('store', (original) => (pet, call) => {
      unlisted.set(pet.id, pet);
      void call.service.pause(milliseconds).then(() => {
        original(pet, call);
        unlisted.delete(pet.id);
      });
    }),
    override('findPet', (original) => (id, call) => unlisted.get(id) ?? original(id, call)),
  )(steps);
};

/** A random id that no animal has, made from 64 random bits. */
const randomId =
  (make: (bits: bigint) => bigint) =>
  (service: Service): bigint => {
    const half = () => BigInt(below(2 ** 32, service));
    const id = make((half() << 32n) | half());
    return service.collection.get(id) === undefined ? id : randomId(make)(service);
  };

const SMALLEST_OF_19_DIGITS = 10n ** 18n;

// biome-ignore format: one table
export const collectionVariants: readonly Variant[] = [
  ...choosing('LIST-12', {
    'oldest-first': ['Lists begin with the oldest animal.', oldestFirst],
    'by-chance': ['Every list is a random selection in random order.', byChance],
    'pages-of-7': ['A page never holds more than seven animals.', capped(7)],
    'pages-of-1': ['A page never holds more than one animal.', capped(1)],
    'big-collection': ['The store holds 100,000 animals, oldest first, so that lists never show a new one.',
      combine(populatedWith(100_000), oldestFirst)],
    'busy-oldest-first': [
      'Other callers change the collection every 7 ms, and lists begin with the oldest of 150 animals.',
      combine(populatedWith(150), busy(7), oldestFirst)],
  }),
  ...choosing('LIST-13', {
    'listed-after-300-ms': ['A list shows a new animal after 300 ms.', listingLate(300)],
    'listed-after-2-s': ['A list shows a new animal after two seconds.', listingLate(2000)],
  }),
  ...choosing('RES-4', {
    'ids-random': ['Ids are random int64 values.', override('assignId', () => randomId((bits) => BigInt.asIntN(64, bits)))],
    'ids-random-of-19-digits': ['Ids are random positive numbers of 19 digits.',
      override('assignId', () =>
        randomId((bits) => SMALLEST_OF_19_DIGITS + (bits % (INT64_MAX - SMALLEST_OF_19_DIGITS + 1n))))],
    'ids-at-both-ends-in-turn': ['Ids count down from the largest int64 and up from the smallest one, in turn.',
      identified((place) => (place % 2n === 1n ? INT64_MAX - place / 2n : INT64_MIN + place / 2n - 1n))],
    'ids-negative': ['Ids are negative.', identified((place) => -place)],
    'ids-descending': ['Ids count down from the largest int64.', identified((place) => INT64_MAX - place + 1n)],
    'ids-from-zero': ['The first id is 0.', identified((place) => place - 1n)],
    'ids-beyond-doubles': ['Ids are consecutive beyond 2^53.', identified((place) => 2n ** 53n + place)],
    'ids-like-snowflakes': ['Ids combine the time and a counter.',
      identified((place) => (BigInt(Date.now() - 1_700_000_000_000) << 22n) + (place & 0x3fffffn))],
  }),
  ...choosing('SERV-1', {
    'empty-at-start': ['The store is empty at first.', populatedWith(0)],
    'very-busy': ['Other callers add, change and remove animals, one every millisecond.', busy(1)],
  }),
];
