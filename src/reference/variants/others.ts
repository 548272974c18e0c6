import { PET_STATUSES } from '../../contract/contract-facts.ts';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import { choosing, combine, override } from '../changes.ts';
import { type NewPet, type Pet, seedAnimal } from '../collection.ts';
import type { Service, Steps, Variant } from '../steps.ts';
import { below, identified, populatedWith } from './builders.ts';

/** An animal of another caller. */
const othersAnimal = (place: number): NewPet => ({ ...seedAnimal(place), name: `Other ${place}` });

/** Adds an animal as another caller does; undefined where ids come too late for that. */
function addAsOther(service: Service, animal: NewPet): bigint | undefined {
  const id = service.steps.assignId(service);
  if (typeof id !== 'bigint') return undefined;
  service.collection.add({ ...animal, id });
  return id;
}

/** What other callers do at an interval, with their own animals: those of the start, and those they add. */
export const others = (milliseconds: number, act: (store: OthersStore) => void) =>
  override('populate', (original) => async (service) => {
    await original(service);
    const ids = service.collection.oldestFirst(undefined).map(({ id }) => id);
    let turn = 0;
    service.every(milliseconds, () => {
      turn += 1;
      act({
        turn,
        ids,
        service,
        add: (place) => {
          const id = addAsOther(service, othersAnimal(place));
          if (id !== undefined) ids.push(id);
        },
        remove: (id) => {
          ids.splice(ids.indexOf(id), 1);
          service.collection.remove(id);
        },
        change: (id, alter) => {
          const pet = service.collection.get(id);
          if (pet !== undefined) service.collection.add({ ...pet, ...alter(pet) });
        },
      });
    });
  });

interface OthersStore {
  /** Counts the times that others have acted, from 1. */
  readonly turn: number;
  /** Their animals, the oldest first. */
  readonly ids: readonly bigint[];
  readonly service: Service;
  add(place: number): void;
  remove(id: bigint): void;
  change(id: bigint, alter: (pet: Pet) => Partial<NewPet>): void;
}

export const statusOf = (turn: number) => PET_STATUSES[turn % PET_STATUSES.length] ?? 'available';

/** Three workers in turn, each of which takes its ids from a block of its own, and a new block when that is used up. */
const inBlocks = (size: bigint) =>
  override('assignId', () => {
    const workers = [0n, 0n, 0n];
    let blocks = 0n;
    let turn = 0;
    return () => {
      turn = (turn + 1) % workers.length;
      let last = workers[turn] ?? 0n;
      if (last % size === 0n) {
        last = blocks * size;
        blocks += 1n;
      }
      workers[turn] = last + 1n;
      return last + 1n;
    };
  });

/** Ids of a sequence in which some are left out at random. */
const withGaps = override('assignId', () => {
  let last = 0n;
  return (service) => {
    last += BigInt(1 + below(1000, service));
    return last;
  };
});

/** Animals that another caller may well have made. */
const ODD_ANIMALS: readonly Pet[] = [
  { id: INT64_MIN, name: '', categoryId: INT64_MAX, status: 'sold' },
  { id: INT64_MAX, name: '\u0000\u0001\u001f\u007f\t\r\n', categoryId: INT64_MIN, status: 'pending' },
  { id: 0n, name: 'null', categoryId: 0n, status: 'available' },
  { id: -1n, name: ' ', categoryId: -1n, status: 'sold' },
  { id: 2n ** 53n + 1n, name: '"\\/{}[],:', categoryId: 2n ** 53n + 1n, status: 'pending' },
  { id: 2n ** 53n, name: '\u2028\u2029\ufeff\u200b\u202e\ufffd\uffff', categoryId: 2n ** 53n, status: 'available' },
  { id: -(2n ** 53n) - 1n, name: '👩‍👩‍👧‍👦 e\u0301 é 𝔘 \u{10ffff}', categoryId: -(2n ** 53n) - 1n, status: 'sold' },
  { id: 4294967296n, name: 'x'.repeat(20_000), categoryId: 4294967296n, status: 'pending' },
  { id: 2147483648n, name: '{"id":1,"name":"a","categoryId":1}', categoryId: 2147483648n },
  { id: 1000000000000n, name: '1e2', categoryId: 1n, extra: { extra: null, list: [1, [2]], id2: 1n } },
];

