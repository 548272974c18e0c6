/** The course of a run: scripts for what depends on order, concurrency or age. Scripts only send; all rules check. */

import { RECALL } from '../src/check/remember.ts';
import { CALLS, withHeaders, withKey } from '../src/check/rows.ts';
import type { BorrowedLane, Script, Tools } from '../src/check/script.ts';
import { PET_STATUSES } from '../src/contract/contract-facts.ts';
import { KEYS } from '../src/inputs/keys.ts';
import { type Call, create, get, list, PLAIN, PLAIN_CALLS } from '../src/reading/call.ts';
import { EQUALS, GROWING, NEXT_ID, TWINS } from './growing.ts';
import { LARGEST, ROOM } from './listed.ts';

const FILTERS = ['', ...PET_STATUSES.map((status) => `status=${status}`)];
const [NONE = { headers: [] }] = KEYS.none;
const [WRONG = { headers: [] }] = KEYS.invented;

const and = (...parts: readonly string[]): string => parts.filter((one) => one !== '').join('&');
const calls = (...queries: readonly string[]) => queries.map((query) => ({ call: list(query) }));

/** Sends calls one after the other. */
const inOrder =
  (...calls: readonly Call[]) =>
  async (lane: BorrowedLane): Promise<void> => {
    for (const call of calls) await lane.send(call);
  };

/** How many animals of other clients are fetched for each query. */
const MAX_OF_OTHER_CLIENTS = 5;

/** Fetches some animals of other clients in a list. */
async function fetchOfOtherClients({ known, together, send }: Tools, query: string): Promise<void> {
  const { animals } = await send(list(query));
  const ids = animals.flatMap(({ id }) => (known.ownById(id) === undefined && id !== undefined ? id : []));
  const step = Math.max(1, Math.floor(ids.length / MAX_OF_OTHER_CLIENTS));
  const chosen = ids.filter((_, at) => at % step === 0).slice(0, MAX_OF_OTHER_CLIENTS);
  await together(chosen.map((id) => ({ call: get(), id })));
}

/** Pages of the collection as it was found, and getPet to compare with them. */
const FOUND: Script = {
  stages: ['found'],
  run: async (tools) => {
    await tools.together([...calls('limit=100', ...FILTERS, 'limit=1', 'limit=20', 'limit=2', 'limit=0')]);
    await tools.together(
      PET_STATUSES.flatMap((status) => calls(`limit=7&status=${status}`, `status=${status}&limit=1`)),
    );
    const queries = ['limit=100', ...PET_STATUSES.slice(1).map((status) => `status=${status}`)];
    await Promise.all(queries.map((query) => fetchOfOtherClients(tools, query)));
    await tools.together(['1', '2', '3'].map((id) => ({ call: get(id) })));
    await tools.together(calls('limit=100', '', 'limit=40'));
    for (const { id } of tools.known.others.all.slice(0, 2).map(({ animal }) => animal))
      if (id !== undefined) await tools.send(withKey(get(), NONE), { id });
  },
};

/** Three pages for each filter, the middle one with limit=20. */
const DEFAULTS: Script = {
  stages: ['found', 'full'],
  run: async ({ on }) => {
    const three = (filter: string) => [list(filter), list(and(filter, 'limit=20')), list(filter)];
    await Promise.all(FILTERS.map((filter) => on(inOrder(...three(filter)))));
  },
};

/** One of each operation. */
const KEYED = Object.values(PLAIN_CALLS);

const times = (count: number, call: Call): readonly Call[] => Array.from({ length: count }, () => call);

/** Wrong keys in a row, followed by the right one. */
const KEYS_IN_A_ROW: Script = {
  stages: ['rows'],
  isLong: true,
  run: async ({ on, newRow }) => {
    const { list: plain, get: fetch, create: add } = CALLS;
    const row = newRow();
    await Promise.all([
      on(inOrder(...KEYED.flatMap((call) => [withKey(call, WRONG), call === add ? plain : call]))),
      on(inOrder(...times(12, withKey(plain, WRONG)), plain, fetch)),
      on(inOrder(...times(6, withKey(fetch, NONE)), fetch, plain)),
      on(async (lane) => {
        for (let round = 0; round < 3; round += 1) await lane.send(withKey(add, WRONG), { row });
      }),
    ]);
  },
};

