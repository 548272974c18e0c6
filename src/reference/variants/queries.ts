import { LIMIT } from '../../contract/contract-facts.ts';
import { choosing, combine, override } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError, invalidParameter, petNotFound } from '../errors.ts';
import { readInt64 } from '../json.ts';
import type { Call, Variant } from '../steps.ts';
import {
  answeringBefore,
  asPage,
  checkingAfterKey,
  checkingBeforeKey,
  clampedLimit,
  identified,
  lenientInteger,
  type Reading,
  readingLimit,
  readingLimits,
} from './builders.ts';

/** A filter that no animal matches. */
export const NOTHING = 'nothing';

/** Reads the filters that are not one status; several have been given where there are several texts. */
export const readingFilters = (read: (texts: readonly string[]) => Reading<string>) =>
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

/** Chooses one of several limits; unusual ones are refused. */
const severalLimits = (choose: (...limits: readonly number[]) => number) =>
  readingLimits((texts) => {
    const limits = texts.map((text) => lenientInteger(text) ?? Number.NaN);
    return limits.every((limit) => limit >= LIMIT.minimum && limit <= LIMIT.maximum) ? choose(...limits) : 'refused';
  });

/** A page of no animals where a limit is 0, however it is written; `which` says for which lists. */
const givingNothingForZero = (which: (call: Call) => boolean) =>
  override('listPets', (original) => (call) => {
    const limits = call.query.getAll('limit');
    const isZero = limits.length > 0 && limits.every((text) => text.trim() !== '' && Number(text) === 0);
    if (!isZero || !which(call)) return original(call);
    call.service.steps.readStatusFilter(call);
    return call.service.steps.respond(200, [], {}, call);
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

/** The int64 that a text in another spelling denotes, of at most 19 digits. */
const denoted = (spelling: RegExp, text: string): bigint | undefined => {
  const [, sign = '', digits] = spelling.exec(text) ?? [];
  if (digits === undefined || digits.length > 19) return undefined;
  const value = BigInt(digits);
  return readInt64(`${sign === '-' ? -value : value}`);
};

const KNOWN_PARAMETERS: Readonly<Record<string, readonly string[]>> = { listPets: ['limit', 'status'] };

const refuseUnknownParameters = (call: Call): void => {
  const known = KNOWN_PARAMETERS[call.operation ?? ''] ?? [];
  const unknown = [...call.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidParameter(`The parameter ${JSON.stringify(unknown)} is not known.`);
};

const isMalformed = (call: Call): boolean => /%(?![0-9A-Fa-f]{2})/.test(call.incoming.url ?? '');

const hasEncodedSlash = (call: Call): boolean => /%2f/i.test(call.incoming.url?.split('?')[0] ?? '');

/** How the parameters of a request are read. */
// biome-ignore format: one table
export const queryVariants: readonly Variant[] = [
  ...choosing('LIST-10', {
    'limits-below-clamped-above-refused': ['A `limit` below 1 becomes 1; one above 100 or not an integer is refused.',
      readingLimit((text) => ((lenientInteger(text) ?? 101) < 1 ? 1 : 'refused'))],
    'limits-below-refused-above-clamped': ['A `limit` above 100 becomes 100; one below 1 or not an integer is refused.',
      readingLimit((text) => ((lenientInteger(text) ?? 0) > 100 ? 100 : 'refused'))],
    'limits-below-ignored-above-clamped': [
      'A `limit` below 1 is ignored, one above 100 becomes 100, and one that is not an integer is refused.',
      readingLimit((text) => {
        const limit = lenientInteger(text);
        if (limit === undefined) return 'refused';
        return limit < 1 ? undefined : clampedLimit(limit);
      })],
    'limits-words-ignored-numbers-refused': [
      'A `limit` that is not an integer is ignored; one out of range is refused.',
      readingLimit((text) => (lenientInteger(text) === undefined ? undefined : 'refused'))],
    'limits-odd-give-100': ['Any other `limit` than the integers from 1 to 100 becomes 100.', readingLimit(() => 100)],
    'limits-odd-give-1': ['Any other `limit` than the integers from 1 to 100 becomes 1.', readingLimit(() => 1)],
    'limits-by-their-first-digits': [
      'A `limit` is read up to its first character that is not a digit (`5abc` is 5), then clamped.',
      readingLimit((text) => clampedLimit(Number.parseInt(text, 10) || LIMIT.default))],
    'limits-as-doubles': [
      'A `limit` is read as a double (`1e1`, `0x10`, `5.7`), then cut off and clamped; anything else is refused.',
      readingLimit((text) => {
        const limit = text.trim() === '' ? Number.NaN : Number(text);
        return Number.isNaN(limit) ? 'refused' : clampedLimit(limit);
      })],
    'limits-of-32-bits': ['A `limit` is clamped if it fits into 32 bits, and refused otherwise.',
      readingLimit((text) => {
        const limit = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
        return Math.abs(limit) < 2 ** 31 ? clampedLimit(limit) : 'refused';
      })],
    'limits-in-other-spellings-read': [
      'A `limit` written `+5`, `05`, `5.0` or with blanks is read as 5; others are refused.',
      readingLimit((text) => {
        const limit = lenientInteger(text) ?? 0;
        return limit >= LIMIT.minimum && limit <= LIMIT.maximum ? limit : 'refused';
      })],
    'limits-with-zeros-before-refused': [
      'A `limit` with zeros before it is refused, like any other that is not written plainly.',
      readingLimit(() => 'refused')],
    'limit-empty-as-absent': ['An empty `limit` counts as none; other unusual ones are refused.',
      readingLimit((text) => (text === '' ? undefined : 'refused'))],
    'limit-twice-last-counts': ['Of several limits, the last one counts.',
      override('readLimit', (original) => (call) => {
        const last = call.query.getAll('limit').at(-1);
        return original(last === undefined ? call : { ...call, query: new URLSearchParams({ limit: last }) });
      })],
    'limit-twice-smallest-counts': ['Of several limits, the smallest one counts; unusual ones are refused.',
      severalLimits(Math.min)],
    'limit-twice-largest-counts': ['Of several limits, the largest one counts; unusual ones are refused.',
      severalLimits(Math.max)],
    'limit-twice-refused': ['Several limits are refused, like unusual ones.', readingLimits(() => 'refused')],
    'limit-twice-ignored': ['Several limits count as none; unusual ones are refused.',
      readingLimits(([, ...others]) => (others.length > 0 ? undefined : 'refused'))],
    'limit-twice-gives-100': ['Several limits become 100; unusual ones are refused.',
      readingLimits(([, ...others]) => (others.length > 0 ? 100 : 'refused'))],
    'limit-0-gives-nothing': ['A `limit` whose value is 0 gives an empty page; other unusual ones are refused.',
      givingNothingForZero(() => true)],
    'limit-0-beside-status-empty': ['`limit=0` gives an empty page beside a `status`, and is refused without one.',
      givingNothingForZero(({ query }) => isPetStatus(query.get('status')))],
    'empty-pieces-of-queries-refused': ['A query with an `&` too many is refused with 400.',
      checkingAfterKey((call) => {
        if (/[?&]&|.&$/.test(call.incoming.url ?? '')) throw invalidParameter('A parameter has no name.');
      })],
    'limits-in-odd-spellings-ignored': [
      'A `limit` that is not written plainly from 1 to 100 is ignored, `05` and `+5` too.',
      readingLimit(() => undefined)],
  }),
  ...choosing('LIST-11', {
    'status-in-other-case-refused-others-give-nothing': [
      'A status filter in other letter case is refused; other words give an empty list.',
      readingFilter((text) => (isPetStatus(text.trim().toLowerCase()) ? 'refused' : NOTHING))],
    'status-words-refused-other-case-gives-nothing': [
      'A status filter in other letter case or with blanks gives an empty list; other words are refused.',
      readingFilter((text) => (isPetStatus(text.trim().toLowerCase()) ? NOTHING : 'refused'))],
    'status-lists-refused-words-give-nothing': [
      'A status filter with other characters than letters is refused; other words give an empty list.',
      readingFilter((text) => (/^[A-Za-z]*$/.test(text) ? NOTHING : 'refused'))],
    'status-unknown-gives-nothing-and-limits-clamped': [
      'A status filter outside the enumeration gives an empty list, and limits are clamped.',
      combine(readingFilter(() => NOTHING),
        readingLimit((text) => clampedLimit(lenientInteger(text) ?? LIMIT.default)))],
    'status-empty-as-absent': ['An empty status filter counts as none; other unusual ones are refused.',
      readingFilter((text) => (text === '' ? undefined : 'refused'))],
    'status-empty-gives-nothing': ['An empty status filter gives an empty list; other unusual ones are refused.',
      readingFilter((text) => (text === '' ? NOTHING : 'refused'))],
    'status-and-limit-empty-as-absent': ['Empty parameters count as none; an unknown status gives an empty list.',
      combine(readingFilter((text) => (text === '' ? undefined : NOTHING)),
        readingLimit((text) => (text === '' ? undefined : clampedLimit(lenientInteger(text) ?? 1))))],
    'status-twice-last-counts': ['Of several status filters, the last one counts.',
      readingFilters((texts) => (isPetStatus(texts.at(-1)) ? texts.at(-1) : 'refused'))],
    'status-twice-first-counts-empty-as-absent': [
      'Of several status filters, the first one counts, and an empty one counts as none.',
      readingFilters(([first]) => (first === '' ? undefined : isPetStatus(first) ? first : 'refused'))],
    'status-twice-refused': ['Several status filters are refused.', readingFilters(() => 'refused')],
    'status-twice-either': ['Of several status filters, an animal needs to match one; unknown ones match nothing.',
      combine(readingFilters((texts) => texts.find(isPetStatus) ?? NOTHING), eitherStatus)],
    'status-twice-known-one-counts': [
      'Of several status filters, the first known one counts, and the largest of several limits.',
      combine(readingFilters((texts) => texts.find(isPetStatus) ?? 'refused'), severalLimits(Math.max))],
    'malformed-encoding-answered-404': ['A malformed percent-encoding is answered with 404.',
      checkingAfterKey((call) => {
        if (isMalformed(call)) throw new ApiError(404, 'not_found', 'Nothing is found at this address.');
      })],
    'malformed-encoding-answered-400-by-a-proxy': [
      'A malformed percent-encoding is answered with 400 and a page of HTML, before it reaches the service.',
      answeringBefore(isMalformed, () => asPage(400))],
    'malformed-encoding-answered-400-without-a-body': [
      'A malformed percent-encoding is answered with 400 and no body, before it reaches the service.',
      answeringBefore(isMalformed, () => ({ status: 400, headers: {}, body: '' }))],
  }),
  ...choosing('AUTH-9', {
    'malformed-encoding-refused-before-key': [
      'A malformed percent-encoding is answered with 400 before anything else is looked at.',
      checkingBeforeKey((call) => {
        if (isMalformed(call)) throw invalidParameter('The address is not properly encoded.');
      })],
    'ids-not-int64-refused-before-key': [
      'An id that is not a plain int64 is answered with 400 before the key is checked.',
      checkingBeforeKey((call) => {
        if (call.operation === 'getPet' && readInt64(call.petId ?? '') === undefined) {
          throw invalidParameter('petId is an int64 integer.');
        }
      })],
    'unknown-ids-not-found-before-key': ['An unknown id is answered with 404 before the key is checked.',
      checkingBeforeKey((call) => {
        if (call.operation !== 'getPet') return;
        const { steps } = call.service;
        if (steps.findPet(steps.readPetId(call), call) === undefined) throw petNotFound(call.petId ?? '');
      })],
  }),
  ...choosing('GET-5', {
    'encoded-slashes-answered-404-by-a-proxy': [
      'An id with an encoded slash is answered with 404 and a page of HTML, before it reaches the service.',
      answeringBefore(hasEncodedSlash, () => asPage(404))],
    'encoded-slashes-answered-400-without-a-body': [
      'An id with an encoded slash is answered with 400 and no body, before it reaches the service.',
      answeringBefore(hasEncodedSlash, () => ({ status: 400, headers: {}, body: '' }))],
    'encoded-slashes-redirected': [
      'An id with an encoded slash is redirected to the path without it, with a page of HTML.',
      answeringBefore(hasEncodedSlash, ({ incoming }) => {
        const page = asPage(301);
        const location = (incoming.url ?? '').replace(/%2f/gi, '/').replace(/\/[^/]*\/\.\.(?=\/)/g, '');
        return { ...page, headers: { ...page.headers, Location: location } };
      })],
    'ids-in-other-spellings-read': ['An id written `01`, `+1` or `1.0` is read as 1.',
      readingIds((text) => denoted(/^([+-]?)(\d+)(?:\.0+)?$/, text))],
    'ids-from-zero-in-other-spellings-read': ['The first id is 0, and an id written `-0`, `00` or `+0` is read as 0.',
      combine(identified((place) => place - 1n), readingIds((text) => denoted(/^([+-]?)(\d+)(?:\.0+)?$/, text)))],
    'ids-with-sign-or-zeros-read-words-refused': [
      'An id written `01` or `+1` is read as 1; whatever is not an int64 is answered with 400.',
      combine(refusingIds(() => true), readingIds((text) => denoted(/^([+-]?)(\d+)$/, text)))],
    'ids-words-refused-large-not-found': ['An id that is not a number is answered with 400, one beyond int64 with 404.',
      refusingIds((text) => !/^-?\d+$/.test(text))],
    'ids-large-refused-words-not-found': ['An id beyond int64 is answered with 400, one that is not a number with 404.',
      refusingIds((text) => /^-?\d+$/.test(text))],
  }),
  ...choosing('LIST-14', {
    'unknown-parameters-refused': ['Unknown query parameters are refused, by every operation.',
      checkingAfterKey(refuseUnknownParameters)],
    'unknown-parameters-refused-before-key': ['Unknown query parameters are refused before the key is checked.',
      checkingBeforeKey(refuseUnknownParameters)],
  }),
];
