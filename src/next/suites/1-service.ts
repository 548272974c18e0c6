// Part 1 · What the service does

import { list } from '../petstore/call.ts';
import {
  ACCEPTS,
  ACCEPTS_OTHER,
  HEADER_SETS,
  HEADERS_OF_A_GET,
  LEFT_OUT,
  MANY_HEADERS,
  ORIGINS,
  RAW_SETS,
} from '../petstore/inputs/headers.ts';
import { part, requirement } from '../petstore/requirement.ts';
import { CALLS, under, without } from '../petstore/rows.ts';
import { count, hasMessage, isAnswered, isFetchOfOwn, isPage, quote } from '../petstore/rules.ts';

const { list: plain, get, create, sold } = CALLS;
const BOTH = [plain, get, create, sold, get, plain, CALLS.getFree];
const FULL = list('limit=100');

export const service = part('1', 'What the service does', [
  requirement('SERV-1', 'what was added can be listed and fetched afterwards', {
    when: isPage,
    broken: ({ reading: { query }, exchange, length = 0, answer }, known) => {
      if (query === undefined) return undefined;
      const bytes = answer?.body.length ?? 0;
      const page = { length, bytes };
      const before = known.largest(query.same);
      for (const left of known.settledLeftOut(query.same)) {
        const last = left.pages.at(-1);
        if (last === undefined) continue;
        // Room is shown by this page, or by an earlier one, that is larger than the page with the animal.
        const larger =
          before !== undefined && before.length > page.length
            ? { ...before, by: [before.exchange] }
            : { ...page, by: [] };
        if (larger.length <= last.length || last.bytes + left.animal.bytes > larger.bytes) continue;
        const { animal, pages } = left;
        return {
          says: `pages left out animal ${animal.id} (${quote(animal.name)}) in ${count(pages.length, 'response')} in a row, with room: the same query was answered with ${count(larger.length, 'animal')}`,
          earlier: [animal.exchange, ...larger.by, ...pages.map((one) => one.exchange)].filter(
            (one) => one !== exchange,
          ),
        };
      }
      return undefined;
    },
  }),

  requirement('SERV-1', 'what was added can be fetched afterwards', {
    about: 'status',
    when: isFetchOfOwn,
    broken: ({ status, reading: { id } }) => status === 404 && `animal ${id?.id} was added and is not found`,
  }),

  requirement('SERV-2', 'every response is sent as application/json', {
    about: 'message',
    when: hasMessage,
    broken: ({ mediaType }) =>
      mediaType !== 'application/json' && `the media type is ${mediaType === undefined ? 'missing' : quote(mediaType)}`,
  }),

  requirement('SERV-3', 'every body is strict JSON in UTF-8, complete, in a coding that the request accepts', {
    about: 'message',
    when: hasMessage,
    broken: (seen) => seen.notJson ?? codingFault(seen),
  }),

  requirement('SERV-4', 'no request makes the service fail', {
    about: 'status',
    when: isAnswered,
    broken: ({ status = 0 }) => status >= 500 && `it answers ${status}`,
    sends: [
      under(HEADER_SETS, BOTH),
      under(RAW_SETS, BOTH),
      under([MANY_HEADERS], [plain]),
      under(HEADERS_OF_A_GET, [list('limit=5'), get]),
      under(
        ACCEPTS.map((accept) => [['Accept', accept]]),
        [plain, create, get, FULL, CALLS.getFree],
        { in: 'full' },
      ),
      under(
        ACCEPTS_OTHER.map((accept) => [['Accept', accept]]),
        [plain, create, get],
      ),
      under(
        ORIGINS.map((origin) => [['Origin', origin]]),
        [plain, create, get],
      ),
      without(LEFT_OUT, [create, plain, get]),
    ],
  }),

  requirement('SERV-5', 'every request is answered by one whole response in time', {
    about: 'status',
    broken: ({ exchange: { outcome } }) => outcome.kind === 'failure' && outcome.reached && outcome.sentence,
  }),
]);

/** A body may be coded only as the request says it may (RFC 9110, 12.5.3); without a word of it, in gzip or not at all. */
function codingFault({ exchange: { request }, answer }: Parameters<typeof hasMessage>[0]): string | undefined {
  const coding = answer?.headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    ?.trim()
    .toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return undefined;
  const accepts = request.headers
    .filter(([name]) => name.toLowerCase() === 'accept-encoding')
    .map(([, value]) => value)
    .join(',');
  if (accepts === '')
    return coding === 'gzip' ? undefined : `the body is coded in ${coding}, which the request does not ask for`;
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
  return weight > 0 ? undefined : `the body is coded in ${coding}, and the request accepts ${quote(accepts)}`;
}
