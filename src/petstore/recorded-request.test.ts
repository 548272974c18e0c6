import { describe, expect, test } from 'vitest';
import { rightKey } from '../http/credential.ts';
import { type Call, creating, getting, listing, wireOf } from './call.ts';
import { type Body, bytesOf, soundBody } from './inputs/body.ts';
import { lackingMembers, missingBodies, notAnObject, wrongMembers } from './inputs/defects.ts';
import { inventedKeys, missingKeys, nearMisses, otherCases, otherSchemes } from './inputs/keys.ts';
import { malformedBodies } from './inputs/malformed.ts';
import { oddBodies } from './inputs/odd-bodies.ts';
import { otherMediaTypes } from './inputs/open-bodies.ts';
import { callOf, recordOf } from './recorded-request.ts';

const KEY = 'Key-For-Tests';
const PET = { name: 'Rex "the" 🐾', categoryId: 9223372036854775807n, status: 'sold' } as const;

/** The call, written to a file and read again. */
const again = (call: Call): Call => callOf(JSON.parse(JSON.stringify(recordOf(call))), KEY, 'CREATE-1');

const CREDENTIALS = [
  rightKey(KEY),
  ...missingKeys(),
  ...inventedKeys(KEY),
  ...nearMisses(KEY),
  ...otherSchemes(KEY),
  ...otherCases(KEY),
];

describe('a recorded request is the same on the wire', () => {
  test.each(CREDENTIALS)('with $name', (credential) => {
    for (const call of [
      listing({ limit: 5 }, credential),
      getting('1', credential),
      creating(soundBody(PET), credential),
    ]) {
      expect(wireOf(again(call))).toEqual(wireOf(call));
    }
  });

  test.each([
    listing({}, rightKey(KEY)),
    listing({ limit: '' }, rightKey(KEY)),
    listing({ limit: 'a b&c', status: '😀' }, rightKey(KEY)),
    getting('%F0%9F%98%80', rightKey(KEY)),
    getting(-9223372036854775808n, rightKey(KEY)),
  ])('to list or get', (call) => {
    expect(again(call)).toEqual(call);
  });

  const bodies: readonly Body[] = [
    soundBody(PET),
    soundBody({ name: 'Rex', categoryId: -1n }),
    ...lackingMembers(PET),
    ...wrongMembers(PET, 'status'),
    ...notAnObject(PET),
    ...malformedBodies(PET),
    ...oddBodies(PET),
    ...otherMediaTypes(PET),
  ];
  test('with every kind of body', () => {
    for (const body of bodies) {
      const call = creating(body, rightKey(KEY));
      expect(wireOf(again(call)), body.label).toEqual(wireOf(call));
    }
  });

  test('without a body', () => {
    for (const body of missingBodies()) {
      const { body: bytes = new Uint8Array(), ...rest } = wireOf(creating(body, rightKey(KEY)));
      expect(wireOf(again(creating(body, rightKey(KEY))))).toEqual({ ...rest, body: bytes });
    }
  });
});

test('a sound body is known again as sound, with what it says to the last digit', () => {
  const call = again(creating(soundBody(PET), rightKey(KEY)));
  expect(call).toMatchObject({ body: { kind: 'sound', pet: PET, owner: 'CREATE-1' } });
});

test('no other body is taken for sound', () => {
  for (const body of [...lackingMembers(PET), ...wrongMembers(PET, 'name')]) {
    expect(again(creating(body, rightKey(KEY)))).toMatchObject({ body: { kind: 'open' } });
  }
});

test('the record holds no key', () => {
  for (const credential of CREDENTIALS) {
    expect(JSON.stringify(recordOf(listing({}, credential)))).not.toContain(KEY);
    expect(JSON.stringify(recordOf(creating({ ...soundBody(PET), bytes: bytesOf('{}') }, credential)))).not.toContain(
      KEY,
    );
  }
});

test('a credential that cannot be built from this key is never mistaken for the right one', () => {
  const record = recordOf(listing({}, { ...rightKey(KEY), name: 'the key in Klingon', right: false }));
  expect(() => callOf(record, KEY, 'LIST-1')).toThrow('replay with the key of the recorded run');
});
