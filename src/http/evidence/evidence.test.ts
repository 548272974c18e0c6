import { describe, expect, test } from 'vitest';
import { addressOf } from '../connect/route.ts';
import type { Answer, Exchange, WireRequest } from '../exchange.ts';
import { bytesOf, inHeader, inQuery, JSON_TYPE, KEY, LIST } from '../rig.fixture.ts';
import { evidenceOf } from './evidence.ts';

const ADDRESS = addressOf('https://shop.example/deep/v1/');
const KIBIBYTE = 1024;

function responding(body: Uint8Array, status = 200, header: readonly [string, string] = ['X-B', '1']): Answer {
  return {
    kind: 'response',
    status,
    headers: [header],
    body,
    encodingFault: undefined,
    milliseconds: 1.26,
  };
}

function exchangeOf(answer: Answer, request: WireRequest = LIST): Exchange {
  return { number: 1, request, answer, sentAt: 0, answeredAt: 1, resent: false };
}

const evidence = (answer: Answer, request?: WireRequest) => evidenceOf(exchangeOf(answer, request), 'judged', ADDRESS);

const bodyOf = (bytes: Uint8Array) => {
  const { answer } = evidence(responding(bytes));
  return answer.kind === 'response' ? answer.body : undefined;
};

describe('the evidence of an exchange', () => {
  test('shows that a cookie was set, and not its value', () => {
    const answer = responding(bytesOf('[]'), 200, ['Set-Cookie', 'sid=a=b; Path=/; HttpOnly']);
    expect(evidence(answer)).toMatchObject({
      answer: { headers: [['Set-Cookie', 'sid=<not shown>; Path=/; HttpOnly']] },
    });
  });

  test('shows what was sent and what came back', () => {
    const request: WireRequest = {
      operation: 'create',
      method: 'POST',
      path: '/items',
      credential: inHeader('Authorization', KEY),
      contentType: JSON_TYPE,
      body: bytesOf('{"é":1}'),
    };
    expect(evidence(responding(bytesOf('[]'), 201), request)).toEqual({
      role: 'judged',
      operation: 'create',
      sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      request: {
        method: 'POST',
        url: 'https://shop.example/deep/v1/items',
        headers: [
          ['Authorization', 'Bearer $API_KEY'],
          ['Content-Type', JSON_TYPE],
        ],
        body: { encoding: 'text', text: '{"é":1}', size: 8, cut: false },
      },
      answer: {
        kind: 'response',
        status: 201,
        headers: [['X-B', '1']],
        body: { encoding: 'text', text: '[]', size: 2, cut: false },
        milliseconds: 1.3,
      },
      curl: expect.stringContaining('https://shop.example/deep/v1/items'),
    });
  });

  test('has the code and the sentence where no response came', () => {
    const answer: Answer = { kind: 'no response', code: 'reset', sentence: 'it was reset', milliseconds: 0.04 };
    expect(evidence(answer).answer).toEqual({ ...answer, milliseconds: 0 });
  });

  test('reveals no key, in a header or in the query', () => {
    for (const credential of [inHeader('authorization', KEY), inQuery('api_key', KEY)]) {
      const text = JSON.stringify(evidence(responding(bytesOf('[]')), { ...LIST, credential }));
      expect(text, credential.name).not.toContain(KEY);
      expect(text, credential.name).toContain('$API_KEY');
    }
  });
});

describe('a body in the evidence', () => {
  test('is trimmed to 16 KiB, with its full size', () => {
    expect(bodyOf(bytesOf('x'.repeat(16 * KIBIBYTE)))).toMatchObject({ cut: false, size: 16 * KIBIBYTE });
    expect(bodyOf(bytesOf('x'.repeat(16 * KIBIBYTE + 1)))).toEqual({
      encoding: 'text',
      text: 'x'.repeat(16 * KIBIBYTE),
      size: 16 * KIBIBYTE + 1,
      cut: true,
    });
  });

  test('is text even if it is trimmed inside a character', () => {
    expect(bodyOf(bytesOf(`x${'é'.repeat(16 * KIBIBYTE)}`))).toMatchObject({ encoding: 'text', cut: true });
  });

  test('is in Base64 where it is not text', () => {
    expect(bodyOf(Uint8Array.of(0xff, 0, 1))).toEqual({ encoding: 'base64', base64: '/wAB', size: 3, cut: false });
  });
});
