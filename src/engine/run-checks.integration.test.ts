import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERRUPTED } from '../http/not-sent.ts';
import { answer, rawServer } from '../http/rig.fixture.ts';
import { type Check, defineCheck, type Stage } from './check.ts';
import type { Progress, ReplayTarget } from './plan.ts';
import type { Reply } from './reply.ts';
import type { RequestSpace } from './request-space.ts';
import { type RunChecks, runChecks } from './run-checks.ts';
import { Session, type SessionOptions } from './session.ts';
import { type ToyState, type ToyTools, toyCall, toyContract, toyPlan, toyService } from './toy-service.fixture.ts';
import { violates } from './violation.ts';

type ToyCheck = Check<Reply, ToyState, ToyTools>;

interface RunParts extends SessionOptions {
  readonly prepare?: (stage: Stage) => Promise<void>;
  readonly replay?: ReplayTarget;
  /** The answer of the service. */
  readonly says?: string;
}

/** Runs checks against a service that answers every request alike. */
async function run(
  checks: readonly ToyCheck[],
  { prepare, replay, says = answer(200), ...options }: RunParts = {},
): Promise<RunChecks> {
  const server = await rawServer((socket) => socket.write(says));
  try {
    const ids = checks.map(({ id }) => id);
    const plan = toyPlan(`http://127.0.0.1:${server.port}/v1`, ids, { replay });
    return await runChecks(new Session(toyService(prepare), checks, plan, toyContract, options));
  } finally {
    await server.stop();
  }
}

/** Resolves for all that wait once so many do. */
function meeting(count: number): () => Promise<void> {
  let waiting = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    waiting += 1;
    if (waiting === count) open();
    return gate;
  };
}

test('where the service asks for a pause that is longer than the run, nothing waits for it', async () => {
  const sending = defineCheck<Reply, ToyState, ToyTools>('THING-1', 'a check that sends', {
    exercise: async ({ client }) => {
      await client.send(toyCall());
    },
  });
  const { checks, telemetry } = await run([sending], { says: answer(429, '{}', ['retry-after: 3600']) });
  expect(checks[0]?.result.outcome).toEqual({
    kind: 'inconclusive',
    code: 'throttled',
    reason: 'the service answered 429 (Retry-After: 3,600 s), and the run ends before that (--max-time)',
    byOption: false,
  });
  expect(telemetry).toMatchObject({ requests: 1, throttled: 1, stopped: undefined });
});

test('of checks side by side, one begins after the other, so that requests go out in between', async () => {
  const events: string[] = [];
  const beginning = (id: string): ToyCheck =>
    defineCheck(id, `the check ${id}`, {
      exercise: async ({ client }) => {
        events.push(`begin ${id}`);
        setImmediate(() => events.push('in between'));
        await client.send(toyCall());
      },
    });
  await run([beginning('THING-1'), beginning('THING-2')]);
  expect(events).toEqual(['begin THING-1', 'in between', 'begin THING-2', 'in between']);
});

test('stage by stage: one at a time, side by side, and at last one at a time again', async () => {
  const events: string[] = [];
  const noting = (id: string, stage: Stage, meet = async () => {}): ToyCheck =>
    defineCheck(id, `the check ${id}`, {
      stage,
      exercise: async ({ client }) => {
        events.push(`begin ${id}`);
        await meet();
        await client.send(toyCall());
        events.push(`end ${id}`);
      },
    });
  const [inFirst, inGrowing, inFull] = [meeting(2), meeting(2), meeting(2)];
  const { checks } = await run(
    [
      noting('THING-1', 'alone'),
      noting('THING-2', 'growing', inGrowing),
      noting('THING-3', 'first entries', inFirst),
      noting('THING-4', 'growing', inGrowing),
      noting('THING-5', 'alone'),
      noting('THING-6', 'first entries', inFirst),
      noting('THING-7', 'full', inFull),
      noting('THING-8', 'full', inFull),
      noting('THING-9', 'initial'),
      noting('THING-10', 'initial'),
    ],
    {
      prepare: async (stage) => {
        events.push(`prepare ${stage}`);
      },
    },
  );
  expect(events.filter((event) => !event.startsWith('end') || /-(?:1|5|9|10)$/.test(event))).toEqual([
    'prepare initial',
    'begin THING-9',
    'end THING-9',
    'begin THING-10',
    'end THING-10',
    'prepare first entries',
    'begin THING-3',
    'begin THING-6',
    'prepare growing',
    'begin THING-2',
    'begin THING-4',
    'prepare full',
    'begin THING-7',
    'begin THING-8',
    'prepare alone',
    'begin THING-1',
    'end THING-1',
    'begin THING-5',
    'end THING-5',
  ]);
  // The results are in the order of the specification.
  expect(checks.map(({ result: { id, outcome } }) => [id, outcome.kind])).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => [`THING-${number}`, 'passed']),
  );
});

