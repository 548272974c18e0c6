import { LIMIT, type PetStatus } from '../../petstore/contract-facts.ts';
import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  everyNth,
  fault,
  onEveryNth,
  override,
  responsesOf,
  type StepsChange,
} from '../changes.ts';
import { isPetStatus, type Pet, seedAnimal } from '../collection.ts';
import { invalidParameter } from '../errors.ts';
import type { ApiResponse, Call, Fault, PageRequest, Service } from '../steps.ts';
import {
  answeringLists,
  changingEveryNth,
  EVERYTHING,
  has,
  hasLimit,
  hasStatus,
  leavingOutAdded,
  listed,
  listingOnly,
  onLimit,
  readingLimit,
  showing,
  startingWith,
  type When,
  withLimit,
} from './builders.ts';

/** How many animals there are with a status, or at all. */
const sizeOf = ({ collection }: Service, status?: string): number => collection.oldestFirst(status).length;

/** Describes the animals of lists wrongly; getPet describes them well. */
const describingInLists = (alter: (pet: Pet, call: Call) => Pet) =>
  override(
    'describePet',
    (original) => (pet, call) => original(call.operation === 'listPets' ? alter(pet, call) : pet, call),
  );

/** Makes a change that can tell the animals which were there at the start. */
const knowingOthers =
  (make: (isOther: (pet: Pet) => boolean) => StepsChange): StepsChange =>
  (steps) => {
    const others = new Set<bigint>();
    return combine(
      override('populate', (original) => async (service) => {
        await original(service);
        for (const { id } of service.collection.oldestFirst(undefined)) others.add(id);
      }),
      make(({ id }) => others.has(id)),
    )(steps);
  };

/** Finds another animal, or none, in the place of one that was there at the start. */
const findingOthers = (find: (pet: Pet, call: Call) => Pet | undefined) =>
  knowingOthers((isOther) =>
    override('findPet', (original) => (id, call) => {
      const pet = original(id, call);
      return pet !== undefined && isOther(pet) ? find(pet, call) : pet;
    }),
  );

/** Replaces the animal at one place of a page, counted from 0. */
const atPlace = (place: number, alter: (pet: Pet, before: Pet) => Pet) => (pets: readonly Pet[]) =>
  pets.map((pet, at) => (at === place ? alter(pet, pets[at - 1] ?? pet) : pet));

/** Starts with animals of one status only. */
const startingWithOnly = (status: PetStatus) =>
  override('populate', () => async (service) => {
    for (let place = 0; place < 4; place += 1) {
      service.collection.add({ ...seedAnimal(place), status, id: await service.steps.assignId(service) });
    }
  });

/** Keeps the pages that were empty once, by a key; those without one are not kept. */
const keepingEmpty =
  (keyOf: (page: PageRequest) => string | undefined): StepsChange =>
  (steps) => {
    const empty = new Set<string>();
    return showing((pets, page) => {
      const key = keyOf(page);
      if (key === undefined) return pets;
      if (pets.length === 0) empty.add(key);
      return empty.has(key) ? [] : pets;
    })(steps);
  };

/** Keeps the lists that `keyOf` gives the same key, each for so many milliseconds and until `isStale`. */
const keeping =
  (
    milliseconds: number,
    keyOf: (call: Call) => string | undefined,
    isStale: (pet: Pet) => boolean = () => false,
  ): StepsChange =>
  (steps) => {
    const kept = new Map<string, { readonly response: ApiResponse; readonly until: number }>();
    return combine(
      override('listPets', (original) => async (call) => {
        const key = keyOf(call);
        if (key === undefined) return original(call);
        const found = kept.get(key);
        if (found !== undefined && performance.now() < found.until) return found.response;
        const response = await original(call);
        kept.set(key, { response, until: performance.now() + milliseconds });
        return response;
      }),
      override('store', (original) => (pet, call) => {
        original(pet, call);
        if (isStale(pet)) kept.clear();
      }),
    )(steps);
  };

