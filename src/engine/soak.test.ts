import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Latencies } from './latency.ts';
import { InconclusiveError } from './outcome-errors.ts';
import type { Reply } from './reply.ts';
import { type SoakOptions, soak, type Workload } from './soak.ts';
import { repliedWith } from './toy-service.fixture.ts';

const REQUEST_MS = 10;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Toy extends Workload {
  readonly shares: number[];
  readonly closed: string[];
}

/** A workload of one operation, each request of which takes 10 ms. */
function workload(send: (number: number) => Promise<Reply> | Reply = () => repliedWith(1, 200)): Toy {
  const [shares, closed]: [number[], string[]] = [[], []];
  return {
    shares,
    closed,
    next: (share) => {
      if (closed.length > 0) return undefined;
      shares.push(share);
      return {
        operation: 'list',
        send: async () => {
          const number = shares.length;
          await vi.advanceTimersByTimeAsync(REQUEST_MS);
          return send(number);
        },
      };
    },
    close: (operation) => closed.push(operation),
    verify: async () => ({ creations: 4, lost: 1, doubled: 2, unverified: 3 }),
  };
}

function soaking(load: Workload, changes: Partial<SoakOptions> = {}): ReturnType<typeof soak> {
  return soak(load, {
    milliseconds: 1_000,
    concurrency: 1,
    perSecond: Number.POSITIVE_INFINITY,
    deadline: new AbortController().signal,
    latencies: new Latencies(['list']),
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    onLoad: () => {},
    onProgress: () => {},
    remark: () => {},
    ...changes,
  });
}

const refuse = (code: string): never => {
  throw new InconclusiveError(code, `no request was sent (${code})`);
};

test('requests are sent until the time has passed, and each is told how much of it has', async () => {
  const load = workload();
  const { milliseconds, planned } = await soaking(load);
  expect([milliseconds, planned]).toEqual([1_000, 1_000]);
  expect(load.shares).toHaveLength(100);
  expect([load.shares[0], load.shares[50], load.shares.at(-1)]).toEqual([0, 0.5, 0.99]);
});

test('with a rate of its own requests come evenly, however many may be under way', async () => {
  const at: number[] = [];
  const from = performance.now();
  const next = () => ({
    operation: 'list',
    send: async () => {
      at.push(performance.now() - from);
      return repliedWith(1, 200);
    },
  });
  const running = soaking({ ...workload(), next }, { perSecond: 4, concurrency: 3 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await running).toMatchObject({ planned: 1_000, milliseconds: 1_000 });
  expect(at).toEqual([0, 250, 500, 750]);
});

test('what was created is verified after the load, and both are told', async () => {
  const underWay: boolean[] = [];
  const result = await soaking(workload(), { onLoad: (is) => underWay.push(is) });
  expect(result).toMatchObject({ creations: 4, lost: 1, doubled: 2, unverified: 3 });
  expect(underWay).toEqual([true, false]);
});

test('a request that was not answered is counted', async () => {
  const { unanswered } = await soaking(workload((number) => repliedWith(1, number <= 3 ? undefined : 200)));
  expect(unanswered).toBe(3);
});

test('an operation that was given up is asked again after a pause, and told once', async () => {
  const remarks: string[] = [];
  const load = workload((number) => (number <= 2 ? refuse('gave-up') : repliedWith(1, 200)));
  const running = soaking(load, { remark: (text) => remarks.push(text) });
  while (load.shares.length < 3) await vi.advanceTimersByTimeAsync(50);
  await running;
  expect(load.shares.length).toBeGreaterThan(3);
  expect(remarks).toEqual(['During the soak, no request was sent (gave-up).']);
});

test.each(['budget', 'throttled'])(
  'an operation without a budget, or throttled to the end, is sent no more: %s',
  async (code) => {
    const load = workload(() => refuse(code));
    const { milliseconds } = await soaking(load);
    expect([load.closed, load.shares.length, milliseconds]).toEqual([['list'], 1, REQUEST_MS]);
  },
);

test('whatever else keeps a request from being sent ends the soak', async () => {
  const load = workload((number) => (number === 5 ? refuse('out-of-time') : repliedWith(1, 200)));
  await soaking(load);
  expect(load.shares).toHaveLength(5);
});

test('so does the end of the run', async () => {
  const stop = new AbortController();
  const load = workload((number) => {
    if (number === 5) stop.abort();
    return repliedWith(1, 200);
  });
  await soaking(load, { deadline: stop.signal });
  expect(load.shares).toHaveLength(5);
});

test('an error of the suite is not swallowed', async () => {
  const load = workload(() => {
    throw new TypeError('undefined is not a function');
  });
  await expect(soaking(load)).rejects.toThrow(TypeError);
});
