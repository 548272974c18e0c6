import type { Explanation } from './assess.ts';

/** What mutation testing finds although nothing is wrong, and why. What is no longer found must go. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    of: ['strict'],
    because: 'only --strict reports it, of a service that keeps to the specification: no fault leads to it',
  },
  {
    of: ['refused-at-times'],
    because: 'only animals that fill a page are sent again, and CREATE-1 adds none of them when it is tried alone',
  },
  {
    of: ['AUTH-7.all: the check that sends nothing'],
    because: 'AUTH-7 finds what its own requests have left; this one looks for what those of all other checks have',
  },
  {
    of: ['LIST-9.found: the check that sends nothing'],
    because: 'the collection is looked at before anything is added, and the same rules judge those lists',
  },
  {
    of: ['missing-between'],
    because: 'GET-1 asks for an animal of others once; those that ask again are GET-1.listed and GET-1.later',
  },
];
