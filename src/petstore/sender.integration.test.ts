import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listPets, type RequestForm } from './calls.ts';
import { check } from './index.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

interface Arrival {
  readonly connection: number;
  readonly limit: string;
  readonly hasKey: boolean;
  /** Requests that were under way when it came, itself among them. */
  readonly underWay: number;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/**
 * A service that answers every request with an empty list a moment later, and notes how it came. Those with a limit of 2
 * or more wait for one another, once it is told of how many.
 */
async function service() {
  const arrivals: Arrival[] = [];
  const connections = new Map<unknown, number>();
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let together = 1;
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    const connection = connections.get(incoming.socket) ?? connections.size;
    connections.set(incoming.socket, connection);
    underWay += 1;
    const limit = new URL(incoming.url ?? '', 'http://x').searchParams.get('limit') ?? '';
    const hasKey = incoming.headers.authorization === `Bearer ${KEY}`;
    arrivals.push({ connection, limit, hasKey, underWay });
    const answer = (): void => {
      underWay -= 1;
      outgoing.writeHead(hasKey ? 200 : 401, { 'content-type': 'application/json' }).end('[]');
    };
    if (together === 1 || Number(limit || 1) === 1) return void setImmediate(answer);
    waiting.push(answer);
    if (waiting.length >= together) for (const answerOne of waiting.splice(0)) answerOne();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const begin = (count: number): void => {
    arrivals.splice(0);
    together = count;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, arrivals, begin };
}

/** What stands for the form of a request, or for those of the requests by their limit. */
type Circumstances = Omit<RequestForm, 'name'>;

/** What arrives where so many requests are sent, with limits from 2 on, and so many of them must be under way at once. */
async function arrivalsOf(
  given: Circumstances | ((limit: number) => Circumstances),
  count: number,
  together = 1,
): Promise<readonly Arrival[]> {
  const { baseUrl, arrivals, begin } = await service();
  const limits = Array.from({ length: count }, (_, at) => at + 2);
  const sending = check('LIST-5', 'sends', {
    exercise: async ({ api }) => {
      // Of what the run itself has asked before, nothing is to be seen here.
      begin(together);
      const formOf = (limit: number): RequestForm => ({
        name: '',
        ...(typeof given === 'function' ? given(limit) : given),
      });
      const replies = await Promise.all(limits.map((limit) => api.send(listPets({ limit }, api.key, formOf(limit)))));
      expect(replies.map(({ call }) => ('limit' in call ? call.limit : ''))).toEqual(limits.map(String));
    },
  });
  const [judged] = await judgeBy([sending], testPlan(baseUrl, { readOnly: true }));
  expect(judged?.result.outcome).toEqual({ kind: 'passed' });
  return arrivals;
}

const limitsOf = (arrivals: readonly Arrival[]): readonly string[] => arrivals.map(({ limit }) => limit);

test('among others, each request is sent once', async () => {
  expect(limitsOf(await arrivalsOf({ concurrency: 'among others' }, 3)).toSorted()).toEqual(['2', '3', '4']);
});

test('a request that is sent twice arrives a second time', async () => {
  expect(limitsOf(await arrivalsOf({ times: 2 }, 2)).toSorted()).toEqual(['2', '2', '3', '3']);
});

test('on a connection that was used, the second time follows the first there', async () => {
  const arrivals = await arrivalsOf({ times: 2, connection: 'on a connection used by a refusal' }, 2);
  expect([...group(arrivals).values()].map(limitsOf).toSorted()).toEqual([
    ['1', '2', '2'],
    ['1', '3', '3'],
  ]);
});

test('requests that are alone arrive one by one', async () => {
  const arrivals = await arrivalsOf({ concurrency: 'alone' }, 6);
  expect(limitsOf(arrivals)).toEqual(['2', '3', '4', '5', '6', '7']);
  for (const { underWay } of arrivals) expect(underWay).toBe(1);
});

test('a request that is alone waits for all others of its check', async () => {
  const arrivals = await arrivalsOf((limit) => (limit === 2 ? { concurrency: 'alone' } : {}), 5);
  expect(arrivals.at(-1)).toMatchObject({ limit: '2', underWay: 1 });
});

test('requests that are alone have the connections that they ask for', async () => {
  const arrivals = await arrivalsOf(
    (limit) => ({
      concurrency: 'alone',
      connection: limit === 2 ? 'on a new connection' : 'on a connection used by a refusal',
    }),
    2,
  );
  expect(limitsOf(arrivals)).toEqual(['2', '1', '3']);
  expect(new Set(arrivals.map(({ connection }) => connection)).size).toBe(2);
  for (const { underWay } of arrivals) expect(underWay).toBe(1);
});

test('requests on new connections share none', async () => {
  const arrivals = await arrivalsOf({ connection: 'on a new connection' }, 4);
  expect(new Set(arrivals.map(({ connection }) => connection)).size).toBe(arrivals.length);
  expect(arrivals).toHaveLength(4);
});

test.each([
  ['on a connection used by a good key', true],
  ['on a connection used by a refusal', false],
] as const)('requests are %s, no more than three on each', async (connection, hasKey) => {
  const byConnection = group(await arrivalsOf({ connection }, 5));
  expect([...byConnection.values()].map(limitsOf).toSorted()).toEqual([
    ['1', '2', '4', '6'],
    ['1', '3', '5'],
  ]);
  for (const [first] of byConnection.values()) expect(first).toMatchObject({ limit: '1' });
  expect([...byConnection.values()].map(([first]) => first?.hasKey)).toEqual([hasKey, hasKey]);
});

test('one on a new connection makes it a used one, and saves a request that would', async () => {
  const arrivals = await arrivalsOf(
    (limit) => ({ connection: limit === 4 ? 'on a new connection' : 'on a connection used by a good key' }),
    3,
  );
  expect(limitsOf(arrivals)).toEqual(['4', '2', '3']);
  expect(group(arrivals).size).toBe(1);
});

test('one that is sent twice on a new connection opens none for others, which it would have to wait for', async () => {
  const arrivals = await arrivalsOf(
    (limit) =>
      limit === 4
        ? { connection: 'on a new connection', times: 2 }
        : { connection: 'on a connection used by a good key' },
    3,
  );
  expect([...group(arrivals).values()].map(limitsOf).toSorted()).toEqual([['1', '2', '3'], ['4'], ['4']]);
});

test('one with a good key does not stand for a refusal', async () => {
  const arrivals = await arrivalsOf(
    (limit) => ({ connection: limit === 4 ? 'on a new connection' : 'on a connection used by a refusal' }),
    3,
  );
  expect(group(arrivals).size).toBe(2);
  expect(arrivals.filter(({ hasKey }) => !hasKey).map(({ limit }) => limit)).toEqual(['1']);
});

test.each([
  ['on any connection', 8],
  ['on a new connection', 8],
  ['on a connection used by a good key', 16],
  ['on a connection used by a refusal', 16],
] as const)('requests for one moment arrive at one moment, up to eight of them: %s', async (connection, sent) => {
  const arrivals = await arrivalsOf({ connection, concurrency: 'at the same moment as seven others' }, 8, 8);
  expect(arrivals).toHaveLength(sent);
  const judged = arrivals.filter(({ limit }) => limit !== '1');
  expect(new Set(judged.map((arrival) => arrival.connection)).size).toBe(8);
  // Nothing is sent at that moment before every connection is what it must be.
  expect(limitsOf(arrivals).lastIndexOf('1')).toBe(sent - 9);
});

function group(arrivals: readonly Arrival[]): ReadonlyMap<number, readonly Arrival[]> {
  const groups = new Map<number, Arrival[]>();
  for (const arrival of arrivals) {
    groups.set(arrival.connection, [...(groups.get(arrival.connection) ?? []), arrival]);
  }
  return groups;
}
