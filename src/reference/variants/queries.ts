import { LIMIT } from '../../petstore/contract-facts.ts';
import { combine, override, variant } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError, invalidParameter, petNotFound } from '../errors.ts';
import { readInt64 } from '../json.ts';
import type { ApiResponse, Call, Variant } from '../steps.ts';
import {
  checkingAfterKey,
  checkingBeforeKey,
  clampedLimit,
  lenientInteger,
  type Reading,
  readingLimit,
  readingLimits,
} from './builders.ts';

/** A filter that no animal matches. */
const NOTHING = 'nothing';

/** Reads the filters that are not one status; several have been given where there are several texts. */
const readingFilters = (read: (texts: readonly string[]) => Reading<string>) =>
  override('readStatusFilter', (original) => (call) => {
    const texts = call.query.getAll('status');
    if (texts.length === 0 || (texts.length === 1 && isPetStatus(texts[0]))) return original(call);
    const status = read(texts);
    if (status === 'refused') throw invalidParameter('status is not acceptable.');
    return status;
  });

/** Reads one filter in another way. Of several, the first one counts, and must be a status. */
const readingFilter = (read: (text: string) => Reading<string>) =>
  readingFilters(([first = '', ...others]) => {
    if (isPetStatus(first)) return first;
    return others.length > 0 ? 'refused' : read(first);
  });

/** Chooses one of several limits; odd ones are refused. */
const severalLimits = (choose: (...limits: readonly number[]) => number) =>
  readingLimits((texts) => {
    const limits = texts.map((text) => lenientInteger(text) ?? Number.NaN);
    return limits.every((limit) => limit >= LIMIT.minimum && limit <= LIMIT.maximum) ? choose(...limits) : 'refused';
  });

/** Shows animals with any of the statuses that are given. */
const eitherStatus = override('selectPage', (original) => (page, call) => {
  const statuses = new Set(call.query.getAll('status').filter(isPetStatus));
  if (statuses.size < 2) return original(page, call);
  const matching = call.service.collection
    .oldestFirst(undefined)
    .filter(({ status }) => status && statuses.has(status));
  return matching.slice(-page.limit).reverse();
});

/** Reads ids that are not plain int64; undefined to go on as before. */
const readingIds = (read: (text: string) => bigint | undefined) =>
  override('readPetId', (original) => (call) => read(call.petId ?? '') ?? original(call));

/** Answers ids that are not plain int64 with 400. */
const refusingIds = (refuses: (text: string) => boolean) =>
  readingIds((text) => {
    if (readInt64(text) === undefined && refuses(text)) throw invalidParameter('petId is an int64 integer.');
    return undefined;
  });

/** The int64 that a text in another spelling denotes. */
const denoted = (spelling: RegExp, text: string): bigint | undefined => {
  const [, sign = '', digits] = spelling.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return readInt64(`${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d)/, '')}`);
};

const KNOWN_PARAMETERS: Readonly<Record<string, readonly string[]>> = { listPets: ['limit', 'status'] };

