import { INT64_MAX } from '../../contract/exact-integer.ts';
import { choosing, combine, override } from '../changes.ts';
import type { Pet } from '../collection.ts';
import type { PageRequest, Service, Steps, Variant } from '../steps.ts';
import { busy, identified, populatedWith } from './builders.ts';

/** Chooses pages out of all animals that match, oldest first. */
const paging = (choose: (matching: readonly Pet[], limit: number, service: Service) => readonly Pet[]) =>
  override(
    'selectPage',
    () =>
      ({ limit, status }: PageRequest, { service }) =>
        choose(service.collection.oldestFirst(status), limit, service),
  );

const capped = (most: number) =>
  override('selectPage', (original) => (page, call) => original({ ...page, limit: Math.min(page.limit, most) }, call));

const oldestFirst = paging((matching, limit) => matching.slice(0, limit));

/** Random animals, none twice. */
function drawn(matching: readonly Pet[], limit: number, service: Service): readonly Pet[] {
  const places = new Set<number>();
  while (places.size < Math.min(limit, matching.length)) places.add(Math.floor(service.random() * matching.length));
  return [...places].flatMap((place) => matching[place] ?? []);
}

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

/** A random int64 that no animal has. */
function randomId(service: Service): bigint {
  const half = () => BigInt(Math.floor(service.random() * 2 ** 32));
  const id = BigInt.asIntN(64, (half() << 32n) | half());
  return service.collection.get(id) === undefined ? id : randomId(service);
}

// biome-ignore format: one table
export const collectionVariants: readonly Variant[] = [
  ...choosing('LIST-12', {
    'oldest-first': ['Lists begin with the oldest animal.', oldestFirst],
    'by-chance': ['Every list is a random selection in random order.', paging(drawn)],
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
    'ids-random': ['Ids are random int64 values.', override('assignId', () => randomId)],
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
