import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { listPets, type RequestForm } from './calls.ts';
import { check } from './index.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';
import type { Circumstances } from './space/circumstances.ts';

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

/** A service that answers every request with an empty list a moment later, and notes how it came. */
async function service() {
  const arrivals: Arrival[] = [];
  const connections = new Map<unknown, number>();
  let underWay = 0;
  const server = createServer((incoming: IncomingMessage, outgoing) => {
    const connection = connections.get(incoming.socket) ?? connections.size;
    connections.set(incoming.socket, connection);
    underWay += 1;
    const limit = new URL(incoming.url ?? '', 'http://x').searchParams.get('limit') ?? '';
    const hasKey = incoming.headers.authorization === `Bearer ${KEY}`;
    arrivals.push({ connection, limit, hasKey, underWay });
    setImmediate(() => {
      underWay -= 1;
      outgoing.writeHead(hasKey ? 200 : 401, { 'content-type': 'application/json' }).end('[]');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, arrivals };
}

/** What arrives where so many requests are sent, with limits from 2 on, under these circumstances, all or by the limit. */
async function arrivalsOf(
  given: Circumstances | ((limit: number) => Circumstances),
  count: number,
  times?: 2,
): Promise<readonly Arrival[]> {
  const { baseUrl, arrivals } = await service();
  const limits = Array.from({ length: count }, (_, at) => at + 2);
  const sending = check('LIST-5', 'sends', {
    exercise: async ({ api }) => {
      // Of what the run itself has asked before, nothing is to be seen here.
      arrivals.splice(0);
      const formOf = (limit: number): RequestForm => ({
        name: '',
        circumstances: typeof given === 'function' ? given(limit) : given,
        ...(times && { times }),
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
  expect(limitsOf(await arrivalsOf('among others', 3)).toSorted()).toEqual(['2', '3', '4']);
});

test('a request that is sent twice arrives a second time', async () => {
  expect(limitsOf(await arrivalsOf('among others', 2, 2)).toSorted()).toEqual(['2', '2', '3', '3']);
});

test('requests that are alone arrive one by one', async () => {
  const arrivals = await arrivalsOf('alone', 6);
  expect(limitsOf(arrivals)).toEqual(['2', '3', '4', '5', '6', '7']);
  for (const { underWay } of arrivals) expect(underWay).toBe(1);
});

test('a request that is alone waits for all others of its check', async () => {
  const arrivals = await arrivalsOf((limit) => (limit === 2 ? 'alone' : 'among others'), 5);
  expect(arrivals.at(-1)).toMatchObject({ limit: '2', underWay: 1 });
});

test('requests on new connections share none', async () => {
  const arrivals = await arrivalsOf('on a new connection', 4);
  expect(new Set(arrivals.map(({ connection }) => connection)).size).toBe(arrivals.length);
  expect(arrivals).toHaveLength(4);
});

test.each([
  ['on a connection used by a good key', true],
  ['on a connection used by a refusal', false],
] as const)('up to eight requests in a row are %s', async (circumstances, hasKey) => {
  const arrivals = await arrivalsOf(circumstances, 10);
  const byConnection = group(arrivals);
  expect([...byConnection.values()].map(limitsOf)).toEqual([
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    ['1', '10', '11'],
  ]);
  for (const [first] of byConnection.values()) expect(first).toMatchObject({ limit: '1' });
  expect([...byConnection.values()].map(([first]) => first?.hasKey)).toEqual([hasKey, hasKey]);
});

test('requests for one moment arrive at one moment, up to eight of them', async () => {
  const arrivals = await arrivalsOf('at the same moment as seven others', 8);
  expect(arrivals).toHaveLength(8);
  expect(Math.max(...arrivals.map(({ underWay }) => underWay))).toBeGreaterThan(1);
});

function group(arrivals: readonly Arrival[]): ReadonlyMap<number, readonly Arrival[]> {
  const groups = new Map<number, Arrival[]>();
  for (const arrival of arrivals) {
    groups.set(arrival.connection, [...(groups.get(arrival.connection) ?? []), arrival]);
  }
  return groups;
}
