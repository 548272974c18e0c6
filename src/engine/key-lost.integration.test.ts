import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { type Listening, networkTo, raw, response } from '../http/rig.fixture.ts';
import { KeyLost } from './key-lost.ts';

/** Lists and fetches in turn; `rejects` says when the right key is answered 401, told how often it was sent. */
async function run(rejects: (nth: number, target: string) => boolean, times: number) {
  const service: Listening = await raw((socket, request, nth) => {
    const isRight = request.includes('Bearer right') && !rejects(nth, request);
    socket.write(response(isRight ? 200 : 401));
  });
  const network = networkTo(service.port, { connections: 2 });
  let waited = 0;
  const lost = new KeyLost(
    network,
    ({ headers }) => headers.some(([, value]) => value === 'Bearer right'),
    async (milliseconds) => {
      waited += milliseconds;
    },
    () => {},
  );
  const connection = network.connection();
  const reasons: (string | undefined)[] = [];
  for (let number = 1; number <= times; number += 1) {
    const operation = number % 2 === 0 ? 'get' : 'list';
    const key = number % 5 === 0 ? 'wrong' : 'right';
    const request = { method: 'GET', target: `/${operation}`, headers: [['authorization', `Bearer ${key}`]] } as const;
    const sent = await connection.send(request, operation);
    const exchange: Exchange = { ...sent, number, call: { ...request, operation }, names: {}, request };
    reasons.push(await lost.check(exchange));
  }
  return { reasons, lost, service, waited };
}

test('a key that is rejected whatever is asked, on new connections too, was lost', async () => {
  const { reasons, lost, service, waited } = await run((nth) => nth >= 6, 7);
  expect(reasons.slice(0, 6)).toEqual(Array(6).fill(undefined));
  expect(lost.reason).toMatch(
    /^the key has been rejected since \d\d:\d\d:\d\d UTC, after 5 responses had accepted it$/,
  );
  expect(reasons[6]).toBe(lost.reason);
  expect([waited, service.heard.length, service.counts.connections]).toEqual([3_000, 7 + 6 * 2, 1 + 6 * 2]);
});

test.each<[string, (nth: number, request: string) => boolean]>([
  ['sometimes', (nth) => nth % 3 === 2],
  ['on one operation from some moment on', (nth, request) => nth > 4 && request.startsWith('GET /get')],
  ['from the first request on', () => true],
])('a service that rejects the key %s is checked', async (_, rejects) => {
  const { reasons, service } = await run(rejects, 60);
  expect(reasons).toEqual(Array(60).fill(undefined));
  expect(service.heard.length).toBeLessThan(60 + 60);
});
