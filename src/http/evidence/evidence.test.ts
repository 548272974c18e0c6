import { describe, expect, test } from 'vitest';
import { bytesOf, JSON_TYPE } from '../../petstore/inputs/body.ts';
import { missingKeys, nearMisses, otherCases, otherSchemes } from '../../petstore/inputs/keys.ts';
import { addressOf } from '../connect/address.ts';
import { rightKey } from '../credential.ts';
import type { Answer, Exchange, WireRequest } from '../exchange.ts';
import { KEY, LIST } from '../rig.fixture.ts';
import { evidenceOf } from './evidence.ts';

const ADDRESS = addressOf('https://shop.example/deep/v1/');
const KIBIBYTE = 1024;

function responding(body: Uint8Array, status = 200): Answer {
  return {
    kind: 'response',
    status,
    headers: [['X-B', '1']],
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
  test('shows what was sent and what came back', () => {
    const request: WireRequest = {
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      credential: rightKey(KEY),
      contentType: JSON_TYPE,
      body: bytesOf('{"é":1}'),
    };
    expect(evidence(responding(bytesOf('[]'), 201), request)).toEqual({
      role: 'judged',
      operation: 'createPet',
      request: {
        method: 'POST',
        url: 'https://shop.example/deep/v1/pets',
        headers: [
          ['Authorization', 'Bearer $PETSTORE_API_KEY'],
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
      curl: expect.stringContaining('https://shop.example/deep/v1/pets'),
    });
  });

  test('keeps the code and the sentence where no response came', () => {
    const answer: Answer = { kind: 'no response', code: 'reset', sentence: 'it was reset', milliseconds: 0.04 };
    expect(evidence(answer).answer).toEqual({ ...answer, milliseconds: 0 });
  });

  test('holds no key, whatever was sent in its place', () => {
    const key = 'aB+7/x==Zz';
    const half = key.slice(0, key.length / 2);
    for (const credential of [
      rightKey(key),
      ...missingKeys(),
      ...nearMisses(key),
      ...otherSchemes(key),
      ...otherCases(key),
    ]) {
      const text = JSON.stringify(evidence(responding(bytesOf('[]')), { ...LIST, credential }));
      const secrets = [key, half, key.toUpperCase(), [...key].reverse().join(''), Buffer.from(key).toString('base64')];
      for (const secret of [...secrets, encodeURIComponent(key)]) expect(text, credential.name).not.toContain(secret);
    }
  });
});

describe('a body in the evidence', () => {
  test('is cut at 16 KiB, and says how long it was', () => {
    expect(bodyOf(bytesOf('x'.repeat(16 * KIBIBYTE)))).toMatchObject({ cut: false, size: 16 * KIBIBYTE });
    expect(bodyOf(bytesOf('x'.repeat(16 * KIBIBYTE + 1)))).toEqual({
      encoding: 'text',
      text: 'x'.repeat(16 * KIBIBYTE),
      size: 16 * KIBIBYTE + 1,
      cut: true,
    });
  });

  test('is text though the cut falls into a character', () => {
    expect(bodyOf(bytesOf(`x${'é'.repeat(16 * KIBIBYTE)}`))).toMatchObject({ encoding: 'text', cut: true });
  });

  test('is in Base64 where it is no text', () => {
    expect(bodyOf(Uint8Array.of(0xff, 0, 1))).toEqual({ encoding: 'base64', base64: '/wAB', size: 3, cut: false });
  });
});
