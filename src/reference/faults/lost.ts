import { breaking, breakingLater, combine, override, type StepsChange } from '../changes.ts';
import type { Pet } from '../collection.ts';
import type { Call, Fault, PageRequest } from '../steps.ts';
import { after, inTurn, onlyWhere, replicated } from '../variants/replicas.ts';
import { hasStatus, on, sizeOf } from './conditions.ts';
import {
  leavingOutAdded,
  listingOnly,
  onStored,
  overlapping,
  selecting,
  showing,
  startingWithOnly,
} from './effects.ts';

/** Loses some rows of a page, by their place from 0. */
const losing = (isLost: (place: number, pets: readonly Pet[], page: PageRequest) => boolean) =>
  showing((pets, page) => pets.filter((_, place) => !isLost(place, pets, page)));

/** The same where a page is filtered. */
const filteredBy = (choose: (matching: readonly Pet[], call: Call) => readonly Pet[]) =>
  selecting((pets, call) => (hasStatus(call) ? choose(pets, call) : pets));

/** Filters some of the newest animals, and looks no further. */
const fromNewest = (size: number, order: (found: readonly Pet[]) => readonly Pet[] = (found) => found) =>
  override('selectPage', () => ({ limit, status }, { service }) => {
    const found = service.collection.newest(size).filter((pet) => status === undefined || pet.status === status);
    return order(found).slice(0, limit);
  });

const byName = (pets: readonly Pet[]): readonly Pet[] =>
  pets.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));

/** Leaves some animals out of filtered pages, as their status is in no index. */
const notIndexing =
  (isLeftOut: (pet: Pet, call: Call) => boolean): StepsChange =>
  (steps) => {
    const left = new Set<bigint>();
    return combine(
      onStored((pet, call) => {
        if (isLeftOut(pet, call)) left.add(pet.id);
      }),
      listingOnly(({ id }, call) => !hasStatus(call) || !left.has(id)),
    )(steps);
  };

const AT_ONCE = on('createPet');

const FOREVER = 2 ** 31 - 1;

/** Lists come from three replicas, of which the last gets no more than the first few changes. */
const stoppingAfter =
  (changes: number, choose: (call: Call, turn: number) => number): StepsChange =>
  (steps) => {
    let made = 0;
    const stopping = (): number => {
      made += 1;
      return made > changes ? FOREVER : 0;
    };
    return replicated([after(0), after(0), stopping], choose)(steps);
  };

const byConnection = ({ incoming }: Call): number => incoming.socket.remotePort ?? 0;

