import { expect, test } from 'vitest';
import type { Exchange, Response } from '../exchange.ts';
import { LIST, testClient } from '../rig.fixture.ts';
import { evidenceOf } from './evidence.ts';
import { trimExchange } from './trim.ts';

function answered(parts: Partial<Response>): Exchange {
  const answer: Response = {
    kind: 'response',
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: new Uint8Array(),
    encodingFault: undefined,
    milliseconds: 1,
    ...parts,
  };
  return { number: 1, request: LIST, answer, sentAt: 0, answeredAt: 1, resent: false };
}

function responseOf(exchange: Exchange): Response {
  if (exchange.answer.kind !== 'response') throw new Error('no response');
  return exchange.answer;
}

test('a large body is trimmed to its beginning, with its full size', async () => {
  const body = Buffer.from('é'.repeat(50_000));
  const exchange = trimExchange(answered({ body }));
  const { body: beginning, fullSize } = responseOf(exchange);
  expect(beginning.length).toBe(16_384);
  expect(fullSize).toBe(100_000);
  const client = testClient('http://127.0.0.1:1/v1');
  const { answer } = evidenceOf(exchange, 'judged', client.address);
  expect(answer).toMatchObject({ body: { encoding: 'text', size: 100_000, cut: true } });
  await client.close();
});

test('a small body does not keep the buffer that it arrived in', () => {
  const buffer = Buffer.alloc(65_536, '{}');
  const { body, fullSize } = responseOf(trimExchange(answered({ body: buffer.subarray(0, 2) })));
  expect(body.buffer.byteLength).toBe(2);
  expect(fullSize).toBeUndefined();
});

test('of many headers the first remain, and Content-Type in any place', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => [`x-${at}`, 'v'] as const);
  const { headers } = responseOf(trimExchange(answered({ headers: [...many, ['content-type', 'application/json']] })));
  expect(headers).toHaveLength(41);
  expect(headers).toContainEqual(['content-type', 'application/json']);
});

test('a long header is trimmed to its beginning', () => {
  const { headers } = responseOf(trimExchange(answered({ headers: [['x-long', 'v'.repeat(60_000)]] })));
  expect(headers).toEqual([['x-long', `${'v'.repeat(1_024)}…`]]);
});
