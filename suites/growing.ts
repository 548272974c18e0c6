import type { Script } from '../src/check/script.ts';
import { PET_STATUSES } from '../src/contract/contract-facts.ts';
import { create, get, list } from '../src/reading/call.ts';

const FILTERS = ['', ...PET_STATUSES.map((status) => `status=${status}`)];
const bodyOf = (status: string, category: number | string = 7, name = '$NAME'): string =>
  `{"name":"${name}","categoryId":${category},"status":"${status}"}`;
const calls = (...queries: readonly string[]) => queries.map((query) => ({ call: list(query) }));

/** The status of each animal that is added: each, with and without others before it, and none. */
const ROUNDS = [...PET_STATUSES.toReversed(), 'none', ...PET_STATUSES.slice(0, 1), ...PET_STATUSES.slice(-1), 'none'];
/** It fits into ISO-8859-1, and so do pages as long as no other animal has an odd name. */
const LATIN = '$NAME Zoë';
const OMITTED = '{"name":"$NAME","categoryId":7}';

/** Adds one animal after the other, and requests the pages that it just fills, with a limit of one more, and of one less. */
export const GROWING: Script = {
  stages: ['growing'],
  run: async (tools) => {
    const { send, together, known } = tools;
    for (const [round, sent] of ROUNDS.entries()) {
      const body = sent === 'none' ? OMITTED : bodyOf(sent, 7, LATIN);
      const created = await send(create(body));
      const [animal] = created.animals;
      // Whatever a response says, only a status is requested.
      const status = PET_STATUSES.find((one) => one === animal?.status) ?? PET_STATUSES[0] ?? '';
      const total = (known.largestPage('limit=100')?.length ?? 100) + 1;
      const matching = known.largestPage(`limit=100&status=${status}`)?.length ?? 99;
      const exact =
        total < 100 ? [`limit=${total}`, `limit=${total + 1}`, `limit=${Math.max(1, total - 1)}`] : ['limit=99'];
      const some =
        matching < 99
          ? [`limit=${matching + 1}&status=${status}`, `status=${status}&limit=${Math.max(1, matching)}`]
          : [];
      const queries = new Set([
        ...['limit=100', '', `status=${status}`, `limit=100&status=${status}`, ...exact, ...some],
        ...(round === 0 ? [...FILTERS, 'limit=1'] : []),
        ...(round < 3 ? [`status=${status}&limit=1`, `limit=7&status=${status}`] : []),
      ]);
      await together([...calls(...queries), ...(animal?.id === undefined ? [] : [{ call: get(), id: animal.id }])]);
    }
  },
};

/** Equal animals, one after the other and concurrently, and a name that differs by letter case only. */
export const TWINS: Script = {
  stages: ['growing'],
  run: async ({ send, together, newRow }) => {
    const twin = create(bodyOf('available', 5));
    const [pair, crowd, letters] = [newRow(), newRow(), newRow()];
    for (let nth = 0; nth < 2; nth += 1) {
      const [animal] = (await send(twin, { row: pair })).animals;
      if (animal?.id !== undefined) await send(get(), { id: animal.id });
    }
    await together([1, 2, 3].map(() => ({ call: twin, row: crowd })));
    for (const name of ['$NAME REX', '$NAME rex']) {
      await send(create(`{"name":"${name}","categoryId":7}`), { row: letters });
    }
  },
};

/** An id that is requested before it is assigned. */
export const NEXT_ID: Script = {
  stages: ['growing'],
  isLong: true,
  run: async ({ send, known }) => {
    const next = known.ownAnimals.reduce((largest, { id }) => (id > largest ? id : largest), 0n) + 1n;
    await send(get(`${next}`));
    const given = await send(create(bodyOf('sold')));
    await send(get(), { id: given.animals[0]?.id });
  },
};

/** Animals that a careless comparison takes for equal, one after the other and concurrently. */
export const EQUALS: Script = {
  stages: ['rows'],
  isLong: true,
  run: async ({ send, together, newRow }) => {
    const inRow = async (...bodies: readonly string[]): Promise<void> => {
      const row = newRow();
      const created: bigint[] = [];
      for (const body of bodies)
        created.push(...(await send(create(body), { row })).animals.flatMap(({ id }) => id ?? []));
      for (const id of created) await send(get(), { id });
    };
    await Promise.all([
      inRow(bodyOf('sold', 6), bodyOf('pending', 6), bodyOf('pending', 8)),
      inRow('{"name":"$NAME 1","categoryId":23}', '{"name":"$NAME 12","categoryId":3}'),
      // Animals that look like test data are animals like any other.
      inRow('{"name":"test $NAME","categoryId":7,"status":"pending"}'),
      // An invalid body is corrected.
      inRow('{"name":"$NAME"}', bodyOf('sold'), '{"name":"$NAME","categoryId":null,"status":"pending"}'),
    ]);
    const crowd = await together(PET_STATUSES.map((status, at) => ({ call: create(bodyOf(status, 11 + at)) })));
    const added = crowd.flatMap(({ animals: [animal] }) => animal?.id ?? []);
    await together([...added.map((id) => ({ call: get(), id })), ...calls('limit=100', '', 'limit=40')]);
  },
};