/** Animals that lists lose, or show later than the settle time is over. */
// biome-ignore format: one table
export const lostFaults: readonly Fault[] = [
  ...breaking('SERV-1', {
    'page-of-blocks-loses-rows-at-the-border': [
      'A page is put together in blocks of 25, and each but the first lacks its first row.',
      losing((place) => place > 0 && place % 25 === 0)],
    'odd-limit-loses-the-middle-row': ['A page of more than two animals with an odd `limit` lacks the one in the middle.',
      losing((place, pets, { limit }) => limit % 2 === 1 && pets.length > 2 && place === pets.length >> 1)],
    'page-of-30-to-60-loses-its-tenth-row': ['A page with a `limit` from 30 to 60 lacks its tenth row.',
      losing((place, _, { limit }) => limit >= 30 && limit <= 60 && place === 9)],
    'negative-categories-on-no-page': ['Lists join a table of categories, and lose animals of negative ones.',
      listingOnly(({ categoryId }) => categoryId >= 0n)],
    'category-0-on-no-page': ['A list takes the category 0 for none, and loses its animals.',
      listingOnly(({ categoryId }) => categoryId !== 0n)],
    'categories-above-100-on-no-page': ['Lists join a table of a hundred categories, and lose animals of others.',
      listingOnly(({ categoryId }) => categoryId >= 0n && categoryId <= 100n)],
    'categories-beyond-int32-on-no-page': ['Lists join a table of categories whose ids are 32 bits wide.',
      listingOnly(({ categoryId }) => BigInt.asIntN(32, categoryId) === categoryId)],
    'categories-above-100-on-no-filtered-page': [
      'Lists with a `status` join a table of a hundred categories, and lose animals of others.',
      listingOnly(({ categoryId }, call) => !hasStatus(call) || (categoryId >= 0n && categoryId <= 100n))],
    'index-of-32-slots-overwritten': [
      'The index of a status has 32 slots, chosen by the id, and an animal takes the place of another in its slot.',
      filteredBy((pets) => {
        const slots = new Map(pets.toReversed().map(({ id }) => [id % 32n, id]));
        return pets.filter(({ id }) => slots.get(id % 32n) === id);
      })],
    'index-cut-by-half-at-40-oldest-first': [
      'The index of a status drops its older half at every 40th animal; its pages are oldest first.',
      filteredBy((pets) => pets.slice(0, pets.length < 40 ? 40 : 20 + (pets.length % 20)).toReversed())],
    'index-emptied-at-every-20th-oldest-first': [
      'The index of a status is emptied at every 20th animal; its pages are oldest first.',
      filteredBy((pets) => pets.slice(0, pets.length % 20).toReversed())],
    'index-rebuilt-from-the-oldest-beyond-60': [
      'Once there are more than 60 animals, the index of a status holds the five oldest only.',
      filteredBy((pets, { service }) => (sizeOf(service) > 60 ? pets.slice(-5) : pets))],
    'window-of-60-newest-shown-oldest-first': [
      'A filter looks at the 60 newest animals only, and shows what matches oldest first.',
      fromNewest(60, (found) => found.toReversed())],
    'window-of-60-newest-shown-by-name': ['A filter looks at the 60 newest animals only, and shows what matches by name.',
      fromNewest(60, byName)],
    'fourth-added-at-once-not-indexed': [
      'Of four animals that are added at the same moment, one is in no list with a `status`.',
      overlapping(AT_ONCE, (underWay) => notIndexing(() => underWay() === 4))],
    'ninth-added-at-once-not-listed': ['Of nine animals that are added at the same moment, one is in no list.',
      overlapping(AT_ONCE, (underWay) => leavingOutAdded(() => () => underWay() === 9))],
    'last-of-a-burst-not-listed': ['The last of five or more animals that are added at the same moment is in no list.',
      (steps) => {
        let most = 0;
        return overlapping(AT_ONCE, (underWay) => leavingOutAdded(() => () => {
          most = Math.max(most, underWay());
          const isLast = underWay() === 1 && most >= 5;
          if (underWay() === 1) most = 0;
          return isLast;
        }))(steps);
      }],
    'replica-by-connection-stopped-after-ten': [
      'The connection decides which of three replicas lists come from; one gets no more than ten animals.',
      stoppingAfter(10, byConnection)],
  }),
  ...breakingLater('SERV-1', 9_000, {
    'lists-6-s-behind': ['Every list is six seconds behind.', replicated([after(6000)], inTurn)],
    'filtered-lists-6-s-behind': ['Lists with a `status` are six seconds behind; others are up to date.',
      onlyWhere((hasFilter) => hasFilter, replicated([after(6000)], inTurn))],
    'unfiltered-lists-8-s-behind': ['Lists without a `status` are eight seconds behind; those with one are up to date.',
      onlyWhere((hasFilter) => !hasFilter, replicated([after(8000)], inTurn))],
  }),
  ...breaking('LIST-7', {
    'every-third-list-from-a-copy-of-the-start': [
      'Every third list comes from a replica that follows no more; the store starts without sold and pending animals.',
      combine(startingWithOnly('available'), stoppingAfter(0, inTurn))],
    'window-of-12-newest-not-widened': ['A filter looks at the 12 newest animals only, and may find none.',
      fromNewest(12)],
    'window-of-30-newest-not-widened': ['A filter looks at the 30 newest animals only, and may find none.',
      fromNewest(30)],
    'index-emptied-at-every-tenth': ['The index of a status is emptied at every tenth animal, until another is added.',
      filteredBy((pets) => (pets.length % 10 === 0 ? [] : pets))],
  }),
];
