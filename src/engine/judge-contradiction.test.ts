import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runCommand } from '../cli/run/run.ts';
import { FakeSignals, quickOptions, resultIn } from '../cli/run/run-in-process.fixture.ts';
import { type Contract, loadContract } from '../contract/contract.ts';
import { type BrokenBody, bytesOf, JSON_TYPE, soundBody, writtenAs } from '../petstore/inputs/body.ts';
import { fault } from '../reference/changing.ts';
import { type Fault, startReference } from '../reference/index.ts';
import type { CheckResult } from '../report/model/result.ts';
import { type Check, check } from './check.ts';
import { judge } from './judge.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

const contract: Promise<Contract> = loadContract();

const refusing = (text: string, fails: BrokenBody['fails']): BrokenBody => ({
  kind: 'broken',
  label: 'a body that is said to be broken',
  bytes: bytesOf(text),
  contentType: JSON_TYPE,
  defect: 'said to be broken',
  fails,
  traces: {},
});

const VALID = '{"name":"Rex","categoryId":1}';

interface Judged {
  readonly check: CheckResult | undefined;
  readonly exitCode: number;
}

/** Judges by one check of our own in the place of CREATE-4, with all of a run around it. */
async function judgedBy(own: Parameters<typeof check>[2], faults: readonly Fault[] = []): Promise<Judged> {
  const library: readonly Check[] = [check('CREATE-4', 'a check made for this test', own)];
  const service = await startReference({ token: KEY, faults });
  const reportDir = mkdtempSync(join(tmpdir(), 'petstore-contradiction-'));
  const { stdout } = process;
  const quiet = { ...stdout, write: () => true };
  try {
    const exitCode = await runCommand(
      [quickOptions(service.baseUrl, { reportDir, only: ['CREATE-4'], profile: 'standard', reports: ['json'] })],
      { stdout: Object.assign(Object.create(stdout), quiet), stderr: Object.assign(Object.create(stdout), quiet) },
      {
        drive: async (plan, { onProgress, stop }) => {
          const { checks, telemetry } = await judge(plan, await contract, onProgress, stop, library);
          return { checks, telemetry, faults: telemetry.faults };
        },
        signals: new FakeSignals(),
      },
    );
    return { check: resultIn(reportDir).checks.find(({ id }) => id === 'CREATE-4'), exitCode };
  } finally {
    rmSync(reportDir, { recursive: true, force: true });
    await service.stop();
  }
}

test.each([
  ['valid, and labelled as no JSON', () => refusing(VALID, 'syntax')],
  ['valid, and labelled as no NewPet', () => refusing(VALID, 'schema')],
  ['no JSON, and labelled as no NewPet', () => refusing('{', 'schema')],
  ['no NewPet, and labelled as no JSON', () => refusing('{}', 'syntax')],
  ['no JSON, and labelled as sound', () => writtenAs('{', { name: '', categoryId: 1n }, 'CREATE-1', 'a body')],
  [
    'without a name, and labelled as sound',
    () => writtenAs('{"categoryId":1}', { name: '', categoryId: 1n }, 'X', 'x'),
  ],
  ['one beyond int64, and labelled as sound', () => soundBody({ name: 'Rex', categoryId: 9223372036854775808n })],
])('a body that is %s is never sent, and is a fault of the suite', async (_what, body) => {
  const { check: own, exitCode } = await judgedBy(async ({ service }) => {
    await service.tryCreate(body());
  });
  expect(own).toMatchObject({ outcome: { kind: 'harness error' }, requests: 0 });
  expect(exitCode).toBe(2);
});

test('among many samples, one that contradicts its label is enough', async () => {
  const { check: own, exitCode } = await judgedBy((context) =>
    context.every(fc.integer({ min: 0, max: 9 }), 40, async (at) => {
      await context.service.tryCreate(at === 0 ? refusing(VALID, 'syntax') : refusing('{', 'syntax'));
    }),
  );
  expect(own).toMatchObject({ outcome: { kind: 'harness error' } });
  expect(exitCode).toBe(2);
});

test('so is one that only shrinking comes upon', async () => {
  const accepting = fault('accepts-anything', 'CREATE-4', 'Every body is accepted.', (steps) => ({
    ...steps,
    createPet: async (call) => steps.reply(201, { id: 1n, name: 'Rex', categoryId: 1n }, {}, call),
  }));
  const drawn: number[] = [];
  const { check: own, exitCode } = await judgedBy(
    (context) =>
      context.every(fc.noBias(fc.integer({ min: 1_000, max: 9_000 })), 20, async (size) => {
        drawn.push(size);
        // Wrong for the smallest number alone, which no first sample is.
        const body = refusing(size === 1_000 ? VALID : '{"name":"Rex"', 'syntax');
        context.service.expectStatus(await context.service.tryCreate(body), [400]);
      }),
    [accepting],
  );
  expect(drawn.slice(0, 20)).not.toContain(1_000);
  expect(drawn).toContain(1_000);
  expect(own?.outcome).toMatchObject({
    kind: 'harness error',
    message: expect.stringContaining('finds none in it instead of syntax'),
  });
  expect(exitCode).toBe(2);
});

test('a check that throws is a fault of the suite, and no other check suffers from it', async () => {
  const library = [
    check('LIST-1', 'a check with a fault', async () => {
      throw new TypeError('undefined is not a function');
    }),
    check('LIST-2', 'a check without', async ({ service }) => {
      await service.list();
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
