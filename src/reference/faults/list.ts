import { LIMIT, PET_STATUSES } from '../../contract/contract-facts.ts';
import {
  breaking,
  breakingLater,
  changeResponse,
  changeText,
  combine,
  errorResponse,
  isSuccess,
  jsonResponse,
  onEveryNth,
  override,
  responsesOf,
} from '../changes.ts';
import { isPetStatus, type Pet } from '../collection.ts';
import { invalidParameter } from '../errors.ts';
import type { ApiResponse, Call, Fault } from '../steps.ts';
import {
  both,
  decode,
  has,
  hasKnownStatus,
  hasLimit,
  hasStatus,
  hasUnknownStatus,
  isGet,
  known,
  listed,
  MALFORMED,
  newest,
  onLimit,
  onStatus,
  rawParameter,
  rawQuery,
  sends,
  sizeOf,
  twice,
  urlOf,
  type When,
  where,
} from './conditions.ts';
import {
  answering,
  answeringLists,
  changingEveryNth,
  EVERYTHING,
  keeping,
  limitAs,
  limitLike,
  listingOnly,
  onceAged,
  onEveryNthPage,
  onStored,
  overlapping,
  readingLimit,
  refusingLimits,
  selecting,
  showing,
  startingWith,
  startingWithOnly,
  storingStatus,
  withLimit,
} from './effects.ts';

/** Lets animals with some statuses through the filter; undefined leaves it to the original steps. */
const lettingThrough = (choose: (call: Call) => readonly string[] | undefined) =>
  combine(
    override('readStatusFilter', (original) => (call) => (choose(call) === undefined ? original(call) : undefined)),
    override('selectPage', (original) => (page, call) => {
      const statuses = choose(call);
      if (statuses === undefined) return original(page, call);
      const everything = original({ limit: EVERYTHING, status: undefined }, call);
      return everything.filter(({ status }) => status !== undefined && statuses.includes(status)).slice(0, page.limit);
    }),
  );

/** Applies another limit where none is given. */
const withDefault = (limit: number, when: When = () => true) =>
  readingLimit((text, call) => (text === null && when(call) ? limit : undefined));

/** Takes long enough for lists that are asked for at once to overlap. */
const slowly = override('listPets', (original) => async (call) => {
  await call.service.pause(2);
  return original(call);
});

/** Lists one animal twice, in the place of the last one where the page is full. */
const repeating = (pets: readonly Pet[], place: number, limit: number): readonly Pet[] => {
  const pet = pets[place];
  if (pet === undefined || limit < 2) return pets;
  return [...pets.slice(0, place), pet, ...pets.slice(place)].slice(0, limit);
};

const REFUSED = errorResponse(400);

/** Ignores the filter of some requests. */
const notFiltering = (when: When) =>
  lettingThrough((call) => (hasStatus(call) && when(call) ? PET_STATUSES : undefined));

/** Reads a filter that is no status as one or several; it is refused where it fits none. */
const filterFitting = (fits: (status: string, text: string) => boolean) =>
  lettingThrough(({ query }) => {
    const text = query.get('status');
    if (text === null || isPetStatus(text)) return undefined;
    const statuses = PET_STATUSES.filter((status) => fits(status, text));
    return statuses.length === 0 ? undefined : statuses;
  });

/** Whether a parameter is there, but its name is not written in its own letters. */
const nameEncoded =
  (name: string): When =>
  (call) =>
    call.query.has(name) && rawQuery(call).every((pair) => pair[0] !== name);

const statusFirst: When = ({ query }) => [...query.keys()].indexOf('status') < [...query.keys()].indexOf('limit');

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

/** Reads the status out of a filter of another form. */
const readingStatusIn = (form: RegExp) =>
  lettingThrough(({ query }) => known(form.exec(query.get('status') ?? '')?.[1]));

/** Cuts some pages to the limit before they are filtered. */
const filteringAfterTheCut = (when: When) =>
  override(
    'selectPage',
    (original) => (page, call) =>
      when(call)
        ? original({ ...page, status: undefined }, call).filter(({ status }) => status === page.status)
        : original(page, call),
  );

const refusedList = responsesOf('listPets', 400);

/** Filters some lists by another status than the one asked for, or not at all. */
const filteringBy = (choose: (status: string, call: Call) => string | undefined) =>
  override(
    'selectPage',
    (original) =>
      ({ limit, status }, call) =>
        original({ limit, status: status === undefined ? undefined : choose(status, call) }, call),
  );

