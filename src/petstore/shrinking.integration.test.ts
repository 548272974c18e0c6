import { afterEach, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import type { JudgedCheck, Plan, Recording } from '../engine/plan.ts';
import { fault, override } from '../reference/changes.ts';
import { invalidBody } from '../reference/errors.ts';
import { type Fault, startReference } from '../reference/index.ts';
import type { CheckResult, ShrinkEvidence } from '../report/model/result.ts';
import { type Recorded, startRecorder } from './recorder.fixture.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

const stopping: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop();
});

interface Target {
  readonly requests: readonly Recorded[];
  /** Judges by one of the suite's checks. */
  judge(id: string, changes?: Partial<Plan>): Promise<JudgedCheck>;
  /** Sends a recorded failure again, and gives what came of it and the requests that it took. */
  replay(id: string, replay: Recording | undefined, changes?: Partial<Plan>): Promise<Replayed>;
}

interface Replayed {
  readonly result: CheckResult;
  readonly replay: Recording | undefined;
  readonly sent: readonly Recorded[];
}

async function targetWith(...faults: readonly Fault[]): Promise<Target> {
  const service = await startReference({ token: KEY, faults });
  const recorder = await startRecorder(service.baseUrl);
  stopping.push(() => service.stop(), recorder.stop);
  const judge = async (id: string, changes: Partial<Plan> = {}): Promise<JudgedCheck> => {
    const [judged] = await judgeBy(
      CHECKS.filter((check) => check.id === id),
      testPlan(recorder.baseUrl, changes),
    );
    if (judged === undefined) throw new Error(`there is no check ${id}`);
    return judged;
  };
  return {
    requests: recorder.requests,
    judge,
    replay: async (id, replay, changes = {}) => {
      const before = recorder.requests.length;
      const again = await judge(id, { replay: replay?.target, runId: 'a replay', ...changes });
      return { ...again, sent: recorder.requests.slice(before) };
    },
  };
}

function shrinkOf({ result }: JudgedCheck): ShrinkEvidence {
  const shrunk = result.outcome.kind === 'failed' ? result.outcome.violations[0]?.shrunk : undefined;
  if (shrunk === undefined) throw new Error(`nothing was shrunk: ${JSON.stringify(result.outcome)}`);
  return shrunk;
}

const refusing = (requirement: string, refuses: (pet: { name: string; categoryId: bigint }) => boolean): Fault =>
  fault(
    'refuses-some',
    requirement,
    'Refuses some animals.',
    override('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      if (refuses(pet)) throw invalidBody('Not these.');
      return pet;
    }),
  );

const planeOf = (letter: string): number => (letter.codePointAt(0) ?? 0) >> 16;

/** Refuses the characters of the planes that no tricky name comes from. */
const REFUSES_SOME_CHARACTERS = refusing('RES-6', ({ name }) =>
  [...name].some((letter) => planeOf(letter) > 3 && planeOf(letter) < 14),
);

test('a name is shrunk to the one character that is refused, and its replay sends that name and nothing else', async () => {
  const target = await targetWith(REFUSES_SOME_CHARACTERS);
  const judged = await target.judge('RES-6');
  const { from, to, requests } = shrinkOf(judged);
  const [before, after] = [String(JSON.parse(from)), String(JSON.parse(to))];
  expect([...before].length).toBeGreaterThan([...after].length);
  expect(after.replace(/conformance \S+ RES-6 [0-9a-z]+/, '')).toBe('\u{40000}');
  expect(requests).toBeLessThanOrEqual(150);

  const { result, sent, replay } = await target.replay('RES-6', judged.replay);
  expect(result.outcome.kind).toBe('failed');
  expect(sent.map(({ method, status }) => [method, status])).toEqual([['POST', 400]]);
  const { name }: { name: unknown } = JSON.parse(Buffer.from(sent[0]?.body ?? '', 'latin1').toString());
  expect(String(name).replace(/ \S+ RES-6/, '')).toBe(after.replace(/ \S+ RES-6/, ''));
  expect(replay?.target).toEqual(judged.replay?.target);

  const onMended = await (await targetWith()).replay('RES-6', judged.replay);
  expect(onMended.result.outcome).toEqual({ kind: 'passed' });
  expect(onMended.sent.map(({ method, status }) => [method, status])).toEqual([['POST', 201]]);
});