const urlOf = ({ incoming }: Call): string => incoming.url ?? '';
const TEN_MINUTES = 600_000;

/** Applies another limit where none is given. */
const withDefault = (choose: (call: Call) => number | undefined) =>
  readingLimit((text, call) => (text === null ? choose(call) : undefined));

/** Takes long enough for lists that are asked for at once to overlap. */
const slowly = override('listPets', (original) => async (call) => {
  await call.service.pause(2);
  return original(call);
});

/** Lists one animal twice, in the place of the last one where the page is full. */
const repeating = (pets: readonly Pet[], place: number, limit: number): readonly Pet[] => {
  const pet = pets[place];
  if (pet === undefined || limit < 2) return pets;
  return [...pets.slice(0, place), pet, ...pets.slice(place)].slice(0, limit);
};

/** Changes every `count`-th page. */
const onEveryNthPage = (
  count: number,
  alter: (pets: readonly Pet[], limit: number, call: Call) => readonly Pet[],
  when: When = () => true,
) =>
  onEveryNth(count, (isDue) =>
    showing((pets, { limit }, call) => (when(call) && isDue() ? alter(pets, limit, call) : pets)),
  );

/** Part 4.1: what the pages of listPets hold. */
export const listPageFaults: readonly Fault[] = [
  // Animals that a page with room leaves out
  fault(
    'every-12th-added-not-listed',
    'SERV-1',
    'Every 12th animal that is added is in no list, though getPet finds it.',
    leavingOutAdded(() => everyNth(12)),
  ),
  fault(
    'omitted-status-in-no-filtered-list',
    'SERV-1',
    'An animal that was added without a status is shown as available, but `status=available` leaves it out.',
    (steps) => {
      const omitted = new WeakSet<object>();
      const left = new Set<bigint>();
      return combine(
        override('validateNewPet', (original) => (body, call) => {
          if (!has(body, 'status')) omitted.add(call.incoming);
          return original(body, call);
        }),
        override('store', (original) => (pet, call) => {
          if (omitted.has(call.incoming)) left.add(pet.id);
          original(pet, call);
        }),
        listingOnly(({ id }, call) => !hasStatus(call) || !left.has(id)),
      )(steps);
    },
  ),
  fault(
    'negative-category-not-listed',
    'SERV-1',
    'An animal with a negative `categoryId` is in no list.',
    listingOnly(({ categoryId }) => categoryId >= 0n),
  ),
  fault(
    'name-above-255-not-listed',
    'SERV-1',
    'An animal with a name of more than 255 characters is in no list.',
    listingOnly(({ name }) => name.length <= 255),
  ),
  fault(
    'names-like-those-of-tests-not-listed',
    'SERV-1',
    'Animals whose names begin with "test", in any letter case, are taken for test data and are in no list.',
    listingOnly(({ name }) => !/^test/i.test(name)),
  ),
  fault(
    'equal-animals-listed-once',
    'SERV-1',
    'Of several animals with the same name, category and status, a list shows only the newest, as if by `DISTINCT`.',
    override('selectPage', () => ({ limit, status }, { service }) => {
      const seen = new Map<string, Pet>();
      for (const pet of service.collection.newest(EVERYTHING, status)) {
        const key = JSON.stringify([pet.name, pet.categoryId.toString(), pet.status]);
        if (!seen.has(key)) seen.set(key, pet);
      }
      return [...seen.values()].slice(0, limit);
    }),
  ),
  fault(
    'names-that-differ-by-case-listed-once',
    'SERV-1',
    'Of animals whose names differ by letter case only, a list shows only the newest.',
    override('selectPage', () => ({ limit, status }, { service }) => {
      const names = new Map<string, string>();
      const shown = service.collection.newest(EVERYTHING, status).filter(({ name }) => {
        const key = name.toLowerCase();
        if (!names.has(key)) names.set(key, name);
        return names.get(key) === name;
      });
      return shown.slice(0, limit);
    }),
  ),
  fault(
    'list-as-the-connection-first-saw-it',
    'SERV-1',
    'On each connection, lists hold only the animals that were there at the first list on it.',
    (steps) => {
      const seen = new WeakMap<object, ReadonlySet<bigint>>();
      return listingOnly(({ id }, { incoming, service }) => {
        const first =
          seen.get(incoming.socket) ?? new Set(service.collection.oldestFirst(undefined).map((pet) => pet.id));
        seen.set(incoming.socket, first);
        return first.has(id);
      })(steps);
    },
  ),

  // Pages that are kept too long, or for other requests too
  fault(
    'page-kept-by-its-url',
    'SERV-1',
    'A page is kept for ten minutes by the letters of its URL, so that only a URL never used before shows new animals.',
    keeping(TEN_MINUTES, urlOf),
  ),
  fault(
    'empty-page-kept',
    'LIST-7',
    'A page that was empty once stays empty for ten minutes; the store starts without sold animals.',
    combine(
      startingWithOnly('available'),
      keepingEmpty(({ status = '' }) => status),
    ),
  ),
  fault(
    'newest-left-out-of-some-pages',
    'SERV-1',
    'A page with a `limit` from 30 to 99 leaves out the newest animal, until another is added.',
    showing((pets, { limit }, { service }) => {
      const [newest] = service.collection.newest(1);
      return limit < 30 || limit > 99 ? pets : pets.filter((pet) => pet !== newest);
    }),
  ),
  fault(
    'last-of-just-so-many-left-out',
    'LIST-7',
    'Where just as many animals match as `limit` says, the page lacks the last one: it is empty where that is one.',
    showing((pets, { limit, status }, { service }) =>
      service.collection.oldestFirst(status).length === limit ? pets.slice(0, -1) : pets,
    ),
  ),
  fault(
    'older-animals-in-no-index',
    'LIST-7',
    'The index of statuses was added late: animals from before the start are in no filtered page.',
    combine(
      startingWith(6),
      listingOnly(({ id }, { query }) => id > 6n || !query.has('status')),
    ),
  ),
  fault(
    'empty-page-of-clients-kept',
    'LIST-7',
    'A page with a `limit` other than 1, 20 and 100 that was empty once stays empty for ten minutes; the store starts without sold animals.',
    combine(
      startingWithOnly('available'),
      keepingEmpty(({ limit, status = '' }) => ([1, 20, 100].includes(limit) ? undefined : `${limit} ${status}`)),
    ),
  ),
  fault(
    'page-kept-without-its-filter',
    'LIST-6',
    'Without `limit`, a page is kept for a second whatever its filter, so another filter gets it too.',
    keeping(1000, (call) => (hasLimit(call) ? undefined : 'default')),
  ),
  fault(
    'page-kept-without-its-limit',
    'LIST-9',
    'A page of `limit` and `status` is kept for a second by its status alone, so a smaller `limit` gets it too.',
    keeping(1000, (call) => (hasLimit(call) ? (call.query.get('status') ?? undefined) : undefined)),
  ),
  fault(
    'refusal-kept-in-any-letter-case',
    'LIST-6',
    'After `status=SOLD` was refused, `status=sold` is refused for five seconds, and so with every status.',
    (steps) => {
      const refused = new Map<string, number>();
      return override('readStatusFilter', (original) => (call) => {
        const text = call.query.get('status') ?? '';
        const until = refused.get(text.toLowerCase()) ?? 0;
        if (!isPetStatus(text)) refused.set(text.toLowerCase(), performance.now() + 5000);
        else if (performance.now() < until) throw invalidParameter('The status is not known.');
        return original(call);
      })(steps);
    },
  ),

  // Animals that are listed twice
  fault(
    'short-page-begins-twice',
    'LIST-8',
    'A page of at most ten animals that is full begins with the same animal twice.',
    showing((pets, { limit }) => (limit <= 10 && pets.length === limit ? repeating(pets, 0, limit) : pets)),
  ),
  fault(
    'equal-animals-listed-crosswise',
    'LIST-8',
    'An animal is listed once for every animal with its name and category, as a join without the id does.',
    override('selectPage', () => ({ limit, status }, { service }) => {
      const matching = service.collection.newest(EVERYTHING, status);
      const keyOf = ({ name, categoryId }: Pet) => `${categoryId} ${name}`;
      const counts = new Map<string, number>();
      for (const pet of matching) counts.set(keyOf(pet), (counts.get(keyOf(pet)) ?? 0) + 1);
      return matching.flatMap((pet) => Array.from({ length: counts.get(keyOf(pet)) ?? 1 }, () => pet)).slice(0, limit);
    }),
  ),
  fault(
    'page-of-blocks-repeats-at-the-border',
    'LIST-8',
    'A page is put together in blocks of 25, and each block begins with the last animal of the one before.',
    showing((pets, { limit }) =>
      pets
        .flatMap((pet, place) => (place > 0 && place % 25 === 0 ? [pets[place - 1] ?? pet, pet] : [pet]))
        .slice(0, limit),
    ),
  ),
  fault(
    'only-match-listed-twice',
    'LIST-8',
    'When only one animal matches, it is listed twice.',
    showing((pets, { limit, status }, { service }) =>
      sizeOf(service, status) === 1 ? repeating(pets, 0, limit) : pets,
    ),
  ),
  fault(
    'new-animal-listed-twice-for-a-second',
    'LIST-8',
    'For a second after it was added, an animal is listed twice.',
    (steps) => {
      const since = new Map<bigint, number>();
      return combine(
        override('store', (original) => (pet, call) => {
          since.set(pet.id, performance.now());
          original(pet, call);
        }),
        showing((pets, { limit }) =>
          pets
            .flatMap((pet) =>
              performance.now() - (since.get(pet.id) ?? Number.NEGATIVE_INFINITY) < 1000 ? [pet, pet] : [pet],
            )
            .slice(0, limit),
        ),
      )(steps);
    },
  ),

  // How many animals match
  fault(
    'one-more-than-the-limit-shown-whole',
    'LIST-2',
    'When just one animal more matches than `limit` says, the page holds it too.',
    withLimit((limit, call) => {
      const status = call.query.get('status') ?? undefined;
      return hasLimit(call) && limit > 1 && sizeOf(call.service, status) === limit + 1 ? limit + 1 : limit;
    }),
  ),
  fault(
    'limit-100-with-status-means-everything',
    'LIM-2',
    'With a status, `limit=100` gives all that match; the store starts with more than 100 of each.',
    combine(
      startingWith(330),
      withLimit((limit, call) => (limit === 100 && hasStatus(call) ? EVERYTHING : limit)),
    ),
  ),
  fault(
    'empty-list-is-null',
    'LIST-1',
    'A list that holds no animal is `null`; the store starts empty.',
    combine(
      startingWith(0),
      changeText(listed, (text) => (text === '[]' ? 'null' : text)),
    ),
  ),
  fault(
    'empty-collection-answered-404',
    'LIST-1',
    'While there is no animal at all, the list is answered with 404; the store starts empty.',
    combine(
      startingWith(0),
      answeringLists(({ service }) => sizeOf(service) === 0, errorResponse(404)),
    ),
  ),
  fault(
    'filter-without-a-match-not-applied',
    'LIST-6',
    'A filter that no animal matches gives everything; the store starts without pending animals.',
    combine(
      startingWithOnly('sold'),
      showing((pets, { limit, status }, { service }) =>
        pets.length === 0 && isPetStatus(status) ? service.collection.newest(limit) : pets,
      ),
    ),
  ),
  fault(
    'empty-collection-makes-500',
    'SERV-4',
    'A `limit` makes the service fail while there is no animal at all; the store starts empty.',
    combine(
      startingWith(0),
      answeringLists((call) => hasLimit(call) && sizeOf(call.service) === 0, errorResponse(500)),
    ),
  ),
  fault(
    'part-of-the-collection-answered-206',
    'LIST-1',
    'A page that does not hold all animals that match is answered with 206.',
    changeResponse(
      (response, call) => {
        if (!responsesOf('listPets', 200)(response, call)) return false;
        const { steps } = call.service;
        return sizeOf(call.service, steps.readStatusFilter(call)) > steps.readLimit(call);
      },
      (response) => ({ ...response, status: 206 }),
    ),
  ),
  fault(
    'list-above-8-kib-answered-502',
    'SERV-4',
    'A list of more than 8 KiB is answered with 502.',
    changeResponse(
      (response, call) => listed(response, call) && Buffer.byteLength(response.body) > 8192,
      () => errorResponse(502),
    ),
  ),

  // Wrong members in one place of a page
  fault(
    'last-of-a-full-page-with-category-before',
    'RES-9',
    'The last animal of a page with as many as `limit` says has the category of the one before it.',
    showing((pets, { limit }) =>
      pets.length < limit
        ? pets
        : atPlace(limit - 1, (pet, before) => ({ ...pet, categoryId: before.categoryId }))(pets),
    ),
  ),
  fault(
    'second-place-with-status-of-the-first',
    'RES-9',
    'Without a filter, the second animal of a list has the status of the first.',
    showing((pets, page) => {
      const { status } = pets[0] ?? {};
      if (page.status !== undefined || status === undefined) return pets;
      return atPlace(1, (pet) => ({ ...pet, status }))(pets);
    }),
  ),
  fault(
    'names-shifted-from-place-51',
    'RES-9',
    'From the 51st place of a page on, an animal has the name of the one before it.',
    showing((pets) => pets.map((pet, at) => (at < 50 ? pet : { ...pet, name: pets[at - 1]?.name ?? pet.name }))),
  ),
  fault(
    'limit-1-with-another-category',
    'RES-9',
    'With `limit=1`, the `categoryId` of the animal is 0.',
    describingInLists((pet, call) => (onLimit(/^1$/)(call) ? { ...pet, categoryId: 0n } : pet)),
  ),

  // Animals of others
  fault(
    'page-of-20-shows-no-category-of-others',
    'RES-9',
    'With `limit=20`, an animal that was there at the start is shown with the `categoryId` 0.',
    knowingOthers((isOther) =>
      describingInLists((pet, call) =>
        isOther(pet) && call.query.get('limit') === '20' ? { ...pet, categoryId: 0n } : pet,
      ),
    ),
  ),
  fault(
    'others-listed-in-another-category',
    'RES-9',
    'Animals that were there at the start are listed in category 1; getPet shows the category that they have.',
    knowingOthers((isOther) => describingInLists((pet) => (isOther(pet) ? { ...pet, categoryId: 1n } : pet))),
  ),
  fault(
    'others-unlisted-once-one-was-added',
    'SERV-1',
    'Once an animal was added, animals that were there at the start are in no list, though getPet finds them.',
    knowingOthers((isOther) =>
      listingOnly((pet, { service }) => !isOther(pet) || service.collection.oldestFirst(undefined).every(isOther)),
    ),
  ),
  fault(
    'filtered-lists-without-the-oldest-of-others',
    'SERV-1',
    'Lists with a filter leave out the oldest animal that was there at the start; lists without one show it.',
    knowingOthers((isOther) =>
      listingOnly((pet, { service, query }) => {
        const oldest = service.collection.oldestFirst(undefined).find(isOther);
        return !query.has('status') || pet.id !== oldest?.id;
      }),
    ),
  ),
  fault(
    'empty-page-null-beside-others',
    'LIST-1',
    'A page that shows nothing is `null` where there are animals that do not match; the store starts empty.',
    combine(
      startingWith(0),
      changeText(
        (response, call) => listed(response, call) && sizeOf(call.service) > 0,
        (text) => (text === '[]' ? 'null' : text),
      ),
    ),
  ),
  fault(
    'others-pending-fetched-as-available',
    'RES-9',
    'Pending animals that were there at the start are listed as pending, but getPet shows them as available.',
    knowingOthers((isOther) =>
      override(
        'describePet',
        (original) => (pet, call) =>
          original(
            call.operation === 'getPet' && isOther(pet) && pet.status === 'pending'
              ? { ...pet, status: 'available' }
              : pet,
            call,
          ),
      ),
    ),
  ),
  fault(
    'others-sold-listed-but-not-found',
    'GET-1',
    'Sold animals that were there at the start are listed, but getPet answers 404 for them.',
    findingOthers((pet) => (pet.status === 'sold' ? undefined : pet)),
  ),
  fault(
    'one-in-6-fetches-of-others-answered-404',
    'GET-1',
    'Of six fetches of animals that were there at the start, one is answered 404; the next finds the animal again.',
    onEveryNth(6, (isDue) => findingOthers((pet) => (isDue() ? undefined : pet))),
  ),
  fault(
    'others-lost-to-getpet-after-many-additions',
    'GET-1',
    'Animals that were there at the start fall out of the store of getPet once 180 are known; the list shows them.',
    findingOthers((pet, { service }) => (sizeOf(service) > 180 ? undefined : pet)),
  ),
  fault(
    'others-fetched-as-available-after-many-additions',
    'RES-9',
    'Once 100 animals are known, getPet shows those that were there at the start as available.',
    findingOthers((pet, { service }) => (sizeOf(service) > 100 ? { ...pet, status: 'available' } : pet)),
  ),
  fault(
    'removed-animal-still-listed',
    'GET-1',
    'A list that has room ends with an animal that was removed before the start, which getPet does not find.',
    (steps) => {
      let removed: Pet | undefined;
      return combine(
        override('populate', (original) => async (service) => {
          removed = { ...seedAnimal(3), status: 'pending', id: await service.steps.assignId(service) };
          await original(service);
        }),
        showing((pets, { limit, status }) =>
          removed === undefined || pets.length >= limit || (status ?? 'pending') !== 'pending'
            ? pets
            : [...pets, removed],
        ),
      )(steps);
    },
  ),

  // What comes late, or by count
  fault(
    'default-limit-30-beyond-60-animals',
    'LIST-3',
    'Without `limit`, a page holds 30 animals once there are more than 60.',
    withDefault(({ service }) => (sizeOf(service) > 60 ? 30 : undefined)),
  ),
  fault(
    'limit-plus-one-beyond-120-animals',
    'LIST-2',
    'Once there are more than 120 animals, a page holds one more than a `limit` below 100 says.',
    withLimit((limit, call) => (hasLimit(call) && limit < 100 && sizeOf(call.service) > 120 ? limit + 1 : limit)),
  ),
  fault(
    'filter-of-pending-lost-after-150-lists',
    'LIST-6',
    'From the 151st list on, `status=pending` does not filter.',
    (steps) => {
      let lists = 0;
      return override('selectPage', (original) => (page, call) => {
        lists += 1;
        return original(lists > 150 && page.status === 'pending' ? { ...page, status: undefined } : page, call);
      })(steps);
    },
  ),
  fault(
    'newest-leads-every-page-beyond-40-animals',
    'LIST-6',
    'Once there are more than 40 animals, the newest leads every page, whatever its status.',
    showing((pets, { status }, { service }) => {
      const [newest] = service.collection.newest(1);
      if (status === undefined || newest === undefined || sizeOf(service) <= 40 || pets.length === 0) return pets;
      return newest.status === status ? pets : [newest, ...pets.slice(1)];
    }),
  ),
  fault(
    'sold-empty-once-after-a-sold-one',
    'LIST-7',
    'The first list of `status=sold` after a sold animal was added is empty.',
    (steps) => {
      let isDue = false;
      return combine(
        override('store', (original) => (pet, call) => {
          isDue ||= pet.status === 'sold';
          original(pet, call);
        }),
        showing((pets, { status }) => {
          if (!isDue || status !== 'sold') return pets;
          isDue = false;
          return [];
        }),
      )(steps);
    },
  ),
  fault(
    'list-after-a-refused-body-makes-500',
    'SERV-4',
    'The first list on the same connection after a refused body makes the service fail, as in an aborted transaction.',
    (steps) => {
      const aborted = new WeakSet<object>();
      return combine(
        override('createPet', (original) => async (call) => {
          aborted.add(call.incoming.socket);
          const response = await original(call);
          aborted.delete(call.incoming.socket);
          return response;
        }),
        answeringLists(({ incoming }) => aborted.delete(incoming.socket), errorResponse(500)),
      )(steps);
    },
  ),
  fault(
    'limit-stays-with-the-connection',
    'LIST-3',
    'Without `limit`, the last one above 20 that came on the same connection still holds.',
    (steps) => {
      const last = new WeakMap<object, number>();
      return override('readLimit', (original) => (call) => {
        const { socket } = call.incoming;
        const limit = original(call);
        if (!hasLimit(call)) return last.get(socket) ?? limit;
        if (limit > LIMIT.default) last.set(socket, limit);
        return limit;
      })(steps);
    },
  ),

  // Where few animals match, or just one more
  fault(
    'default-page-lacks-one-where-few-match',
    'LIST-4',
    'Without `limit`, a page that is not full lacks its last animal: the row that tells whether more follow is always cut.',
    showing((pets, _, call) =>
      hasLimit(call) || pets.length < 2 || pets.length >= LIMIT.default ? pets : pets.slice(0, -1),
    ),
  ),
  fault(
    'limit-of-just-as-many-gives-nothing',
    'LIST-7',
    'Without `status`, a `limit` of just as many animals as there are gives an empty page, where there are at most 20.',
    showing((pets, { limit, status }, { service }) =>
      status === undefined && limit === sizeOf(service) && limit <= LIMIT.default ? [] : pets,
    ),
  ),
  fault(
    'one-too-many-where-just-one-more-matches',
    'LIST-9',
    'With a `status` and a `limit` of 30 or more, a page holds one animal too many where just one more matches.',
    override('selectPage', (original) => ({ limit, status }, call) => {
      const isOneMore = status !== undefined && limit >= 30 && sizeOf(call.service, status) === limit + 1;
      return original({ limit: isOneMore ? limit + 1 : limit, status }, call);
    }),
  ),
  fault(
    'status-given-twice-lists-twice',
    'LIST-8',
    'Of a status that is given twice, every animal is listed twice where there is room.',
    override('listPets', (original) => (call) => {
      const [status, again] = call.query.getAll('status');
      if (status === undefined || status !== again || !isPetStatus(status)) return original(call);
      const limit = call.service.steps.readLimit(call);
      const pets = call.service.collection.newest(limit, status);
      const shown = [...pets, ...pets].slice(0, limit).map((pet) => call.service.steps.describePet(pet, call));
      return call.service.steps.respond(200, shown, {}, call);
    }),
  ),
  fault(
    'first-animal-beyond-48-kib-empties-the-page',
    'LIST-7',
    'A page ends before the animal that takes it beyond 48 KiB, and so is empty where that is its first.',
    showing((pets) => {
      let bytes = 0;
      const end = pets.findIndex(({ name }) => {
        bytes += Buffer.byteLength(name);
        return bytes > 49_152;
      });
      return end < 0 ? pets : pets.slice(0, end);
    }),
  ),
  fault(
    'page-that-is-just-full-loses-its-last',
    'SERV-1',
    'Where just as many animals match as `limit` says, the page lacks its last: it is taken for the one beyond the page.',
    showing((pets, { limit, status }, { service }) =>
      limit > 1 && sizeOf(service, status) === limit ? pets.slice(0, -1) : pets,
    ),
  ),
  fault(
    'first-animal-of-all-never-listed',
    'SERV-1',
    'No list shows the animal that was there first: its cursor begins behind it. getPet finds it.',
    knowingOthers((isOther) =>
      listingOnly((pet, { service }) => !isOther(pet) || service.collection.oldestFirst(undefined)[0] !== pet),
    ),
  ),
  fault(
    'old-animals-listed-by-status-alone',
    'SERV-1',
    'A list without `status` leaves out an animal that was there at the start; filtered lists show it.',
    knowingOthers((isOther) =>
      showing((pets, { status }, { service }) => {
        const left = service.collection.oldestFirst(undefined).find(isOther);
        return status === undefined ? pets.filter((pet) => pet !== left) : pets;
      }),
    ),
  ),
  fault(
    'filter-shows-what-others-once-were',
    'RES-9',
    'Where there is room, `status=pending` shows an animal that was there at the start as pending, which it is no more.',
    knowingOthers((isOther) =>
      showing((pets, { limit, status }, { service }) => {
        if (status !== 'pending' || pets.length >= limit) return pets;
        const stale = service.collection.oldestFirst('available').find(isOther);
        return stale === undefined ? pets : [...pets, { ...stale, status }];
      }),
    ),
  ),

  // Several lists at once
  fault(
    'lists-at-once-share-a-filter',
    'LIST-6',
    'Of lists asked for at once, all get the filter of the last.',
    (steps) => {
      let shared: string | undefined;
      return combine(
        override('selectPage', (original) => (page, call) => original({ ...page, status: shared }, call)),
        slowly,
        override('listPets', (original) => (call) => {
          shared = call.service.steps.readStatusFilter(call);
          return original(call);
        }),
      )(steps);
    },
  ),
  fault(
    'lists-at-once-share-a-limit',
    'LIST-2',
    'Of lists asked for at once, all get the `limit` of the last.',
    (steps) => {
      let shared = LIMIT.default;
      return combine(
        override(
          'selectPage',
          (original) => (page, call) => original(hasLimit(call) ? { ...page, limit: shared } : page, call),
        ),
        slowly,
        override('listPets', (original) => (call) => {
          if (hasLimit(call)) shared = call.service.steps.readLimit(call);
          return original(call);
        }),
      )(steps);
    },
  ),

  // Now and then
  fault(
    'one-in-50-limits-exceeded',
    'LIST-2',
    'One list in 50 that has a `limit` holds one animal more.',
    onEveryNth(50, (isDue) =>
      withLimit((limit, call) => (hasLimit(call) && limit < 100 && isDue() ? limit + 1 : limit)),
    ),
  ),
  fault(
    'one-in-100-pages-repeats-an-animal',
    'LIST-8',
    'One page in 100 holds its second animal twice.',
    onEveryNthPage(
      100,
      (pets, limit) => repeating(pets, Math.min(1, pets.length - 1), limit),
      ({ query }) => query.get('limit') !== '1',
    ),
  ),
  fault(
    'one-in-100-filtered-pages-holds-a-stranger',
    'LIST-9',
    'On one filtered page in 100, the last animal has another status.',
    onEveryNthPage(
      100,
      (pets, _, { service, query }) => {
        const stray = service.collection.newest(EVERYTHING).find((pet) => pet.status !== query.get('status'));
        return stray === undefined ? pets : [...pets.slice(0, -1), stray];
      },
      ({ query }) => query.getAll('status').length === 1 && isPetStatus(query.get('status')),
    ),
  ),
  fault(
    'one-in-100-pages-with-a-wrong-category',
    'RES-9',
    'On one page in 100, the first animal has a `categoryId` that is one too high.',
    onEveryNthPage(100, (pets) =>
      atPlace(0, (pet) => ({ ...pet, categoryId: BigInt.asIntN(64, pet.categoryId + 1n) }))(pets),
    ),
  ),
  fault(
    'one-in-100-lists-empty',
    'LIST-7',
    'One list in 100 is empty.',
    changingEveryNth(100, listed, (response) => ({ ...response, body: '[]' })),
  ),
  fault(
    'one-in-100-limits-refused',
    'LIST-5',
    'One list in 100 with a valid `limit` is refused.',
    changingEveryNth(
      100,
      (response, call) => listed(response, call) && hasLimit(call),
      () => errorResponse(400),
    ),
  ),
];
