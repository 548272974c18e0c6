import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { LIST } from '../http/rig.fixture.ts';
import type { Profile } from '../report/model/result.ts';
import { Coverage } from './coverage.ts';
import { InconclusiveError, type SamplePlace, SuiteError, ViolationError } from './outcome-errors.ts';
import type { Call } from './reply.ts';
import { Samples } from './samples.ts';

const CALL: Call = { request: LIST, description: 'a list', equivalence: 'list', effect: 'reads' };

const violation = (what = 'wrong') =>
  new ViolationError({ code: 'status', message: what, expected: 'right', actual: 'wrong', proof: [], call: CALL });

interface Counted {
  readonly samples: Samples;
  /** Every sample that was judged, each for one request. */
  readonly judged: unknown[];
  judging<T>(judge: (sample: T) => void | Promise<void>): (sample: T) => Promise<void>;
}

function counted(given: { seed?: number; profile?: Profile; replay?: SamplePlace } = {}): Counted {
  const judged: unknown[] = [];
  return {
    judged,
    samples: new Samples({
      checkId: 'TEST-1',
      covers: [],
      coverage: new Coverage(),
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

async function violationBy(work: Promise<void>): Promise<ViolationError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ViolationError)) throw new Error('nothing is violated', { cause: error });
  return error;
}

afterEach(() => {
  vi.useRealTimers();
});

test('samples are judged side by side', async () => {
  const { samples: given } = counted();
  let waiting = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await given.forAll(fc.nat(), 12, async () => {
    waiting += 1;
    if (waiting === 12) open();
    await gate;
  });
  expect(waiting).toBe(12);
});

test('the same seed draws the same samples, another seed and another property others', async () => {
  const drawn = async (seed: number): Promise<readonly unknown[]> => {
    const { samples: given, judged, judging } = counted({ seed });
    await given.forAll(
      fc.string(),
      20,
      judging(() => {}),
    );
    await given.forAll(
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
  const { samples: given, judged, judging } = counted({ profile });
  await given.forAll(
    fc.nat(),
    50,
    judging(() => {}),
  );
  expect(judged).toHaveLength(count);
});

test('smoke takes a spread of the cases, never more than all of them', async () => {
  const { samples: given, judged, judging } = counted({ profile: 'smoke' });
  await given.forEach(
    Array.from({ length: 100 }, (_, at) => at),
    judging(() => {}),
  );
  expect(judged.length).toBeGreaterThanOrEqual(10);
  expect(judged.length).toBeLessThanOrEqual(12);
  const few = counted({ profile: 'smoke' });
  await few.samples.forEach(
    [1, 2, 3],
    few.judging(() => {}),
  );
  expect(few.judged).toEqual([1, 2, 3]);
});

test('smoke takes as few of the cases that leave something behind as it is told, others for every seed', () => {
  const cases = Array.from({ length: 20 }, (_, at) => at);
  const taken = [1, 2, 3, 4, 5, 6].map((seed) => counted({ profile: 'smoke', seed }).samples.fewerInSmoke(cases, 2));
  for (const two of taken) expect(two).toHaveLength(2);
  expect(new Set(taken.flat()).size).toBeGreaterThan(4);
  const again = counted({ profile: 'smoke', seed: 1 });
  expect(again.samples.fewerInSmoke(cases, 2)).toEqual(taken[0]);
  expect(again.samples.fewerInSmoke(cases, 0)).toEqual([]);
  expect(again.samples.fewerInSmoke([7], 2)).toEqual([7]);
  expect(counted({ profile: 'standard' }).samples.fewerInSmoke(cases, 1)).toEqual(cases);
});

test('the first sample that fails is shrunk to the smallest, and told with where it began', async () => {
  const { samples: given, judging } = counted();
  const error = await violationBy(
    given.forAll(
      fc.array(fc.nat({ max: 1_000 })),
      30,
      judging((sample) => {
        if (sample.some((number) => number >= 100)) throw violation(`${sample}`);
      }),
    ),
  );
  expect(error.details.shrunk?.to).toBe('[100]');
  expect(error.details.shrunk?.from).not.toBe('[100]');
  expect(error.violation.message).toBe('100');
  expect(error.details.shrunk?.requests).toBeLessThanOrEqual(150);
  expect(error.details.frequency?.judged).toBe(30);
  expect(error.details.frequency?.violated).toBeGreaterThan(0);
});

test('the replay of a shrunk sample judges that one sample, and nothing after it', async () => {
  const big = fc.array(fc.nat({ max: 1_000 }));
  const fails = (sample: readonly number[]): void => {
    if (sample.some((number) => number >= 100)) throw violation();
  };
  const first = counted();
  await first.samples.forEach(
    [1, 2],
    first.judging(() => {}),
  );
  const error = await violationBy(first.samples.forAll(big, 30, first.judging(fails)));
  const place = error.details.place;
  if (place === undefined) throw new Error('no place');
  expect(place.property).toBe(1);

  for (const verdict of [fails, () => {}]) {
    const again = counted({ replay: place });
    const work = async (): Promise<void> => {
      await again.samples.forEach(
        [1, 2],
        again.judging(() => {}),
      );
      await again.samples.forAll(big, 30, again.judging(verdict));
      await again.samples.forAll(big, 30, again.judging(verdict));
    };
    if (verdict === fails) expect((await violationBy(work())).details.place).toEqual(place);
    else await work();
    expect(again.judged).toEqual([[100]]);
  }
});

test('the replay of a case judges that case alone', async () => {
  const cases = ['a', 'b', 'c', 'd'];
  const fails = (sample: string): void => {
    if (sample === 'c') throw violation();
  };
  const first = counted();
  const error = await violationBy(first.samples.forEach(cases, first.judging(fails)));
  expect(error.details.place).toEqual({ property: 0, path: '2' });
  const again = counted({ replay: { property: 0, path: '2' } });
  await violationBy(again.samples.forEach(cases, again.judging(fails)));
  expect(again.judged).toEqual(['c']);
});

test('shrinking ends after 150 requests', async () => {
  const { samples: given, judged, judging } = counted();
  // Every sample but the smallest fails, and a sample may take several requests.
  const error = await violationBy(
    given.forAll(
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 900n }), { minLength: 40, maxLength: 60 }),
      3,
      async (sample) => {
        for (const _ of [1, 2, 3, 4]) await judging(() => {})(sample);
        if (sample.some((number) => number > 2n ** 300n)) throw violation();
      },
    ),
  );
  expect(error.details.shrunk?.requests).toBeGreaterThan(100);
  expect(error.details.shrunk?.requests).toBeLessThanOrEqual(150);
  expect(judged).toHaveLength(3 * 4 + (error.details.shrunk?.requests ?? 0));
});

