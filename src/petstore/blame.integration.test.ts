import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import type { JudgedCheck } from '../engine/plan.ts';
import { changeResponse, errorResponse } from '../reference/changes.ts';
import { findFault, findVariant, startReference } from '../reference/index.ts';
import { judgeBy, KEY, recordingReference, recordingServer, testPlan } from './rig.fixture.ts';

const answerAll =
  (status: number, body: unknown): RequestListener =>
  (incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  };

async function judged(answer: RequestListener, ids = /./): Promise<readonly JudgedCheck[]> {
  const service = await recordingServer(answer);
  try {
    return await judgeBy(
      CHECKS.filter(({ id }) => ids.test(id)),
      testPlan(service.baseUrl),
    );
  } finally {
    await service.stop();
  }
}

const ending = (checks: readonly JudgedCheck[], kind: string): readonly string[] =>
  checks.filter(({ result }) => result.outcome.kind === kind).map(({ result }) => result.id);

test('a service that answers 503 to everything violates SERV-4 and nothing else', async () => {
  const checks = await judged(answerAll(503, { code: 'down', message: 'down', status: 503 }));
  expect(ending(checks, 'failed')).toEqual(['SERV-4']);
  expect(ending(checks, 'harness error')).toEqual([]);
});

test('nothing is said of errors where none was seen', async () => {
  const checks = await judged(answerAll(200, []), /^ERR-/);
  expect(checks.length).toBeGreaterThan(0);
  expect(ending(checks, 'inconclusive')).toEqual(checks.map(({ result }) => result.id));
});

test('open points are not judged where no valid body was accepted', async () => {
  const checks = await judged(answerAll(200, []), /^(SERV-4|RES-1[0-4]|CREATE-1[3-7])$/);
  expect(ending(checks, 'failed')).toEqual([]);
});

test('an animal is not known by its id, or still there, where getPet fails', async () => {
  const fault = changeResponse(
    (_answer, call) => call.operation === 'getPet',
    () => errorResponse(500),
  );
  const service = await recordingReference({}, fault);
  try {
    const chosen = CHECKS.filter(({ id }) => /^(CREATE-11|GET-4\.later)$/.test(id));
    const checks = await judgeBy(chosen, testPlan(service.baseUrl, { profile: 'smoke' }));
    expect(ending(checks, 'inconclusive').toSorted()).toEqual(['CREATE-11', 'GET-4.later']);
  } finally {
    await service.stop();
  }
});

test('an operation that gives no response is not said to be found', async () => {
  const checks = await judged((incoming) => incoming.socket.destroy(), /^VERS-1\./);
  expect(checks.length).toBeGreaterThan(0);
  expect(ending(checks, 'passed')).toEqual([]);
});

test('of a key in many places, the one that gives access is named', async () => {
  const fault = findFault('key-in-x-api-key-accepted');
  const service = await startReference({ token: KEY, faults: fault === undefined ? [] : [fault] });
  try {
    const chosen = CHECKS.filter(({ id }) => id === 'AUTH-5.listPets');
    const [judgedCheck] = await judgeBy(chosen, testPlan(service.baseUrl));
    const outcome = judgedCheck?.result.outcome;
    expect(outcome?.kind).toBe('failed');
    const told = outcome?.kind === 'failed' ? outcome.violations.map(({ message }) => message) : [];
    expect(told.join('\n')).toContain('the key in X-API-Key');
  } finally {
    await service.stop();
  }
});

test('where nothing may be added, a key is judged on the animals of others', async () => {
  const service = await startReference({ token: KEY });
  try {
    const chosen = CHECKS.filter(({ id }) => /^AUTH-[2345]\.getPet$/.test(id));
    const checks = await judgeBy(chosen, testPlan(service.baseUrl, { readOnly: true, maxCreates: 0 }));
    expect(ending(checks, 'passed')).toHaveLength(4);
  } finally {
    await service.stop();
  }
});

test('what is refused with the right key too is not the fault of a wrong one', async () => {
  const [early, fault] = [findVariant('parameters-before-key'), findFault('limit-100-refused')];
  const service = await startReference({
    token: KEY,
    variants: early === undefined ? [] : [early],
    faults: fault === undefined ? [] : [fault],
  });
  try {
    const chosen = CHECKS.filter(({ id }) => /^(LIM-2|AUTH-[236])(\.listPets)?$/.test(id));
    expect(ending(await judgeBy(chosen, testPlan(service.baseUrl)), 'failed')).toEqual(['LIM-2']);
  } finally {
    await service.stop();
  }
});
