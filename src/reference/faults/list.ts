import { PET_STATUSES, type PetStatus } from '../../petstore/contract-facts.ts';
import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  fault,
  jsonResponse,
  onEveryNth,
  override,
  type ResponseFilter,
  responsesOf,
} from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { invalidParameter } from '../errors.ts';
import type { Call, Fault } from '../steps.ts';
import {
  EVERYTHING,
  hasStatus,
  hasUnknownStatus,
  listed,
  PET_JSON,
  refusingLimits,
  respondingToGets,
  withLimit,
} from './builders.ts';

/** Applies another limit when none is given. */
const withDefault = (limit: number) =>
  override('readLimit', (original) => (call) => (call.query.has('limit') ? original(call) : limit));

/** Lists nothing where there should be animals. */
const listingNothing = (when: (call: Call) => boolean) =>
  override('selectPage', (original) => (page, call) => (when(call) ? [] : original(page, call)));

const refusedLimit: ResponseFilter = (response, call) =>
  responsesOf('listPets', 400)(response, call) && call.query.has('limit');

/** Filters by another status than the one asked for. */
const filteringBy = (choose: (status: string, call: Call) => string | undefined) =>
  override(
    'selectPage',
    (original) => (page, call) =>
      original(page.status === undefined ? page : { ...page, status: choose(page.status, call) }, call),
  );

/** Reads a status filter that the original step would refuse. */
const readingFilter = (read: (text: string) => PetStatus | 'everything' | undefined) =>
  override('readStatusFilter', (original) => (call) => {
    const text = call.query.get('status');
    const status = text === null ? undefined : read(text);
    if (status === undefined) return original(call);
    return status === 'everything' ? undefined : status;
  });

