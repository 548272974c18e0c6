import { answering, answersOf, changing, errorAnswer, fault, together } from '../changing.ts';
import { PET_STATUSES, type PetStatus } from '../pet.ts';
import type { Call, Fault } from '../steps.ts';

/** Filters by another status than the one asked for. */
const filteringBy = (choose: (status: PetStatus, call: Call) => PetStatus | undefined) =>
  changing(
    'selectPage',
    (usual) => (page, call) =>
      usual(
        page.status === undefined || page.status === 'nothing' ? page : { ...page, status: choose(page.status, call) },
        call,
      ),
  );

/** Reads a status filter that the usual step would refuse. */
const reading = (read: (text: string) => PetStatus | 'everything' | 'usual') =>
  changing('readStatusFilter', (usual) => (call) => {
    const text = call.query.get('status');
    const status = text === null ? 'usual' : read(text);
    if (status === 'usual') return usual(call);
    return status === 'everything' ? undefined : status;
  });

const known = (text: string): boolean => PET_STATUSES.some((status) => status === text);
const refusedStatus = (call: Call): boolean => call.query.has('status') && !known(call.query.get('status') ?? '');

export const filteringFaults: readonly Fault[] = [
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
    'The last animal of a page of two or more is taken without regard to the filter.',
    changing('selectPage', (usual) => (page, call) => {
      const pets = usual(page, call);
      const stray = usual({ limit: 100, status: undefined }, call).find(
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
    'An omitted status stays absent, and animals without one pass every filter.',
    together(
      changing('validateNewPet', (usual) => (body, call) => {
        const { status, ...rest } = usual(body, call);
        return typeof body === 'object' && body !== null && 'status' in body && status !== undefined
          ? { ...rest, status }
          : rest;
      }),
      changing(
        'selectPage',
        (usual) => (page, call) =>
          page.status === undefined || page.status === 'nothing'
            ? usual(page, call)
            : usual({ limit: 1000, status: undefined }, call)
                .filter(({ status }) => status === undefined || status === page.status)
                .slice(0, page.limit),
      ),
    ),
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
    'Only the first query parameter is honoured, so a filter after `limit` is ignored.',
    filteringBy((status, call) => ([...call.query.keys()][0] === 'status' ? status : undefined)),
  ),
  fault(
    'filter-after-the-cut',
    'LIST-7',
    'The page is cut before it is filtered, so it may come out empty.',
    changing(
      'selectPage',
      (usual) => (page, call) =>
        page.status === undefined
          ? usual(page, call)
          : usual({ ...page, status: undefined }, call).filter(({ status }) => status === page.status),
    ),
  ),
  fault(
    'filter-pending-always-empty',
    'LIST-7',
    '`status=pending` always gives an empty list.',
    changing('selectPage', (usual) => (page, call) => (page.status === 'pending' ? [] : usual(page, call))),
  ),
  fault(
    'filter-sold-refused',
    'LIST-6',
    '`status=sold` is refused.',
    changing('listPets', (usual) => (call) => (call.query.get('status') === 'sold' ? errorAnswer(400) : usual(call))),
  ),
  fault(
    'filter-unknown-gives-everything',
    'LIST-11',
    'A status filter outside the enumeration gives everything.',
    reading((text) => (known(text) ? 'usual' : 'everything')),
  ),
  fault(
    'filter-in-any-letter-case',
    'LIST-11',
    'The status filter is read in any letter case.',
    reading((text) => PET_STATUSES.find((status) => status === text.toLowerCase()) ?? 'usual'),
  ),
  fault(
    'filter-unknown-answered-422',
    'LIST-11',
    'A status filter outside the enumeration is answered with 422.',
    answering(
      (answer, call) => answersOf('listPets', 400)(answer, call) && refusedStatus(call),
      () => errorAnswer(422),
    ),
  ),
];
