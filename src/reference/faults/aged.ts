import { breakingLater, combine, errorResponse, override, type StepsChange } from '../changes.ts';
import { Collection, type Pet } from '../collection.ts';
import type { ApiResponse, Fault, PageRequest, Service } from '../steps.ts';
import { on, type When } from './conditions.ts';
import { listingOnly, onceAged, onStored, whereStatusOmitted } from './effects.ts';

/** Changes some added animals, or removes them, so long (ms) after their 201. */
const later = (milliseconds: number, act: (pet: Pet, service: Service) => void) =>
  onStored((pet, { service }) => {
    void service.pause(milliseconds).then(() => act(pet, service));
  });

/** Does something once, so long (ms) after the first animal was added. */
const onceAfter =
  (milliseconds: number, act: (service: Service, added: readonly Pet[]) => void): StepsChange =>
  (steps) => {
    const added: Pet[] = [];
    return onStored((pet, { service }) => {
      if (added.push(pet) === 1) void service.pause(milliseconds).then(() => act(service, added));
    })(steps);
  };

/** Answers the first request otherwise after so long (ms) without any. */
const afterRest = (milliseconds: number, which: When, respond: () => Promise<ApiResponse> | ApiResponse) =>
  override('serve', (original) => {
    let last = Number.POSITIVE_INFINITY;
    return async (call) => {
      const isResting = performance.now() - last > milliseconds;
      last = performance.now();
      return isResting && which(call) ? respond() : original(call);
    };
  });

/** From some time on (ms), some lists come from a copy of the collection that was made earlier, and follow no more. */
const restoredAfter =
  (copiedAt: number, milliseconds: number, which: (page: PageRequest) => boolean): StepsChange =>
  (steps) => {
    const copy = new Collection();
    let isRestored = false;
    return combine(
      onceAfter(copiedAt, ({ collection }) => {
        for (const pet of collection.oldestFirst(undefined)) copy.add(pet);
      }),
      onceAfter(milliseconds, () => {
        isRestored = true;
      }),
      override('selectPage', (original) => (page, call) => {
        const service = { ...call.service, collection: copy };
        return original(page, isRestored && which(page) ? { ...call, service } : call);
      }),
    )(steps);
  };

/** Gives ids again from some time on: those that come so many after one that was given before. */
const givingAgain = (milliseconds: number, next: (given: readonly bigint[]) => bigint): StepsChange =>
  onceAged(milliseconds, (isAged) =>
    override('assignId', (original) => {
      const given: bigint[] = [];
      let again: bigint | undefined;
      return async (service) => {
        if (!isAged()) {
          const id = await original(service);
          given.push(id);
          return id;
        }
        again = again === undefined ? next(given) : again + 1n;
        return again;
      };
    }),
  );

const always: When = () => true;
const ASLEEP = () => errorResponse(503);

