import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { creationBudget } from '../../engine/plan.ts';
import { recordingServer } from '../../petstore/rig.fixture.ts';
import { ledgerIn, quickOptions, resultIn, runHere, serviceWith } from './run-in-process.fixture.ts';

/** Finds no animal, names one for every POST, and keeps none. */
const losesAll = (): RequestListener => {
  let last = 1_000;
  return (incoming, outgoing) => {
    const answer = (status: number, body: string): void => {
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    incoming.resume().on('end', () => {
      last += 1;
      const pet = (id: number): string => `{"id":${id},"name":"a","categoryId":1,"status":"sold"}`;
      if (incoming.method === 'POST') answer(201, pet(last));
      else if (incoming.url?.startsWith('/v1/pets/')) answer(404, '{"code":"a","message":"b","status":404}');
      else answer(200, `[${pet(1)}]`);
    });
  };
};

/** Of what the budget of animals has left unjudged, whether that was the choice of the user. */
const budgetChoices = (dir: string): readonly boolean[] =>
  resultIn(dir).checks.flatMap(({ outcome }) =>
    outcome.kind === 'inconclusive' && outcome.code === 'budget' ? outcome.byOption : [],
  );

describe('a bound that is promised holds whatever the service does', () => {
  test.each([
    ['smoke', 1_875, 140],
    ['standard', 3_000, 270],
  ] as const)('%s: on a service that keeps nothing', async (profile, requests, creations) => {
    const service = await recordingServer(losesAll());
    const { code, dir } = await runHere(quickOptions(service.baseUrl, { profile, reports: ['json'] }));
    await service.stop();
    expect(code).toBe(1);
    expect(service.requests.length).toBeLessThanOrEqual(requests);
    expect(service.requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(creations);
    expect(resultIn(dir).summary.creations).toBe(ledgerIn(dir).length);
    // What a default leaves unjudged counts against a verdict.
    expect(budgetChoices(dir)).not.toContain(true);
  });
});

/** What asks again, as of a service whose list is late, adds some animals more. */
const TO_SPARE = 10;

test.each(['smoke', 'standard'] as const)(
  '%s: every check judges a service that accepts all that it may, with animals to spare',
  async (profile) => {
    const { baseUrl } = await serviceWith(['most-lenient-of-all']);
    const options = quickOptions(baseUrl, { profile, reports: ['json'] });
    const { dir } = await runHere(options);
    expect(budgetChoices(dir)).toEqual([]);
    expect(resultIn(dir).summary.creations).toBeLessThanOrEqual(creationBudget(options) - TO_SPARE);
  },
);

test('what --max-creates leaves out is the choice of the user', async () => {
  const { baseUrl } = await serviceWith();
  const { dir } = await runHere(quickOptions(baseUrl, { only: ['LIST-2', 'CREATE-1'], maxCreates: 1 }));
  expect(budgetChoices(dir)).toContain(true);
});

test('nothing is created where a target that is no Pet Store answers 200 to everything', async () => {
  const target = await recordingServer((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  const { code, dir } = await runHere(quickOptions(target.baseUrl));
  await target.stop();
  const { summary, checks, conclusion } = resultIn(dir);
  expect([code, summary.creations, checks, ledgerIn(dir)]).toEqual([3, 0, [], []]);
  expect(conclusion).toContain('GET /v1/pets?limit=1 and 3 other requests → 200 application/json. Check the path');
  expect(target.requests).toHaveLength(4);
});
