import { answering, answersOf, changing, errorAnswer, fault, rewriting, type Which } from '../changing.ts';
import { invalidParameter } from '../errors.ts';
import type { Call, Fault } from '../steps.ts';

const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Changes a limit that was read as usual. */
const withLimit = (change: (limit: number, call: Call) => number) =>
  changing('readLimit', (usual) => (call) => change(usual(call), call));

/** Reads a limit that is absent. */
const withDefault = (limit: number) =>
  changing('readLimit', (usual) => (call) => (call.query.has('limit') ? usual(call) : limit));

/** Refuses limits that it should accept. */
const refusingLimits = (refuses: (limit: number) => boolean) =>
  changing('readLimit', (usual) => (call) => {
    const limit = usual(call);
    if (call.query.has('limit') && refuses(limit)) throw invalidParameter('limit is not acceptable.');
    return limit;
  });

/** Reads a limit that the usual step would refuse. */
const reading = (matches: (text: string) => boolean, limit: (text: string) => number) =>
  changing('readLimit', (usual) => (call) => {
    const text = call.query.get('limit');
    return text !== null && matches(text) ? limit(text) : usual(call);
  });

/** Lists nothing where it should list something. */
const listingNothing = (when: (call: Call) => boolean) =>
  changing('selectPage', (usual) => (page, call) => (when(call) ? [] : usual(page, call)));

const refusedLimit: Which = (answer, call) => answersOf('listPets', 400)(answer, call) && call.query.has('limit');
const listOf200 = answersOf('listPets', 200);

export const listingFaults: readonly Fault[] = [
  fault(
    'list-wrapped-in-object',
    'LIST-1',
    'The animals stand in an object, under `pets`.',
    rewriting(listOf200, (text) => `{"pets":${text}}`),
  ),
  fault(
    'list-of-one-unwrapped',
    'LIST-1',
    'A list of one animal is that animal, without the array.',
    rewriting(listOf200, (text) => {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) && list.length === 1 ? text.slice(1, -1) : text;
    }),
  ),
  fault(
    'list-of-ids',
    'LIST-1',
    'The list holds ids instead of animals.',
    changing('listPets', () => (call) => {
      const { steps } = call.shop;
      const page = { limit: steps.readLimit(call), status: steps.readStatusFilter(call) };
      return steps.reply(
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
    'A list of more than two animals has null in place of the last.',
    rewriting(listOf200, (text) => {
      const list: unknown = JSON.parse(text);
      return Array.isArray(list) && list.length > 2 ? text.replace(/,\{[^{}]*\}\]$/, ',null]') : text;
    }),
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
    'Only `limit=7` gives a page of eight.',
    withLimit((limit) => (limit === 7 ? 8 : limit)),
  ),

  fault('default-limit-21', 'LIST-3', 'Without `limit`, a page holds 21 animals.', withDefault(21)),
  fault(
    'default-limit-none-with-status',
    'LIST-3',
    'Without `limit` but with `status`, a page holds everything that matches.',
    changing(
      'readLimit',
      (usual) => (call) => (call.query.has('status') && !call.query.has('limit') ? EVERYTHING : usual(call)),
    ),
  ),
  fault('default-limit-10', 'LIST-4', 'Without `limit`, a page holds 10 animals.', withDefault(10)),
  fault('default-limit-19', 'LIST-4', 'Without `limit`, a page holds 19 animals.', withDefault(19)),

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
    'limit-refused-beside-status',
    'LIST-9',
    '`limit` and `status` together are refused.',
    changing('listPets', (usual) => (call) => {
      if (call.query.has('limit') && call.query.has('status')) throw invalidParameter('Give either limit or status.');
      return usual(call);
    }),
  ),
  fault(
    'limit-ignored-beside-status',
    'LIST-9',
    '`limit` is ignored when `status` is given.',
    withLimit((limit, call) => (call.query.has('status') ? EVERYTHING : limit)),
  ),

  fault(
    'limit-1-refused',
    'LIM-1',
    '`limit=1` is refused.',
    refusingLimits((limit) => limit === 1),
  ),
  fault(
    'limit-1-gives-2',
    'LIM-1',
    '`limit=1` gives two animals.',
    withLimit((limit) => (limit === 1 ? 2 : limit)),
  ),
  fault(
    'limit-100-refused',
    'LIM-2',
    '`limit=100` is refused.',
    refusingLimits((limit) => limit === 100),
  ),
  fault(
    'limit-above-100-obeyed',
    'LIM-2',
    'A `limit` above 100 is obeyed.',
    reading((text) => /^\d{3,9}$/.test(text), Number),
  ),
  fault(
    'limit-0-gives-everything',
    'LIM-2',
    '`limit=0` means no limit.',
    reading(
      (text) => text === '0',
      () => EVERYTHING,
    ),
  ),
  fault(
    'limit-word-gives-everything',
    'LIM-2',
    'A `limit` that is not a number means no limit.',
    reading(
      (text) => !/^-?\d+$/.test(text),
      () => EVERYTHING,
    ),
  ),
  fault(
    'limit-out-of-range-answered-422',
    'LIST-10',
    'A `limit` out of range is answered with 422.',
    answering(refusedLimit, () => errorAnswer(422)),
  ),
  fault(
    'limit-out-of-range-answered-404',
    'LIST-10',
    'A `limit` out of range is answered with 404.',
    answering(refusedLimit, () => errorAnswer(404)),
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
    'page-repeats-first',
    'LIST-8',
    'A page that is not full ends with its first animal again.',
    changing('selectPage', (usual) => (page, call) => {
      const pets = usual(page, call);
      const first = pets[0];
      return first !== undefined && pets.length < page.limit ? [...pets, first] : pets;
    }),
  ),
  fault(
    'page-repeats-with-status',
    'LIST-8',
    'With `status`, an animal is listed twice where there is room.',
    changing('selectPage', (usual) => (page, call) => {
      const pets = usual(page, call);
      return page.status === undefined ? pets : [...pets, ...pets].slice(0, Math.min(page.limit, pets.length + 1));
    }),
  ),
];
