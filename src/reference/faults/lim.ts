import { LIMIT } from '../../contract/contract-facts.ts';
import { breaking, combine } from '../changes.ts';
import type { Fault } from '../steps.ts';
import { hasStatus } from './conditions.ts';
import { EVERYTHING, limitAs, limitLike, refusingLimits, startingWith } from './effects.ts';

/** Part 8, limits. */
// biome-ignore format: one table
export const limitFaults: readonly Fault[] = [
  ...breaking('LIM-1', {
    'limit-1-refused': ['`limit=1` is refused.', refusingLimits((limit) => limit === 1)],
    'limit-1-gives-2': ['`limit=1` gives two animals.', limitAs((limit) => (limit === 1 ? 2 : limit))],
  }),
  ...breaking('LIM-2', {
    'limit-100-refused': ['`limit=100` is refused.', refusingLimits((limit) => limit === 100)],
    'limit-with-leading-zero-compared-as-text': [
      'A `limit` with a leading zero, such as `0150`, is compared with "100" as text, and is then applied.',
      limitLike(/^0+[1-9]\d*$/, Number)],
    'limit-pair-read-as-offset-and-count': [
      'A `limit` such as `1,1000` is pasted into SQL, where it is an offset and a count; only its first number is checked.',
      limitLike(/^[1-9]\d?,\d+$/, (text) => Number(text.split(',')[1]))],
    'limit-minus-one-gives-everything': ['`limit=-1` means no limit, as in SQLite.',
      limitLike(/^-1$/, () => EVERYTHING)],
    'limit-100-with-status-means-everything': [
      'With a status, `limit=100` gives all that match; the store starts with more than 100 of each.',
      combine(startingWith(330), limitAs((limit) => (limit === 100 ? EVERYTHING : limit), hasStatus))],
    'limit-100-gives-101': ['`limit=100` gives a page of 101.', limitAs((limit) => (limit === 100 ? 101 : limit))],
    'limit-above-1000-gives-everything': ['A `limit` above 1,000 means no limit; from 101 on it is clamped.',
      limitLike(/^\d{3,}$/, (text) => (Number(text) > 1000 ? EVERYTHING : Math.min(Number(text), LIMIT.maximum)))],
  }),
];