/** Part 4.1, listPets. */
export const listFaults: readonly Fault[] = [
  fault(
    'list-wrapped-in-object',
    'LIST-1',
    'The list is wrapped in an object, as `pets`.',
    changeText(listed, (text) => `{"pets":${text}}`),
  ),
  fault(
    'list-written-twice-after-an-addition',
    'LIST-1',
    'Once an animal was added, a list without parameters comes from a cache, as a JSON string that holds the list.',
    (steps) => {
      let isCached = false;
      return combine(
        override('store', (original) => (pet, call) => {
          isCached = true;
          original(pet, call);
        }),
        changeText(
          (response, call) => isCached && call.query.size === 0 && listed(response, call),
          (text) => JSON.stringify(text),
        ),
      )(steps);
    },
  ),
  fault(
    'list-of-one-unwrapped',
    'LIST-1',
    'A list of one animal is sent as that animal, without the array.',
    changeText(listed, (text) => {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) && list.length === 1 ? text.slice(1, -1) : text;
    }),
  ),
  fault(
    'list-of-ids',
    'LIST-1',
    'The list holds ids instead of animals.',
    override('listPets', () => (call) => {
      const { steps } = call.service;
      const page = { limit: steps.readLimit(call), status: steps.readStatusFilter(call) };
      return steps.respond(
        200,
        steps.selectPage(page, call).map(({ id }) => id),
        {},
        call,
      );
    }),
  ),
  fault(
    'list-holds-a-null',
    'LIST-1',
    'In a list of more than two animals, the last one is null.',
    changeText(listed, (text) => {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) && list.length > 2 ? text.replace(/,\{[^{}]*\}\]$/, ',null]') : text;
    }),
  ),
  fault(
    'gets-answered-201',
    'LIST-1',
    'Every GET is answered with 201 and an animal.',
    respondingToGets(() => jsonResponse(201, PET_JSON)),
  ),
  fault(
    'lists-answered-400',
    'LIST-1',
    'Every list is answered with 400.',
    changeResponse(listed, () => errorResponse(400)),
  ),

  fault(
    'limit-plus-one',
    'LIST-2',
    'A page holds one animal more than `limit`.',
    withLimit((limit, call) => (call.query.has('limit') ? limit + 1 : limit)),
  ),
  fault(
    'limit-ignored',
    'LIST-2',
    'A page holds 20 animals, whatever `limit` says.',
    withLimit(() => 20),
  ),
  fault(
    'limit-7-gives-8',
    'LIST-2',
    'Only `limit=7` gives a page of eight, where no `status` is asked for.',
    withLimit((limit, call) => (limit === 7 && !hasStatus(call) ? 8 : limit)),
  ),

  fault('default-limit-21', 'LIST-3', 'Without `limit`, a page holds 21 animals.', withDefault(21)),
  fault(
    'default-limit-none-with-status',
    'LIST-3',
    'Without `limit` but with `status`, a page holds everything that matches.',
    override(
      'readLimit',
      (original) => (call) => (call.query.has('status') && !call.query.has('limit') ? EVERYTHING : original(call)),
    ),
  ),

  fault('default-limit-10', 'LIST-4', 'Without `limit`, a page holds 10 animals.', withDefault(10)),

  fault(
    'limit-37-refused',
    'LIST-5',
    '`limit=37` is refused.',
    refusingLimits((limit) => limit === 37),
  ),
  fault(
    'limit-above-50-refused',
    'LIST-5',
    'A `limit` above 50 is refused.',
    refusingLimits((limit) => limit > 50),
  ),

  fault(
    'filter-ignored',
    'LIST-6',
    'The status filter is ignored.',
    filteringBy(() => undefined),
  ),
  ...PET_STATUSES.map((ignored) =>
    fault(
      `filter-${ignored}-ignored`,
      'LIST-6',
      `The filter \`status=${ignored}\` is ignored.`,
      filteringBy((status) => (status === ignored ? undefined : status)),
    ),
  ),
  fault(
    'filter-lets-one-through',
    'LIST-6',
    'On a filtered page of two or more animals, the last one has another status.',
    override('selectPage', (original) => (page, call) => {
      const pets = original(page, call);
      const stray = original({ limit: 100, status: undefined }, call).find(
        (pet) => page.status !== undefined && pet.status !== page.status,
      );
      return page.status !== undefined && stray !== undefined && pets.length >= 2
        ? [...pets.slice(0, -1), stray]
        : pets;
    }),
  ),
  fault(
    'filter-lets-statusless-through',
    'LIST-6',
    'An omitted status stays absent, and animals without a status pass every filter.',
    combine(
      override('validateNewPet', (original) => (body, call) => {
        const { status, ...rest } = original(body, call);
        return typeof body === 'object' && body !== null && 'status' in body && status !== undefined
          ? { ...rest, status }
          : rest;
      }),
      override(
        'selectPage',
        (original) => (page, call) =>
          page.status === undefined
            ? original(page, call)
            : original({ limit: 1000, status: undefined }, call)
                .filter(({ status }) => status === undefined || status === page.status)
                .slice(0, page.limit),
      ),
    ),
  ),
  fault(
    'filter-sold-refused',
    'LIST-6',
    '`status=sold` is refused.',
    override(
      'listPets',
      (original) => (call) => (call.query.get('status') === 'sold' ? errorResponse(400) : original(call)),
    ),
  ),
  fault(
    'one-in-20-filters-lost',
    'LIST-6',
    'One filtered list in 20 is not filtered.',
    onEveryNth(20, (isDue) =>
      override(
        'selectPage',
        (original) => (page, call) =>
          original(page.status !== undefined && isDue() ? { ...page, status: undefined } : page, call),
      ),
    ),
  ),

  fault(
    'list-always-empty',
    'LIST-7',
    'The list is always empty.',
    listingNothing(() => true),
  ),
  fault(
    'list-of-limit-1-empty',
    'LIST-7',
    'With `limit=1` the list is empty.',
    listingNothing((call) => call.query.get('limit') === '1'),
  ),
  fault(
    'filter-after-the-cut',
    'LIST-7',
    'The limit is applied before the filter, so a page may come out empty.',
    override(
      'selectPage',
      (original) => (page, call) =>
        page.status === undefined
          ? original(page, call)
          : original({ ...page, status: undefined }, call).filter(({ status }) => status === page.status),
    ),
  ),
  fault(
    'filter-pending-always-empty',
    'LIST-7',
    '`status=pending` always gives an empty list.',
    override('selectPage', (original) => (page, call) => (page.status === 'pending' ? [] : original(page, call))),
  ),

  fault(
    'page-repeats-first',
    'LIST-8',
    'A page that is not full ends with its first animal again.',
    override('selectPage', (original) => (page, call) => {
      const pets = original(page, call);
      const first = pets[0];
      return first !== undefined && pets.length < page.limit ? [...pets, first] : pets;
    }),
  ),
  fault(
    'page-repeats-with-status',
    'LIST-8',
    'With `status`, an animal is listed twice if there is room.',
    override('selectPage', (original) => (page, call) => {
      const pets = original(page, call);
      return page.status === undefined ? pets : [...pets, ...pets].slice(0, Math.min(page.limit, pets.length + 1));
    }),
  ),

  fault(
    'limit-refused-beside-status',
    'LIST-9',
    '`limit` and `status` together are refused.',
    override('listPets', (original) => (call) => {
      if (call.query.has('limit') && call.query.has('status')) throw invalidParameter('Give either limit or status.');
      return original(call);
    }),
  ),
  fault(
    'limit-ignored-beside-status',
    'LIST-9',
    '`limit` is ignored when `status` is given.',
    withLimit((limit, call) => (call.query.has('status') ? EVERYTHING : limit)),
  ),
  fault(
    'filter-lost-beside-limit',
    'LIST-9',
    'The filter is ignored when `limit` is given.',
    filteringBy((status, call) => (call.query.has('limit') ? undefined : status)),
  ),
  fault(
    'filter-lost-when-limit-comes-first',
    'LIST-9',
    'Only the first query parameter is read, so a filter after `limit` is ignored.',
    filteringBy((status, call) => ([...call.query.keys()][0] === 'status' ? status : undefined)),
  ),

  fault(
    'limit-out-of-range-answered-422',
    'LIST-10',
    'A `limit` out of range is answered with 422.',
    changeResponse(refusedLimit, () => errorResponse(422)),
  ),

  fault(
    'filter-unknown-gives-everything',
    'LIST-11',
    'A status filter outside the enumeration gives everything.',
    readingFilter((text) => (isPetStatus(text) ? undefined : 'everything')),
  ),
  fault(
    'filter-in-any-letter-case',
    'LIST-11',
    'The status filter is compared case-insensitively.',
    readingFilter((text) => PET_STATUSES.find((status) => status === text.toLowerCase())),
  ),
  fault(
    'query-decoded-before-it-is-split',
    'LIST-11',
    'The query is decoded before it is split, so that the status `sold%26limit=5` is read as `sold`.',
    readingFilter((text) => PET_STATUSES.find((status) => text.startsWith(`${status}&`))),
  ),
  fault(
    'filter-unknown-answered-422',
    'LIST-11',
    'A status filter outside the enumeration is answered with 422.',
    changeResponse(
      (response, call) => responsesOf('listPets', 400)(response, call) && hasUnknownStatus(call),
      () => errorResponse(422),
    ),
  ),
];
