// Part 1 · What the service does

import { mayOmitOther, omitsNone, omitsOther } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { CALLS, inTurn, onAll, withHeader, withHeaders, withoutHeaders } from '../src/check/rows.ts';
import { codingFault, hasMessage, isFetchOfOwn, isPage } from '../src/check/rules.ts';
import { HEADERS } from '../src/inputs/headers.ts';
import { list } from '../src/reading/call.ts';
import { quote } from '../src/text.ts';

const { list: plain, get, create, listSold, getFree, badCategory, malformed } = CALLS;
const FULL = list('limit=100');

export const service = part('1', 'Service', 'SERV', [
  requirement('SERV-1', 'an animal that was added appears in the list', {
    when: isPage,
    broken: omitsNone(() => true),
  }),
  requirement('SERV-1', 'an animal of another client stays in the list while getPet finds it', {
    when: isPage,
    broken: mayOmitOther(false),
  }),

  requirement('SERV-1', 'an animal of another client that getPet finds appears in the list', {
    when: (seen, known) => known.pageBetweenFetches(seen) !== undefined,
    broken: omitsOther(false),
  }),

  requirement('SERV-1', 'an animal that was added can be fetched', {
    about: 'status',
    when: isFetchOfOwn,
    broken: ({ status, reading: { id } }) => status === 404 && `animal ${id?.id} was added but is not found`,
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
    broken: (seen) => seen.notJson ?? codingFault(seen),
  }),

  requirement('SERV-3', 'every body is complete', {
    about: 'connection',
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
    broken: ({ exchange: { outcome } }) => outcome.kind === 'failure' && outcome.reached && outcome.sentence,
  }),
]);
