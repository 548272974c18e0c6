import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { type Contract, loadContract } from '../contract/contract.ts';
import type { JudgedCheck, Plan } from '../engine/plan.ts';
import { parseReplay, replayRecord } from '../engine/replay/read-replay.ts';
import { type Replayed, replayFailure } from '../engine/replay/replay-failure.ts';
import { Session } from '../engine/session.ts';
import { changeText, errorResponse, fault, onEveryNth, override, responsesOf } from '../reference/changes.ts';
import { ApiError } from '../reference/errors.ts';
import { listed } from '../reference/faults/conditions.ts';
import { addingTheRefused, changingEveryNth, readingId } from '../reference/faults/effects.ts';
import { type Fault, findFault, type ReferenceOptions, startReference } from '../reference/index.ts';
import { petStore } from './definition.ts';
import { type Recorded, startRecorder } from './recorder.fixture.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

let contract: Contract | undefined;
beforeAll(async () => {
  contract = await loadContract();
});

const stopping: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop();
});

interface Target {
  readonly baseUrl: string;
  readonly requests: readonly Recorded[];
}

async function targetWith(faults: readonly Fault[], options: Partial<ReferenceOptions> = {}): Promise<Target> {
  const service = await startReference({ token: KEY, faults, ...options });
  const recorder = await startRecorder(service.baseUrl);
  stopping.push(() => service.stop(), recorder.stop);
  return { baseUrl: recorder.baseUrl, requests: recorder.requests };
}

/** The failure of a check, in a run of these checks. */
async function failureOf(id: string, { baseUrl }: Target, checks: readonly string[] = [id]): Promise<JudgedCheck> {
  const chosen = CHECKS.filter((check) => checks.includes(check.id));
  const judged = (await judgeBy(chosen, testPlan(baseUrl))).find(({ result }) => result.id === id);
  expect(judged?.result.outcome.kind).toBe('failed');
  if (judged === undefined) throw new Error(`there is no check ${id}`);
  return judged;
}

/** Replays a failure by way of the text of its file. The whole run is that of a few checks. */
async function replay(
  { result, replay: recording }: JudgedCheck,
  { baseUrl, requests }: Target,
  changes: Partial<Plan> & { readonly checks?: readonly string[] } = {},
): Promise<Replayed & { readonly ends: readonly string[]; readonly sent: readonly Recorded[] }> {
  const service = petStore();
  const check = CHECKS.find(({ id }) => id === result.id);
  const knownContract = contract;
  if (recording === undefined || check === undefined || knownContract === undefined) throw new Error('no failure');
  const { checks = [check.id], ...others } = changes;
  const plan = testPlan(baseUrl, { runId: 'a replay', ...others });
  const text = JSON.stringify(replayRecord('petstore', check.id, plan, recording));
  const record = parseReplay(text, 'the file', 'petstore', service.replay.schema);
  const before = requests.length;
  const replayed = await replayFailure({
    service,
    check,
    record,
    plan: { ...plan, checks: [check.id] },
    checks,
    library: CHECKS,
    stop: new AbortController().signal,
    open: async (stage, library, stop) => new Session(service, library, stage, knownContract, { stop }),
  });
  const ends = replayed.replay.attempts.map(({ sends, end }) => `${sends}: ${end}`);
  return { ...replayed, ends, sent: requests.slice(before) };
}

/** The path of each request, with its ids and the letters of its run left out. */
const shapes = (sent: readonly Recorded[]): readonly string[] =>
  sent.map(({ method, path }) => `${method} ${path.replace(/^.*\/v1/, '').replace(/\d+/g, 'N')}`);

const SHOUTS = fault(
  'names-in-capitals',
  'RES-9',
  'getPet shows names in capitals.',
  changeText(responsesOf('getPet', 200), (text) =>
    text.replace(/"name":"[^"]*"/, (name) => name.replace('conf', 'CONF')),
  ),
);

// Side by side: much of a replay is waiting for what may still appear.
test.concurrent('the recorded exchanges are sent before anything else, with an id that the service gives now', async () => {
  const judged = await failureOf('RES-9', await targetWith([SHOUTS]));
  const elsewhere = await targetWith([SHOUTS], { seedAnimals: 40 });
  const { replay: told, ends, sent, checks } = await replay(judged, elsewhere);
  expect(told.end).toBe('still so');
  expect(ends).toEqual(['the 2 recorded exchanges: shown']);
  expect(shapes(sent)).toEqual(['POST /pets', 'GET /pets/N']);
  expect(sent[1]?.path).toBe(`/v1/pets/${String(JSON.parse(sent[0]?.answer ?? '').id)}`);
  expect(checks[0]?.result.outcome).toMatchObject({ kind: 'failed', violations: [{ code: 'disagreement' }] });
});

