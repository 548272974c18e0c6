// Part 1 · What the service does

import { omitsNone, omitsNoOther } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { CALLS, inTurn, onAll, withHeader, withHeaders, withoutHeaders } from '../src/check/rows.ts';
import { codingFault, firstBroken, foundUnderItsId, hasMessage, isPage } from '../src/check/rules.ts';
import { HEADERS } from '../src/inputs/headers.ts';
import { list } from '../src/reading/call.ts';
import { quote } from '../src/text.ts';
import { SCRIPTS } from './course.ts';

const { list: plain, get, create, listSold, getFree, badCategory, malformed } = CALLS;
const FULL = list('limit=100');

export const service = part('1', 'Service', 'SERV', [
  requirement('SERV-1', 'an animal that was added appears in the list', {
    when: isPage,
    broken: firstBroken(
      omitsNone(() => true),
      omitsNoOther(false),
    ),
    isAboutListed: true,
    scripts: [SCRIPTS.room, SCRIPTS.largest],
  }),

  requirement('SERV-1', 'an animal that was added can be fetched', {
    ...foundUnderItsId,
  }),

  requirement('SERV-2', 'every response is sent as application/json', {
    about: 'message',
    when: hasMessage,
    broken: ({ mediaType }) =>
      mediaType !== 'application/json' && `the media type is ${mediaType === undefined ? 'missing' : quote(mediaType)}`,
  }),

  requirement('SERV-3', 'every body is complete, strict JSON in UTF-8, in an encoding that the request accepts', {
    about: 'message',
    when: hasMessage,
    broken: (seen) => seen.notJson ?? codingFault(seen) ?? (seen.unread === undefined ? false : undefined),
    scripts: [SCRIPTS.codingsInTurn],
  }),

  requirement('SERV-3', 'every body is complete', {
    about: 'connection',
    when: ({ status }) => status !== undefined,
    broken: ({ exchange: { outcome } }) =>
      outcome.kind === 'failure' &&
      (outcome.code === 'wrong-length' || outcome.code === 'truncated') &&
      outcome.sentence,
  }),

  requirement('SERV-4', 'no request causes a server error', {
    about: 'status',
    broken: ({ status = 0 }) => status >= 500 && `the response is ${status}`,
    sends: [
      onAll(HEADERS.sets.slice(0, 2), withHeaders, [plain, get, create, badCategory]),
      inTurn(HEADERS.sets.slice(2), withHeaders, [plain, get, badCategory, listSold, create, getFree]),
      inTurn(HEADERS.overrides, withHeaders, [create]),
      inTurn(HEADERS.raw, withHeaders, [plain, get]),
      inTurn([HEADERS.many], withHeaders, [plain]),
      inTurn(HEADERS.ofAFullPage, withHeaders, [FULL], { in: 'full' }),
      inTurn(HEADERS.ofAGet, withHeaders, [list('limit=5'), get]),
      inTurn(HEADERS.accepts, withHeader('Accept'), [get, FULL, malformed, plain, getFree, badCategory]),
      inTurn(HEADERS.acceptsOther, withHeader('Accept'), [plain, malformed, get]),
      inTurn(HEADERS.origins, withHeader('Origin'), [plain, create, get]),
      inTurn(HEADERS.leftOut, withoutHeaders, [create, plain, get], { isValid: true }),
    ],
  }),

  requirement('SERV-5', 'every request gets one complete response in time', {
    about: 'connection',
    when: ({ exchange: { outcome, request } }) =>
      request.mayBeClosed !== true || outcome.kind === 'answer' || outcome.code !== 'reset',
    broken: ({ exchange: { outcome } }) => outcome.kind === 'failure' && outcome.reached && outcome.sentence,
    scripts: [SCRIPTS.atOnce],
  }),
]);
