/** The curl lines of this service's requests: they send what the suite sends, and reveal no key. */
import { describe, expect, test } from 'vitest';
import { expectSameRequests } from '../http/evidence/curl.fixture.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { inventedKeys, missingKeys, nearMisses, otherCases, otherSchemes, rightKey } from './inputs/credentials.ts';
import { everyMalformed, everyNonObject } from './inputs/invalid-bodies.ts';
import { garbage, openNames, otherEncodings, unknownMembers } from './inputs/open-bodies.ts';

const KEY = 'Key-Of-The-Curl-Tests-7';

const credentialsOf = (key: string) => [
  rightKey(key),
  ...missingKeys(),
  ...inventedKeys(key).slice(0, 2),
  ...nearMisses(key),
  ...otherSchemes(key),
  ...otherCases(key),
];

const listing = (credential: WireRequest['credential'], path = '/pets'): WireRequest => ({
  operation: 'listPets',
  method: 'GET',
  path,
  credential,
});

describe('the curl line sends the same request as the client', () => {
  test.each([KEY, 'it\'s-$HOME`x"\\y!&*+/='])('with every credential made of the key %s', async (key) => {
    const credentials = credentialsOf(key);
    const inQuery = credentials.filter(({ query }) => query !== undefined).slice(0, 1);
    await expectSameRequests(
      [...credentials.map((one) => listing(one)), ...inQuery.map((one) => listing(one, '/pets?limit=1'))],
      { PETSTORE_API_KEY: key },
    );
  });

  test('with every invalid body', async () => {
    const base = { name: "D'Artagnan", categoryId: 7n };
    const bases = () => base;
    const open = [...garbage(bases), ...otherEncodings(bases), ...openNames(bases), ...unknownMembers(bases)];
    const requests = [...everyMalformed(base), ...everyNonObject(base), ...open].map(
      ({ bytes, contentType }): WireRequest => ({
        operation: 'createPet',
        method: 'POST',
        path: '/pets',
        credential: rightKey(KEY),
        ...(contentType === undefined ? {} : { contentType }),
        ...(bytes === undefined ? {} : { body: bytes }),
      }),
    );
    await expectSameRequests(requests, { PETSTORE_API_KEY: KEY });
  });
});

test('the evidence of an exchange reveals no key, whatever was sent in its place', () => {
  const key = 'aB+7/x==Zz';
  const half = key.slice(0, key.length / 2);
  const address = { origin: '', basePath: '', baseUrl: 'https://shop.example/v1', curlOptions: [] };
  const secrets = [key, half, key.toUpperCase(), [...key].reverse().join(''), Buffer.from(key).toString('base64')];
  for (const credential of credentialsOf(key)) {
    const answer = { kind: 'no response', code: 'reset', sentence: 'it was reset', milliseconds: 1 } as const;
    const request = listing(credential);
    const exchange: Exchange = { number: 1, request, answer, sentAt: 0, answeredAt: 1, resent: false };
    const text = JSON.stringify(evidenceOf(exchange, 'judged', address));
    for (const secret of [...secrets, encodeURIComponent(key)]) expect(text, credential.name).not.toContain(secret);
  }
});