test.concurrent('where nothing shows it any more, the check and the whole run are sent too', async () => {
  const judged = await failureOf('RES-9', await targetWith([SHOUTS]));
  const { replay: told, ends, telemetry } = await replay(judged, await targetWith([], { seedAnimals: 40 }));
  expect(told.end).toBe('no longer so');
  expect(ends).toEqual([
    'the 2 recorded exchanges: not shown',
    expect.stringMatching(/^the 2 recorded exchanges up to \d+ times: not shown$/),
    'the check alone: not shown',
    expect.stringMatching(/^the 2 recorded exchanges up to \d+ times, after \d+ animals had been added: not shown$/),
    expect.stringMatching(/^the check alone, after \d+ animals had been added: not shown$/),
    'the whole run with its seed: not shown',
  ]);
  // One more asks how many animals there are.
  expect(telemetry.requests).toBe(1 + told.attempts.reduce((sum, { requests }) => sum + requests, 0));
  expect(telemetry.coverage).toEqual([]);
});

test.concurrent('on a service that holds what it held before the recorded run, the state of that run comes second', async () => {
  const judged = await failureOf('RES-9', await targetWith([SHOUTS]));
  const { ends } = await replay(judged, await targetWith([]));
  expect(ends.map((end) => end.replace(/\d+/g, 'N'))).toEqual([
    'the N recorded exchanges: not shown',
    'the N recorded exchanges up to N times, after N animals had been added: not shown',
    'the check alone, after N animals had been added: not shown',
    'the whole run with its seed: not shown',
  ]);
});

test.concurrent('what a check finds by looking back at its run is looked for among what the replay leaves behind', async () => {
  const checks = ['LIST-3', 'SERV-1.later'];
  const loses = fault(
    'one-in-20-not-kept',
    'SERV-1',
    'One animal in 20 is answered with 201 but not stored.',
    onEveryNth(20, (isDue) =>
      override('store', (usual) => (pet, call) => {
        if (!isDue()) usual(pet, call);
      }),
    ),
  );
  const judged = await failureOf('SERV-1.later', await targetWith([loses]), checks);
  const { ends } = await replay(judged, await targetWith([loses]), { checks });
  expect(ends.at(-1)).toMatch(/recorded exchanges, after \d+ animals had been added: shown$/);
  expect((await replay(judged, await targetWith([]), { checks })).replay.end).toBe('no longer so');
});

// By itself: the rule of GET-1 judges an animal that is older than a second.
test('a status that no rule has judged is judged again by the statuses that would have been right', async () => {
  const forgets = findFault('getpet-knows-last-three');
  if (forgets === undefined) throw new Error('no such fault');
  const checks = ['LIST-3', 'GET-1'];
  const judged = await failureOf('GET-1', await targetWith([forgets]), checks);
  expect(judged.replay?.violation).toMatchObject({ byRule: false, permitted: [200] });
  const { replay: told, ends } = await replay(judged, await targetWith([forgets]), { checks });
  expect([told.end, ends.at(-1)]).toEqual(['still so', expect.stringMatching(/recorded exchanges.*: shown$/)]);
  expect((await replay(judged, await targetWith([]), { checks })).replay.end).toBe('no longer so');
});

test.concurrent('a failure that takes the very ids of the recorded run shows again where they are given again', async () => {
  const checks = ['LIST-3', 'GET-5'];
  const reads = fault(
    'reads-a-fraction',
    'GET-5',
    'Animal 6.0 is animal 60.',
    readingId(/^\d+\.0$/, (text) => BigInt(text.replace('.', ''))),
  );
  const judged = await failureOf('GET-5', await targetWith([reads]), checks);
  const { ends } = await replay(judged, await targetWith([reads]), { checks });
  expect(ends.at(-1)).toMatch(/after \d+ animals had been added: shown$/);
  expect((await replay(judged, await targetWith([]), { checks })).replay.end).toBe('no longer so');
});

test.concurrent('a check whose own part found the failure is judged by the statuses that it expected', async () => {
  const open = fault(
    'reads-anything',
    'AUTH-7',
    'No key is needed to list.',
    override('authenticate', (usual) => (call) => {
      if (call.operation !== 'listPets') usual(call);
    }),
  );
  const judged = await failureOf('AUTH-2.listPets', await targetWith([open]));
  expect((await replay(judged, await targetWith([open]))).ends[0]).toMatch(/recorded exchanges?: shown$/);
  expect((await replay(judged, await targetWith([]))).replay.end).toBe('no longer so');
});

