import { expect, test } from 'vitest';
import { loadContract } from '../contract/contract.ts';
import { type Check, check } from '../engine/check.ts';
import { Judging } from '../engine/judging.ts';
import { Broken } from '../engine/signals.ts';
import { collectNow } from '../http/garbage.ts';
import { against, answer } from '../http/rig.fixture.ts';
import { Knowledge } from './knowledge.ts';
import { Ledger } from './ledger.ts';
import { Service } from './service.ts';

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
