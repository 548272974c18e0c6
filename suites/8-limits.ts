// Part 8 · Limits

import { isNotEmpty } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { firstBroken, holdsAtMost, isPage, isPageFor } from '../src/check/rules.ts';
import { LIMIT } from '../src/contract/contract-facts.ts';
import type { Seen } from '../src/known/seen.ts';

const isLimit1 = (seen: Seen): boolean => isPageFor('valid', undefined)(seen) && seen.reading.query?.atMost === 1;

export const limits = part('8', 'Limits', 'LIM', [
  requirement('LIM-1', 'the smallest limit is 1, and gives a page of one animal', {
    when: isLimit1,
    broken: firstBroken(holdsAtMost(), isNotEmpty),
  }),
  requirement('LIM-2', 'the largest limit is 100, and no page has more', {
    when: isPage,
    broken: holdsAtMost(LIMIT.maximum),
  }),
  requirement('LIM-3', 'rate limits', {
    records: () => 'no 429 in this run',
  }),
]);
