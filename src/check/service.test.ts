import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Contract, loadContract } from '../contract/contract.ts';
import { Ledger } from '../target/ledger.ts';
import { testClient } from '../target/rig.fixture.ts';
import { type Check, check } from './check.ts';
import { Judging } from './judging.ts';
import { Knowledge } from './knowledge.ts';
import { Service } from './service.ts';
import { Broken } from './signals.ts';

const LARGE = 1024 * 1024;

/** A check whose rule every reply breaks. */
const UNHOLDABLE: Check = check('SERV-1', 'no reply holds', {
  always: () => ({ code: 'never', message: 'never', expected: 'nothing', actual: 'a reply' }),
  provoke: async () => {},
});

const server = createServer((_request, response) => response.end('x'.repeat(LARGE)));
let contract: Contract;
let baseUrl = '';
beforeAll(async () => {
  contract = await loadContract();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('a breach that is held does not hold the whole body', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const client = testClient(baseUrl);
  let body: WeakRef<Uint8Array> | undefined;
  client.onExchange = ({ answer }) => {
    if (answer.kind === 'response') body = new WeakRef(answer.body);
  };
  const knowledge = new Knowledge(new Ledger(1), 0, false, 'tag');
  const judging = new Judging([UNHOLDABLE], contract, knowledge);
  const service = new Service(client, judging, UNHOLDABLE, { key: 'k', readOnly: true, getPetMayBeGone: false });

  const thrown = await service.tryList({}).catch((error: unknown) => error);
  await new Promise(setImmediate);
  if (typeof collect === 'function') collect();

  expect(body).toBeDefined();
  expect(body?.deref()).toBeUndefined();
  expect(thrown).toBeInstanceOf(Broken);
  await client.close();
});