test('a stage without checks needs no preparation, but for the first two', async () => {
  const prepared: Stage[] = [];
  const prepare = async (stage: Stage): Promise<void> => {
    prepared.push(stage);
  };
  await run([defineCheck('THING-1', 'a check that runs alone', { stage: 'alone', exercise: async () => {} })], {
    prepare,
  });
  expect(prepared).toEqual(['initial', 'first entries', 'alone']);
});

test('a check is concluded at the end, by what later checks were answered too', async () => {
  const rule: ToyCheck = defineCheck('THING-1', 'no answer holds', {
    stage: 'first entries',
    everyAnswer: (reply) => violates(reply, 'never', 'never', 'nothing', 'an answer'),
    exercise: async () => {},
  });
  const later: ToyCheck = defineCheck('THING-2', 'sends a request', {
    stage: 'alone',
    exercise: async ({ client }) => {
      await client.send(toyCall());
    },
  });
  const { checks } = await run([rule, later]);
  expect(checks.map(({ result }) => result.outcome.kind)).toEqual(['failed', 'passed']);
});

test('tells on how many answers the rule of a check was judged; judged on none, it has not passed', async () => {
  const sending = (id: string, parts: Partial<ToyCheck>): ToyCheck => ({
    ...defineCheck<Reply, ToyState, ToyTools>(id, `the check ${id}`, {
      exercise: async ({ client }) => {
        await client.send(toyCall());
      },
    }),
    ...parts,
  });
  const { checks } = await run([
    sending('THING-1', { everyAnswer: () => 'holds' }),
    sending('THING-2', { everyAnswer: () => 'irrelevant' }),
    sending('THING-3', {}),
  ]);
  expect(checks.map(({ result: { outcome, judged } }) => [outcome.kind, judged])).toEqual([
    ['passed', 3],
    ['inconclusive', 0],
    ['passed', undefined],
  ]);
});

test('where the run is stopped, what has not begun is inconclusive', async () => {
  const stop = new AbortController();
  const first: ToyCheck = defineCheck('THING-1', 'stops the run', {
    exercise: async () => stop.abort(INTERRUPTED),
  });
  const second: ToyCheck = defineCheck('THING-2', 'comes too late', { stage: 'alone', exercise: async () => {} });
  const { checks, telemetry } = await run([first, second], { stop: stop.signal });
  expect(checks.map(({ result }) => result.outcome)).toMatchObject([
    { kind: 'passed' },
    { kind: 'inconclusive', code: INTERRUPTED },
  ]);
  expect(telemetry.stopped).toBe(INTERRUPTED);
});

test('progress tells what is running, and how many checks are done', async () => {
  const told: Progress[] = [];
  await run([defineCheck('THING-1', 'a check', { exercise: async () => {} })], {
    onProgress: (progress) => told.push(progress),
  });
  expect(told.map(({ done, total, running }) => [done, total, running])).toEqual([
    [0, 1, ['THING-1']],
    [1, 1, []],
  ]);
});

test('a run says how far it covered a space of requests; a replay, which sends less, does not', async () => {
  const space: RequestSpace<number> = {
    name: 'thing',
    factors: { size: { small: { examples: [] }, large: { examples: [] } } },
    strength: { smoke: 1, standard: 1, thorough: 1 },
    sample: () => fc.constant(0),
  };
  const covering: ToyCheck = defineCheck('THING-1', 'covers', {
    covers: [{ space, where: {} }],
    exercise: ({ client, cover }) =>
      cover(space, async () => {
        await client.send(toyCall());
      }),
  });
  const first = await run([covering]);
  expect(first.telemetry.coverage).toEqual([{ space: 'thing', tuples: 'levels', covered: 2, possible: 2 }]);
  const again = await run([covering], { replay: { kind: 'check' } });
  expect(again.telemetry).toMatchObject({ coverage: [], requests: 2 });
});
