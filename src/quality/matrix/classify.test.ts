import { expect, test } from 'vitest';
import { classify } from './classify.ts';
import { aRequirement, aTrial, FACTS, failing } from './matrix.fixture.ts';
import type { ReplayEnd } from './replay-trial.ts';
import type { Trial } from './trial.ts';

const aFault = (name: string, breaks: string) => ({ name, breaks, says: `it does ${name}` });
const aVariant = (name: string, chooses: string) => ({ name, chooses, says: `it chooses ${name}` });

function classified(trial: Partial<Trial>) {
  const result = classify(
    [aTrial('fault', 'f', trial)],
    [aRequirement('LIST-2')],
    { faults: [aFault('f', 'LIST-2')], variants: [] },
    FACTS,
  );
  return { outcome: result.faults[0]?.outcome, passed: result.passed, shortcomings: result.shortcomings };
}

test('a fault is killed by its own check if any check of its requirement fails', () => {
  const failed = [failing('LIM-1'), failing('LIST-2.again')];
  expect(classified({ failed, exitCode: 1 })).toEqual({
    outcome: 'killed by its own check',
    passed: true,
    shortcomings: [],
  });
});

test('it is a shortcoming if only other checks kill the faults of a requirement', () => {
  expect(classified({ failed: [failing('LIST-20')], exitCode: 1 })).toEqual({
    outcome: 'killed by others only',
    passed: false,
    shortcomings: ['No fault of LIST-2 is killed by a check of its own: what LIST-2 says'],
  });
});

test('a refusal by the preflight is not a kill by a check', () => {
  expect(classified({ refused: 'no Pet Store', exitCode: 3 })).toEqual({
    outcome: 'refused by the preflight',
    passed: false,
    shortcomings: ['No fault of LIST-2 is killed by a check of its own: what LIST-2 says'],
  });
});

test('a fault on which no check fails has survived, whatever the exit code', () => {
  for (const exitCode of [0, 3] as const) {
    expect(classified({ exitCode }).shortcomings).toContain('The fault f (LIST-2) survived.');
  }
});

test('a failure of the suite itself is a shortcoming', () => {
  const { passed, shortcomings } = classified({ failed: [failing('LIST-2')], suiteFaults: ['LIST-9: boom'] });
  expect(passed).toBe(false);
  expect(shortcomings).toEqual(['The suite itself failed on f: LIST-9: boom']);
});

test('a variant must conform: a failed check is a false alarm, and no verdict is a shortcoming', () => {
  const variants = [aVariant('fine', 'LIST-12'), aVariant('failed', 'LIST-12'), aVariant('unjudged', 'LIST-12')];
  const result = classify(
    [
      aTrial('variant', 'fine'),
      aTrial('variant', 'failed', { exitCode: 1, failed: [failing('LIST-7')] }),
      aTrial('variant', 'unjudged', { exitCode: 3 }),
    ],
    [aRequirement('LIST-12', { kind: 'open' })],
    { faults: [], variants },
    FACTS,
  );
  expect(result.variants.map(({ outcome }) => outcome)).toEqual(['conforms', 'false alarm', 'not judged']);
  expect(result.shortcomings).toEqual([
    'The variant failed is correct, but LIST-7 failed: it is not so',
    'The variant unjudged is correct, but got no verdict: no reason given',
  ]);
});

test('open and untestable requirements need no fault', () => {
  const rows = [aRequirement('A-1', { kind: 'open' }), aRequirement('A-2', { untestable: 'nothing to see' })];
  const result = classify([], rows, { faults: [], variants: [] }, FACTS);
  expect(result).toMatchObject({ passed: true, summary: { requirementsNeedingFault: 0 } });
});

test('if only some faults are tried, nothing is concluded about requirements', () => {
  const result = classify([], [aRequirement('LIST-2')], { faults: [], variants: [] }, { ...FACTS, complete: false });
  expect(result.passed).toBe(true);
});

