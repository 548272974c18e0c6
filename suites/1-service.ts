// Part 1 · What the service does

import { mayOmitOther, omitsNone, omitsOther } from '../src/check/over-time.ts';
import { part, requirement } from '../src/check/requirement.ts';
import { CALLS, inTurn, onAll, withHeaders, withoutHeaders } from '../src/check/rows.ts';
import { codingsIn, firstBroken, hasMessage, isFetchOfOwn, isPage } from '../src/check/rules.ts';
import type { Call } from '../src/http/exchange.ts';
import {
  ACCEPTS,
  ACCEPTS_OTHER,
  HEADER_SETS,
  HEADERS_OF_A_GET,
  LEFT_OUT,
  MANY_HEADERS,
  ORIGINS,
  RAW_SETS,
} from '../src/inputs/headers.ts';
import { create as CREATE, list } from '../src/reading/call.ts';
import { quote } from '../src/text.ts';

const { list: plain, get, create, listSold, getFree } = CALLS;
const badCategory = CREATE('{"name":"$NAME","categoryId":"7"}');
const malformed = CREATE('{"name":"$NAME",');
const withHeader = (name: string) => (call: Call, value: string) => withHeaders(call, [[name, value]]);
const FULL = list('limit=100');

export const service = part('1', 'What the service does', [
  requirement('SERV-1', 'an animal that was added appears in the list', {
    when: isPage,
    broken: firstBroken(
      omitsNone(() => true),
      mayOmitOther(false),
    ),
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
      onAll(HEADER_SETS.slice(0, 2), withHeaders, [plain, get, create, badCategory]),
      inTurn(HEADER_SETS.slice(2), withHeaders, [plain, get, badCategory, listSold, create, getFree]),
      inTurn(RAW_SETS, withHeaders, [plain, get]),
      inTurn([MANY_HEADERS], withHeaders, [plain]),
      inTurn([[['Connection', 'close']]], withHeaders, [FULL], { in: 'full' }),
      inTurn(HEADERS_OF_A_GET, withHeaders, [list('limit=5'), get]),
      inTurn(ACCEPTS, withHeader('Accept'), [get, FULL, malformed, plain, getFree, badCategory]),
      inTurn(ACCEPTS_OTHER, withHeader('Accept'), [plain, malformed, get]),
      inTurn(ORIGINS, withHeader('Origin'), [plain, create, get]),
      inTurn(LEFT_OUT, withoutHeaders, [create, plain, get], { isValid: true }),
    ],
  }),

  requirement('SERV-5', 'every request gets one complete response in time', {
    about: 'connection',
    broken: ({ exchange: { outcome } }) => outcome.kind === 'failure' && outcome.reached && outcome.sentence,
  }),
]);

/** The encoding must be one that Accept-Encoding permits (RFC 9110, 12.5.3); without that header, gzip or none. */
function codingFault({ exchange: { request }, answer }: Parameters<typeof hasMessage>[0]): string | undefined {
  const coding = codingsIn(answer).join(', ');
  if (coding === '') return undefined;
  const accepts = request.headers
    .filter(([name]) => name.toLowerCase() === 'accept-encoding')
    .map(([, value]) => value)
    .join(',');
  if (accepts === '')
    return coding === 'gzip'
      ? undefined
      : `the body is encoded in ${quote(coding)}, and the request did not ask for it`;
  const weights = accepts.split(',').map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const weightOf = (name: string): number | undefined => {
    const found = weights.find(([one]) => one === name);
    return found && Number(found[1] ?? 1);
  };
  const weight = weightOf(coding) ?? weightOf(coding === 'x-gzip' ? 'gzip' : coding) ?? weightOf('*') ?? 0;
  return weight > 0 ? undefined : `the body is encoded in ${quote(coding)}, but the request accepts ${quote(accepts)}`;
}
