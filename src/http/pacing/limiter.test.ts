import { setMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { NotSent } from '../not-sent.ts';
import { Lane } from './lane.ts';
import { Limiter } from './limiter.ts';
import { RateLimiter } from './rate-limiter.ts';

/** How a service takes its time: what it is asked, and when it answers (ms). */
interface Tempo {
  readonly answersAt: (arrivedAt: number) => number;
}

/** Answers one request after the other. */
const serial = (each: number): Tempo => {
  let busyUntil = 0;
  return {
    answersAt: (now) => {
      busyUntil = Math.max(busyUntil, now) + each;
      return busyUntil;
    },
  };
};

const parallel = (each: number): Tempo => ({ answersAt: (now) => now + each });

/** Answers in one way at first, and in another from a request on. */
const changing = (number: number, first: Tempo, then: Tempo): Tempo => {
  let asked = 0;
  return {
    answersAt: (now) => {
      asked += 1;
      return (asked < number ? first : then).answersAt(now);
    },
  };
};

/** A run without an end, to which any number of requests may listen. */
function noEnd(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

const LANE = new Lane('listPets', true);

/** Sends so many requests by a pace, on a clock of our own. */
async function simulate(tempo: Tempo, requests: number, requestTimeoutMs = 10_000, most = 32, latencyMs?: number) {
  const limiter = new Limiter(most, new RateLimiter({ kind: 'none' }), requestTimeoutMs, latencyMs);
  const deadline = noEnd();
  const underWay: { readonly leftAt: number; readonly answeredAt: number }[] = [];
  const waits: number[] = [];
  let now = 0;
  let widest = 0;
  for (let sent = 0; sent < requests; sent += 1) {
    void limiter.acquire(LANE, deadline).then(() => {
      underWay.push({ leftAt: now, answeredAt: tempo.answersAt(now) });
    });
  }
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await settle();
  const atFirst = underWay.length;
  while (underWay.length > 0) {
    widest = Math.max(widest, underWay.length);
    underWay.sort((a, b) => a.answeredAt - b.answeredAt);
    const done = underWay.shift();
    if (done === undefined) break;
    now = done.answeredAt;
    waits.push(now - done.leftAt);
    limiter.release(LANE, now - done.leftAt, 'listPets 200');
    await settle();
  }
  return {
    answered: waits.length,
    longest: Math.max(...waits),
    settled: Math.max(...waits.slice(-20)),
    now,
    widest,
    atFirst,
  };
}

describe('the number of requests under way', () => {
  test.each([
    ['32 where an answer takes 10 ms', 10, 64, 32],
    ['25 where it takes 100 ms', 100, 32, 25],
    ['4 where it takes 1,000 ms', 1_000, 32, 4],
    ['4 where nothing is known of it', undefined, 32, 4],
    ['no more than are allowed', 100, 2, 2],
  ])('is at first %s', async (_what, latencyMs, most, expected) => {
    const { atFirst } = await simulate(parallel(latencyMs ?? 100), 40, 10_000, most, latencyMs);
    expect(atFirst).toBe(expected);
  });

  test('grows to the limit where answers are quick', async () => {
    const { answered, widest, now } = await simulate(parallel(20), 1_000);
    expect({ answered, widest }).toEqual({ answered: 1_000, widest: 32 });
    expect(now).toBeLessThan(1_200);
  });

  test.each([120, 500, 2_000])('stays small where one answer at a time comes every %i ms', async (each) => {
    const { answered, longest, settled } = await simulate(serial(each), 100);
    expect(answered).toBe(100);
    expect(longest).toBeLessThan(10_000);
    expect(settled).toBeLessThanOrEqual(Math.max(1_800, each * 3));
  });

  test.each([
    [12, 200, 1_000],
    [50, 60, 1_000],
    [100, 100, 600],
    [120, 30, 1_000],
  ])(
    'stays small for a time limit of 1 s where one answer at a time comes every %i ms',
    async (each, requests, most) => {
      const { answered, longest, settled } = await simulate(serial(each), requests, 1_000);
      expect(answered).toBe(requests);
      expect(longest).toBeLessThan(most);
      expect(settled).toBeLessThan(500);
    },
  );

  test('does not shrink where every answer takes long whoever asks', async () => {
    const { widest, now } = await simulate(parallel(2_000), 200);
    expect(widest).toBe(32);
    expect(now).toBeLessThan(30_000);
  });

  test('grows again once a service that was strained has recovered', async () => {
    const { widest, settled } = await simulate(changing(60, serial(400), parallel(20)), 3_000);
    expect({ widest, settled }).toEqual({ widest: 32, settled: 20 });
  });

  test('goes beyond 32 where answers take no longer for it, and not where they are queued', async () => {
    expect((await simulate(parallel(120), 1_000, 10_000, 64)).widest).toBe(64);
    const queued = await simulate(serial(5), 1_000, 10_000, 64);
    expect(queued).toMatchObject({ widest: 32, longest: 160 });
    const laterQueued = await simulate(changing(500, parallel(120), serial(10)), 2_000, 10_000, 64);
    expect(laterQueued.settled).toBeLessThanOrEqual(330);
  });
});

describe('a turn', () => {
  test('comes in the order of asking', async () => {
    const limiter = new Limiter(1, new RateLimiter({ kind: 'none' }), 10_000);
    const order: number[] = [];
    const signal = noEnd();
    const all = [1, 2, 3, 4].map((name) =>
      limiter.acquire(LANE, signal).then(() => {
        order.push(name);
        limiter.release(LANE, 1, 'listPets 200');
      }),
    );
    await Promise.all(all);
    expect(order).toEqual([1, 2, 3, 4]);
  });

  test('does not wait for a longer queue, but for what is sent as a whole', async () => {
    const limiter = new Limiter(1, new RateLimiter({ kind: 'none' }), 10_000);
    const signal = noEnd();
    const order: string[] = [];
    const send = async (name: string, queue: string, isWhole = false): Promise<void> => {
      await limiter.acquire(LANE, signal, { queue, isWhole });
      order.push(name);
      // What follows is asked for before the next turn comes.
      const next = name === 'one' ? send('another', 'sequence') : undefined;
      limiter.release(LANE, 1, 'listPets 200');
      await next;
    };
    await limiter.acquire(LANE, signal);
    const all = [
      ...['a', 'b', 'c'].map((name) => send(name, 'list')),
      send('one', 'sequence'),
      ...['x', 'y'].map((name) => send(name, 'group', true)),
    ];
    limiter.release(LANE, 1, 'listPets 200');
    await Promise.all(all);
    expect(order).toEqual(['one', 'x', 'y', 'another', 'a', 'b', 'c']);
  });

  test('that is given back lets the next one go', async () => {
    const limiter = new Limiter(1, new RateLimiter({ kind: 'none' }), 10_000);
    const signal = noEnd();
    await limiter.acquire(LANE, signal);
    const next = limiter.acquire(LANE, signal);
    limiter.abandon();
    await expect(next).resolves.toBeUndefined();
  });

  test('never comes once the run has ended', async () => {
    const limiter = new Limiter(1, new RateLimiter({ kind: 'none' }), 10_000);
    const end = new AbortController();
    await limiter.acquire(LANE, end.signal);
    const waiting = limiter.acquire(LANE, end.signal);
    end.abort();
    await expect(waiting).rejects.toBeInstanceOf(NotSent);
    await expect(limiter.acquire(LANE, end.signal)).rejects.toBeInstanceOf(NotSent);
  });

  test('comes no faster than a fixed rate', async () => {
    const limiter = new Limiter(32, new RateLimiter({ kind: 'fixed', perSecond: 100 }), 10_000);
    const signal = noEnd();
    const started = performance.now();
    await Promise.all(
      Array.from({ length: 21 }, () =>
        limiter.acquire(LANE, signal).then(() => limiter.release(LANE, 1, 'listPets 200')),
      ),
    );
    expect(performance.now() - started).toBeGreaterThan(190);
  });
});
