import { beforeAll, expect, test } from 'vitest';
import { type Contract, loadContract } from '../contract/contract.ts';
import { CheckClient } from '../engine/check-client.ts';
import { CreationBudget } from '../engine/creation-budget.ts';
import { EveryAnswer } from '../engine/every-answer.ts';
import { Proofs } from '../engine/proof.ts';
import { SentCalls } from '../engine/replay/sent-calls.ts';
import { RequestBudget } from '../engine/request-budget.ts';
import { testClient } from '../http/rig.fixture.ts';
import { CollectionModel } from './collection-model.ts';
import { petStore } from './definition.ts';
import type { PetReply } from './reply.ts';
import { KEY } from './rig.fixture.ts';
import { SoakWorkload } from './workload.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

interface Parts {
  readonly budget?: number;
  readonly readOnly?: boolean;
  readonly seed?: number;
}

function workload({ budget = 100, readOnly = false, seed = 7 }: Parts = {}): SoakWorkload {
  const model = new CollectionModel({
    settleMs: 0,
    today: '2027-01-01',
    baseUrl: 'http://localhost/v1',
    userAgent: 'test',
    headers: [],
  });
  const client = new CheckClient<PetReply, CollectionModel>(
    {
      client: testClient('http://127.0.0.1:9/v1'),
      contract,
      service: petStore(),
      everyAnswer: new EveryAnswer([], model),
      proofs: new Proofs<PetReply, CollectionModel>(petStore(), contract, () => model),
      budget: new CreationBudget(budget),
      requestBudget: new RequestBudget(),
      readOnly,
      sent: new SentCalls(() => undefined),
    },
    'soak',
  );
  return new SoakWorkload({ client, model, token: KEY, naming: { tag: 'soak', categories: [] }, seed });
}

const drawn = (load: SoakWorkload, count: number, share: number): readonly (string | undefined)[] =>
  Array.from({ length: count }, () => load.next(share)?.operation);

const creationsIn = (operations: readonly (string | undefined)[]): number =>
  operations.filter((operation) => operation === 'createPet').length;

test('creations are spread over the whole time', () => {
  const load = workload({ budget: 40 });
  const begun = [0, 0.25, 0.5, 1].map((share) => creationsIn(drawn(load, 500, share)));
  expect(begun).toEqual([0, 10, 10, 20]);
});

test('while creations are few, of a hundred requests about fifteen add an animal', () => {
  const creations = creationsIn(drawn(workload({ budget: 10_000 }), 1_000, 1));
  expect(creations).toBeGreaterThan(100);
  expect(creations).toBeLessThan(200);
});

test('the same seed draws the same operations, another seed others', () => {
  const first = drawn(workload(), 100, 1);
  expect(drawn(workload(), 100, 1)).toEqual(first);
  expect(drawn(workload({ seed: 8 }), 100, 1)).not.toEqual(first);
});

test.each([
  ['--read-only', { readOnly: true }],
  ['no budget', { budget: 0 }],
])('with %s nothing is created', (_what, parts) => {
  expect(new Set(drawn(workload(parts), 200, 1))).toEqual(new Set(['listPets']));
});

test('where no operation is left, there is no next request', () => {
  const load = workload();
  for (const operation of ['listPets', 'createPet', 'getPet']) load.close(operation);
  expect(load.next(1)).toBeUndefined();
});
