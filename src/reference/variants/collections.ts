import { changing, together, variant } from '../changing.ts';
import { assignInSequence } from '../creation.ts';
import { INT64_MAX } from '../int64.ts';
import type { Pet, PetStatus } from '../pet.ts';
import type { PageRequest, Shop, Steps, Variant } from '../steps.ts';
import { stock, stockedAnimal } from '../stock.ts';

/** Chooses pages out of all animals that match, oldest first. */
const paging = (choose: (matching: readonly Pet[], limit: number, shop: Shop) => readonly Pet[]) =>
  changing(
    'selectPage',
    () =>
      ({ limit, status }: PageRequest, { shop }) =>
        status === 'nothing' ? [] : choose(shop.collection.oldestFirst(status), limit, shop),
  );

const capped = (most: number) =>
  changing('selectPage', (usual) => (page, call) => usual({ ...page, limit: Math.min(page.limit, most) }, call));

const stockedWith = (seedAnimals: number) =>
  changing('stock', () => (shop) => stock({ ...shop, seedAnimals: shop.seedAnimals ?? seedAnimals }));

const oldestFirst = paging((matching, limit) => matching.slice(0, limit));

/** Animals by chance, none twice. */
function drawn(matching: readonly Pet[], limit: number, shop: Shop): readonly Pet[] {
  const places = new Set<number>();
  while (places.size < Math.min(limit, matching.length)) places.add(Math.floor(shop.random() * matching.length));
  return [...places].flatMap((place) => matching[place] ?? []);
}

/** Shows new animals in lists only after a while; getPet knows them at once. */
const listingLate = (milliseconds: number) => (steps: Steps) => {
  const unlisted = new Map<bigint, Pet>();
  return together(
    changing('store', (usual) => (pet, call) => {
      unlisted.set(pet.id, pet);
      void call.shop.pause(milliseconds).then(() => {
        usual(pet, call);
        unlisted.delete(pet.id);
      });
    }),
    changing('findPet', (usual) => (id, call) => unlisted.get(id) ?? usual(id, call)),
  )(steps);
};

/** Ids made from the place in the sequence, 1, 2, 3, …. */
const identified = (make: (place: bigint, shop: Shop) => bigint) =>
  changing('assignId', () => {
    const next = assignInSequence();
    return (shop) => make(next(), shop);
  });

/** An int64 by chance that no animal has. */
function randomId(shop: Shop): bigint {
  const half = () => BigInt(Math.floor(shop.random() * 2 ** 32));
  const id = BigInt.asIntN(64, (half() << 32n) | half());
  return shop.collection.get(id) === undefined ? id : randomId(shop);
}

const OTHERS = 12;
const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Other callers, who add animals, change their status and take them away again. They touch only their own. */
const busy = (milliseconds: number) =>
  changing('stock', (usual) => async (shop) => {
    await usual(shop);
    const others: bigint[] = [];
    let turn = 0;
    shop.every(milliseconds, () => {
      turn += 1;
      const oldest = others[0];
      const known = oldest === undefined ? undefined : shop.collection.get(oldest);
      if (others.length < OTHERS) {
        const id = shop.steps.assignId(shop);
        if (typeof id !== 'bigint') return;
        others.push(id);
        shop.collection.add({ ...stockedAnimal(turn), name: `Other ${turn}`, id });
      } else if (turn % 3 === 0 && oldest !== undefined) {
        others.shift();
        shop.collection.remove(oldest);
      } else if (known !== undefined) {
        others.push(known.id);
        others.shift();
        shop.collection.add({ ...known, status: STATUSES[turn % STATUSES.length] ?? 'available' });
      }
    });
  });

export const collectionVariants: readonly Variant[] = [
  variant('oldest-first', 'LIST-12', 'Lists begin with the oldest animal.', oldestFirst),
  variant('by-chance', 'LIST-12', 'Every list is another choice in another order.', paging(drawn)),
  variant('pages-of-7', 'LIST-12', 'A page never holds more than seven animals.', capped(7)),
  variant('pages-of-1', 'LIST-12', 'A page never holds more than one animal.', capped(1)),
  variant('listed-after-300-ms', 'LIST-13', 'A list shows a new animal after 300 ms.', listingLate(300)),
  variant('listed-after-2-s', 'LIST-13', 'A list shows a new animal after two seconds.', listingLate(2000)),

  variant(
    'ids-random',
    'RES-4',
    'Ids are drawn by chance from all of int64.',
    changing('assignId', () => randomId),
  ),
  variant(
    'ids-negative',
    'RES-4',
    'Ids are negative.',
    identified((place) => -place),
  ),
  variant(
    'ids-descending',
    'RES-4',
    'Ids come down from the largest int64.',
    identified((place) => INT64_MAX - place + 1n),
  ),
  variant(
    'ids-from-zero',
    'RES-4',
    'The first id is 0.',
    identified((place) => place - 1n),
  ),
  variant(
    'ids-beyond-doubles',
    'RES-4',
    'Ids lie one beside the other beyond 2^53.',
    identified((place) => 2n ** 53n + place),
  ),
  variant(
    'ids-like-snowflakes',
    'RES-4',
    'Ids hold the time and a counter.',
    identified((place) => (BigInt(Date.now() - 1_700_000_000_000) << 22n) + (place & 0x3fffffn)),
  ),

  variant('empty-at-start', 'SERV-1', 'The store is empty at first.', stockedWith(0)),
  variant(
    'big-collection',
    'LIST-12',
    'The store holds 100,000 animals, oldest first, so that lists never show a new one.',
    together(stockedWith(100_000), oldestFirst),
  ),
  variant('very-busy', 'SERV-1', 'As `busy`, every millisecond.', busy(1)),
  variant(
    'busy-oldest-first',
    'LIST-12',
    'As `busy`, with the oldest animal first in a collection of 150.',
    together(stockedWith(150), busy(7), oldestFirst),
  ),
];
