import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fault } from '../reference/changes.ts';
import { type Fault, startReference } from '../reference/index.ts';
import type { CheckResult } from '../report/model/result.ts';
import { createPet } from './calls.ts';
import type { PetCheck } from './index.ts';
import { bytesOf, type InvalidBody, JSON_TYPE, validBody, validBodyFrom } from './inputs/body.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';
import { check } from './vocabulary.ts';

const invalid = (text: string, failsAs: InvalidBody['failsAs']): InvalidBody => ({
  kind: 'invalid',
  requirement: 'CREATE-4',
  label: 'a body that is said to be invalid',
  bytes: bytesOf(text),
  contentType: JSON_TYPE,
  failsAs,
  traces: {},
});

const VALID = '{"name":"Rex","categoryId":1}';

/** Judges by one check of our own in the place of CREATE-4. */
async function judgedBy(
  exercise: NonNullable<PetCheck['exercise']>,
  faults: readonly Fault[] = [],
): Promise<CheckResult | undefined> {
  const service = await startReference({ token: KEY, faults });
  try {
    const library = [check('CREATE-4', 'a check made for this test', { exercise })];
    const [judged] = await judgeBy(library, testPlan(service.baseUrl));
    return judged?.result;
  } finally {
    await service.stop();
  }
}

test.each([
  ['valid, and labelled as no JSON', () => invalid(VALID, 'syntax')],
  ['valid, and labelled as no NewPet', () => invalid(VALID, 'schema')],
  ['no JSON, and labelled as no NewPet', () => invalid('{', 'schema')],
  ['no NewPet, and labelled as no JSON', () => invalid('{}', 'syntax')],
  ['no JSON, and labelled as valid', () => validBodyFrom('{', { name: '', categoryId: 1n }, 'CREATE-1', 'a body')],
  [
    'without a name, and labelled as valid',
    () => validBodyFrom('{"categoryId":1}', { name: '', categoryId: 1n }, 'X', 'x'),
  ],
  ['one beyond int64, and labelled as valid', () => validBody({ name: 'Rex', categoryId: 9223372036854775808n })],
])('a body that is %s is never sent, and is a fault of the suite', async (_what, body) => {
  const own = await judgedBy(async ({ api }) => {
    await api.send(createPet(body(), api.key));
  });
  expect(own).toMatchObject({ outcome: { kind: 'harness error' }, requests: 0 });
});

test('among many samples, one that contradicts its label is enough', async () => {
  const own = await judgedBy(({ api, forAll }) =>
    forAll(fc.integer({ min: 0, max: 9 }), 40, async (at) => {
      await api.send(createPet(invalid(at === 0 ? VALID : '{', 'syntax'), api.key));
    }),
  );
  expect(own).toMatchObject({ outcome: { kind: 'harness error' } });
});

test('so is one that only shrinking comes upon', async () => {
  const accepting = fault('accepts-anything', 'CREATE-4', 'Every body is accepted.', (steps) => ({
    ...steps,
    createPet: async (call) => steps.respond(201, { id: 1n, name: 'Rex', categoryId: 1n }, {}, call),
  }));
  const drawn: number[] = [];
  const own = await judgedBy(
    ({ api, forAll }) =>
      forAll(fc.noBias(fc.integer({ min: 1_000, max: 9_000 })), 20, async (size) => {
        drawn.push(size);
        // Wrong for the smallest number alone, which no first sample is.
        const body = invalid(size === 1_000 ? VALID : '{"name":"Rex"', 'syntax');
        api.expectStatus(await api.send(createPet(body, api.key)), [400]);
      }),
    [accepting],
  );
  expect(drawn.slice(0, 20)).not.toContain(1_000);
  expect(drawn).toContain(1_000);
  expect(own?.outcome).toMatchObject({
    kind: 'harness error',
    message: expect.stringContaining('found no fault in it instead of a fault of syntax'),
  });
});

test('a check that throws is a fault of the suite, and no other check suffers from it', async () => {
  const library = [
    check('LIST-1', 'a check with a fault', {
      exercise: async () => {
        throw new TypeError('undefined is not a function');
      },
    }),
    check('LIST-2', 'a check without', {
      exercise: async ({ api }) => {
        await api.list();
      },
    }),
  ];
  const service = await startReference({ token: KEY });
  const judged = await judgeBy(library, testPlan(service.baseUrl));
  await service.stop();
  expect(judged.map(({ result }) => result.outcome)).toMatchObject([
    { kind: 'harness error', message: 'undefined is not a function' },
    { kind: 'passed' },
  ]);
});
