// Part 2 · Resources and their fields

import { differsFromList } from '../src/check/over-time.ts';
import { isUnchanged } from '../src/check/remember.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { each } from '../src/check/rows.ts';
import type { Rule } from '../src/check/rule.ts';
import { atPointOf, firstBroken, isAsCreated, isAsSent, isCreated, memberFault } from '../src/check/rules.ts';
import { OPEN } from '../src/inputs/open-bodies.ts';
import { VALID } from '../src/inputs/valid-bodies.ts';
import type { Seen } from '../src/known/seen.ts';
import { create } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

const showsAnimals = ({ shape }: Seen): boolean => shape === 'page' || shape === 'animal';

const EVERY_MEMBER = isAsSent();

const isNewId: Rule = ({ animals: [animal], exchange }, known) => {
  const id = animal?.id;
  if (id === undefined) return undefined;
  const own = known.ownById(id);
  if (own !== undefined) {
    return { says: `two animals were given the id ${id}`, earlier: [own.exchange] };
  }
  const other = known.others.before(id, exchange.sentAt);
  if (other !== undefined)
    return { says: `the new animal was given the id ${id}, which another animal had before`, earlier: [other.first] };
  return known.ownAnimals.length + known.others.all.length > 0 ? false : undefined;
};

export const resources = part('2', 'Fields', 'RES', [
  requirement('RES-1', 'a status is exactly available, pending or sold, never null', {
    about: 'message',
    when: showsAnimals,
    broken: memberFault('status'),
  }),
  requirement('RES-2', 'every animal has a `name`, a string', {
    about: 'message',
    when: showsAnimals,
    broken: memberFault('name'),
  }),
  requirement('RES-3', 'every animal has a `categoryId`, an int64', {
    about: 'message',
    when: showsAnimals,
    broken: memberFault('categoryId'),
  }),
  requirement('RES-4', 'every animal has an `id`, an int64', {
    about: 'message',
    when: showsAnimals,
    broken: memberFault('id'),
  }),

  requirement('RES-5', 'no two animals have the same id', {
    when: isCreated,
    broken: isNewId,
    scripts: [SCRIPTS.nextId, SCRIPTS.twins],
  }),

  requirement('RES-6', 'a name is returned as it was sent', {
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent(['name']),
    sends: [each(VALID.oddAnimals, create, { isValid: true }), each(VALID.bareAnimals, create, { isValid: true })],
  }),
  requirement('RES-7', 'any int64 is accepted as `categoryId` and returned exactly', {
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent(['categoryId']),
    sends: [each(VALID.animals, create, { atLeast: 6, isValid: true })],
  }),
  requirement('RES-8', 'a status is returned as it was sent', {
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent(['status']),
  }),

  requirement('RES-9', 'the 201, getPet and listPets agree on every member of an animal', {
    when: (seen) => showsAnimals(seen) && !isCreated(seen),
    broken: firstBroken(
      isAsCreated((isStatusOmitted, member) => !(isStatusOmitted && member === 'status')),
      isUnchanged,
      differsFromList,
    ),
    isAboutListed: true,
    scripts: [SCRIPTS.equals, SCRIPTS.often],
  }),

  requirement('RES-10', 'an odd name is rejected, or returned as it was sent', {
    ...atPointOf('RES-10', EVERY_MEMBER),
    sends: [each(OPEN.names, create)],
  }),
  requirement('RES-11', 'unknown members do not change others', {
    ...atPointOf('RES-11', EVERY_MEMBER),
    sends: [each(OPEN.unknownMembers, create)],
  }),
  requirement('RES-12', 'an id sent by the client is not assigned to the animal', {
    ...atPointOf(
      'RES-12',
      firstBroken(
        ({ reading: { body }, animals: [animal] }) =>
          body?.clientId !== undefined &&
          animal?.id === body.clientId &&
          `the animal was given the id ${animal.id}, which the client sent`,
        EVERY_MEMBER,
      ),
    ),
    sends: [each(OPEN.clientIds, create)],
  }),
  requirement('RES-13', 'an integer in another spelling is rejected, or returned with the same value', {
    ...atPointOf('RES-13', EVERY_MEMBER),
    sends: [each(OPEN.integers, create)],
  }),
  requirement('RES-14', 'which categories exist', {
    records: (seen) => (isCreated(seen) ? 'accepts categories that the suite chooses' : undefined),
  }),
]);