/** Part 4.1, listPets. */
// biome-ignore format: one table
export const listFaults: readonly Fault[] = [
  ...breaking('LIST-1', {
    'empty-list-is-null': ['A list that holds no animal is `null`; the store starts empty.',
      combine(startingWith(0), changeText(listed, (text) => (text === '[]' ? 'null' : text)))],
    'empty-collection-answered-404': [
      'While there is no animal at all, the list is answered with 404; the store starts empty.',
      combine(startingWith(0), answeringLists(({ service }) => sizeOf(service) === 0, errorResponse(404)))],
    'part-of-the-collection-answered-206': ['A page that does not hold all animals that match is answered with 206.',
      changeResponse(where(listed, (call) => {
        const { steps } = call.service;
        return sizeOf(call.service, steps.readStatusFilter(call)) > steps.readLimit(call);
      }), (response) => ({ ...response, status: 206 }))],
    'empty-page-null-beside-others': [
      'A page that shows nothing is `null` where there are animals that do not match; the store starts empty.',
      combine(startingWith(0),
        changeText(where(listed, ({ service }) => sizeOf(service) > 0), (text) => (text === '[]' ? 'null' : text)))],
    'bare-question-mark-refused': ['A list whose address ends in a question mark is refused with 400.',
      answeringLists((call) => urlOf(call).endsWith('?'), REFUSED)],
    'filter-unknown-gives-null': ['A filter outside the enumeration is answered with 200 and `null`.',
      changeResponse(where(refusedList, onStatus(/./), hasUnknownStatus), () => jsonResponse(200, 'null'))],
    'list-for-a-script-of-a-page-wrapped': [
      'A list is wrapped in an object, as `data`, where a script of a page asks for it, which X-Requested-With says.',
      changeText(where(listed, sends('x-requested-with')), (text) => `{"data":${text}}`)],
    'list-for-json-api-wrapped': ['A list is wrapped in an object, as `data`, where JSON:API is accepted as well.',
      changeText(where(listed, sends('accept', /vnd\.api\+json/)), (text) => `{"data":${text}}`)],
    'list-wrapped-in-object': ['The list is wrapped in an object, as `pets`.',
      changeText(listed, (text) => `{"pets":${text}}`)],
    'list-written-twice-after-an-addition': [
      'Once an animal was added, a list without parameters comes from a cache, as a JSON string that holds the list.',
      (steps) => {
        let isCached = false;
        return combine(
          onStored(() => {
            isCached = true;
          }),
          changeText(where(listed, ({ query }) => isCached && query.size === 0), (text) => JSON.stringify(text)),
        )(steps);
      }],
    'list-of-one-unwrapped': ['A list of one animal is sent as that animal, without the array.',
      changeText(listed, (text) => (text.split('"categoryId"').length === 2 ? text.slice(1, -1) : text))],
    'list-holds-a-null': ['In a list of more than two animals, the last one is null.',
      changeText(listed, (text) =>
        (text.split('"categoryId"').length > 3 ? text.replace(/,\{[^{}]*\}\]$/, ',null]') : text))],
  }),
  ...breaking('LIST-2', {
    'one-more-than-the-limit-shown-whole': [
      'When just one animal more matches than `limit` says, the page holds it too.',
      withLimit((limit, call) =>
        (hasLimit(call) && limit > 1 && sizeOf(call.service, call.query.get('status') ?? undefined) === limit + 1
        ? limit + 1 : limit))],
    'limit-plus-one-beyond-120-animals': [
      'Once there are more than 120 animals, a page holds one more than a `limit` below 100 says.',
      limitAs((limit) => Math.min(limit + 1, LIMIT.maximum), ({ service }) => sizeOf(service) > 120)],
    'lists-at-once-share-a-limit': ['Of lists asked for at once, all get the `limit` of the last.',
      (steps) => {
        let shared = LIMIT.default;
        return combine(
          override('selectPage', (original) => (page, call) =>
            original(hasLimit(call) ? { ...page, limit: shared } : page, call)),
          slowly,
          override('listPets', (original) => (call) => {
            if (hasLimit(call)) shared = call.service.steps.readLimit(call);
            return original(call);
          }),
        )(steps);
      }],
    'one-in-50-limits-exceeded': ['One list in 50 that has a `limit` holds one animal more.',
      onEveryNth(50, (isDue) => limitAs((limit) => Math.min(limit + 1, LIMIT.maximum), isDue))],
    'limit-rounded-up-to-tens': ['A `limit` from 11 on is rounded up to the next multiple of ten.',
      withLimit((limit) => (limit > 10 ? Math.ceil(limit / 10) * 10 : limit))],
    'query-that-ends-in-an-ampersand-ignored': ['A query that ends in `&` loses its `limit`.',
      limitAs(() => LIMIT.default, (call) => urlOf(call).endsWith('&'))],
    'encoded-limit-ignored': ['A `limit` with a percent-encoded digit (`%35`) is ignored, so the page holds 20.',
      limitAs(() => LIMIT.default, rawParameter('limit', /%3\d/))],
    'encoded-name-of-limit-unknown': [
      'The parameter `limit` is not known when a letter of its name is percent-encoded (`l%69mit=5`).',
      limitAs(() => LIMIT.default, nameEncoded('limit'))],
    'limit-plus-one': ['A page holds one animal more than `limit`.', limitAs((limit) => limit + 1)],
    'limit-ignored': ['A page holds 20 animals, whatever `limit` says.', withLimit(() => 20)],
    'limit-7-gives-8': ['Only `limit=7` gives a page of eight, where no `status` is asked for.',
      withLimit((limit, call) => (limit === 7 && !hasStatus(call) ? 8 : limit))],
  }),
  ...breakingLater('LIST-2', 3_000, {
    'limit-lost-after-1500-ms': ['From 1.5 s after the first animal was added, a small `limit` gives one animal more.',
      onceAged(1500, (isAged) => withLimit((limit) => (isAged() && limit < 10 ? limit + 1 : limit)))],
  }),
  ...breaking('LIST-3', {
    'default-limit-30-beyond-60-animals': ['Without `limit`, a page holds 30 animals once there are more than 60.',
      withDefault(30, ({ service }) => sizeOf(service) > 60)],
    'limit-stays-with-the-connection': [
      'Without `limit`, the last one above 20 that came on the same connection still holds.',
      (steps) => {
        const last = new WeakMap<object, number>();
        return override('readLimit', (original) => (call) => {
          const { socket } = call.incoming;
          const limit = original(call);
          if (!hasLimit(call)) return last.get(socket) ?? limit;
          if (limit > LIMIT.default) last.set(socket, limit);
          return limit;
        })(steps);
      }],
    'default-limit-30-for-pending': ['Without `limit`, a page of `status=pending` holds 30 animals.',
      withDefault(30, onStatus(/^pending$/))],
    'default-limit-none-with-status': ['Without `limit` but with `status`, a page holds everything that matches.',
      withDefault(EVERYTHING, hasStatus)],
  }),
  ...breaking('LIST-4', {
    'default-page-lacks-one-where-few-match': [
      'Without `limit`, a page that is not full lacks its last animal: the row that shows whether more follow is always cut.',
      showing((pets, _, call) =>
        hasLimit(call) || pets.length < 2 || pets.length >= LIMIT.default ? pets : pets.slice(0, -1))],
    'limit-20-gives-19': ['`limit=20` gives a page of 19, though a page without `limit` holds 20.',
      limitAs((limit) => (limit === 20 ? 19 : limit))],
    'default-limit-15-for-sold': [
      'Without `limit`, a page of `status=sold` holds 15 animals, and with `limit=20` it holds 20.',
      withDefault(15, onStatus(/^sold$/))],
    'default-limit-19': ['Without `limit`, a page holds 19 animals.', withDefault(19)],
  }),
  ...breaking('LIST-5', {
    'one-in-100-limits-refused': ['One list in 100 with a valid `limit` is refused.',
      changingEveryNth(100, where(listed, hasLimit), () => errorResponse(400))],
    'limit-refused-when-alone': ['A `limit` other than 100 is refused while nothing else is in flight.',
      overlapping(() => true, (underWay) => refusingLimits((limit) => limit !== 100 && underWay() === 1))],
    'limit-off-the-menu-refused': ['Above 10, a `limit` that is not a multiple of 5 is refused.',
      refusingLimits((limit) => limit > 10 && limit % 5 > 0)],
    'limit-37-refused': ['`limit=37` is refused.', refusingLimits((limit) => limit === 37)],
    'get-with-content-type-refused': [
      'A GET with the Content-Type application/json is answered with 400, for its empty body.',
      answering(400, where(isSuccess, isGet, sends('content-type')))],
  }),
  ...breaking('LIST-6', {
    'page-kept-without-its-filter': [
      'Without `limit`, a page is kept for a second whatever its filter, so another filter gets it too.',
      keeping(1000, (call) => (hasLimit(call) ? undefined : 'default'))],
    'refusal-kept-in-any-letter-case': [
      'After `status=SOLD` was refused, `status=sold` is refused for five seconds, and so with every status.',
      (steps) => {
        const refused = new Map<string, number>();
        return override('readStatusFilter', (original) => (call) => {
          const text = call.query.get('status') ?? '';
          const word = text.toLowerCase();
          const until = refused.get(word) ?? 0;
          if (!isPetStatus(text)) refused.set(word, performance.now() + 5000);
          else if (performance.now() < until) throw invalidParameter('The status is not known.');
          return original(call);
        })(steps);
      }],
    'filter-without-a-match-not-applied': [
      'A filter that no animal matches gives everything; the store starts without pending animals.',
      combine(startingWithOnly('sold'),
        showing((pets, { limit, status }, { service }) =>
        pets.length === 0 && isPetStatus(status) ? service.collection.newest(limit) : pets))],
    'filter-of-pending-lost-after-150-lists': ['From the 151st list on, `status=pending` does not filter.',
      (steps) => {
        let lists = 0;
        return override('selectPage', (original) => (page, call) => {
          lists += 1;
          return original(lists > 150 && page.status === 'pending' ? { ...page, status: undefined } : page, call);
        })(steps);
      }],
    'newest-leads-every-page-beyond-40-animals': [
      'Once there are more than 40 animals, the newest leads every page, whatever its status.',
      showing((pets, { status }, { service }) => {
        const first = newest(service);
        if (status === undefined || first === undefined || sizeOf(service) <= 40 || pets.length === 0) return pets;
        return first.status === status ? pets : [first, ...pets.slice(1)];
      })],
    'lists-at-once-share-a-filter': ['Of lists asked for at once, all get the filter of the last.',
      (steps) => {
        let shared: string | undefined;
        return combine(
          override('selectPage', (original) => (page, call) => original({ ...page, status: shared }, call)),
          slowly,
          override('listPets', (original) => (call) => {
            shared = call.service.steps.readStatusFilter(call);
            return original(call);
          }),
        )(steps);
      }],
    'encoded-status-refused': ['A status with a percent-encoded letter (`%73old`) is refused.',
      answeringLists(both(hasKnownStatus, rawParameter('status', /%/)), REFUSED)],
    'lower-case-hex-refused': [
      'In a status, percent-encoding with lower-case hexadecimal digits (`s%6fld`) is not decoded and so refused.',
      answeringLists(both(hasKnownStatus, rawParameter('status', /%(?:[0-9][a-f]|[a-f][0-9a-f])/)), REFUSED)],
    'encoded-inside-status-ignored': [
      'A status that is percent-encoded from its second letter on, but not in its first, does not filter.',
      notFiltering(both(hasKnownStatus, rawParameter('status', /^[a-z]+%/)))],
    'encoded-name-of-status-unknown': [
      'The parameter `status` is not known when a letter of its name is percent-encoded (`%73tatus=sold`).',
      notFiltering(nameEncoded('status'))],
    'filter-lets-one-through': ['On a filtered page of two or more animals, the last one has another status.',
      showing((pets, { status }, { service }) => {
        const stray = service.collection.newest(100).find((pet) => pet.status !== status);
        return status === undefined || stray === undefined || pets.length < 2 ? pets : [...pets.slice(0, -1), stray];
      })],
    'filter-lets-statusless-through': [
      'An omitted status stays absent, and animals without a status pass every filter.',
      combine(
        storingStatus((status, body) => (has(body, 'status') ? status : undefined)),
        override('selectPage', () => ({ limit, status: wanted }, { service }) => {
          const all = service.collection.newest(EVERYTHING);
          return all.filter(({ status = wanted }) => wanted === undefined || status === wanted).slice(0, limit);
        }),
      )],
    'one-in-20-filters-lost': ['One filtered list in 20 is not filtered.',
      onEveryNth(20, (isDue) => filteringBy((status) => (isDue() ? undefined : status)))],
  }),
  ...breaking('LIST-7', {
    'last-of-just-so-many-left-out': [
      'Where just as many animals match as `limit` says, the page lacks the last one: it is empty where that is one.',
      showing((pets, { limit, status }, { service }) =>
        (sizeOf(service, status) === limit ? pets.slice(0, -1) : pets))],
    'older-animals-in-no-index': [
      'The index of statuses was added late: animals from before the start are in no filtered page.',
      combine(startingWith(6), listingOnly(({ id }, call) => id > 6n || !hasStatus(call)))],
    'empty-page-of-clients-kept': [
      'A page with a `limit` other than 1, 20 and 100 that was empty once stays empty for ten minutes; the store starts without sold animals.',
      combine(startingWithOnly('available'), (steps) => {
        const empty = new Set<string>();
        return showing((pets, { limit, status = '' }) => {
          if ([1, 20, 100].includes(limit)) return pets;
          if (pets.length === 0) empty.add(`${limit} ${status}`);
          return empty.has(`${limit} ${status}`) ? [] : pets;
        })(steps);
      })],
    'sold-empty-once-after-a-sold-one': ['The first list of `status=sold` after a sold animal was added is empty.',
      (steps) => {
        let isDue = false;
        return combine(
          onStored(({ status }) => {
            isDue ||= status === 'sold';
          }),
          showing((pets, { status }) => {
            if (!isDue || status !== 'sold') return pets;
            isDue = false;
            return [];
          }),
        )(steps);
      }],
    'limit-of-just-as-many-gives-nothing': [
      'Without `status`, a `limit` of just as many animals as there are gives an empty page, where there are at most 20.',
      showing((pets, { limit, status }, { service }) =>
        status === undefined && limit === sizeOf(service) && limit <= LIMIT.default ? [] : pets)],
    'first-animal-beyond-48-kib-empties-the-page': [
      'A page ends before the animal that takes it beyond 48 KiB, and so is empty where that is its first.',
      showing((pets) => {
        let bytes = 0;
        const end = pets.findIndex(({ name }) => {
          bytes += Buffer.byteLength(name);
          return bytes > 49_152;
        });
        return end < 0 ? pets : pets.slice(0, end);
      })],
    'one-in-100-lists-empty': ['One list in 100 is empty.',
      changingEveryNth(100, listed, (response) => ({ ...response, body: '[]' }))],
    'limit-before-filter-where-status-is-first': [
      'Where `status` stands first, the page is cut to `limit` before it is filtered.',
      filteringAfterTheCut(both(hasLimit, hasKnownStatus, statusFirst))],
    'list-of-limit-1-empty': ['With `limit=1` the list is empty.',
      showing((pets, _, call) => (onLimit(/^1$/)(call) ? [] : pets))],
    'filter-after-the-cut': ['The limit is applied before the filter, so a page may come out empty.',
      filteringAfterTheCut(hasStatus)],
  }),
  ...breaking('LIST-8', {
    'short-page-begins-twice': ['A page of at most ten animals that is full begins with the same animal twice.',
      showing((pets, { limit }) => (limit <= 10 && pets.length === limit ? repeating(pets, 0, limit) : pets))],
    'equal-animals-listed-crosswise': [
      'An animal is listed once for every animal with its name and category, as a join without the id does.',
      selecting((pets) => {
        const isEqual = (one: Pet) => (other: Pet) => one.name === other.name && one.categoryId === other.categoryId;
        return pets.flatMap((pet) => Array.from(pets.filter(isEqual(pet)), () => pet));
      })],
    'page-of-blocks-repeats-at-the-border': [
      'A page is put together in blocks of 25, and each block begins with the last animal of the one before.',
      showing((pets, { limit }) =>
        pets.flatMap((pet, place) =>
        (place > 0 && place % 25 === 0 ? [pets[place - 1] ?? pet, pet] : [pet])).slice(0, limit))],
    'only-match-listed-twice': ['When only one animal matches, it is listed twice.',
      showing((pets, { limit, status }, { service }) =>
        sizeOf(service, status) === 1 ? repeating(pets, 0, limit) : pets)],
    'new-animal-listed-twice-for-a-second': ['For a second after it was added, an animal is listed twice.',
      (steps) => {
        const since = new Map<bigint, number>();
        const isNew = ({ id }: Pet): boolean => performance.now() - (since.get(id) ?? -1000) < 1000;
        return combine(
          onStored(({ id }) => since.set(id, performance.now())),
          showing((pets, { limit }) => pets.flatMap((pet) => (isNew(pet) ? [pet, pet] : [pet])).slice(0, limit)),
        )(steps);
      }],
    'status-given-twice-lists-twice': [
      'Of a status that is given twice, every animal is listed twice where there is room.',
      override('listPets', (original) => (call) => {
        const [status, again] = call.query.getAll('status');
        if (status === undefined || status !== again || !isPetStatus(status)) return original(call);
        const limit = call.service.steps.readLimit(call);
        const pets = call.service.collection.newest(limit, status);
        const shown = [...pets, ...pets].slice(0, limit).map((pet) => call.service.steps.describePet(pet, call));
        return call.service.steps.respond(200, shown, {}, call);
      })],
    'one-in-100-pages-repeats-an-animal': ['One page in 100 holds its second animal twice.',
      onEveryNthPage(100, (pets, limit) => repeating(pets, Math.min(1, pets.length - 1), limit), ({ query }) =>
        query.get('limit') !== '1')],
  }),
  ...breaking('LIST-9', {
    'page-kept-without-its-limit': [
      'A page of `limit` and `status` is kept for a second by its status alone, so a smaller `limit` gets it too.',
      keeping(1000, (call) => (hasLimit(call) ? (call.query.get('status') ?? undefined) : undefined))],
    'one-too-many-where-just-one-more-matches': [
      'With a `status` and a `limit` of 30 or more, a page holds one animal too many where just one more matches.',
      override('selectPage', (original) => ({ limit, status }, call) => {
        const isOneMore = status !== undefined && limit >= 30 && sizeOf(call.service, status) === limit + 1;
        return original({ limit: isOneMore ? limit + 1 : limit, status }, call);
      })],
    'one-in-100-filtered-pages-holds-a-stranger': ['On one filtered page in 100, the last animal has another status.',
      onEveryNthPage(
        100,
        (pets, _, { service, query }) => {
          const stray = service.collection.newest(EVERYTHING).find((pet) => pet.status !== query.get('status'));
          return stray === undefined ? pets : [...pets.slice(0, -1), stray];
        },
        ({ query }) => query.getAll('status').length === 1 && isPetStatus(query.get('status')),
      )],
    'limit-100-with-pending-refused': ['`limit=100` together with `status=pending` is refused.',
      answeringLists(both(onLimit(/^100$/), onStatus(/^pending$/)), REFUSED)],
    'limit-above-20-with-sold-lets-pending-through': [
      '`status=sold` together with a `limit` above 20 gives pending animals too.',
      lettingThrough((call) =>
        both(onLimit(/^(?:2[1-9]|[3-9]\d|100)$/), onStatus(/^sold$/))(call) ? ['sold', 'pending'] : undefined)],
    'filtered-page-filled-up': [
      'A filtered page that lacks just one animal to its `limit` is filled up with one of another status.',
      showing((pets, { limit, status }, call) => {
        const stray = call.service.collection.newest(EVERYTHING).find((pet) => pet.status !== status);
        const isDue = status !== undefined && hasLimit(call) && pets.length === limit - 1;
        return isDue && stray !== undefined ? [...pets, stray] : pets;
      })],
    'status-before-limit-refused': ['`status` and `limit` are refused in this order and accepted in the other.',
      answeringLists(both(hasLimit, hasKnownStatus, statusFirst), REFUSED)],
    'no-more-read-at-an-empty-piece': ['Of a query, what comes behind a `&&` is not read (`limit=5&&status=sold`).',
      notFiltering(both(hasKnownStatus, (call) => /&&.*status=/.test(urlOf(call))))],
    'encoded-status-lost-beside-limit': ['A percent-encoded status filters, but not beside a `limit`.',
      notFiltering(both(hasLimit, hasKnownStatus, rawParameter('status', /%/)))],
    'encoded-name-of-status-unknown-beside-limit': [
      'Where `limit=` stands literally in the query, the names of other parameters are not decoded (`limit=5&st%61tus=sold`).',
      notFiltering(both(nameEncoded('status'), hasLimit, (call) => !nameEncoded('limit')(call)))],
    'much-percent-encoding-refused': [
      'A query with more than 16 percent-encoded characters is refused, as if it were an attack.',
      answeringLists(both(hasLimit, hasKnownStatus, (call) => urlOf(call).split('%').length > 17), REFUSED)],
    'limit-and-length-of-status-share-a-memo': [
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
      }],
    'limit-21-with-a-filter-gives-22': ['`limit=21` with a `status` gives a page of 22.',
      limitAs((limit) => (limit === 21 ? 22 : limit), hasStatus)],
    'limit-over-40-ignored-beside-sold-or-pending': [
      'Limits from 41 to 99 beside the status sold or pending give up to 100.',
      limitAs((limit) => (limit > 40 ? LIMIT.maximum : limit), onStatus(/^(?:sold|pending)$/))],
    'filter-lost-when-limit-comes-first': [
      'Only the first query parameter is read, so a filter after `limit` is ignored.',
      filteringBy((status, call) => ([...call.query.keys()][0] === 'status' ? status : undefined))],
  }),
  ...breaking('LIST-10', {
    'status-between-two-limits-ignored': [
      'Where `limit` is given twice, a `status` between the two does not filter (`limit=5&status=sold&limit=7`).',
      notFiltering(both(hasKnownStatus, (call) => /limit=[^&]*&status=[^&]*&limit=/.test(urlOf(call))))],
    'limit-with-many-zeros-answered-422': [
      'A `limit` with two zeros or more before it or in its fraction (`005`, `5.00`) is answered with 422.',
      answeringLists(onLimit(/^00+[1-9]|\.00+$/), errorResponse(422))],
    'malformed-limit-drops-the-query': [
      'Malformed percent-encoding in `limit` drops the whole query, so the status beside it does not filter.',
      combine(limitLike(MALFORMED, () => LIMIT.default),
        notFiltering(both(hasKnownStatus, rawParameter('limit', MALFORMED))))],
    'limit-in-full-width-digits-without-maximum': ['A `limit` in full-width digits is read, and has no maximum.',
      limitLike(/^[０-９]{1,3}$/, (text) => Number(text.normalize('NFKC')))],
    'limit-in-arabic-digits-without-maximum': ['A `limit` in Arabic digits is read, and has no maximum.',
      limitLike(/^[\u0660-\u0669]{1,3}$/, (text) =>
        Number(text.replace(/./g, (digit) => String(digit.charCodeAt(0) - 0x660))))],
    'limit-in-thousands-beside-status-without-maximum': [
      'A `limit` with an exponent that makes it thousands (`1e3`) has no maximum beside a `status`.',
      limitLike(/^\de3$/, Number, hasStatus)],
    'limit-twice-loses-filter': ['When `limit` is given twice, the status beside it does not filter.',
      notFiltering(both(twice('limit'), hasKnownStatus))],
    'limit-beyond-32-bits-gives-nothing': ['A `limit` of ten digits or more overflows, and gives an empty page.',
      answeringLists(onLimit(/^[1-9]\d{9,}$/), jsonResponse(200, '[]'))],
    'limit-empty-answered-422': ['An empty `limit` is answered with 422.',
      answeringLists(onLimit(/^$/), errorResponse(422))],
    'limit-above-100-loses-filter': ['A `limit` above 100 is clamped, and the status beside it does not filter.',
      combine(limitLike(/^[1-9]\d{2,}$/, () => LIMIT.maximum),
        notFiltering(both(onLimit(/^(?!100$)[1-9]\d{2,}$/), hasKnownStatus)))],
  }),
  ...breaking('LIST-11', {
    'status-decoded-twice': ['A status is percent-decoded twice, so `%2573old` gives sold animals.',
      filterFitting((status, text) => decode(text) === status)],
    'truncated-encoding-behind-status-dropped': [
      'A truncated percent-encoding at the end of a status (`available%2`) is dropped, so it filters as without it.',
      lettingThrough((call) => known(new Map(rawQuery(call)).get('status')?.replace(/%[0-9a-f]$/i, '')))],
    'status-twice-gives-one-more': [
      'When `status` is given twice, the first one filters, and a page holds one animal more than its `limit`.',
      combine(startingWith(400), withLimit((limit, call) => (twice('status')(call) ? limit + 1 : limit)))],
    'status-twice-one-unknown-not-filtered': [
      'When `status` is given twice and one of the two is no status, nothing is filtered.',
      notFiltering(({ query }) => {
        const known = query.getAll('status').map(isPetStatus);
        return known.includes(true) && known.includes(false);
      })],
    'filter-list-gives-several': ['A list of statuses with commas (`sold,pending`) gives the animals of all of them.',
      filterFitting((status, text) => text.includes(',') && text.split(',').includes(status))],
    'filter-list-with-blanks-gives-several': [
      'A list of statuses with a comma and blanks between (`sold, pending`) gives the animals of all of them.',
      filterFitting((status, text) => /, /.test(text) && text.split(/, +/).includes(status))],
    'filter-matched-without-brackets': [
      'A status is matched with `^available|pending|sold$` and taken out of the text, so that `unsold` gives sold animals.',
      filterFitting((status, text) => /^available|pending|sold$/.exec(text)?.[0] === status)],
    'filter-may-go-on-behind-a-status': ['A status filter is read as the status that it begins with (`soldier`).',
      filterFitting((status, text) => text.startsWith(status) && /^\w+$/.test(text))],
    'filter-by-number-from-1': ['The number of a status counts as the status, from 1.',
      filterFitting((status, text) => `${PET_STATUSES.indexOf(status) + 1}` === text)],
    'filter-read-up-to-nul': ['A status filter ends at its first U+0000.',
      filterFitting((status, text) => text.startsWith(`${status}\0`))],
    'filter-negated': ['A status after `!` or `-` gives the animals of all others.',
      filterFitting((status, text) => /^[!-]/.test(text) && isPetStatus(text.slice(1)) && text.slice(1) !== status)],
    'filter-by-its-first-letters': ['The first letters of a status (`sol`) are enough.',
      filterFitting((status, text) => text !== '' && status.startsWith(text))],
    'filter-with-sql-wildcards': ['A status is compared with SQL `LIKE`, so `%` and `_` stand for any characters.',
      filterFitting((status, text) => /[%_]/.test(text) && sqlPattern(text).test(status))],
    'filter-as-regular-expression': [
      'A status is taken as a regular expression, so `.*` and `sold|pending` give animals.',
      filterFitting((status, text) => text !== '' && asPattern(text)?.test(status) === true)],
    'filter-by-number': ['The number of a status counts as the status: 0 is `available`, 1 is `pending`, 2 is `sold`.',
      filterFitting((status, text) => PET_STATUSES.indexOf(status).toString() === text)],
    'filter-all-gives-everything': ['The filters `all`, `any` and `*` give everything.',
      notFiltering(onStatus(/^(?:all|any|\*)$/i))],
    'filter-language-word-gives-everything': [
      'Filters are looked up in an object, so `constructor`, `toString` and the like are found there and let everything through.',
      notFiltering(({ query }) => query.getAll('status').some((text) => text in {} && text !== '__proto__'))],
    'filter-unknown-ignored-beside-limit': [
      'A filter outside the enumeration is refused, but beside a `limit` it gives everything.',
      notFiltering(both(hasLimit, hasUnknownStatus, onStatus(/./)))],
    'filter-empty-answered-404': ['An empty filter (`status=`) is answered with 404.',
      answeringLists(onStatus(/^$/), errorResponse(404))],
    'limit-ignored-beside-empty-status': [
      'An empty filter (`status=`) counts as absent, but the `limit` beside it is ignored.',
      combine(notFiltering(onStatus(/^$/)), limitAs(() => LIMIT.maximum, onStatus(/^$/)))],
    'filter-after-an-operator-read': ['A status filter after `eq:` or `status:` is read as the status.',
      readingStatusIn(/^(?:eq|status):(.*)$/)],
    'filter-before-a-mark-read': ['What stands behind the letters of a status filter (`sold;`, `sold/`) is not read.',
      readingStatusIn(/^([a-z]+)[^a-z,]+$/)],
    'semicolon-ends-a-filter': [
      'A semicolon ends a parameter of the query, so that `status=sold;pending` lists sold animals.',
      lettingThrough((call) => {
        const [first = null, ...rest] = new Map(rawQuery(call)).get('status')?.split(';') ?? [];
        return rest.length > 0 && isPetStatus(first) ? [first] : undefined;
      })],
    'filter-with-unseen-characters-read': [
      'Characters that are not seen (U+200B to U+200D) are removed from a status filter before it is compared.',
      lettingThrough(({ query }) => {
        const text = query.get('status') ?? '';
        const seen = text.replace(/[\u200b-\u200d]/g, '');
        return seen === text ? undefined : known(seen);
      })],
    'filter-in-any-letter-case': ['The status filter is compared case-insensitively.',
      filterFitting((status, text) => status === text.toLowerCase())],
    'query-decoded-before-it-is-split': [
      'The query is decoded before it is split, so that the status `sold%26limit=5` is read as `sold`.',
      filterFitting((status, text) => text.startsWith(`${status}&`))],
  }),
];
