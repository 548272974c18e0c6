import { choosing, combine, type StepsChange } from '../changes.ts';
import type { Variant } from '../steps.ts';
import { below, populatedWith } from './builders.ts';
import { byChance, oldestFirst } from './collections.ts';
import { others, statusOf } from './others.ts';

/** A store of others, who in turn add one of their animals, change the status of one, which makes it the newest, and remove one. */
const crowd = (count: number, milliseconds: number): StepsChange =>
  combine(
    populatedWith(count),
    others(milliseconds, ({ turn, ids, service, add, remove, change }) => {
      const id = ids[below(ids.length, service)];
      if (id === undefined || turn % 3 === 1) add(turn);
      else if (turn % 3 === 2) change(id, () => ({ status: statusOf(below(3, service)) }));
      else remove(id);
    }),
  );

/** Stores full of animals of others, which move all the time. */
// biome-ignore format: one table
export const crowdVariants: readonly Variant[] = [
  ...choosing('LIST-12', {
    'crowd-of-60-every-5-ms': [
      'The store holds 60 animals of other callers, who add, change or remove one every 5 ms.',
      crowd(60, 5)],
    'crowd-of-60-every-20-ms-oldest-first': [
      'The store holds 60 animals of other callers, who add, change or remove one every 20 ms; lists are oldest first.',
      combine(crowd(60, 20), oldestFirst)],
    'crowd-of-60-every-50-ms-by-chance': [
      'The store holds 60 animals of other callers, who add, change or remove one every 50 ms; lists are random selections.',
      combine(crowd(60, 50), byChance)],
    'crowd-of-500-every-20-ms': [
      'The store holds 500 animals of other callers, who add, change or remove one every 20 ms.',
      crowd(500, 20)],
    'crowd-of-500-every-50-ms-oldest-first': [
      'The store holds 500 animals of other callers, who add, change or remove one every 50 ms; lists are oldest first.',
      combine(crowd(500, 50), oldestFirst)],
    'crowd-of-500-every-5-ms-by-chance': [
      'The store holds 500 animals of other callers, who add, change or remove one every 5 ms; lists are random selections.',
      combine(crowd(500, 5), byChance)],
    'crowd-of-5000-every-50-ms': [
      'The store holds 5,000 animals of other callers, who add, change or remove one every 50 ms.',
      crowd(5000, 50)],
    'crowd-of-5000-every-5-ms-oldest-first': [
      'The store holds 5,000 animals of other callers, who add, change or remove one every 5 ms; lists are oldest first.',
      combine(crowd(5000, 5), oldestFirst)],
    'crowd-of-5000-every-20-ms-by-chance': [
      'The store holds 5,000 animals of other callers, who add, change or remove one every 20 ms; lists are random selections.',
      combine(crowd(5000, 20), byChance)],
  }),
];
