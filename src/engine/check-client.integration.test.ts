import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import type { Client } from '../http/client.ts';
import { against, answer } from '../http/rig.fixture.ts';
import { Access } from './access.ts';
import { CreationBudget, RequestBudget } from './budgets.ts';
import { type Check, defineCheck } from './check.ts';
import { CheckClient } from './check-client.ts';
import { EveryAnswer } from './every-answer.ts';
import { History } from './history.ts';
import { Narrowing } from './narrowing.ts';
import { InconclusiveError, SuiteError, ViolationError } from './outcome-errors.ts';
import { Proofs } from './proof.ts';
import type { Reply } from './reply.ts';
import { addToy, ToyState, type ToyTools, toyCall, toyContract, toyService } from './toy-service.fixture.ts';
import { violates } from './violation.ts';

type ToyCheck = Check<Reply, ToyState, ToyTools>;
type ToyClient = CheckClient<Reply, ToyState>;

const UNHOLDABLE: ToyCheck = defineCheck('THING-1', 'no answer holds', {
  everyAnswer: (reply) => violates(reply, 'never', 'never', 'nothing', 'an answer'),
});

interface Parts {
  readonly reply?: string;
  readonly checks?: readonly ToyCheck[];
  readonly budget?: CreationBudget;
  readonly readOnly?: boolean;
}

function toyParts(client: Client) {
  const service = toyService();
  const proofs = new Proofs<Reply, ToyState>(service, toyContract, new History(), () => new ToyState());
  const narrowing = new Narrowing<Reply>(() => []);
  const access = new Access(client, [], () => {});
  return { client, access, contract: toyContract, service, proofs, narrowing, requestBudget: new RequestBudget() };
}

/** Opens a client of the check THING-1 for a service that answers every request alike. */
function withClient<T>(
  { reply = answer(200), checks = [], budget = new CreationBudget(1), readOnly = false }: Parts,
  use: (client: ToyClient, state: ToyState) => Promise<T>,
): Promise<T> {
  const state = new ToyState();
  return against(
    (socket) => socket.write(reply),
    (client) => {
      const everyAnswer = new EveryAnswer(checks, state);
      const parts = { ...toyParts(client), everyAnswer, budget, readOnly };
      return use(new CheckClient(parts, 'THING-1.list'), state);
    },
  );
}

const errorOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

test('a violation that is held does not hold the whole body', async () => {
  const everyAnswer = new EveryAnswer([UNHOLDABLE], new ToyState());
  await against(
    (socket) => socket.write(answer(200, 'x'.repeat(1024 * 1024))),
    async (http) => {
      let body: WeakRef<Uint8Array> | undefined;
      http.onExchange = (exchange) => {
        if (exchange.answer.kind === 'response') body = new WeakRef(exchange.answer.body);
      };
      const parts = { ...toyParts(http), everyAnswer, budget: new CreationBudget(0) };
      const client = new CheckClient({ ...parts, readOnly: true }, 'THING-1');

      const thrown = await errorOf(client.send(toyCall()));
      await new Promise(setImmediate);
      // Counting objects collects garbage first.
      queryObjects(class {});

      expect(body).toBeDefined();
      expect(body?.deref()).toBeUndefined();
      expect(thrown).toBeInstanceOf(ViolationError);
    },
  );
});

test('an answer that violates the rule of another check is returned, and counts against that check', async () => {
  await withClient({ checks: [UNHOLDABLE] }, async (client) => {
    // The rule belongs to THING-1, and the client to THING-1.list.
    expect((await client.send(toyCall())).status).toBe(200);
    expect(client.requirement).toBe('THING-1');
  });
});

test('a call that is not what it claims to be is never sent', async () => {
  await withClient({}, async (client, state) => {
    expect(await errorOf(client.send(toyCall({ description: 'a wrong call' })))).toBeInstanceOf(SuiteError);
    expect([client.requests, state.begun]).toEqual([0, []]);
  });
});

test('read-only, nothing that could create is sent, whether it should create or should not', async () => {
  await withClient({ readOnly: true }, async (client) => {
    for (const effect of ['may create', 'must not create'] as const) {
      expect(await errorOf(client.send({ ...addToy(), effect }))).toMatchObject({ code: 'read-only', byOption: true });
    }
    await client.send(toyCall());
    expect(client.requests).toBe(1);
  });
});

test('a creation is counted by its 2xx; beyond the budget none is sent', async () => {
  const budget = new CreationBudget(2);
  await withClient({ budget, reply: answer(201, '{}') }, async (client, state) => {
    await client.send(addToy());
    expect([client.creations, budget.created, budget.left]).toEqual([1, 1, 1]);
    expect(await errorOf(client.sendOnOneConnection([addToy(), addToy()]))).toBeInstanceOf(InconclusiveError);
    expect([client.requests, state.begun.length, budget.left]).toEqual([1, 1, 1]);
    await client.send(addToy());
    expect(await errorOf(client.send(addToy()))).toMatchObject({
      code: 'budget',
      message: 'the budget of 2 creations is used up; raise --max-creates',
    });
  });
});

test('a creation that is refused gives its place in the budget back; one that should have been refused takes one', async () => {
  const budget = new CreationBudget(2);
  await withClient({ budget, reply: answer(400, '{}') }, async (client) => {
    await client.send(addToy());
    expect([client.creations, budget.left]).toEqual([0, 2]);
  });
  await withClient({ budget, reply: answer(201, '{}') }, async (client) => {
    await client.send({ ...addToy(), effect: 'must not create' });
    expect([client.creations, budget.left]).toEqual([1, 1]);
  });
});

test('the run learns of a call before it is sent, and of its answer afterwards', async () => {
  await withClient({}, async (client, state) => {
    const reply = await client.send(toyCall());
    expect([state.begun, state.learned]).toEqual([['a list'], [reply.exchange.number]]);
  });
});