const refuseUnknownParameters = (call: Call): void => {
  const known = KNOWN_PARAMETERS[call.operation ?? ''] ?? [];
  const unknown = [...call.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidParameter(`The parameter ${JSON.stringify(unknown)} is not known.`);
};

const isMalformed = (call: Call): boolean => /%(?![0-9A-Fa-f]{2})/.test(call.incoming.url ?? '');

const hasEncodedSlash = (call: Call): boolean => /%2f/i.test(call.incoming.url?.split('?')[0] ?? '');

/** A page of a proxy. */
const asPage = (status: number): ApiResponse => ({
  status,
  headers: { 'Content-Type': 'text/html', Server: 'nginx/1.27.0' },
  body: `<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`,
});

/** Answers some requests before they reach the service. */
const answeringBefore = (which: (call: Call) => boolean, answer: (call: Call) => ApiResponse) =>
  override('serve', (original) => async (call) => (which(call) ? answer(call) : original(call)));

/** How the parameters of a request are read. */
export const queryVariants: readonly Variant[] = [
  variant(
    'limits-below-clamped-above-refused',
    'LIST-10',
    'A `limit` below 1 becomes 1; one above 100 or not an integer is refused.',
    readingLimit((text) => ((lenientInteger(text) ?? 101) < 1 ? 1 : 'refused')),
  ),
  variant(
    'limits-below-refused-above-clamped',
    'LIST-10',
    'A `limit` above 100 becomes 100; one below 1 or not an integer is refused.',
    readingLimit((text) => ((lenientInteger(text) ?? 0) > 100 ? 100 : 'refused')),
  ),
  variant(
    'limits-below-ignored-above-clamped',
    'LIST-10',
    'A `limit` below 1 is ignored, one above 100 becomes 100, and one that is not an integer is refused.',
    readingLimit((text) => {
      const limit = lenientInteger(text);
      if (limit === undefined) return 'refused';
      return limit < 1 ? undefined : clampedLimit(limit);
    }),
  ),
  variant(
    'limits-words-ignored-numbers-refused',
    'LIST-10',
    'A `limit` that is not an integer is ignored; one out of range is refused.',
    readingLimit((text) => (lenientInteger(text) === undefined ? undefined : 'refused')),
  ),
  variant(
    'limits-odd-give-100',
    'LIST-10',
    'Any other `limit` than the integers from 1 to 100 becomes 100.',
    readingLimit(() => 100),
  ),
  variant(
    'limits-odd-give-1',
    'LIST-10',
    'Any other `limit` than the integers from 1 to 100 becomes 1.',
    readingLimit(() => 1),
  ),
  variant(
    'limits-by-their-first-digits',
    'LIST-10',
    'A `limit` is read up to its first character that is not a digit (`5abc` is 5), then clamped.',
    readingLimit((text) => clampedLimit(Number.parseInt(text, 10) || LIMIT.default)),
  ),
  variant(
    'limits-as-doubles',
    'LIST-10',
    'A `limit` is read as a double (`1e1`, `0x10`, `5.7`), then cut off and clamped; anything else is refused.',
    readingLimit((text) => {
      const limit = text.trim() === '' ? Number.NaN : Number(text);
      return Number.isNaN(limit) ? 'refused' : clampedLimit(limit);
    }),
  ),
  variant(
    'limits-of-32-bits',
    'LIST-10',
    'A `limit` is clamped if it fits into 32 bits, and refused otherwise.',
    readingLimit((text) => {
      const limit = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      return Math.abs(limit) < 2 ** 31 ? clampedLimit(limit) : 'refused';
    }),
  ),
  variant(
    'limits-in-other-spellings-read',
    'LIST-10',
    'A `limit` written `+5`, `05`, `5.0` or with blanks is read as 5; others are refused.',
    readingLimit((text) => {
      const limit = lenientInteger(text) ?? 0;
      return limit >= LIMIT.minimum && limit <= LIMIT.maximum ? limit : 'refused';
    }),
  ),
  variant(
    'limits-with-zeros-before-refused',
    'LIST-10',
    'A `limit` with zeros before it is refused, like any other that is not written plainly.',
    readingLimit(() => 'refused'),
  ),
  variant(
    'limit-empty-as-absent',
    'LIST-10',
    'An empty `limit` is as good as none; other odd ones are refused.',
    readingLimit((text) => (text === '' ? undefined : 'refused')),
  ),
  variant(
    'limit-twice-last-counts',
    'LIST-10',
    'Of several limits, the last one counts.',
    override('readLimit', (original) => (call) => {
      const last = call.query.getAll('limit').at(-1);
      return original(last === undefined ? call : { ...call, query: new URLSearchParams({ limit: last }) });
    }),
  ),
  variant(
    'limit-twice-smallest-counts',
    'LIST-10',
    'Of several limits, the smallest one counts; odd ones are refused.',
    severalLimits(Math.min),
  ),
  variant(
    'limit-twice-largest-counts',
    'LIST-10',
    'Of several limits, the largest one counts; odd ones are refused.',
    severalLimits(Math.max),
  ),
  variant(
    'limit-twice-refused',
    'LIST-10',
    'Several limits are refused, like odd ones.',
    readingLimits(() => 'refused'),
  ),

  variant(
    'status-in-other-case-refused-others-give-nothing',
    'LIST-11',
    'A status filter in other letter case is refused; other words give an empty list.',
    readingFilter((text) => (isPetStatus(text.trim().toLowerCase()) ? 'refused' : NOTHING)),
  ),
  variant(
    'status-words-refused-other-case-gives-nothing',
    'LIST-11',
    'A status filter in other letter case or with blanks gives an empty list; other words are refused.',
    readingFilter((text) => (isPetStatus(text.trim().toLowerCase()) ? NOTHING : 'refused')),
  ),
  variant(
    'status-lists-refused-words-give-nothing',
    'LIST-11',
    'A status filter with other characters than letters is refused; other words give an empty list.',
    readingFilter((text) => (/^[A-Za-z]*$/.test(text) ? NOTHING : 'refused')),
  ),
  variant(
    'status-unknown-gives-nothing-and-limits-clamped',
    'LIST-11',
    'A status filter outside the enumeration gives an empty list, and limits are clamped.',
    combine(
      readingFilter(() => NOTHING),
      readingLimit((text) => clampedLimit(lenientInteger(text) ?? LIMIT.default)),
    ),
  ),
  variant(
    'limits-in-odd-spellings-ignored',
    'LIST-10',
    'A `limit` that is not written plainly from 1 to 100 is ignored, `05` and `+5` too.',
    readingLimit(() => undefined),
  ),
  variant(
    'status-empty-as-absent',
    'LIST-11',
    'An empty status filter is as good as none; other odd ones are refused.',
    readingFilter((text) => (text === '' ? undefined : 'refused')),
  ),
  variant(
    'status-empty-gives-nothing',
    'LIST-11',
    'An empty status filter gives an empty list; other odd ones are refused.',
    readingFilter((text) => (text === '' ? NOTHING : 'refused')),
  ),
  variant(
    'status-and-limit-empty-as-absent',
    'LIST-11',
    'Empty parameters are as good as none; an unknown status gives an empty list.',
    combine(
      readingFilter((text) => (text === '' ? undefined : NOTHING)),
      readingLimit((text) => (text === '' ? undefined : clampedLimit(lenientInteger(text) ?? 1))),
    ),
  ),
  variant(
    'status-twice-last-counts',
    'LIST-11',
    'Of several status filters, the last one counts.',
    readingFilters((texts) => (isPetStatus(texts.at(-1)) ? texts.at(-1) : 'refused')),
  ),
  variant(
    'status-twice-first-counts-empty-as-absent',
    'LIST-11',
    'Of several status filters, the first one counts, and an empty one is as good as none.',
    readingFilters(([first]) => (first === '' ? undefined : isPetStatus(first) ? first : 'refused')),
  ),
  variant(
    'status-twice-refused',
    'LIST-11',
    'Several status filters are refused.',
    readingFilters(() => 'refused'),
  ),
  variant(
    'status-twice-either',
    'LIST-11',
    'Of several status filters, an animal needs to match one; unknown ones match nothing.',
    combine(
      readingFilters((texts) => texts.find(isPetStatus) ?? NOTHING),
      eitherStatus,
    ),
  ),
  variant(
    'status-twice-known-one-counts',
    'LIST-11',
    'Of several status filters, the first known one counts, and the largest of several limits.',
    combine(
      readingFilters((texts) => texts.find(isPetStatus) ?? 'refused'),
      severalLimits(Math.max),
    ),
  ),

  variant(
    'malformed-encoding-refused-before-key',
    'AUTH-9',
    'A malformed percent-encoding is answered with 400 before anything else is looked at.',
    checkingBeforeKey((call) => {
      if (isMalformed(call)) throw invalidParameter('The address is not properly encoded.');
    }),
  ),
  variant(
    'malformed-encoding-answered-404',
    'LIST-11',
    'A malformed percent-encoding is answered with 404.',
    checkingAfterKey((call) => {
      if (isMalformed(call)) throw new ApiError(404, 'not_found', 'Nothing is found at this address.');
    }),
  ),
  variant(
    'malformed-encoding-answered-400-by-a-proxy',
    'LIST-11',
    'A malformed percent-encoding is answered with 400 and a page of HTML, before it reaches the service.',
    answeringBefore(isMalformed, () => asPage(400)),
  ),
  variant(
    'malformed-encoding-answered-400-without-a-body',
    'LIST-11',
    'A malformed percent-encoding is answered with 400 and no body, before it reaches the service.',
    answeringBefore(isMalformed, () => ({ status: 400, headers: {}, body: '' })),
  ),
  variant(
    'encoded-slashes-answered-404-by-a-proxy',
    'GET-5',
    'An id with an encoded slash is answered with 404 and a page of HTML, before it reaches the service.',
    answeringBefore(hasEncodedSlash, () => asPage(404)),
  ),
  variant(
    'encoded-slashes-answered-400-without-a-body',
    'GET-5',
    'An id with an encoded slash is answered with 400 and no body, before it reaches the service.',
    answeringBefore(hasEncodedSlash, () => ({ status: 400, headers: {}, body: '' })),
  ),
  variant(
    'encoded-slashes-redirected',
    'GET-5',
    'An id with an encoded slash is redirected to the path without it, with a page of HTML.',
    answeringBefore(hasEncodedSlash, ({ incoming }) => {
      const page = asPage(301);
      const location = (incoming.url ?? '').replace(/%2f/gi, '/').replace(/\/[^/]*\/\.\.(?=\/)/g, '');
      return { ...page, headers: { ...page.headers, Location: location } };
    }),
  ),
  variant(
    'unknown-parameters-refused',
    'LIST-14',
    'Unknown query parameters are refused, by every operation.',
    checkingAfterKey(refuseUnknownParameters),
  ),
  variant(
    'unknown-parameters-refused-before-key',
    'LIST-14',
    'Unknown query parameters are refused before the key is checked.',
    checkingBeforeKey(refuseUnknownParameters),
  ),

  variant(
    'empty-pieces-of-queries-refused',
    'LIST-14',
    'A query with an `&` too many is refused with 400.',
    checkingAfterKey((call) => {
      if (/[?&]&|.&$/.test(call.incoming.url ?? '')) throw invalidParameter('A parameter has no name.');
    }),
  ),

  variant(
    'ids-in-other-spellings-read',
    'GET-5',
    'An id written `01`, `+1` or `1.0` is read as 1.',
    readingIds((text) => denoted(/^([+-]?)(\d+)(?:\.0+)?$/, text)),
  ),
  variant(
    'ids-with-sign-or-zeros-read-words-refused',
    'GET-5',
    'An id written `01` or `+1` is read as 1; whatever is not an int64 is answered with 400.',
    combine(
      refusingIds(() => true),
      readingIds((text) => denoted(/^([+-]?)(\d+)$/, text)),
    ),
  ),
  variant(
    'ids-words-refused-large-not-found',
    'GET-5',
    'An id that is not a number is answered with 400, one beyond int64 with 404.',
    refusingIds((text) => !/^-?\d+$/.test(text)),
  ),
  variant(
    'ids-large-refused-words-not-found',
    'GET-5',
    'An id beyond int64 is answered with 400, one that is not a number with 404.',
    refusingIds((text) => /^-?\d+$/.test(text)),
  ),
  variant(
    'ids-not-int64-refused-before-key',
    'AUTH-9',
    'An id that is not a plain int64 is answered with 400 before the key is checked.',
    checkingBeforeKey((call) => {
      if (call.operation === 'getPet' && readInt64(call.petId ?? '') === undefined) {
        throw invalidParameter('petId is an int64 integer.');
      }
    }),
  ),
  variant(
    'unknown-ids-not-found-before-key',
    'AUTH-9',
    'An unknown id is answered with 404 before the key is checked.',
    checkingBeforeKey((call) => {
      if (call.operation !== 'getPet') return;
      const { steps } = call.service;
      if (steps.findPet(steps.readPetId(call), call) === undefined) throw petNotFound(call.petId ?? '');
    }),
  ),
];
