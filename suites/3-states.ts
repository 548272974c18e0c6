// Part 3 · States and transitions

import { omitsNone } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { each } from '../src/check/rows.ts';
import { firstBroken, isAsCreated, isCreated } from '../src/check/rules.ts';
import { VALID } from '../src/inputs/valid-bodies.ts';
import type { Seen } from '../src/known/seen.ts';
import { create } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

const omitsStatus = ({ reading: { body } }: Seen): boolean =>
  body?.animal.status?.[0] === undefined && body?.kind === 'valid';

export const states = part('3', 'States', 'STATE', [
  requirement('STATE-1', 'the status may be omitted', {
    sends: [each(VALID.withoutStatus, create, { atLeast: 2, isValid: true })],
  }),
  requirement('STATE-2', 'getPet and listPets show an omitted status as the 201 does', {
    when: ({ shape }) => shape === 'page' || shape === 'animal',
    broken: firstBroken(
      isAsCreated((isStatusOmitted, member) => isStatusOmitted && member === 'status'),
      omitsNone((isStatusOmitted) => isStatusOmitted),
    ),
    isAboutListed: true,
    scripts: [SCRIPTS.room],
    records: (seen) =>
      isCreated(seen) && omitsStatus(seen)
        ? `an animal added without a status ${seen.animals[0]?.status === undefined ? 'has none' : `is ${seen.animals[0].status}`}`
        : undefined,
  }),
]);