test('other failing checks are counted over the faults that were killed', () => {
  const noise = [0, 1, 2, 3, 9];
  const faults = noise.map((count) => aFault(`f${count}`, 'LIST-2'));
  const trials = noise.map((count) =>
    aTrial('fault', `f${count}`, {
      failed: [failing('LIST-2'), ...Array.from({ length: count }, (_, at) => failing(`GET-${at}`))],
    }),
  );
  const refused = { fault: aFault('refused', 'LIST-2'), trial: aTrial('fault', 'refused', { refused: 'no' }) };
  const { summary } = classify(
    [...trials, refused.trial],
    [aRequirement('LIST-2')],
    { faults: [...faults, refused.fault], variants: [] },
    FACTS,
  );
  expect(summary.bystanders).toEqual({ faults: 5, median: 2, p90: 9, most: 9 });
});

test('a run that ended when the fault was found counts as found, and not for the other failing checks', () => {
  const failed = [failing('LIST-2'), failing('GET-1')];
  const { faults, summary } = classify(
    [aTrial('fault', 'f', { failed, isWhole: false }), aTrial('fault', 'g', { failed: [failing('LIST-2')] })],
    [aRequirement('LIST-2')],
    { faults: [aFault('f', 'LIST-2'), aFault('g', 'LIST-2')], variants: [] },
    FACTS,
  );
  expect(faults.map(({ outcome }) => outcome)).toEqual(['killed by its own check', 'killed by its own check']);
  expect(summary.bystanders).toEqual({ faults: 1, median: 0, p90: 0, most: 0 });
});

const ended = (end: ReplayEnd['end'], by = 'the check alone'): ReplayEnd => ({
  end,
  by,
  attempts: [],
  milliseconds: 1,
});

function replayed(faulty: ReplayEnd, sound: ReplayEnd) {
  const replays = { check: 'LIST-2', faulty, sound };
  const trials = [aTrial('fault', 'f', { failed: [failing('LIST-2')], exitCode: 1, replays })];
  const changes = { faults: [aFault('f', 'LIST-2')], variants: [] };
  return classify(trials, [aRequirement('LIST-2')], changes, FACTS);
}

test('replays that say what they must are counted, and how many took the recorded exchanges alone', () => {
  const attempt = { sends: 'the 2 recorded exchanges', end: 'shown', requests: 2, creations: 0 } as const;
  const exchanges = { ...ended('still so'), attempts: [attempt] };
  expect(replayed(exchanges, ended('no longer so'))).toMatchObject({
    passed: true,
    summary: { replays: { failures: 1, stillSo: 1, noLongerSo: 1, byRecordedExchanges: 1 } },
  });
  const { summary } = replayed({ ...exchanges, attempts: [attempt, attempt] }, ended('no longer so'));
  expect(summary.replays.byRecordedExchanges).toBe(0);
});

test('it is a shortcoming if a replay says "no longer so" with the fault, or "still so" without it', () => {
  expect(replayed(ended('no longer so'), ended('no longer so')).shortcomings).toEqual([
    'The replay of LIST-2 on the service with f says "no longer so" (by the check alone).',
  ]);
  expect(replayed(ended('still so'), { ...ended('not judged'), reason: 'no time' }).shortcomings).toEqual([
    'The replay of LIST-2 on the service without f says "not judged": no time (by the check alone).',
  ]);
});

const foundBy = (name: string, isNamed: boolean) =>
  aTrial('fault', name, { failed: [failing('LIST-2')], firstCause: { says: 'a cause', isNamed, isShown: true } });

test('a rule that no fault needs is a shortcoming', () => {
  const everyAnswer = () => 'holds' as const;
  const checks = [
    { id: 'LIST-2', requirement: 'LIST-2', everyAnswer },
    { id: 'LIST-2.more', requirement: 'LIST-2', everyAnswer },
    { id: 'LIST-2.sends', requirement: 'LIST-2', everyAnswer: undefined },
  ];
  const changes = { faults: [aFault('a', 'LIST-2')], variants: [], checks };
  expect(classify([foundBy('a', true)], [], changes, FACTS).shortcomings).toEqual([
    'No fault needs the rule of the check LIST-2.more.',
  ]);
});

test('first causes that name something else are a shortcoming where they are too many', () => {
  const changes = { faults: [aFault('a', 'LIST-2'), aFault('b', 'LIST-2')], variants: [] };
  const { shortcomings, summary } = classify([foundBy('a', true), foundBy('b', false)], [], changes, FACTS);
  expect(summary.firstCauses).toEqual({ faults: 2, clear: 1 });
  expect(shortcomings).toEqual(['The first cause for b (LIST-2) names another requirement: a cause']);
});
