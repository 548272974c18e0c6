import { choosing, combine, override } from '../changes.ts';
import type { Pet } from '../collection.ts';
import type { Variant } from '../steps.ts';
import { byChance, capped, oldestFirst } from './collections.ts';
import { scanning } from './pages.ts';

/** Pages that end before the first animal with which they would have more bytes than that, but not before one animal. */
const endingAt = (most: number) =>
  override('selectPage', (original) => (page, call) => {
    const { steps } = call.service;
    const chosen = original(page, call);
    let left = most - 1;
    const end = chosen.findIndex((pet) => {
      left -= 1 + Buffer.byteLength(steps.writeJson(steps.describePet(pet, call), call));
      return left < 0;
    });
    return end < 0 ? chosen : chosen.slice(0, Math.max(end, 1));
  });

const windowFromNewest = (all: readonly Pet[], before: number, size: number): readonly Pet[] =>
  all.slice(Math.max(0, all.length - before - size), all.length - before).reverse();

/** Pages that end early: after so many animals, after so many bytes, or with a window that is filtered afterwards. */
// biome-ignore format: one table
export const shortPageVariants: readonly Variant[] = [
  ...choosing('LIST-12', {
    'pages-of-5-oldest-first': ['A page never holds more than five animals, oldest first.',
      combine(oldestFirst, capped(5))],
    'pages-of-5-by-chance': ['A page holds at most five animals, a random selection in random order.',
      combine(byChance, capped(5))],
    'pages-of-10': ['A page never holds more than ten animals, newest first.', capped(10)],
    'pages-of-10-by-chance': ['A page holds at most ten animals, a random selection in random order.',
      combine(byChance, capped(10))],
    'pages-of-15': ['A page never holds more than 15 animals, newest first.', capped(15)],
    'pages-of-15-oldest-first': ['A page never holds more than 15 animals, oldest first.',
      combine(oldestFirst, capped(15))],
    'pages-of-20': ['A page never holds more than 20 animals, newest first.', capped(20)],
    'pages-of-20-by-chance': ['A page holds at most 20 animals, a random selection in random order.',
      combine(byChance, capped(20))],
    'pages-of-30': ['A page never holds more than 30 animals, newest first.', capped(30)],
    'pages-of-30-oldest-first': ['A page never holds more than 30 animals, oldest first.',
      combine(oldestFirst, capped(30))],
    'pages-end-at-1-kb': ['A page, newest first, ends at the first animal that does not fit into 1,024 bytes.',
      endingAt(1024)],
    'pages-end-at-2-kb': ['A page, newest first, ends at the first animal that does not fit into 2,048 bytes.',
      endingAt(2048)],
    'pages-end-at-3-kb': ['A page, newest first, ends at the first animal that does not fit into 3,072 bytes.',
      endingAt(3072)],
    'pages-end-at-4-kb': ['A page, newest first, ends at the first animal that does not fit into 4,096 bytes.',
      endingAt(4096)],
    'pages-end-at-1-kb-oldest-first': [
      'A page, oldest first, ends at the first animal that does not fit into 1,024 bytes.',
      combine(oldestFirst, endingAt(1024))],
    'pages-end-at-2-kb-oldest-first': [
      'A page, oldest first, ends at the first animal that does not fit into 2,048 bytes.',
      combine(oldestFirst, endingAt(2048))],
    'pages-end-at-3-kb-oldest-first': [
      'A page, oldest first, ends at the first animal that does not fit into 3,072 bytes.',
      combine(oldestFirst, endingAt(3072))],
    'pages-end-at-4-kb-oldest-first': [
      'A page, oldest first, ends at the first animal that does not fit into 4,096 bytes.',
      combine(oldestFirst, endingAt(4096))],
    'window-of-limit-newest-first': [
      'As many animals as the limit says are looked at, newest first, and filtered afterwards; more only if none matches.',
      scanning(({ limit }) => limit, windowFromNewest)],
    'window-of-20-newest-first': [
      'A page comes from 20 animals, newest first, that are filtered afterwards; more are looked at only if none matches.',
      scanning(() => 20, windowFromNewest)],
    'window-of-50-newest-first': [
      'A page comes from 50 animals, newest first, that are filtered afterwards; more are looked at only if none matches.',
      scanning(() => 50, windowFromNewest)],
  }),
];
