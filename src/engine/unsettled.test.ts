import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { toyExchange } from './toy-service.fixture.ts';
import { settle } from './unsettled.ts';

test('a request that brings the service down is sent again until that is plain, and only while the service answers', async () => {
  const [known, crashes, harmless] = [toyExchange(1, 200), toyExchange(2, 500), toyExchange(3, 500)];
  const sent: number[] = [];
  let down = 0;
  const isRight = (exchange: Exchange): Promise<boolean> => {
    sent.push(exchange.number);
    if (down > 0) return Promise.resolve(false);
    if (exchange === crashes) down = 2;
    return Promise.resolve(exchange !== crashes);
  };
  const restart = (): Promise<void> => {
    down -= 1;
    return Promise.resolve();
  };
  await settle({ known, others: [crashes, harmless] }, isRight, restart);
  expect(sent).toEqual([1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 3]);
});
