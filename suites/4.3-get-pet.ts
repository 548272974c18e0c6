// Part 4.3 · Get an animal (deprecated)

import { isListedButNotFound } from '../src/check/over-time.ts';
import { isFromEarlierRun, isStillThere } from '../src/check/remember.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { each } from '../src/check/rows.ts';
import type { Rule } from '../src/check/rule.ts';
import { bodyFault, firstBroken, foundUnderItsId, isFetched, isFetchOfOwn, isRejectedOr } from '../src/check/rules.ts';
import { IDS } from '../src/inputs/ids.ts';
import type { Seen } from '../src/known/seen.ts';
import { get } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

/** After the removal date, a 404 says nothing about the animal. */
const mayBeRemoved = ({ expected }: Seen): boolean => expected.permitted.some(({ from }) => from === 410);

const isAnotherAnimal: Rule = ({ reading: { id }, animals: [animal] }) =>
  animal?.id !== undefined &&
  animal.id !== id?.id && { says: `getPet of ${id?.id} shows animal ${animal.id}`, member: 'id' };

/** An animal of other clients is found, not found, and found again: a deleted id is not reused. */
const isFoundEachTime: Rule = (seen, known) => {
  const {
    reading: { id },
    shape,
    exchange,
  } = seen;
  const other = shape === 'animal' ? known.others.before(id?.id, exchange.sentAt) : undefined;
  const { fetched, lost } = other ?? {};
  if (mayBeRemoved(seen) || fetched === undefined || lost === undefined || lost.answeredAt > exchange.sentAt)
    return undefined;
  return { says: `animal ${id?.id} was found, then not found, and is found again`, earlier: [fetched, lost] };
};

export const getPet = part('4.3', 'getPet', 'GET', [
  requirement('GET-1', 'getPet of an existing animal returns 200 with it', {
    about: 'message',
    when: ({ reading: { operation }, shape }) => operation === 'getPet' && shape !== undefined,
    broken: firstBroken(bodyFault(isFetched), isFoundEachTime, (seen, known) =>
      mayBeRemoved(seen) ? undefined : isListedButNotFound(seen, known),
    ),
  }),
  requirement('GET-2', 'getPet of an unused id returns 404', {
    when: ({ reading: { id, key } }, known) =>
      id?.kind === 'valid' && key.kind === 'right' && known.ownById(id.id) === undefined,
    broken: isAnotherAnimal,
    sends: [each(IDS.free, get)],
    scripts: [SCRIPTS.gaps],
  }),
  requirement('GET-3', 'the returned animal has the requested id', {
    when: ({ reading: { id }, status }) => id?.id !== undefined && status === 200,
    broken: isAnotherAnimal,
  }),
  requirement('GET-3', 'no other animal is returned for an unused id', {
    about: 'status',
    when: ({ reading: { id, key } }) => id?.id !== undefined && key.kind === 'right',
    broken: isAnotherAnimal,
  }),
  requirement('GET-4', 'an animal can be fetched from its 201 on, every time', {
    ...foundUnderItsId,
    scripts: [SCRIPTS.aged],
  }),
  requirement('GET-4', 'an animal of this run or an earlier one is still there', {
    when: (seen, known) => isFetchOfOwn(seen, known) || isFromEarlierRun(seen, known),
    broken: isStillThere,
  }),
  requirement('GET-5', 'an id that is not an int64 is rejected; one in another spelling may be', {
    when: ({ reading: { id, key } }) => id?.kind === 'open' && key.kind === 'right',
    broken: isRejectedOr(isAnotherAnimal),
    sends: [
      each(IDS.malformed, get),
      each(IDS.ownSpellings, get),
      each(IDS.shortSpellings, get, { in: 'full' }),
      each(IDS.merged, get),
      each(IDS.gateway, get),
    ],
  }),
]);