/** The right key and none on the same connection. */
const ONE_CONNECTION: Script = {
  stages: ['rows'],
  run: async ({ on }) => {
    const { list: plain, get: fetch, create: add, listSold } = CALLS;
    const long = list('limit=100');
    const pairs = [
      ...KEYED.map((call) => [call, call] as const),
      [long, long],
      [add, plain],
      [listSold, fetch],
    ] as const;
    await Promise.all([
      // Some services close a connection after two responses.
      ...KEYED.map((call) => on(inOrder(call, withKey(call, NONE)))),
      ...pairs.map(([good, other]) => {
        const last = good === add ? plain : good;
        return on(inOrder(withKey(other, NONE), good, withKey(other, NONE), withKey(other, WRONG), last));
      }),
      on(inOrder(...times(4, plain), ...KEYED.map((call) => withKey(call, NONE)), create('{"name":"$NAME"}'), plain)),
      on(inOrder(list('limit=30'), plain, create(undefined), fetch)),
      // A body that is rejected without being read must not spoil the next request.
      on(inOrder(withKey(add, WRONG), plain, withKey(add, NONE), fetch)),
    ]);
  },
};

/** The same request many times on one connection. */
const OFTEN: Script = {
  stages: ['rows'],
  isLong: true,
  run: async ({ on, known }) => {
    const ids = known.ownAnimals.slice(0, 3).map(({ id }) => id);
    await Promise.all([
      ...ids.map((id) =>
        on(async (lane) => {
          for (let round = 0; round < 6; round += 1) await lane.send(get(), { id });
        }),
      ),
      on(inOrder(...times(3, list('limit=30')), ...times(4, list('status=sold')))),
    ]);
  },
};

/** Concurrent requests. */
const AT_ONCE: Script = {
  stages: ['rows'],
  isLong: true,
  run: async ({ together, known }) => {
    const own = known.ownAnimals.slice(0, 10);
    await together(calls('limit=1', 'limit=2', 'limit=30', 'limit=3', '', 'limit=5', 'limit=7', 'limit=100'));
    await together(calls(...FILTERS));
    await together(own.map(({ id }) => ({ call: get(), id })));
    await together(
      ['0', 'unknown', '-1'].flatMap((odd) => [
        { call: list(`limit=${odd}`) },
        { call: get('abc') },
        { call: create('{') },
      ]),
    );
    await together([
      { call: CALLS.list },
      { call: withKey(CALLS.list, NONE) },
      { call: CALLS.list },
      { call: withKey(CALLS.list, WRONG) },
    ]);
    await together(
      own.slice(0, 4).flatMap(({ id }) => [
        { call: get(), id },
        { call: withKey(get(), NONE), id },
      ]),
    );
    await together([
      { call: CALLS.create },
      { call: CALLS.list },
      ...own.slice(0, 4).map(({ id }) => ({ call: get(), id })),
    ]);
    await together(
      Array.from({ length: 8 }, (_, at) => ({ call: at % 4 === 3 ? withKey(CALLS.list, WRONG) : CALLS.list })),
    );
  },
};

const MAX_GAPS = 50;
/** How long a rejected creation may take to have an effect all the same (ms). */
const LATE_MS = 1_100;

/** Ids between those of the run: getPet may find there what a rejected creation left behind, even if no list shows it. */
const GAPS: Script = {
  stages: ['aged'],
  isLong: true,
  run: async ({ together, known, pause }) => {
    const ids = known.ownAnimals.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1));
    const gaps: bigint[] = [];
    for (const [at, id] of ids.entries()) {
      const next = ids[at + 1] ?? id + 3n;
      if (next - id < 40n) for (let between = id + 1n; between < next; between += 1n) gaps.push(between);
    }
    await pause(known.creations.lastRejectedAt + LATE_MS - performance.now());
    const step = Math.max(1, Math.ceil(gaps.length / MAX_GAPS));
    const chosen = gaps.filter((_, at) => at % step === 0 || at >= gaps.length - 3);
    await together([
      ...calls('limit=100', ...PET_STATUSES.map((status) => `limit=100&status=${status}`)),
      ...chosen.map((id) => ({ call: get(`${id}`) })),
    ]);
  },
};

