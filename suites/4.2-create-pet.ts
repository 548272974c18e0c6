// Part 4.2 · Add an animal

import { isCarriedOutOnce } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { each } from '../src/check/rows.ts';
import {
  atPointOf,
  bodyFault,
  foundUnderItsId,
  header,
  isAsCreated,
  isAsSent,
  isCreated,
  isFetched,
  showsEffectOfRejected,
} from '../src/check/rules.ts';
import { INVALID } from '../src/inputs/invalid-bodies.ts';
import { MALFORMED } from '../src/inputs/malformed-bodies.ts';
import { OPEN } from '../src/inputs/open-bodies.ts';
import { VALID } from '../src/inputs/valid-bodies.ts';
import type { Seen } from '../src/known/seen.ts';
import { create, JSON_TYPE, PLAIN } from '../src/reading/call.ts';
import { SCRIPTS } from './course.ts';

type Body = string | undefined;
const typed = ([type, body]: readonly [type: string, body: Body]) =>
  create(body, type === '' ? PLAIN : [...PLAIN, ['Content-Type', type]]);
const coded = ([coding, body]: readonly [coding: string, body: string]) =>
  create(body, [...PLAIN, JSON_TYPE, ['Content-Encoding', coding]]);
const chunked = ([chunkBytes, body]: readonly [bytes: number, body: string]) => ({ ...create(body), chunkBytes });

const AS_SENT = isAsSent();
const isAbout =
  (id: string) =>
  (seen: Seen): boolean =>
    isCreated(seen) && seen.reading.body?.requirement === id;

export const createPet = part('4.2', 'createPet', 'CREATE', [
  requirement('CREATE-1', 'adding a valid animal returns 201 with the animal', {
    about: 'message',
    when: isCreated,
    broken: bodyFault(({ shape }) => shape === 'animal'),
    sends: [each(OPEN.large, create)],
  }),
  requirement('CREATE-1', 'one creation adds one animal', {
    when: ({ reading }) => reading.operation !== 'createPet',
    broken: isCarriedOutOnce,
  }),
  requirement('CREATE-2', 'a body that lacks name or categoryId is rejected with 400', {
    sends: [each(INVALID.lackingMembers, create)],
  }),
  requirement('CREATE-3', 'a request without a body is rejected with 400', {
    sends: [each(MALFORMED.noBodies, typed)],
  }),
  requirement('CREATE-4', 'a body that is not well-formed JSON is rejected with 400', {
    sends: [each(MALFORMED.json, create), each(INVALID.inMediaTypes, typed)],
  }),
  requirement('CREATE-5', 'a body whose name is not a string is rejected with 400', {
    sends: [each(INVALID.wrongNames, create)],
  }),
  requirement('CREATE-6', 'a body whose categoryId is not an int64 is rejected with 400', {
    sends: [each(INVALID.wrongCategories, create)],
  }),
  requirement('CREATE-7', 'a body whose status is not an allowed value is rejected with 400', {
    sends: [each(INVALID.wrongStatuses, create), each(INVALID.severalWrong, create)],
  }),
  requirement('CREATE-8', 'a body that is JSON but not an object is rejected with 400', {
    sends: [each(MALFORMED.noObjects, create)],
  }),
  requirement('CREATE-9', 'a rejected body has no effect', {
    when: ({ animals, reading }) => animals.length > 0 && reading.operation !== 'createPet',
    broken: showsEffectOfRejected('body'),
    scripts: [SCRIPTS.aged],
  }),
  requirement('CREATE-10', 'adding the same body twice gives two animals', {
    when: (seen, known) => isCreated(seen) && known.ownByBody(bodyOf(seen)) !== undefined,
    broken: (seen, known) => {
      const own = known.ownByBody(bodyOf(seen));
      const id = seen.animals[0]?.id;
      return (
        own !== undefined &&
        own.id === id && {
          says: `the second 201 for the same body shows the first animal, ${id}`,
          earlier: [own.exchange],
        }
      );
    },
    scripts: [SCRIPTS.twins],
  }),
  requirement('CREATE-10', 'the same body may be sent again', {
    about: 'status',
    when: (seen, known) => seen.expected.mustBe === 'accepted' && known.ownByBody(bodyOf(seen)) !== undefined,
    broken: (seen, known) => {
      const own = known.ownByBody(bodyOf(seen));
      return (
        own !== undefined && {
          says: `the same body was accepted before, but now gets ${seen.status ?? 'no response'}`,
          earlier: [own.exchange],
        }
      );
    },
  }),
  requirement('CREATE-11', 'an animal is found under the id in its 201', {
    ...foundUnderItsId,
  }),
  requirement('CREATE-11', 'the animal under the id in a 201 is the one that was added', {
    when: isFetched,
    broken: isAsCreated((_, member) => member === 'name'),
    scripts: [SCRIPTS.equals],
  }),
  requirement('CREATE-12', 'a valid body is accepted in every form that JSON allows', {
    when: isAbout('CREATE-12'),
    broken: AS_SENT,
    sends: [each(VALID.jsonForms, create, { isValid: true }), each(VALID.mediaTypes, typed)],
  }),
  requirement('CREATE-13', 'a body with another Content-Type is rejected, or creates an animal', {
    ...atPointOf('CREATE-13', AS_SENT),
    sends: [each(OPEN.mediaTypes, typed), each(OPEN.codings, coded)],
  }),
  requirement('CREATE-14', 'a body that has a member twice is rejected, or one of the values is used', {
    ...atPointOf('CREATE-14', AS_SENT),
    sends: [each(OPEN.duplicateMembers, create)],
  }),
  requirement('CREATE-15', 'a Location header on the 201', {
    records: (seen) =>
      isCreated(seen) ? `sends ${header(seen, 'location') === undefined ? 'no Location' : 'a Location'}` : undefined,
  }),
  requirement('CREATE-16', 'a body in chunks is accepted, or rejected with 411', {
    when: ({ exchange: { request }, reading: { key } }) => request.chunkBytes !== undefined && key.kind === 'right',
    broken: (seen, known) => isAbout('CREATE-16')(seen) && AS_SENT(seen, known),
    records: ({ status }) => (status === undefined ? undefined : `answers ${status} to a body in chunks`),
    sends: [each(OPEN.chunkSizes, chunked)],
  }),
  requirement('CREATE-17', 'a body with a byte order mark or not in UTF-8 is rejected, or creates an animal', {
    ...atPointOf('CREATE-17', AS_SENT),
    sends: [each(OPEN.encodings, create)],
  }),
]);

const bodyOf = ({ exchange: { request } }: Seen): string | undefined =>
  request.body === undefined ? undefined : Buffer.from(request.body).toString('latin1');
