import { changeText, choosing, combine, isSuccess, override } from '../changes.ts';
import type { Pet } from '../collection.ts';
import type { PageRequest, Steps, Variant } from '../steps.ts';
import { addingToAnimals, paging, populatedWith, shortened } from './builders.ts';

const sortedBy = (compare: (one: Pet, other: Pet) => number) => paging((matching) => matching.toSorted(compare));

/** The fewest bytes of an animal in JSON. */
const SMALLEST = '{"id":0,"name":"","categoryId":0}'.length;

/** Pages of at most the given number of bytes, with at least one animal. */
const ofBytes = (most: number, choose: (matching: readonly Pet[]) => readonly Pet[]) =>
  paging((matching, page, call) => {
    const { steps } = call.service;
    const chosen = choose(matching);
    const fitting: Pet[] = [];
    let left = most - 1;
    for (const pet of chosen) {
      if (fitting.length === page.limit || left < SMALLEST) break;
      const size = 1 + Buffer.byteLength(steps.writeJson(steps.describePet(pet, call), call));
      if (size > left) continue;
      fitting.push(pet);
      left -= size;
    }
    return fitting.length > 0 ? fitting : chosen.slice(0, 1);
  });

/** So many animals, without those that come before them, oldest first. */
const windowFromOldest = (all: readonly Pet[], before: number, size: number): readonly Pet[] =>
  all.slice(before, before + size);

/** Scans a window of animals and only then applies the filter; goes on as long as nothing matches. */
export const scanning = (window: (page: PageRequest) => number, windowOf = windowFromOldest) =>
  override('selectPage', () => (page, call) => {
    const all = call.service.collection.oldestFirst(undefined);
    const size = window(page);
    for (let from = 0; from < all.length; from += size) {
      const matching = windowOf(all, from, size).filter(
        ({ status }) => page.status === undefined || status === page.status,
      );
      if (matching.length > 0) return matching.slice(0, page.limit);
    }
    return [];
  });

/** A number that scatters ids, the same for the same id. */
const scattered = (id: bigint): number => Number(BigInt.asUintN(32, id * 0x9e3779b97f4a7c15n) ^ (id & 0xffffn));

/** Every list begins one animal further than the one before. */
const rotating = (steps: Steps): Steps => {
  let turn = 0;
  return paging((matching) => {
    turn += 1;
    const from = turn % Math.max(matching.length, 1);
    return [...matching.slice(from), ...matching.slice(0, from)];
  })(steps);
};

const LOREM = 'Friendly, house-trained, "good" with children – vacciné, чипирован, 健康. ';
const DEPTH = 2990;
const NESTED = `${'{"in":'.repeat(DEPTH)}"end"${'}'.repeat(DEPTH)}`;

/** Which animals a page holds, in which order, and how large it is. */
// biome-ignore format: one table
export const pageVariants: readonly Variant[] = [
  ...choosing('LIST-12', {
    'by-name': ['Lists are sorted by name.',
      sortedBy((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : Number(one.id - other.id)))],
    'by-category-descending': ['Lists are sorted by category, the largest first.',
      sortedBy((one, other) => (one.categoryId > other.categoryId ? -1 : one.categoryId < other.categoryId ? 1 : 0))],
    'by-hash-of-id': ['Lists are in an order that has no meaning but stays the same.',
      sortedBy((one, other) => scattered(one.id) - scattered(other.id))],
    'by-id-as-text': ['Lists are sorted by the text of the id: 1, 10, 11, 2.',
      sortedBy((one, other) => (one.id.toString() < other.id.toString() ? -1 : 1))],
    'by-status': ['Lists show sold animals before all others.',
      paging((matching) =>
        [...matching.filter(({ status }) => status === 'sold'),
        ...matching.filter(({ status }) => status !== 'sold').reverse()])],
    'rotating': ['Every list begins one animal further than the one before.', rotating],
    'order-by-limit': ['Lists are newest first up to a limit of 20, and oldest first above.',
      paging((matching, { limit }) => (limit <= 20 ? matching.toReversed() : matching))],
    'filtered-lists-in-other-order': ['Lists with a filter are oldest first, others newest first.',
      paging((matching, { status }) => (status === undefined ? matching.toReversed() : matching))],
    'pages-of-3': ['A page never holds more than three animals.', shortened(() => 3)],
    'pages-of-50': ['A page never holds more than 50 animals.', combine(populatedWith(150), shortened(() => 50))],
    'pages-of-half-the-limit': ['A page holds at most half as many animals as the limit allows, and at least one.',
      shortened(({ limit }) => Math.ceil(limit / 2))],
    'pages-shorter-with-filter': ['A page holds at most four animals with a filter, and nine without.',
      shortened(({ status }) => (status === undefined ? 9 : 4))],
    'pages-of-600-bytes': ['A page has at most 600 bytes, newest first, and at least one animal.',
      ofBytes(600, (matching) => matching.toReversed())],
    'pages-of-4-kb': ['A page has at most 4,096 bytes, newest first, and at least one animal.',
      ofBytes(4096, (matching) => matching.toReversed())],
    'pages-of-2-kb-of-150': ['A page has at most 2,000 bytes, oldest first of 150 animals, and at least one animal.',
      combine(populatedWith(150), ofBytes(2000, (matching) => matching))],
    'window-of-40-then-filter': [
      'A page comes from 40 animals, oldest first, that are filtered afterwards; more are looked at only if none matches.',
      combine(populatedWith(150), scanning(() => 40))],
    'window-of-limit-then-filter': [
      'As many animals as the limit says are looked at, oldest first, and filtered afterwards; more only if none matches.',
      combine(populatedWith(60), scanning(({ limit }) => limit))],
    'pages-of-megabytes': ['Every animal has a description of 30 KB, so that a page has up to 3 MB.',
      combine(populatedWith(100), addingToAnimals(() => ({ description: LOREM.repeat(400) })))],
    'animals-with-long-member-name': ['Every animal has a member whose name has 9,000 characters.',
      addingToAnimals(() => ({ ['n'.repeat(9000)]: 1 }))],
  }),
  ...choosing('SERV-3', {
    'animals-nested-3000-deep': ['Every animal has an additional member that is nested some 3,000 levels deep.',
      changeText(isSuccess, (text) => text.replaceAll('{"id":', `{"pedigree":${NESTED},"id":`))],
  }),
  ...choosing('RES-9', {
    'animals-of-a-hundred-members': ['Every animal has a hundred additional members.',
      addingToAnimals((id) =>
        Object.fromEntries(Array.from({ length: 100 }, (_, place) => [`attribute${place}`, id])))],
  }),
];
