import { expect, test } from 'vitest';
import { answer, rawServer } from '../../http/rig.fixture.ts';
import { type Check, defineCheck } from '../check.ts';
import type { Reply } from '../reply.ts';
import { runChecks } from '../run-checks.ts';
import { Session } from '../session.ts';
import {
  addToy,
  type ToyState,
  type ToyTools,
  toyCall,
  toyContract,
  toyPlan,
  toyService,
} from '../toy-service.fixture.ts';
import { violatesByStatus } from '../violation.ts';

type ToyCheck = Check<Reply, ToyState, ToyTools>;

const lists = (id: string, exercise?: ToyCheck['exercise']): ToyCheck =>
  defineCheck(id, `the check ${id}`, {
    everyAnswer: (reply) => {
      if (reply.call.effect !== 'reads') return 'irrelevant';
      return reply.status === 200 ? 'holds' : violatesByStatus(reply, 'status', 'answers wrongly', [200]);
    },
    ...(exercise === undefined ? {} : { exercise }),
  });

/** A service whose list works until an addition in chunks was accepted. */
async function causesOf(checks: readonly ToyCheck[]) {
  let broken = false;
  const server = await rawServer((socket, request) => {
    const isAddition = request.startsWith('POST');
    broken ||= isAddition && request.includes('X-Odd');
    socket.write(answer(isAddition ? 201 : broken ? 404 : 200));
  });
  try {
    const ids = checks.map(({ id }) => id);
    const plan = toyPlan(`http://127.0.0.1:${server.port}/v1`, ids);
    const { telemetry } = await runChecks(new Session(toyService(), checks, plan, toyContract));
    return telemetry.causes ?? [];
  } finally {
    await server.stop();
  }
}

test('one cause for all that it violates, with the request after which it was first seen', async () => {
  const addition = addToy();
  const odd = {
    ...addition,
    request: { ...addition.request, headers: [['X-Odd', 'yes'] as const] },
    equivalence: 'add oddly',
    description: 'an odd addition',
  };
  const causes = await causesOf([
    lists('THING-1', async ({ client }) => {
      await client.send(addition);
      for (let sent = 0; sent < 5; sent += 1) await client.send(toyCall());
      await client.send(addition);
      await client.send(odd);
      for (let sent = 0; sent < 4; sent += 1) await client.send(toyCall()).catch(() => undefined);
    }),
    lists('THING-2'),
  ]);
  expect(causes).toMatchObject([
    {
      says: 'list answers 404 where 200 is right (4 of 9 answers of list), for example to a list',
      requirements: ['THING-1', 'THING-2'],
      checks: ['THING-1', 'THING-2'],
      since: 'seen only after an odd addition was answered 201',
      exchange: { role: 'judged', operation: 'list', answer: { status: 404 } },
    },
  ]);
});

test('a run in which nothing failed has no causes', async () => {
  const checks = [
    lists('THING-1', async ({ client }) => {
      await client.send(toyCall());
    }),
  ];
  expect(await causesOf(checks)).toEqual([]);
});