const oddAnimals = override('populate', (original) => async (service) => {
  await original(service);
  for (const pet of ODD_ANIMALS) service.collection.add(pet);
});

/** The animals of the start, each altered. */
const populatedAs = (count: number, alter: (animal: NewPet, place: number) => NewPet) =>
  override('populate', () => async (service) => {
    for (let place = 0; place < (service.seedAnimals ?? count); place += 1) {
      service.collection.add({ ...alter(seedAnimal(place), place), id: await service.steps.assignId(service) });
    }
  });

/** After each animal of ours, others add some of theirs. */
const followedBy = (count: number) => (steps: Steps) => {
  let place = 0;
  return override('store', (original) => (pet, call) => {
    original(pet, call);
    for (let added = 0; added < count; added += 1) {
      place += 1;
      addAsOther(call.service, othersAnimal(place));
    }
  })(steps);
};

/** Other callers and their animals, and how ids are assigned. */
// biome-ignore format: one table
export const otherCallersVariants: readonly Variant[] = [
  ...choosing('SERV-1', {
    'one-animal-at-start': ['The store holds one animal at first.', populatedWith(1)],
    'same-name-at-start': ['The store holds 40 animals at first, which differ in nothing but the id.',
      populatedAs(40, () => ({ name: 'Bella', categoryId: 1n, status: 'available' }))],
    'odd-animals-at-start': [
      'Some animals of the start have names, categories and ids at every edge of what is allowed.',
      oddAnimals],
    'others-add-every-25-ms': ['Other callers add an animal every 25 ms, and never remove one.',
      others(25, ({ turn, add }) => add(turn))],
    'others-add-and-remove-at-once': ['Other callers add an animal every 10 ms and remove it 10 ms later.',
      others(10, ({ turn, ids, add, remove }) => {
        const newest = ids.at(-1);
        if (turn % 2 === 0 && newest !== undefined) remove(newest);
        else add(turn);
      })],
    'others-in-bursts': ['Other callers add 30 animals at a moment and remove them 200 ms later, again and again.',
      others(200, ({ turn, ids, add, remove }) => {
        if (turn % 2 === 1) for (let place = 0; place < 30; place += 1) add(place);
        else for (const id of ids.slice(-30)) remove(id);
      })],
    'others-remove-at-random': ['Other callers add, change and remove animals of theirs at random, every 4 ms.',
      others(4, ({ turn, ids, service, add, remove, change }) => {
        const id = ids[below(Math.max(ids.length, 1), service)];
        if (id === undefined || below(3, service) === 0) add(turn);
        else if (ids.length > 30 || below(2, service) === 0) remove(id);
        else change(id, () => othersAnimal(turn));
      })],
  }),
  ...choosing('LIST-4', {
    'twenty-animals-at-start': ['The store holds 20 animals at first.', populatedWith(20)],
    'others-come-and-go-with-every-list': [
      'The store is empty at first; before every list another caller adds an animal, and before every fourth it removes all of its own.',
      combine(populatedWith(0), (steps) => {
        const guests: bigint[] = [];
        let lists = 0;
        return override('listPets', (original) => (call) => {
          lists += 1;
          if (lists % 4 === 0) for (const id of guests.splice(0)) call.service.collection.remove(id);
          else guests.push(...[addAsOther(call.service, othersAnimal(lists))].filter((id) => id !== undefined));
          return original(call);
        })(steps);
      })],
  }),
  ...choosing('LIST-12', {
    '101-animals-at-start': ['The store holds 101 animals at first.', populatedWith(101)],
    '150-animals-at-start': ['The store holds 150 animals at first.', populatedWith(150)],
    '3000-animals-at-start': ['The store holds 3,000 animals at first.', populatedWith(3000)],
    'others-leave': ['Other callers remove one of their 150 animals every 20 ms, until none is left.',
      combine(
        populatedWith(150),
        others(20, ({ ids, remove }) => {
          const id = ids[Math.floor(ids.length / 2)];
          if (id !== undefined) remove(id);
        }),
      )],
    'others-follow-in-numbers': [
      'Right after each animal that is added, other callers add five, so that a new one soon leaves the first pages.',
      followedBy(5)],
  }),
  ...choosing('LIST-6', {
    'only-sold-at-start': ['The store holds 120 animals at first, all of them sold.',
      populatedAs(120, (animal) => ({ ...animal, status: 'sold' }))],
    'others-change-status': ['Other callers change the status of one of their 60 animals every 3 ms.',
      combine(
        populatedWith(60),
        others(3, ({ turn, ids, change }) => {
          const id = ids[turn % ids.length];
          if (id !== undefined) change(id, () => ({ status: statusOf(Math.floor(turn / ids.length) + turn) }));
        }),
      )],
  }),
  ...choosing('STATE-2', {
    'no-status-at-start': ['The store holds 30 animals at first, and two of three have no status.',
      populatedAs(30, ({ status, ...animal }, place) =>
        place % 3 === 0 && status !== undefined ? { ...animal, status } : animal)],
  }),
  ...choosing('RES-9', {
    'others-rename': ['Other callers give one of their animals another name and category every 5 ms.',
      others(5, ({ turn, ids, change }) => {
        const id = ids[turn % ids.length];
        if (id !== undefined) change(id, () => ({ name: `Other ${turn}`, categoryId: BigInt(turn) }));
      })],
  }),
  ...choosing('LIST-7', {
    'others-come-and-go-in-an-empty-store': [
      'The store is empty at first; other callers add four animals and remove them again, one every 50 ms.',
      combine(
        populatedWith(0),
        others(50, ({ turn, ids, add, remove }) => {
          const oldest = ids[0];
          if (turn % 8 < 4) add(turn);
          else if (oldest !== undefined) remove(oldest);
        }),
      )],
  }),
  ...choosing('RES-5', {
    'others-follow-at-once': ['Right after each animal that is added, another caller adds one, which gets the next id.',
      followedBy(1)],
  }),
  ...choosing('GET-2', {
    'ids-asked-for-are-given-next': [
      'Ids are scattered, and one that was requested before anyone had it is given to an animal of another caller.',
      combine(
        // Not linear: a multiple of an id must be the id of no later animal.
        identified((place) => BigInt.asIntN(64, (place * 0x9e3779b97f4a7c15n) ^ 0x2545f4914f6cdd1dn)),
        override('findPet', (original) => (id, call) => {
          const found = original(id, call);
          const { collection } = call.service;
          if (found === undefined && collection.get(id) === undefined) collection.add({ ...othersAnimal(7), id });
          return found;
        }),
      )],
  }),
  ...choosing('RES-4', {
    'ids-in-blocks': ['Three workers in turn take ids from blocks of 50.', inBlocks(50n)],
    'ids-by-tens': ['Ids are 7, 17, 27, …', identified((place) => 10n * place - 3n)],
    'ids-with-gaps': ['Ids ascend with gaps of up to a thousand.', withGaps],
    'ids-from-int64-min': ['Ids count up from the smallest int64.', identified((place) => INT64_MIN + place - 1n)],
    'ids-scattered': ['Ids are scattered over all int64 values.',
      identified((place) => BigInt.asIntN(64, place * 0x9e3779b97f4a7c15n))],
    'ids-positive-and-negative': ['Ids are 1, -1, 2, -2, …',
      identified((place) => (place % 2n === 0n ? -place / 2n : (place + 1n) / 2n))],
    'ids-across-2-31': ['Ids begin shortly before 2^31 and go beyond it.',
      identified((place) => 2n ** 31n - 20n + place)],
    'ids-across-2-53': ['Ids begin shortly before 2^53 and go beyond it.',
      identified((place) => 2n ** 53n - 20n + place)],
  }),
];
