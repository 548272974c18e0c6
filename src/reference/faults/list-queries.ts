import { LIMIT, PET_STATUSES, type PetStatus } from '../../petstore/contract-facts.ts';
import { changeResponse, combine, errorResponse, fault, jsonResponse, override, responsesOf } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import type { ApiResponse, Fault } from '../steps.ts';
import {
  answeringLists,
  both,
  EVERYTHING,
  hasLimit,
  hasStatus,
  hasUnknownStatus,
  lettingThrough,
  onLimit,
  onStatus,
  overlapping,
  rawQuery,
  readingLimit,
  refusingLimits,
  showing,
  startingWith,
  type When,
  withLimit,
} from './builders.ts';

const FAILED = errorResponse(500);
const REFUSED = errorResponse(400);
const NOTHING = jsonResponse(200, '[]');

const failingOn = (when: When) => answeringLists(when, FAILED);

/** Ignores the filter of some requests. */
const notFiltering = (when: When) =>
  lettingThrough((call) => (call.query.has('status') && when(call) ? PET_STATUSES : undefined));

/** Ignores both the limit and the filter of some requests. */
const ignoringBoth = (when: When) =>
  combine(
    readingLimit((_, call) => (when(call) ? LIMIT.default : undefined)),
    notFiltering((call) => when(call) && !hasUnknownStatus(call)),
  );

/** Reads a filter that is no status as one or several; it is refused where it fits none. */
const filterFitting = (fits: (status: PetStatus, text: string) => boolean) =>
  lettingThrough(({ query }) => {
    const text = query.get('status');
    if (text === null || isPetStatus(text)) return undefined;
    const statuses = PET_STATUSES.filter((status) => fits(status, text));
    return statuses.length === 0 ? undefined : statuses;
  });

/** Reads a limit in one form otherwise. */
const limitLike = (form: RegExp, read: (text: string) => number) =>
  readingLimit((text) => (text !== null && form.test(text) ? read(text) : undefined));

/** Whether the value of a parameter has this form as it stands on the wire. */
const raw =
  (name: string, form: RegExp): When =>
  (call) =>
    rawQuery(call).some((pair) => pair[0] === name && form.test(pair[1]));

const rawStatus = (call: Parameters<When>[0]): string | undefined =>
  rawQuery(call).find(([name]) => name === 'status')?.[1];

/** Whether a parameter is there, but its name is not written in its own letters. */
const nameEncoded =
  (name: string): When =>
  (call) =>
    call.query.has(name) && rawQuery(call).every((pair) => pair[0] !== name);

const address = ({ incoming }: Parameters<When>[0]): string => incoming.url ?? '';

const twice =
  (name: string): When =>
  ({ query }) =>
    query.getAll(name).length > 1;

const hasKnownStatus: When = ({ query }) => isPetStatus(query.get('status'));
const statusFirst: When = ({ query }) => [...query.keys()].indexOf('status') < [...query.keys()].indexOf('limit');
const hasInvalidLimit = onLimit(/^(?!(?:[1-9]\d?|100)$)/);

const MALFORMED = /%(?![0-9a-f]{2})/i;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A pattern of SQL: `%` for anything and `_` for one character. */
const sqlPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
  );

const asPattern = (text: string): RegExp | undefined => {
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    return undefined;
  }
};

const known = (word: string | undefined): readonly PetStatus[] | undefined => {
  const statuses = PET_STATUSES.filter((status) => status === word);
  return statuses.length === 0 ? undefined : statuses;
};

/** Reads the status out of a filter of another form. */
const readingStatusIn = (form: RegExp) =>
  lettingThrough(({ query }) => known(form.exec(query.get('status') ?? '')?.[1]));

