import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Profile } from '../report/model/result.ts';
import { Properties } from './property.ts';
import { Broken, HarnessFault, Inconclusive, type SamplePlace } from './signals.ts';

const broken = (what = 'wrong') =>
  new Broken({ code: 'status', message: what, expected: 'right', actual: 'wrong' }, []);

interface Counted {
  readonly properties: Properties;
  /** Every sample that was judged, each for one request. */
  readonly judged: unknown[];
  judging<T>(judge: (sample: T) => void | Promise<void>): (sample: T) => Promise<void>;
}

function properties(given: { seed?: number; profile?: Profile; replay?: SamplePlace } = {}): Counted {
  const judged: unknown[] = [];
  return {
    judged,
    properties: new Properties({
      seed: given.seed ?? 5,
      profile: given.profile ?? 'standard',
      replay: given.replay,
      requests: () => judged.length,
    }),
    judging: (judge) => async (sample) => {
      judged.push(sample);
      await judge(sample);
    },
  };
}

async function brokenBy(work: Promise<void>): Promise<Broken> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Broken)) throw new Error('nothing is broken', { cause: error });
  return error;
}

afterEach(() => {
  vi.useRealTimers();
});

test('samples are judged side by side', async () => {
  const { properties: given } = properties();
  let waiting = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await given.every(fc.nat(), 12, async () => {
    waiting += 1;
    if (waiting === 12) open();
    await gate;
  });
  expect(waiting).toBe(12);
});

test('the same seed draws the same samples, another seed and another property others', async () => {
  const drawn = async (seed: number): Promise<readonly unknown[]> => {
    const { properties: given, judged, judging } = properties({ seed });
    await given.every(
      fc.string(),
      20,
      judging(() => {}),
    );
    await given.every(
      fc.string(),
      20,
      judging(() => {}),
    );
    return judged;
  };
  const first = await drawn(1);
  expect(await drawn(1)).toEqual(first);
  expect(await drawn(2)).not.toEqual(first);
  expect(first.slice(20)).not.toEqual(first.slice(0, 20));
});

test.each([
  ['smoke', 10],
  ['standard', 50],
  ['thorough', 250],
] as const)('%s draws %i of 50 samples', async (profile, count) => {
  const { properties: given, judged, judging } = properties({ profile });
  await given.every(
    fc.nat(),
    50,
    judging(() => {}),
  );
  expect(judged).toHaveLength(count);
});

test('smoke takes a spread of the cases, never more than all of them', async () => {
  const { properties: given, judged, judging } = properties({ profile: 'smoke' });
  await given.each(
    Array.from({ length: 100 }, (_, at) => at),
    judging(() => {}),
  );
  expect(judged.length).toBeGreaterThanOrEqual(8);
  expect(judged.length).toBeLessThan(13);
  const few = properties({ profile: 'smoke' });
  await few.properties.each(
    [1, 2, 3],
    few.judging(() => {}),
  );
  expect(few.judged).toEqual([1, 2, 3]);
});

test('the first sample that fails is shrunk to the smallest, and told with where it began', async () => {
  const { properties: given, judging } = properties();
  const error = await brokenBy(
    given.every(
      fc.array(fc.nat({ max: 1_000 })),
      30,
      judging((sample) => {
        if (sample.some((number) => number >= 100)) throw broken(`${sample}`);
      }),
    ),
  );
  expect(error.details.shrunk?.to).toBe('[100]');
  expect(error.details.shrunk?.from).not.toBe('[100]');
  expect(error.breach.message).toBe('100');
  expect(error.details.shrunk?.requests).toBeLessThanOrEqual(150);
  expect(error.details.frequency?.judged).toBe(30);
  expect(error.details.frequency?.violated).toBeGreaterThan(0);
});

test('the replay of a shrunk sample judges that one sample, and nothing after it', async () => {
  const big = fc.array(fc.nat({ max: 1_000 }));
  const fails = (sample: readonly number[]): void => {
    if (sample.some((number) => number >= 100)) throw broken();
  };
  const first = properties();
  await first.properties.each(
    [1, 2],
    first.judging(() => {}),
  );
  const error = await brokenBy(first.properties.every(big, 30, first.judging(fails)));
  const place = error.details.place;
  if (place === undefined) throw new Error('no place');
  expect(place.property).toBe(1);

  for (const verdict of [fails, () => {}]) {
    const again = properties({ replay: place });
    const work = async (): Promise<void> => {
      await again.properties.each(
        [1, 2],
        again.judging(() => {}),
      );
      await again.properties.every(big, 30, again.judging(verdict));
      await again.properties.every(big, 30, again.judging(verdict));
    };
    if (verdict === fails) expect((await brokenBy(work())).details.place).toEqual(place);
    else await work();
    expect(again.judged).toEqual([[100]]);
  }
});