test('a body that is cut is cut at the same place in the replay, though the tag of its name is another', async () => {
  const target = await targetWith(
    fault(
      'accepts-what-lacks-its-end',
      'CREATE-4',
      'A body that lacks its end is mended.',
      override('parseBody', (usual) => (text, call) => {
        // The bodies that are always tried are refused as they should be.
        const isGenerated = /^\{"name":"conformance[^"]*","categoryId":\d+,"status":"avail[a-z]*$/.test(text);
        return isGenerated ? usual('{"name":"Rex","categoryId":1}', call) : usual(text, call);
      }),
    ),
  );
  const judged = await target.judge('CREATE-4', { profile: 'thorough', seed: 1 });
  expect(judged.replay?.target.kind).toBe('sample');
  const failing = target.requests.findLast(({ method, status, answer }) => {
    return method === 'POST' && status === 201 && answer.includes('Rex');
  });
  const { result, sent } = await target.replay('CREATE-4', judged.replay, { profile: 'thorough', seed: 1 });
  expect(result.outcome.kind).toBe('failed');
  expect(sent).toHaveLength(2);
  const untagged = (recorded: Recorded | undefined) => recorded?.body.replace(/conformance \S+/, '');
  expect(sent.map(untagged)).toContain(untagged(failing));
});

/** Faults of each kind of check, and the requests that a replay of what they show may take. */
const REPLAYED: readonly (readonly [id: string, what: string, fault: Fault, requests: readonly string[]])[] = [
  [
    'CREATE-6',
    'a refused body and its control',
    fault(
      'category-of-any-size',
      'CREATE-6',
      'A categoryId beyond int64 is accepted.',
      override('validateNewPet', (usual) => (body, call) => {
        try {
          return usual(body, call);
        } catch {
          return { name: 'Rex', categoryId: 1n };
        }
      }),
    ),
    ['POST', 'POST'],
  ],
  [
    'AUTH-4.listPets',
    'a wrong key, also in a plain request, the right one, and its controls, one of them of its size',
    fault(
      'keys-cut-short',
      'AUTH-4',
      'Keys are compared as far as they go.',
      override('authenticate', (usual) => (call) => {
        if (!`Bearer ${KEY}`.startsWith(call.header('authorization') ?? '-')) usual(call);
      }),
    ),
    ['POST', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET'],
  ],
  [
    'LIST-2',
    'a page, also in plain words, after a look whether the animals are still there',
    fault(
      'limit-plus-one',
      'LIST-2',
      'A page holds one more.',
      override('readLimit', (usual) => (call) => usual(call) + (call.query.has('limit') ? 1 : 0)),
    ),
    ['GET', 'GET', 'GET'],
  ],
  [
    'GET-2',
    'an unknown id in its simplest request, after an animal that there is',
    fault(
      'anything-is-found',
      'GET-2',
      'Any id beyond 2^40 is found.',
      override('findPet', (usual) => (id, call) => {
        return usual(id, call) ?? (id > 2n ** 40n ? { id, name: 'Rex', categoryId: 1n } : undefined);
      }),
    ),
    ['POST', 'GET', 'GET'],
  ],
];

test.each(REPLAYED)('the replay of a failure of %s sends %s', async (id, _what, broken, methods) => {
  const target = await targetWith(broken);
  const judged = await target.judge(id);
  expect(judged.result.outcome.kind).toBe('failed');
  const { result, sent, replay } = await target.replay(id, judged.replay);
  expect(result.outcome.kind).toBe('failed');
  expect(sent.map(({ method }) => method)).toEqual(methods);
  expect(replay?.target).toEqual(judged.replay?.target);
});

test('however slow the service is, what it refuses is shrunk in bounded time', async () => {
  const service = await startReference({ token: KEY, faults: [REFUSES_SOME_CHARACTERS], latencyMs: 20 });
  stopping.push(() => service.stop());
  const [judged] = await judgeBy(
    CHECKS.filter(({ id }) => id === 'RES-6'),
    testPlan(service.baseUrl),
  );
  if (judged === undefined) throw new Error('no result');
  expect(shrinkOf(judged).requests).toBeLessThanOrEqual(150);
  expect(judged.result.milliseconds).toBeLessThan(20_000);
});
