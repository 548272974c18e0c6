// Part 4.1 · List all animals

import { hasDefaultLength, isNotEmpty, omitsNoOther } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { at, each } from '../src/check/rows.ts';
import {
  bodyFault,
  firstBroken,
  holdsAtMost,
  holdsOnlyItsStatus,
  isPage,
  isPageFor,
  isQueryFor,
  isRejectedOr,
} from '../src/check/rules.ts';
import { QUERIES } from '../src/inputs/queries.ts';
import { list } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

/** A target that ends in a question mark. */
const EMPTY_QUERIES = ['/pets?'];

const ascends = (values: readonly (number | bigint)[]): boolean =>
  values.every((value, at) => at === 0 || value >= (values[at - 1] ?? value));

export const listPets = part('4.1', 'listPets', 'LIST', [
  requirement('LIST-1', 'listPets returns 200 with an array of animals', {
    about: 'message',
    when: ({ shape, json }) => shape === 'page' && json !== undefined,
    broken: bodyFault(({ shape }) => shape === 'page'),
    sends: [each([''], list), each([''], list, { in: 'full' }), each(EMPTY_QUERIES, at)],
  }),
  requirement('LIST-2', 'a page never has more animals than its limit', {
    when: isPageFor('valid', undefined),
    broken: holdsAtMost(),
    sends: [each(QUERIES.limits, list, { in: 'full' })],
  }),
  requirement('LIST-3', 'a page without a limit has at most 20 animals', {
    when: isPageFor('absent', undefined),
    broken: holdsAtMost(),
    sends: [each(['', ...QUERIES.statuses.slice(0, 3)], list, { in: 'full' })],
  }),
  requirement('LIST-4', 'no limit and limit=20 give pages of the same size', {
    when: isPage,
    broken: hasDefaultLength,
    scripts: [SCRIPTS.defaults],
  }),
  requirement('LIST-5', 'every limit from 1 to 100 is accepted'),
  requirement('LIST-6', 'a filtered page has only animals with that status', {
    when: isPageFor(undefined, 'valid'),
    broken: holdsOnlyItsStatus,
    sends: [each(QUERIES.statuses, list)],
  }),
  requirement('LIST-7', 'a page is never empty while an animal that matches it exists', {
    when: isPage,
    broken: firstBroken(isNotEmpty, omitsNoOther(true)),
    isAboutListed: true,
    scripts: [SCRIPTS.largest],
  }),
  requirement('LIST-8', 'a page never has the same id twice', {
    when: (seen) => isPage(seen) && seen.animals.length > 1,
    broken: ({ animals }) => {
      const ids = animals.map(({ id }) => id);
      const again = ids.find((id, at) => id !== undefined && ids.indexOf(id) < at);
      return again !== undefined && `the page has the id ${again} twice`;
    },
  }),
  requirement('LIST-9', 'with limit and status together, both apply', {
    when: isPageFor('valid', 'valid'),
    broken: firstBroken(holdsAtMost(), holdsOnlyItsStatus),
    sends: [each(QUERIES.limitAndStatus, list, { in: 'full' })],
    scripts: [SCRIPTS.exact],
  }),
  requirement('LIST-10', 'a limit that is out of range or not an integer is rejected, or gives a page', {
    when: isQueryFor('open', undefined),
    broken: isRejectedOr(firstBroken(holdsAtMost(), holdsOnlyItsStatus, isNotEmpty)),
    sends: [
      each(QUERIES.oddLimits, list, { in: 'full' }),
      each(QUERIES.oddBoth, list, { in: 'full' }),
      each(QUERIES.emptyParameters, list),
      each(QUERIES.emptyParameters.slice(0, 3), list, { in: 'full' }),
    ],
  }),
  requirement('LIST-11', 'a status outside the enumeration is rejected, or gives an empty page', {
    when: isQueryFor(undefined, 'open'),
    broken: isRejectedOr(firstBroken(holdsOnlyItsStatus, holdsAtMost())),
    sends: [each(QUERIES.oddStatuses, list)],
  }),
  requirement('LIST-12', 'the order of the list and the length of its pages', {
    isAboutListed: true,
    records: (seen, known) => {
      const own = seen.animals.flatMap(({ id }) => known.ownById(id) ?? []);
      if (!isPageFor('absent', 'absent')(seen) || own.length < 3) return undefined;
      const times = own.map(({ exchange }) => exchange.answeredAt);
      const ids = own.map(({ id }) => id);
      if (ascends(times)) return 'lists the oldest first';
      if (ascends(times.toReversed())) return 'lists the newest first';
      if (ascends(ids)) return 'lists by ascending id';
      return ascends(ids.toReversed())
        ? 'lists by descending id'
        : 'lists in an order that is neither by age nor by id';
    },
  }),
  requirement('LIST-13', 'how soon the list shows a new animal', {
    isAboutListed: true,
    records: (seen, known) => known.delayIn(seen),
  }),
]);
