import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import type { JudgedCheck } from '../engine/plan.ts';
import { judgeBy, recordingServer, testPlan } from './rig.fixture.ts';

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
  expect(ending(checks, 'inconclusive')).toEqual(['ERR-1', 'ERR-2', 'ERR-3']);
});

test('open points are not judged where no valid body was accepted', async () => {
  const checks = await judged(answerAll(200, []), /^(SERV-4|RES-1[0-4]|CREATE-1[3-7])$/);
  expect(ending(checks, 'failed')).toEqual([]);
});
