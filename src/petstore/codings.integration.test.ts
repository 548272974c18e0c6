import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { changeResponse, responsesOf } from '../reference/changes.ts';
import type { Outcome } from '../report/model/result.ts';
import { check } from './index.ts';
import { judgeBy, recordingReference, testPlan } from './rig.fixture.ts';
import { isCodedAsAsked } from './rules/responses.ts';
import { withHeaders } from './space/request-forms.ts';

/** What comes of a list that is asked for with an Accept-Encoding, and answered with a Content-Encoding. */
async function outcomeOf(asked: string, coding: string, times: number): Promise<Outcome | undefined> {
  const coded = changeResponse(responsesOf('listPets', 200), (response) => {
    let { body } = response;
    for (let done = 0; done < times; done += 1) body = gzipSync(body);
    return { ...response, headers: { ...response.headers, 'Content-Encoding': coding }, body };
  });
  const service = await recordingReference({}, coded);
  const asks = check('SERV-3', 'a check made for this test', {
    everyAnswer: isCodedAsAsked,
    exercise: async ({ api }) => {
      await api.list({}, withHeaders([['Accept-Encoding', asked]]));
    },
  });
  const [judged] = await judgeBy([asks], testPlan(service.baseUrl, { profile: 'smoke' }));
  await service.stop();
  return judged?.result.outcome;
}

test.each([
  ['gzip', 'gzip', 1],
  ['gzip', 'x-gzip', 1],
  ['X-GZip', 'gzip', 1],
  ['gzip', 'GZip, identity', 1],
  ['gzip', 'gzip, gzip', 2],
  ['br, *;q=0.1', 'gzip', 1],
])('asked for %s, a service may answer with %s', async (asked, coding, times) => {
  expect(await outcomeOf(asked, coding, times)).toEqual({ kind: 'passed' });
});

test.each([
  ['gzip', ''],
  ['br', ' , identity'],
])('asked for %s, a service may say of a body that is not coded: "%s"', async (asked, coding) => {
  expect(await outcomeOf(asked, coding, 0)).toMatchObject({ kind: 'inconclusive', code: 'nothing-to-judge' });
});

test.each([
  ['br', 'gzip', 1],
  ['identity', 'x-gzip', 1],
  ['gzip;q=0, *', 'x-gzip', 1],
  ['br', 'identity, gzip', 1],
])('asked for %s, a service must not answer with %s', async (asked, coding, times) => {
  expect(await outcomeOf(asked, coding, times)).toMatchObject({
    kind: 'failed',
    violations: [{ code: 'coding', message: expect.stringContaining('the body is coded with gzip although') }],
  });
});

test('a body that is not coded as its header says violates SERV-3, and is read all the same', async () => {
  const change = changeResponse(
    () => true,
    (response) => ({ ...response, headers: { ...response.headers, 'Content-Encoding': 'none' } }),
  );
  const service = await recordingReference({}, change);
  const judged = await judgeBy(CHECKS, testPlan(service.baseUrl, { profile: 'smoke' }));
  await service.stop();
  const failed = judged
    .filter(({ result }) => result.outcome.kind === 'failed')
    .map(({ result }) => result.requirement);
  expect([...new Set(failed)]).toEqual(['SERV-3']);
  expect(judged.filter(({ result }) => result.outcome.kind === 'passed').length).toBeGreaterThan(80);
});