/** What comes with time: jobs, expiry, sleep, restarts. */
// biome-ignore format: one table
export const agedFaults: readonly Fault[] = [
  ...breakingLater('RES-9', 7_000, {
    'job-sells-pending-after-5-s': ['A job makes every pending animal sold, five seconds after it was added.',
      later(5000, (pet, { collection }) => {
        if (pet.status === 'pending') collection.add({ ...pet, status: 'sold' });
      })],
  }),
  ...breakingLater('RES-9', 22_000, {
    'job-reserves-sold-after-20-s': ['A job makes every sold animal available again, 20 s after it was added.',
      later(20_000, (pet, { collection }) => {
        if (pet.status === 'sold') collection.add({ ...pet, status: 'available' });
      })],
  }),
  ...breakingLater('STATE-2', 22_000, {
    'omitted-status-pending-after-20-s': ['An omitted status is available at first, and pending 20 s later.',
      whereStatusOmitted((own) => ({
        store: (pet, call) => {
          own.store(pet, call);
          const { pause, collection } = call.service;
          void pause(20_000).then(() => collection.add({ ...pet, status: 'pending' }));
        },
      }))],
  }),
  ...breakingLater('GET-1', 17_000, {
    'animals-expire-after-15-s': ['An animal is removed 15 s after it was added.',
      later(15_000, ({ id }, { collection }) => collection.remove(id))],
    'animals-not-fetched-for-15-s-expire': ['An animal is removed once it was not fetched for 15 s.',
      (steps) => {
        const usedAt = new Map<bigint, number>();
        return combine(
          onStored(({ id }) => usedAt.set(id, performance.now())),
          override('findPet', (original) => (id, call) => {
            const used = usedAt.get(id);
            if (used !== undefined && performance.now() - used > 15_000) call.service.collection.remove(id);
            else if (used !== undefined) usedAt.set(id, performance.now());
            return original(id, call);
          }),
        )(steps);
      }],
  }),
  ...breakingLater('GET-1', 32_000, {
    'animals-expire-after-30-s': ['An animal is removed 30 s after it was added.',
      later(30_000, ({ id }, { collection }) => collection.remove(id))],
  }),
  ...breakingLater('SERV-1', 17_000, {
    'animals-unlisted-after-15-s': ['An animal is in no list from 15 s after it was added; getPet finds it.',
      (steps) => {
        const left = new Set<bigint>();
        return combine(later(15_000, ({ id }) => left.add(id)), listingOnly(({ id }) => !left.has(id)))(steps);
      }],
  }),
  ...breakingLater('SERV-4', 8_000, {
    'asleep-after-3-s-answers-503': ['The service sleeps when it had no request for 3 s, and answers the next one with 503.',
      afterRest(3000, always, ASLEEP)],
    'creation-after-3-s-answers-503': [
      'The service drops its connection to the database when it had no request for 3 s; a createPet that comes then gets 503.',
      afterRest(3000, on('createPet'), ASLEEP)],
  }),
  ...breakingLater('SERV-5', 8_000, {
    'asleep-after-3-s-does-not-answer': ['The first request after 3 s without any is never answered.',
      afterRest(3000, always, () => new Promise(() => {}))],
  }),
  ...breakingLater('GET-4', 14_000, {
    'restart-at-12-s-loses-the-last-five': [
      'The service restarts 12 s after the first animal was added, and the last five added are gone.',
      onceAfter(12_000, ({ collection }, added) => {
        for (const { id } of added.slice(-5)) collection.remove(id);
      })],
    'restart-at-12-s-loses-all-but-a-backup': [
      'The service restarts 12 s after the first animal was added, and what was added in the last eight seconds is gone.',
      (steps) => {
        let saved = 0;
        return combine(
          onceAfter(4000, (_, added) => {
            saved = added.length;
          }),
          onceAfter(12_000, ({ collection }, added) => {
            for (const { id } of added.slice(saved)) collection.remove(id);
          }),
        )(steps);
      }],
  }),
  ...breakingLater('SERV-1', 14_000, {
    'restart-at-12-s-loses-the-last-five-of-lists': [
      'The index is read again 12 s after the first animal was added, without the last five; getPet finds them.',
      (steps) => {
        const left = new Set<bigint>();
        return combine(
          onceAfter(12_000, (_, added) => {
            for (const { id } of added.slice(-5)) left.add(id);
          }),
          listingOnly(({ id }) => !left.has(id)),
        )(steps);
      }],
  }),
  ...breakingLater('SERV-1', 20_000, {
    'lists-of-a-backup-after-15-s': [
      'From 15 s after the first animal was added, lists show what was there after one second, and follow no more.',
      restoredAfter(1000, 15_000, () => true)],
    'filtered-lists-of-a-backup-after-15-s': [
      'From 15 s after the first animal was added, lists with a `status` show what was there after one second.',
      restoredAfter(1000, 15_000, ({ status }) => status !== undefined)],
    'sold-of-a-backup-after-15-s': [
      'From 15 s after the first animal was added, lists of sold animals show what was there after one second.',
      restoredAfter(1000, 15_000, ({ status }) => status === 'sold')],
  }),
  ...breakingLater('RES-5', 22_000, {
    'first-ids-given-again-after-20-s': ['From 20 s after the first animal was added, its id and those after it are given again.',
      givingAgain(20_000, (given) => given.at(5) ?? 1n)],
    'last-ids-given-again-after-20-s': ['From 20 s after the first animal was added, the last ten ids are given again.',
      givingAgain(20_000, (given) => given.at(-10) ?? 1n)],
  }),
];
