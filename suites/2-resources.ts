// Part 2 · Resources and their fields

import { differsFromList } from '../src/check/over-time.ts';
import { isUnchanged } from '../src/check/remember.ts';
import { part, type Rule, requirement } from '../src/check/requirement.ts';
import { each } from '../src/check/rows.ts';
import { firstBroken, isAsCreated, isAsSent, isCreated, isOpenAt, memberFault } from '../src/check/rules.ts';
import { OPEN } from '../src/inputs/open-bodies.ts';
import { VALID } from '../src/inputs/valid-bodies.ts';
import type { Seen } from '../src/known/seen.ts';
import { create } from '../src/reading/call.ts';
import { MEMBERS } from '../src/reading/members.ts';

const showsAnimals = ({ shape }: Seen): boolean => shape === 'page' || shape === 'animal';

const EVERY_MEMBER = isAsSent(...MEMBERS);

const isNewId: Rule = ({ animals: [animal], exchange }, known) => {
  const id = animal?.id;
  const own = known.ownById(id);
  if (own !== undefined) {
    return { says: `two animals were given the id ${id}`, earlier: [own.exchange] };
  }
  const other = known.ofOtherClientsBefore(id, exchange.sentAt);
  return (
    other && { says: `the new animal was given the id ${id}, which another animal had before`, earlier: [other.first] }
  );
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

  requirement('RES-5', 'no two animals have the same id', { needsWrites: true, when: isCreated, broken: isNewId }),

  requirement('RES-6', 'a name is returned as it was sent', {
    needsWrites: true,
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent('name'),
    sends: [each(VALID.oddAnimals, create, { isValid: true }), each(VALID.bareAnimals, create, { isValid: true })],
  }),
  requirement('RES-7', 'any int64 is accepted as `categoryId` and returned exactly', {
    needsWrites: true,
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent('categoryId'),
    sends: [each(VALID.animals, create, { atLeast: 6, isValid: true })],
  }),
  requirement('RES-8', 'a status is returned as it was sent', {
    needsWrites: true,
    when: (seen) => isCreated(seen) && seen.reading.kind === 'valid',
    broken: isAsSent('status'),
  }),

  requirement('RES-9', 'the 201, getPet and listPets agree on every member of an animal', {
    when: (seen) => showsAnimals(seen) && !isCreated(seen),
    broken: firstBroken(
      isAsCreated((isStatusOmitted, member) => !(isStatusOmitted && member === 'status')),
      isUnchanged,
      differsFromList,
    ),
  }),

  requirement('RES-10', 'an odd name is rejected, or returned as it was sent', {
    needsWrites: true,
    when: isOpenAt('RES-10'),
    broken: EVERY_MEMBER,
    sends: [each(OPEN.names, create)],
  }),
  requirement('RES-11', 'unknown members do not change others', {
    needsWrites: true,
    when: isOpenAt('RES-11'),
    broken: EVERY_MEMBER,
    sends: [each(OPEN.unknownMembers, create)],
  }),
  requirement('RES-12', 'an id sent by the client is not assigned to the animal', {
    needsWrites: true,
    when: isOpenAt('RES-12'),
    broken: firstBroken(
      ({ reading: { body }, animals: [animal] }) =>
        body?.clientId !== undefined &&
        animal?.id === body.clientId &&
        `the animal was given the id ${animal.id}, which the client sent`,
      EVERY_MEMBER,
    ),
    sends: [each(OPEN.clientIds, create)],
  }),
  requirement('RES-13', 'an integer in another spelling is rejected, or returned with the same value', {
    needsWrites: true,
    when: isOpenAt('RES-13'),
    broken: EVERY_MEMBER,
    sends: [each(OPEN.integers, create)],
  }),
  requirement('RES-14', 'which categories exist', {
    needsWrites: true,
    records: (seen) => (isCreated(seen) ? 'accepts categories that the suite chooses' : undefined),
  }),
]);