/** Refuses a body once whose name and category are both odd. */
const REFUSES_ONCE = fault(
  'refuses-once',
  'CREATE-1',
  'What is odd in two ways is refused the first time.',
  (steps) => {
    const seen = new Set<string>();
    return override('validateNewPet', (usual) => (body, call) => {
      const { name, categoryId } = usual(body, call);
      const text = `${categoryId} ${name}`;
      const isOdd = categoryId !== 1n && name.includes(' page ') && !/^[ -~]* page \d+$/.test(name);
      if (isOdd && !seen.has(text)) {
        seen.add(text);
        throw new ApiError(400, 'invalid_body', 'Not today.');
      }
      return usual(body, call);
    })(steps);
  },
);

test.concurrent('a body that is refused at times is refused again by its recorded exchanges, and nothing else is blamed for it', async () => {
  const checks = ['CREATE-1', 'RES-6', 'LIST-3', 'LIST-6'];
  const judged = await failureOf('CREATE-1', await targetWith([REFUSES_ONCE]), checks);
  expect(judged.result.outcome).toMatchObject({ kind: 'failed', violations: [{ code: 'status' }] });
  const again = await replay(judged, await targetWith([REFUSES_ONCE]), { checks });
  expect([again.replay.end, again.ends]).toEqual(['still so', ['the recorded exchange: shown']]);
  const mended = await replay(judged, await targetWith([]), { checks });
  expect([mended.replay.end, mended.ends[0]]).toEqual(['no longer so', 'the recorded exchange: not shown']);
});

/** Loses what is new once it holds so many animals. */
const FULL = 30;
const LOSES_WHEN_FULL = fault(
  'full',
  'GET-4',
  'Of many animals, the newest is not found.',
  override('findPet', (usual) => (id, call) => {
    const { collection } = call.service;
    return collection.oldestFirst(undefined).length >= FULL ? undefined : usual(id, call);
  }),
);

// Not beside others: an animal that is sought more than a second after its 201 counts as an old one, which is GET-1.
test('a state that the failure needs is rebuilt, and named', async () => {
  const checks = ['LIST-3', 'GET-1', 'GET-4'];
  const judged = await failureOf('GET-4', await targetWith([LOSES_WHEN_FULL]), checks);
  const { replay: told, ends } = await replay(judged, await targetWith([LOSES_WHEN_FULL]), { checks });
  expect(told.end).toBe('still so');
  expect(ends.at(-1)).toMatch(/after \d+ animals had been added: shown$/);
  expect((await replay(judged, await targetWith([]), { checks })).replay.end).toBe('no longer so');
});

test.concurrent('a fault that comes and goes is looked for as often as it takes', async () => {
  const nowAndThen = fault(
    'now-and-then',
    'SERV-4',
    'Every 20th list fails.',
    changingEveryNth(20, listed, () => errorResponse(500)),
  );
  const judged = await failureOf('SERV-4', await targetWith([nowAndThen]), ['SERV-4', 'SERV-4.often']);
  const { violated = 0, judged: all = 0 } = judged.replay?.violation ?? {};
  expect(violated).toBeLessThan(all);
  const { ends } = await replay(judged, await targetWith([nowAndThen]));
  expect(ends).toEqual([expect.stringMatching(/^the recorded exchange up to \d+ times: shown$/)]);
});

test.concurrent('what the recorded run left behind at a service is not taken for what the replay has left', async () => {
  let isMended = false;
  const stores = fault('stores-refused', 'CREATE-9', 'An animal is made of a refused body.', (steps) =>
    addingTheRefused(() => !isMended)(steps),
  );
  const target = await targetWith([stores]);
  const judged = await failureOf('CREATE-9', target);
  expect((await replay(judged, target)).replay.end).toBe('still so');
  isMended = true;
  const { replay: told, ends } = await replay(judged, target, { runId: 'a replay of the mended service' });
  expect([told.end, ends[0]]).toEqual(['no longer so', expect.stringContaining('recorded exchanges')]);
});

test.concurrent('what may not be sent is told, and nothing is concluded', async () => {
  const judged = await failureOf('RES-9', await targetWith([SHOUTS]));
  const target = await targetWith([]);
  const { replay: told, checks } = await replay(judged, target, { readOnly: true, maxCreates: 0 });
  expect(told.end).toBe('not judged');
  expect(checks[0]?.result.outcome).toMatchObject({ kind: 'inconclusive', code: 'read-only' });
  expect(target.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

test.concurrent('a replay that is stopped concludes nothing', async () => {
  const judged = await failureOf('RES-9', await targetWith([SHOUTS]));
  const { replay: told } = await replay(judged, await targetWith([]), { maxTimeMs: 1 });
  expect(told.end).toBe('not judged');
});