test('the replay of a case judges that case alone', async () => {
  const cases = ['a', 'b', 'c', 'd'];
  const fails = (sample: string): void => {
    if (sample === 'c') throw broken();
  };
  const first = properties();
  const error = await brokenBy(first.properties.each(cases, first.judging(fails)));
  expect(error.details.place).toEqual({ property: 0, path: '2' });
  const again = properties({ replay: { property: 0, path: '2' } });
  await brokenBy(again.properties.each(cases, again.judging(fails)));
  expect(again.judged).toEqual(['c']);
});

test('shrinking ends after 150 requests', async () => {
  const { properties: given, judged, judging } = properties();
  // Every sample but the smallest fails, and a sample may take several requests.
  const error = await brokenBy(
    given.every(
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 900n }), { minLength: 40, maxLength: 60 }),
      3,
      async (sample) => {
        for (const _ of [1, 2, 3, 4]) await judging(() => {})(sample);
        if (sample.some((number) => number > 2n ** 300n)) throw broken();
      },
    ),
  );
  expect(error.details.shrunk?.requests).toBeGreaterThan(100);
  expect(error.details.shrunk?.requests).toBeLessThanOrEqual(150);
  expect(judged).toHaveLength(3 * 4 + (error.details.shrunk?.requests ?? 0));
});

test('shrinking ends within 10 s, however slow the service is', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { properties: given, judging } = properties();
  let shrinkingSince: number | undefined;
  const error = await brokenBy(
    given.every(
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 900n }), { minLength: 40, maxLength: 60 }),
      3,
      judging((sample) => {
        vi.advanceTimersByTime(120);
        shrinkingSince ??= performance.now() + 2 * 120;
        if (sample.some((number) => number > 2n ** 300n)) throw broken();
      }),
    ),
  );
  const took = performance.now() - (shrinkingSince ?? 0);
  expect(took).toBeGreaterThan(9_000);
  expect(took).toBeLessThanOrEqual(10_000);
  expect(error.details.shrunk?.requests).toBeLessThan(90);
});

test('a sample that fails only once is shown as it was, and no other is drawn for it', async () => {
  const { properties: given, judged, judging } = properties();
  let failures = 0;
  const error = await brokenBy(
    given.every(
      fc.nat(),
      10,
      judging(() => {
        failures += 1;
        if (failures === 6) throw broken();
      }),
    ),
  );
  expect(error.details.shrunk).toBeUndefined();
  expect(error.details.place).toEqual({ property: 0, path: '5' });
  expect(error.details.frequency).toEqual({ violated: 1, judged: 10 });
  expect(judged).toHaveLength(11);
  expect(judged[10]).toBe(judged[5]);
});

test('a contradiction of the suite outweighs every broken rule', async () => {
  const { properties: given, judging } = properties();
  const work = given.each(
    [1, 2, 3],
    judging((sample) => {
      throw sample === 2 ? new HarnessFault('the label is wrong') : broken();
    }),
  );
  await expect(work).rejects.toThrow(HarnessFault);
});

test('a contradiction that shows only while shrinking ends it', async () => {
  const { properties: given, judged, judging } = properties();
  const before = judged.length;
  const work = given.every(
    fc.nat({ max: 1_000_000 }),
    10,
    judging((sample) => {
      if (sample === 0) throw new HarnessFault('zero is not what it is labelled');
      if (sample > 0) throw broken();
    }),
  );
  await expect(work).rejects.toThrow('zero is not what it is labelled');
  expect(judged.length - before).toBeLessThan(20);
});

test('where some samples cannot be judged, the reason is told; where the budget ends, what was judged counts', async () => {
  const unable = (code: string, from: number) => {
    const { properties: given, judging } = properties();
    return given.each(
      [1, 2, 3, 4],
      judging((sample) => {
        if (sample >= from) throw new Inconclusive(code, 'it cannot be judged');
      }),
    );
  };
  await expect(unable('control-failed', 4)).rejects.toThrow(Inconclusive);
  await expect(unable('budget', 2)).rejects.toThrow(Inconclusive);
  await expect(unable('budget', 3)).resolves.toBeUndefined();
});
