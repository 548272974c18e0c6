// Part 4.3 · Get an animal (deprecated)
import { FREE_IDS, GATEWAY_IDS, MALFORMED_IDS, OWN_SPELLINGS } from '../src/petstore/inputs/ids.ts';
import { isFromEarlierRun, isStillThere } from '../src/petstore/remember.ts';
import { part, type Rule, requirement } from '../src/petstore/requirement.ts';
import { gets } from '../src/petstore/rows.ts';
import { bodyFault, firstBroken, isFetched, isFetchOfOwn } from '../src/petstore/rules.ts';
import type { Seen } from '../src/petstore/seen.ts';
import { count } from '../src/report/text.ts';
import { AGED, GAPS } from './course.ts';

/** After the removal date, a 404 says nothing of the animal. */
const mayBeRemoved = ({ expected }: Seen): boolean => expected.permitted.some(({ from }) => from === 410);

const isAnotherAnimal: Rule = ({ reading: { id }, animals: [animal] }) =>
  animal?.id !== undefined &&
  animal.id !== id?.id && { says: `getPet of ${id?.id} shows animal ${animal.id}`, member: 'id' };

/** An animal of other clients is found, not found, and found again: nobody else gets its id. */
const isFoundEachTime: Rule = (seen, known) => {
  const {
    reading: { id },
    shape,
    exchange,
  } = seen;
  const other = shape === 'animal' ? known.ofOtherClientsBefore(id?.id, exchange.sentAt) : undefined;
  const { fetched, lost } = other ?? {};
  if (mayBeRemoved(seen) || fetched === undefined || lost === undefined || lost.answeredAt > exchange.sentAt)
    return undefined;
  return { says: `animal ${id?.id} was found, then not found, and is found again`, earlier: [fetched, lost] };
};

/** An animal of other clients is listed between two fetches that do not find it, for all of the settle time. */
const isFoundWhereListed: Rule = (seen, known) => {
  const id = seen.reading.id?.id;
  const again = known.inDoubt.disagreements(id);
  if (
    seen.status !== 404 ||
    mayBeRemoved(seen) ||
    known.inDoubt.disagreementKey(seen) === undefined ||
    !known.inDoubt.lastsLongEnough(again)
  )
    return undefined;
  const earlier = [...again.flat(), ...known.inDoubt.sequenceOf(seen).slice(0, -1)];
  return { says: `animal ${id} is listed and not found, ${count(again.length + 1, 'time')} in a row`, earlier };
};

export const getPet = part('4.3', 'Get an animal', [
  requirement('GET-1', 'getting an animal that exists answers 200 with it', {
    about: 'message',
    when: ({ reading: { operation }, shape }) => operation === 'getPet' && shape !== undefined,
    broken: firstBroken(bodyFault(isFetched), isFoundWhereListed, isFoundEachTime),
  }),
  requirement('GET-2', 'getting an id that no animal has answers 404', {
    when: (seen, known) =>
      isFetched(seen) && seen.reading.kind === 'valid' && known.ownById(seen.reading.id?.id) === undefined,
    broken: isAnotherAnimal,
    sends: [gets(FREE_IDS)],
    script: GAPS,
  }),
  requirement('GET-3', 'the animal that is returned has the id that was asked for', {
    when: ({ reading: { id }, status }) => id?.id !== undefined && status === 200,
    broken: isAnotherAnimal,
  }),
  requirement('GET-3', 'no other animal is returned for an id that none has', {
    about: 'status',
    when: ({ reading: { id, key } }) => id?.id !== undefined && key.kind === 'right',
    broken: isAnotherAnimal,
  }),
  requirement('GET-4', 'an animal can be fetched as soon as its 201 has come, and every time after', {
    about: 'status',
    when: isFetchOfOwn,
    broken: ({ reading: { id }, exchange, status }, known) => {
      const own = known.ownBefore(id?.id, exchange.sentAt);
      return (
        status === 404 &&
        own !== undefined && { says: `animal ${own.id} is not found, though its 201 had come`, earlier: [own.exchange] }
      );
    },
    script: AGED,
  }),
  requirement('GET-4', 'an animal of an earlier run is still there', { when: isFromEarlierRun, broken: isStillThere }),
  requirement('GET-5', 'an id that is no int64 is rejected, and one in another spelling may be', {
    when: ({ reading: { id }, shape }) => id?.kind === 'open' && shape === 'animal',
    broken: isAnotherAnimal,
    sends: [gets(MALFORMED_IDS), gets(OWN_SPELLINGS), gets(GATEWAY_IDS)],
  }),
]);