/** Everything again, when the first animals are old. */
const AGED: Script = {
  stages: ['aged'],
  run: async (tools) => {
    const { known, together } = tools;
    const own = known.ownAnimals;
    const chosen = [
      ...own.slice(0, 6),
      ...own.filter((_, at) => at % 12 === 0),
      ...own.slice(-8),
      ...own.filter(({ isStatusOmitted }) => isStatusOmitted).slice(0, 4),
    ];
    const ids = [...new Set(chosen.map(({ id }) => id))];
    await together([
      ...ids.map((id) => ({ call: get(), id })),
      ...calls(...FILTERS, 'limit=7', 'limit=100', 'limit=40'),
      ...KEYED.map((call) => ({ call: withKey(call, NONE) })),
      ...KEYED.map((call) => ({ call: withKey(call, WRONG) })),
      ...KEYS.nearestMisses.slice(0, 3).map((key) => ({ call: withKey(CALLS.list, key) })),
      { call: CALLS.create },
      { call: get('$FREE') },
      { call: create('{"name":"$NAME"}') },
      { call: create('{') },
      { call: list('limit=0') },
    ]);
    await Promise.all(PET_STATUSES.map((status) => fetchOfOtherClients(tools, `limit=100&status=${status}`)));
  },
};

/** The cookies that responses have set, sent back without the key, and with a wrong one. */
const COOKIES: Script = {
  stages: ['aged'],
  run: async ({ together }) => {
    const withCookie = (call: Call): Call => withHeaders(call, [['Cookie', '$COOKIE']]);
    await together(KEYED.flatMap((call) => [NONE, WRONG].map((key) => ({ call: withCookie(withKey(call, key)) }))));
  },
};

/** The plain calls, once for each second in which the run waits for its first animals to age. */
const WATCH: Script = {
  stages: ['waiting'],
  run: async ({ send, together }) => {
    const { list: plain, get: fetch, create: add, listSold } = CALLS;
    const [added] = await together([add, plain, fetch, listSold, withKey(plain, WRONG)].map((call) => ({ call })));
    const id = added?.animals[0]?.id;
    if (id !== undefined) await send(get(), { id });
  },
};

/** Limits around the number of animals that match. */
const EXACT: Script = {
  stages: ['full'],
  run: async ({ together }) => {
    const pages = await together(PET_STATUSES.map((status) => ({ call: list(`limit=100&status=${status}`) })));
    const queries = pages.flatMap(({ length = 100 }, at) =>
      length < 100 ? [-1, 0, 1].map((more) => `limit=${Math.max(1, length + more)}&status=${PET_STATUSES[at]}`) : [],
    );
    await together(calls(...queries));
  },
};

/** Different encodings requested in turn at one URL, as by a browser and a program. */
const CODINGS_IN_TURN: Script = {
  stages: ['full'],
  isLong: true,
  run: async ({ on }) => {
    await on(async (lane) => {
      for (const coding of ['gzip', 'identity', 'br', 'deflate']) {
        await lane.send(withHeaders(list('limit=100'), [['Accept-Encoding', coding]]));
      }
      await lane.send(list('limit=100', PLAIN));
    });
  },
};

/** Every script, in the order in which those of one stage begin. */
export const SCRIPTS = {
  recall: RECALL,
  found: FOUND,
  nextId: NEXT_ID,
  twins: TWINS,
  growing: GROWING,
  equals: EQUALS,
  often: OFTEN,
  atOnce: AT_ONCE,
  room: ROOM,
  largest: LARGEST,
  exact: EXACT,
  codingsInTurn: CODINGS_IN_TURN,
  watch: WATCH,
  defaults: DEFAULTS,
  gaps: GAPS,
  aged: AGED,
  cookies: COOKIES,
  keysInARow: KEYS_IN_A_ROW,
  oneConnection: ONE_CONNECTION,
} as const satisfies Readonly<Record<string, Script>>;