/** Part 4.1: what is asked of listPets, and in which words. */
export const listQueryFaults: readonly Fault[] = [
  // Each limit
  fault(
    'limit-refused-when-alone',
    'LIST-5',
    'A `limit` other than 100 is refused while nothing else is under way.',
    overlapping(
      () => true,
      (underWay) => refusingLimits((limit) => limit !== 100 && underWay() === 1),
    ),
  ),
  fault(
    'limit-99-gives-100',
    'LIST-2',
    '`limit=99` gives a page of 100.',
    withLimit((limit) => (limit === 99 ? 100 : limit)),
  ),
  fault(
    'limit-100-gives-101',
    'LIM-2',
    '`limit=100` gives a page of 101.',
    withLimit((limit) => (limit === 100 ? 101 : limit)),
  ),
  fault(
    'limit-20-gives-19',
    'LIST-4',
    '`limit=20` gives a page of 19, though a page without `limit` holds 20.',
    withLimit((limit, call) => (limit === 20 && call.query.has('limit') ? 19 : limit)),
  ),
  fault(
    'limit-off-the-menu-refused',
    'LIST-5',
    'Above 10, a `limit` that is not a multiple of 5 is refused.',
    refusingLimits((limit) => limit > 10 && limit % 5 > 0),
  ),

  // Limit and status together
  fault(
    'default-limit-30-for-pending',
    'LIST-3',
    'Without `limit`, a page of `status=pending` holds 30 animals.',
    readingLimit((text, { query }) => (text === null && query.get('status') === 'pending' ? 30 : undefined)),
  ),
  fault(
    'default-limit-15-for-sold',
    'LIST-4',
    'Without `limit`, a page of `status=sold` holds 15 animals, and with `limit=20` it holds 20.',
    readingLimit((text, { query }) => (text === null && query.get('status') === 'sold' ? 15 : undefined)),
  ),
  fault(
    'limit-1-with-sold-gives-2',
    'LIST-9',
    '`limit=1` together with `status=sold` gives two animals.',
    withLimit((limit, { query }) => (limit === 1 && query.get('status') === 'sold' ? 2 : limit)),
  ),
  fault(
    'limit-100-with-pending-refused',
    'LIST-9',
    '`limit=100` together with `status=pending` is refused.',
    answeringLists(both(onLimit(/^100$/), onStatus(/^pending$/)), REFUSED),
  ),
  fault(
    'limit-above-20-with-sold-lets-pending-through',
    'LIST-9',
    '`status=sold` together with a `limit` above 20 gives pending animals too.',
    lettingThrough((call) =>
      both(onLimit(/^(?:2[1-9]|[3-9]\d|100)$/), onStatus(/^sold$/))(call) ? ['sold', 'pending'] : undefined,
    ),
  ),
  fault(
    'filtered-page-filled-up',
    'LIST-9',
    'A filtered page that lacks just one animal to its `limit` is filled up with one of another status.',
    showing((pets, { limit, status }, call) => {
      const stray = call.service.collection.newest(EVERYTHING).find((pet) => pet.status !== status);
      const isDue = status !== undefined && call.query.has('limit') && pets.length === limit - 1;
      return isDue && stray !== undefined ? [...pets, stray] : pets;
    }),
  ),

  // The order of parameters
  fault(
    'limit-after-status-ignored',
    'LIST-9',
    'A `limit` that comes after `status` is ignored, so the page holds 20.',
    withLimit((limit, call) => (both(hasLimit, hasKnownStatus, statusFirst)(call) ? LIMIT.default : limit)),
  ),
  fault(
    'status-before-limit-refused',
    'LIST-9',
    '`status` and `limit` are refused in this order and accepted in the other.',
    answeringLists(both(hasLimit, hasKnownStatus, statusFirst), REFUSED),
  ),

  fault(
    'status-between-two-limits-ignored',
    'LIST-10',
    'Where `limit` is given twice, a `status` between the two does not filter (`limit=5&status=sold&limit=7`).',
    notFiltering(both(hasKnownStatus, (call) => /limit=[^&]*&status=[^&]*&limit=/.test(address(call)))),
  ),
  fault(
    'no-more-read-at-an-empty-piece',
    'LIST-9',
    'Of a query, what comes behind a `&&` is not read (`limit=5&&status=sold`).',
    notFiltering(both(hasKnownStatus, (call) => /&&.*status=/.test(address(call)))),
  ),
  fault(
    'query-that-ends-in-an-ampersand-ignored',
    'LIST-2',
    'A query that ends in `&` loses its `limit`.',
    withLimit((limit, call) => (hasLimit(call) && address(call).endsWith('&') ? LIMIT.default : limit)),
  ),
  fault(
    'bare-question-mark-refused',
    'LIST-1',
    'A list whose address ends in a question mark is refused with 400.',
    answeringLists((call) => address(call).endsWith('?'), REFUSED),
  ),

  // Percent-encoding
  fault(
    'encoded-status-refused',
    'LIST-6',
    'A status with a percent-encoded letter (`%73old`) is refused.',
    answeringLists(both(hasKnownStatus, raw('status', /%/)), REFUSED),
  ),
  fault(
    'lower-case-hex-refused',
    'LIST-6',
    'In a status, percent-encoding with lower-case hexadecimal digits (`s%6fld`) is not decoded and so refused.',
    answeringLists(both(hasKnownStatus, raw('status', /%(?:[0-9][a-f]|[a-f][0-9a-f])/)), REFUSED),
  ),
  fault(
    'encoded-inside-status-ignored',
    'LIST-6',
    'A status that is percent-encoded from its second letter on, but not in its first, does not filter.',
    notFiltering(both(hasKnownStatus, raw('status', /^[a-z]+%/))),
  ),
  fault(
    'limit-with-many-zeros-answered-422',
    'LIST-10',
    'A `limit` with two zeros or more before it or in its fraction (`005`, `5.00`) is answered with 422.',
    answeringLists(onLimit(/^00+[1-9]|\.00+$/), errorResponse(422)),
  ),
  fault(
    'encoded-limit-ignored',
    'LIST-2',
    'A `limit` with a percent-encoded digit (`%35`) is ignored, so the page holds 20.',
    withLimit((limit, call) => (raw('limit', /%3\d/)(call) ? LIMIT.default : limit)),
  ),
  fault(
    'encoded-name-of-status-unknown',
    'LIST-6',
    'The parameter `status` is not known when a letter of its name is percent-encoded (`%73tatus=sold`).',
    notFiltering(nameEncoded('status')),
  ),
  fault(
    'encoded-name-of-limit-unknown',
    'LIST-2',
    'The parameter `limit` is not known when a letter of its name is percent-encoded (`l%69mit=5`).',
    readingLimit((_, call) => (nameEncoded('limit')(call) ? LIMIT.default : undefined)),
  ),
  fault(
    'encoded-status-lost-beside-limit',
    'LIST-9',
    'A percent-encoded status filters, but not beside a `limit`.',
    notFiltering(both(hasLimit, hasKnownStatus, raw('status', /%/))),
  ),
  fault(
    'encoded-name-of-status-unknown-beside-limit',
    'LIST-9',
    'Where `limit=` stands literally in the query, the names of other parameters are not decoded (`limit=5&st%61tus=sold`).',
    notFiltering(both(nameEncoded('status'), hasLimit, (call) => !nameEncoded('limit')(call))),
  ),
  fault(
    'much-percent-encoding-refused',
    'LIST-9',
    'A query with more than 16 percent-encoded characters is refused, as if it were an attack.',
    answeringLists(
      both(hasLimit, hasKnownStatus, ({ incoming }) => (incoming.url ?? '').split('%').length > 17),
      REFUSED,
    ),
  ),
  fault(
    'status-decoded-twice',
    'LIST-11',
    'A status is percent-decoded twice, so `%2573old` gives sold animals.',
    filterFitting((status, text) => decode(text) === status),
  ),
  fault(
    'truncated-encoding-behind-status-dropped',
    'LIST-11',
    'A truncated percent-encoding at the end of a status (`available%2`) is dropped, so it filters as without it.',
    lettingThrough((call) => known(rawStatus(call)?.replace(/%[0-9a-f]$/i, ''))),
  ),
  fault(
    'truncated-encoding-behind-limit-makes-500',
    'SERV-4',
    'A truncated percent-encoding at the end of a `limit` makes the service fail.',
    failingOn(raw('limit', /^\d+%$/)),
  ),
  fault(
    'malformed-limit-drops-the-query',
    'LIST-10',
    'Malformed percent-encoding in `limit` drops the whole query, so the status beside it does not filter.',
    ignoringBoth(raw('limit', MALFORMED)),
  ),

  fault(
    'limit-before-filter-where-status-is-first',
    'LIST-7',
    'Where `status` stands first, the page is cut to `limit` before it is filtered.',
    override('selectPage', (original) => (page, call) => {
      if (!both(hasLimit, hasKnownStatus, statusFirst)(call)) return original(page, call);
      return original({ ...page, status: undefined }, call).filter(({ status }) => status === page.status);
    }),
  ),
  fault(
    'limit-in-full-width-digits-without-maximum',
    'LIST-10',
    'A `limit` in full-width digits is read, and has no maximum.',
    limitLike(/^[０-９]{1,3}$/, (text) => Number(text.normalize('NFKC'))),
  ),
  fault(
    'limit-with-a-fraction-without-maximum',
    'LIST-10',
    'A `limit` with a fraction of zero (`200.0`) has no maximum.',
    limitLike(/^\d{1,3}\.0+$/, Number),
  ),
  fault(
    'limit-in-thousands-without-maximum',
    'LIST-10',
    'A `limit` with an exponent that makes it thousands (`1e3`) has no maximum, where no `status` is asked for.',
    readingLimit((text, call) => (/^\de3$/.test(text ?? '') && !hasStatus(call) ? Number(text) : undefined)),
  ),
  fault(
    'limit-in-thousands-beside-status-without-maximum',
    'LIST-10',
    'A `limit` with an exponent that makes it thousands (`1e3`) has no maximum beside a `status`.',
    readingLimit((text, call) => (/^\de3$/.test(text ?? '') && hasStatus(call) ? Number(text) : undefined)),
  ),
  fault(
    'limit-0-beside-status-empty',
    'LIST-10',
    '`limit=0` gives an empty page beside a `status`.',
    readingLimit((text, call) => (text === '0' && hasStatus(call) ? 0 : undefined)),
  ),
  fault(
    'limit-and-length-of-status-share-a-memo',
    'LIST-9',
    'The last page is given again where the limit and the length of the status are, run together, the same.',
    (steps) => {
      let last: { readonly key: string; readonly response: ApiResponse } | undefined;
      return override('listPets', (original) => async (call) => {
        const { query } = call;
        const key = `${query.get('limit') ?? ''}${query.get('status')?.length ?? ''}`;
        const response = last?.key === key ? last.response : await original(call);
        last = response.status === 200 ? { key, response } : undefined;
        return response;
      })(steps);
    },
  ),

  // Given twice
  fault(
    'limit-twice-gives-nothing',
    'LIST-10',
    'A `limit` that is given twice gives an empty page.',
    answeringLists(twice('limit'), NOTHING),
  ),
  fault(
    'limit-twice-loses-filter',
    'LIST-10',
    'When `limit` is given twice, the status beside it does not filter.',
    notFiltering(both(twice('limit'), hasKnownStatus)),
  ),
  fault(
    'status-twice-not-filtered',
    'LIST-11',
    'When `status` is given twice, nothing is filtered.',
    notFiltering(twice('status')),
  ),
  fault(
    'status-twice-loses-limit',
    'LIST-11',
    'When `status` is given twice, the first one filters, and the `limit` beside it is ignored; the store is full.',
    combine(
      startingWith(400),
      withLimit((limit, call) => (twice('status')(call) ? LIMIT.maximum : limit)),
    ),
  ),
  fault(
    'status-twice-one-unknown-not-filtered',
    'LIST-11',
    'When `status` is given twice and one of the two is no status, nothing is filtered.',
    notFiltering(({ query }) => {
      const known = query.getAll('status').map(isPetStatus);
      return known.includes(true) && known.includes(false);
    }),
  ),

  // Filters that are no status
  fault(
    'filter-cut-at-nul',
    'LIST-11',
    'A status ends at its first NUL, so `sold%00` gives sold animals.',
    filterFitting((status, text) => text.startsWith(`${status}\0`)),
  ),
  fault(
    'filter-list-gives-several',
    'LIST-11',
    'A list of statuses with commas (`sold,pending`) gives the animals of all of them.',
    filterFitting((status, text) => text.includes(',') && text.split(',').includes(status)),
  ),
  fault(
    'limit-21-with-a-filter-gives-22',
    'LIST-9',
    '`limit=21` with a `status` gives a page of 22.',
    withLimit((limit, call) => (limit === 21 && hasStatus(call) ? 22 : limit)),
  ),
  fault(
    'filter-negated',
    'LIST-11',
    'A status after `!` or `-` gives the animals of all others.',
    filterFitting((status, text) => /^[!-]/.test(text) && isPetStatus(text.slice(1)) && text.slice(1) !== status),
  ),
  fault(
    'filter-by-its-first-letters',
    'LIST-11',
    'The first letters of a status (`sol`) are enough.',
    filterFitting((status, text) => text !== '' && status.startsWith(text)),
  ),
  fault(
    'filter-inside-a-longer-word',
    'LIST-11',
    'A longer word that contains a status (`unsold`, `pending2`) counts as that status.',
    filterFitting((status, text) => /^\w+$/.test(text) && text.includes(status)),
  ),
  fault(
    'filter-with-sql-wildcards',
    'LIST-11',
    'A status is compared with SQL `LIKE`, so `%` and `_` stand for any characters.',
    filterFitting((status, text) => /[%_]/.test(text) && sqlPattern(text).test(status)),
  ),
  fault(
    'filter-as-regular-expression',
    'LIST-11',
    'A status is taken as a regular expression, so `.*` and `sold|pending` give animals.',
    filterFitting((status, text) => text !== '' && asPattern(text)?.test(status) === true),
  ),
  fault(
    'filter-by-number',
    'LIST-11',
    'The number of a status counts as the status: 0 is `available`, 1 is `pending`, 2 is `sold`.',
    filterFitting((status, text) => PET_STATUSES.indexOf(status).toString() === text),
  ),
  fault(
    'filter-all-gives-everything',
    'LIST-11',
    'The filters `all`, `any` and `*` give everything.',
    notFiltering(onStatus(/^(?:all|any|\*)$/i)),
  ),
  fault(
    'filter-language-word-gives-everything',
    'LIST-11',
    'Filters are looked up in an object, so `constructor`, `toString` and the like are found there and let everything through.',
    notFiltering(({ query }) => query.getAll('status').some((text) => text in {} && text !== '__proto__')),
  ),
  fault(
    'filter-unknown-ignored-beside-limit',
    'LIST-11',
    'A filter outside the enumeration is refused, but beside a `limit` it gives everything.',
    notFiltering(both(hasLimit, hasUnknownStatus, onStatus(/./))),
  ),
  fault(
    'filter-unknown-gives-null',
    'LIST-1',
    'A filter outside the enumeration is answered with 200 and `null`.',
    changeResponse(
      (response, call) => responsesOf('listPets', 400)(response, call) && onStatus(/./)(call) && hasUnknownStatus(call),
      () => jsonResponse(200, 'null'),
    ),
  ),
  fault(
    'filter-empty-answered-404',
    'LIST-11',
    'An empty filter (`status=`) is answered with 404.',
    answeringLists(onStatus(/^$/), errorResponse(404)),
  ),
  fault(
    'limit-ignored-beside-empty-status',
    'LIST-11',
    'An empty filter (`status=`) counts as absent, but the `limit` beside it is ignored.',
    combine(
      notFiltering(onStatus(/^$/)),
      withLimit((limit, call) => (hasLimit(call) && onStatus(/^$/)(call) ? LIMIT.maximum : limit)),
    ),
  ),

  // Limits that are none
  fault(
    'limit-beyond-32-bits-gives-nothing',
    'LIST-10',
    'A `limit` of ten digits or more overflows, and gives an empty page.',
    answeringLists(onLimit(/^[1-9]\d{9,}$/), NOTHING),
  ),
  fault(
    'limit-negative-gives-everything',
    'LIM-2',
    'A negative `limit` means no limit, as in SQLite.',
    limitLike(/^-\d+$/, () => EVERYTHING),
  ),
  fault(
    'limit-above-1000-gives-everything',
    'LIM-2',
    'A `limit` above 1,000 means no limit; from 101 on it is clamped.',
    limitLike(/^\d{3,}$/, (text) => (Number(text) > 1000 ? EVERYTHING : Math.min(Number(text), LIMIT.maximum))),
  ),
  fault(
    'limit-above-100-loses-filter',
    'LIST-10',
    'A `limit` above 100 is clamped, and the status beside it does not filter.',
    combine(
      limitLike(/^[1-9]\d{2,}$/, () => LIMIT.maximum),
      notFiltering(both(onLimit(/^(?!100$)[1-9]\d{2,}$/), hasKnownStatus)),
    ),
  ),

  // Queries that make the service fail
  fault(
    'limit-with-fraction-makes-500',
    'SERV-4',
    'A `limit` with a fraction (`5.0`, `1.5`) makes the service fail.',
    failingOn(onLimit(/^\d+\.\d+$/)),
  ),
  fault(
    'status-twice-makes-500',
    'SERV-4',
    'A `status` that is given twice makes the service fail.',
    failingOn(twice('status')),
  ),
  fault(
    'status-nul-makes-500',
    'SERV-4',
    'A NUL in the status filter makes the service fail.',
    failingOn(onStatus(/\0/)),
  ),
  fault(
    'status-prototype-makes-500',
    'SERV-4',
    'The status filter `__proto__` makes the service fail.',
    failingOn(onStatus(/^__proto__$/)),
  ),
  fault(
    'malformed-percent-makes-500',
    'SERV-4',
    'Malformed percent-encoding in the status filter (`%ZZ`) makes the service fail.',
    failingOn(raw('status', MALFORMED)),
  ),
  fault(
    'two-invalid-parameters-make-500',
    'SERV-4',
    'A `limit` out of range together with a status outside the enumeration makes the service fail.',
    failingOn(both(hasInvalidLimit, hasUnknownStatus)),
  ),

  fault(
    'filter-in-quotes-read',
    'LIST-11',
    'A status filter in double quotes (`"sold"`) is read as the status.',
    readingStatusIn(/^"(.*)"$/),
  ),
  fault(
    'filter-after-an-operator-read',
    'LIST-11',
    'A status filter after `eq:` or `status:` is read as the status.',
    readingStatusIn(/^(?:eq|status):(.*)$/),
  ),
  fault(
    'filter-before-a-mark-read',
    'LIST-11',
    'What stands behind the letters of a status filter (`sold;`, `sold/`) is not read.',
    readingStatusIn(/^([a-z]+)[^a-z,]+$/),
  ),
  fault(
    'semicolon-ends-a-filter',
    'LIST-11',
    'A semicolon ends a parameter of the query, so that `status=sold;pending` lists sold animals.',
    lettingThrough((call) => {
      const [first = null, ...rest] = rawStatus(call)?.split(';') ?? [];
      return rest.length > 0 && isPetStatus(first) ? [first] : undefined;
    }),
  ),
  fault(
    'filter-with-unseen-characters-read',
    'LIST-11',
    'Characters that are not seen (U+200B to U+200D) are removed from a status filter before it is compared.',
    lettingThrough(({ query }) => {
      const text = query.get('status') ?? '';
      const seen = text.replace(/[\u200b-\u200d]/g, '');
      return seen === text ? undefined : known(seen);
    }),
  ),
  fault(
    'limit-least-integer-makes-500',
    'SERV-4',
    'The least int32 or int64 as the `limit`, of which there is no positive counterpart, makes the service fail.',
    failingOn(onLimit(/^(?:-2147483648|-9223372036854775808)$/)),
  ),
  fault(
    'limit-above-int32-beside-status-makes-500',
    'SERV-4',
    'A `limit` that does not fit into 32 bits makes the service fail where a status is given, too.',
    failingOn(both(onLimit(/^(?:2147483648|[3-9]\d{9}|[1-9]\d{10,})$/), hasKnownStatus)),
  ),
];
