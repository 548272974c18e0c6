import { expect, test } from 'vitest';
import { loadContract } from '../contract/contract.ts';
import { collectNow } from '../target/garbage.ts';
import { Ledger } from '../target/ledger.ts';
import { against, answer } from '../target/rig.fixture.ts';
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

test('a breach that is held does not hold the whole body', async () => {
  const large = answer(200, 'x'.repeat(LARGE));
  const judging = new Judging([UNHOLDABLE], await loadContract(), new Knowledge(new Ledger(1), 0, false, 'tag'));
  await against(
    (socket) => socket.write(large),
    async (client) => {
      let body: WeakRef<Uint8Array> | undefined;
      client.onExchange = (exchange) => {
        if (exchange.answer.kind === 'response') body = new WeakRef(exchange.answer.body);
      };
      const service = new Service(client, judging, UNHOLDABLE, { key: 'k', readOnly: true, getPetMayBeGone: false });

      const thrown = await service.tryList({}).catch((error: unknown) => error);
      await new Promise(setImmediate);
      collectNow();

      expect(body).toBeDefined();
      expect(body?.deref()).toBeUndefined();
      expect(thrown).toBeInstanceOf(Broken);
    },
  );
});