test('shrinking ends within 10 s, however slow the service is', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { samples: given, judging } = counted();
  let shrinkingSince: number | undefined;
  const error = await violationBy(
    given.forAll(
      fc.array(fc.bigInt({ min: 0n, max: 2n ** 900n }), { minLength: 40, maxLength: 60 }),
      3,
      judging((sample) => {
        vi.advanceTimersByTime(120);
        shrinkingSince ??= performance.now() + 2 * 120;
        if (sample.some((number) => number > 2n ** 300n)) throw violation();
      }),
    ),
  );
  const took = performance.now() - (shrinkingSince ?? 0);
  expect(took).toBeGreaterThan(9_000);
  expect(took).toBeLessThanOrEqual(10_000);
  expect(error.details.shrunk?.requests).toBeLessThan(90);
});

test('a sample that fails only once is shown as it was, and no other is drawn for it', async () => {
  const { samples: given, judged, judging } = counted();
  let failures = 0;
  const error = await violationBy(
    given.forAll(
      fc.nat(),
      10,
      judging(() => {
        failures += 1;
        if (failures === 6) throw violation();
      }),
    ),
  );
  expect(error.details.shrunk).toBeUndefined();
  expect(error.details.place).toEqual({ property: 0, path: '5' });
  expect(error.details.frequency).toEqual({ violated: 1, judged: 10 });
  expect(judged).toHaveLength(11);
  expect(judged[10]).toBe(judged[5]);
});

test('a contradiction of the suite outweighs every violation', async () => {
  const { samples: given, judging } = counted();
  const work = given.forEach(
    [1, 2, 3],
    judging((sample) => {
      throw sample === 2 ? new SuiteError('the label is wrong') : violation();
    }),
  );
  await expect(work).rejects.toThrow(SuiteError);
});

test('a contradiction that shows only while shrinking ends it', async () => {
  const { samples: given, judged, judging } = counted();
  const before = judged.length;
  const work = given.forAll(
    fc.nat({ max: 1_000_000 }),
    10,
    judging((sample) => {
      if (sample === 0) throw new SuiteError('zero is not what it is labelled');
      if (sample > 0) throw violation();
    }),
  );
  await expect(work).rejects.toThrow('zero is not what it is labelled');
  expect(judged.length - before).toBeLessThan(20);
});

test('where some samples cannot be judged, the reason is told; where the budget ends, what was judged counts', async () => {
  const unable = (code: string, from: number) => {
    const { samples: given, judging } = counted();
    return given.forEach(
      [1, 2, 3, 4],
      judging((sample) => {
        if (sample >= from) throw new InconclusiveError(code, 'it cannot be judged');
      }),
    );
  };
  await expect(unable('control-failed', 4)).rejects.toThrow(InconclusiveError);
  await expect(unable('budget', 2)).rejects.toThrow(InconclusiveError);
  await expect(unable('budget', 3)).resolves.toBeUndefined();
});
