import { expect, test } from 'vitest';
import { answer, rawServer } from '../http/rig.fixture.ts';
import { FIRST_VIOLATION } from '../report/model/first-violation.ts';
import { type Check, defineCheck } from './check.ts';
import type { Plan } from './plan.ts';
import type { Reply } from './reply.ts';
import { type RunChecks, runChecks } from './run-checks.ts';
import { Session } from './session.ts';
import { type ToyState, type ToyTools, toyCall, toyContract, toyPlan, toyService } from './toy-service.fixture.ts';
import { suspected, violates } from './violation.ts';

type ToyCheck = Check<Reply, ToyState, ToyTools>;

/** Runs checks with `--fail-fast` against a service that answers every request alike. */
async function run(
  checks: readonly ToyCheck[],
  changes: Partial<Plan> = {},
): Promise<RunChecks & { readonly requests: number }> {
  let requests = 0;
  const server = await rawServer((socket) => {
    requests += 1;
    socket.write(answer(200));
  });
  try {
    const ids = checks.map(({ id }) => id);
    const plan = toyPlan(`http://127.0.0.1:${server.port}/v1`, ids, { failFast: true, ...changes });
    const ran = await runChecks(new Session(toyService(), checks, plan, toyContract));
    return { ...ran, requests };
  } finally {
    await server.stop();
  }
}

const wrong = (reply: Reply, code = 'never') => violates(reply, code, 'never', 'nothing', 'an answer');

/** A check that sends so many requests in turn. */
const sending = (id: string, times: number, parts: Partial<ToyCheck> = {}): ToyCheck => ({
  ...defineCheck<Reply, ToyState, ToyTools>(id, `the check ${id}`, {
    exercise: async ({ client }) => {
      for (let sent = 0; sent < times; sent += 1) await client.send(toyCall());
    },
  }),
  ...parts,
});

const outcomes = ({ checks }: RunChecks): readonly string[] =>
  checks.map(({ result: { outcome } }) => (outcome.kind === 'inconclusive' ? outcome.code : outcome.kind));

test('a rule ends the run as soon as it is violated, and not when its check does', async () => {
  const ran = await run([
    sending('THING-1', 1, { everyAnswer: (reply) => wrong(reply), exercise: undefined }),
    sending('THING-2', 3, { stage: 'few entries' }),
    sending('THING-3', 5, { stage: 'few entries' }),
    sending('THING-4', 500),
  ]);
  // The check that sent the request comes to its end: it may own the fault.
  expect([ran.requests, outcomes(ran)]).toEqual([3, ['failed', 'passed', FIRST_VIOLATION, FIRST_VIOLATION]]);
  expect(ran.telemetry).toMatchObject({
    stopped: FIRST_VIOLATION,
    firstViolation: { check: 'THING-1', requirement: 'THING-1' },
  });
});

test('so does an expectation, whose check still makes the sample small', async () => {
  const failing = defineCheck<Reply, ToyState, ToyTools>('THING-1', 'expects nothing', {
    exercise: async ({ client, forEach, expect: expecting }) => {
      await forEach([1, 2, 3], async () => {
        expecting((reply) => wrong(reply), await client.send(toyCall()));
      });
    },
  });
  const ran = await run([failing, sending('THING-2', 2_000)]);
  expect(outcomes(ran)).toEqual(['failed', FIRST_VIOLATION]);
  const [{ result } = { result: undefined }] = ran.checks;
  expect(result?.outcome).toMatchObject({ violations: [{ frequency: { violated: 3, judged: 3 } }] });
  expect(ran.requests).toBeLessThan(1_000);
});

test('what is under way is answered and judged by every rule', async () => {
  const rules = ['THING-1', 'THING-2'].map((id) =>
    sending(id, 0, { everyAnswer: (reply) => wrong(reply, id), exercise: undefined }),
  );
  const ran = await run([...rules, sending('THING-3', 1)]);
  expect(outcomes(ran)).toEqual(['failed', 'failed', 'passed']);
});

test('an expected violation does not end it', async () => {
  const rule = sending('THING-1', 0, { everyAnswer: (reply) => wrong(reply), exercise: undefined });
  const ran = await run([rule, sending('THING-2', 5)], { expectedViolations: ['THING-1'] });
  expect([ran.requests, outcomes(ran)]).toEqual([5, ['failed', 'passed']]);
  expect(ran.telemetry).toMatchObject({ stopped: undefined });
  expect(ran.telemetry.firstViolation).toBeUndefined();
});

test('neither does one whose proof does not show it', async () => {
  let judged = 0;
  const rule = sending('THING-1', 0, {
    everyAnswer: (reply) => {
      judged += 1;
      return judged === 1 ? wrong(reply) : 'holds';
    },
    exercise: undefined,
  });
  const ran = await run([rule, sending('THING-2', 5)]);
  expect([ran.requests, ran.telemetry.firstViolation]).toEqual([5, undefined]);
});

test('a suspicion ends it once it is confirmed', async () => {
  const until = performance.now() + 120;
  const rule = sending('THING-1', 0, { everyAnswer: (reply) => suspected(wrong(reply), until), exercise: undefined });
  const ran = await run([
    rule,
    sending('THING-2', 1, { stage: 'first entries' }),
    sending('THING-3', 500, { stage: 'alone' }),
  ]);
  expect(outcomes(ran)).toEqual(['failed', 'passed', FIRST_VIOLATION]);
  expect(ran.requests).toBeGreaterThan(1);
  expect(ran.requests).toBeLessThan(20);
});

test('a run that nothing violates is whole', async () => {
  const ran = await run([sending('THING-1', 3, { everyAnswer: () => 'holds' }), sending('THING-2', 5)]);
  expect([ran.requests, outcomes(ran), ran.telemetry.stopped]).toEqual([8, ['passed', 'passed'], undefined]);
});
