import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../engine/request-space.ts';
import type { RestoreOptions } from '../engine/service.ts';
import type { Exchange } from '../http/exchange.ts';
import { createPet, getPet, listPets, type PetCall } from './calls.ts';
import type { PetStatus } from './contract-facts.ts';
import { type Body, bytesOf, JSON_TYPE, textOf, validBody } from './inputs/body.ts';
import { NO_KEY, rightKey } from './inputs/credential.ts';
import { cookiesSetBy, everyCredential } from './inputs/credentials.ts';
import { DEFECTIVE_KINDS, MALFORMED_KINDS, withDefect } from './inputs/invalid-bodies.ts';
import { NAME_TAG, tagOf } from './inputs/new-pets.ts';
import { everyOpenBody } from './inputs/open-bodies.fixture.ts';
import { replayFormat } from './replay-format.ts';
import { callWith, credentialFor, KEY_REQUESTS } from './space/keys.ts';
import { LIST_QUERIES } from './space/list-queries.ts';

const { names, record, restore } = replayFormat([]);
const DEFECTS = Object.values({ ...MALFORMED_KINDS, ...DEFECTIVE_KINDS }).flatMap(({ examples }) => examples);
const KEY = 'Key-For-Tests';
const SEED = 7;
const PET = { name: 'Rex "the" 🐾', categoryId: 9223372036854775807n, status: 'sold' } as const;

/** The call, written to a file and read again. */
const again = (call: PetCall, options: Partial<RestoreOptions> = {}, bound?: string): PetCall =>
  restore(JSON.parse(JSON.stringify(record(call, bound))), { token: KEY, salt: '', id: undefined, ...options });

const CREDENTIALS = [rightKey(KEY), ...everyCredential(KEY)];

describe('a recorded request is the same on the wire', () => {
  test('with every credential', () => {
    for (const credential of CREDENTIALS) {
      for (const call of [listPets({ limit: 5 }, credential), createPet(validBody(PET), credential)]) {
        expect(again(call).request, credential.name).toEqual(call.request);
      }
    }
  });

  test.each([
    listPets({}, rightKey(KEY)),
    listPets({ limit: '' }, rightKey(KEY)),
    listPets({ limit: 'a b&c', status: '😀' }, rightKey(KEY)),
    listPets({ limit: ['5', '7'], status: ['sold', ''], statusFirst: true }, rightKey(KEY)),
    listPets({ limit: ['5', '7', '9'], status: 'sold', apart: true }, rightKey(KEY)),
    listPets({ limit: 5, status: ['sold', 'pending'], apart: true, looseMark: 'before' }, rightKey(KEY)),
    listPets({ limit: 5, status: 'sold', looseMark: 'between' }, rightKey(KEY)),
    listPets({ looseMark: 'behind' }, rightKey(KEY)),
  ])('to list', (call) => {
    expect({ ...again(call), query: undefined }).toEqual({ ...call, query: undefined });
  });

  const listings = rowsOf(LIST_QUERIES, 'standard', SEED);
  test('for every row of the space of lists, and what it asks for is known again', () => {
    for (const row of listings) {
      for (const { query, form } of fc.sample(LIST_QUERIES.sample(row), { seed: SEED, numRuns: 1 })) {
        const call = listPets(query, rightKey(KEY), form);
        expect(again(call)).toMatchObject({ request: call.request, asked: call.asked, form: { ...form } });
        expect(again(call).form).toEqual(form);
      }
    }
  });

  test('for every row of the space of keys', () => {
    const subjects = { id: 7n, aPet: (status?: PetStatus) => ({ ...PET, status }) };
    for (const row of rowsOf(KEY_REQUESTS, 'standard', SEED)) {
      for (const { call, credential, form } of fc.sample(KEY_REQUESTS.sample(row), { seed: SEED, numRuns: 1 })) {
        const made = callWith(call, credentialFor(credential, KEY), subjects, form);
        if (made.operation === 'getPet') continue;
        expect(again(made).request).toEqual(made.request);
        expect(again(made).form).toEqual(made.form);
        expect(again(made).credential).toEqual(made.credential);
      }
    }
  });

  test('with a petId that is no id', () => {
    for (const petId of ['%F0%9F%98%80', 'abc', '01', '%ZZ', '%00']) {
      const call = getPet(petId, NO_KEY, { name: 'with x: y', headers: [['x', 'y']], keyHeader: 'AUTHORIZATION' });
      expect(again(call)).toEqual(call);
    }
  });

  const bodies: readonly Body[] = [
    validBody(PET),
    validBody({ name: 'Rex', categoryId: -1n }),
    ...DEFECTS.filter(({ template }) => template !== undefined && template !== '').map((defect) =>
      withDefect(PET, defect),
    ),
    ...everyOpenBody(PET),
  ];
  test('with every kind of body', () => {
    for (const body of bodies) {
      const call = createPet(body, rightKey(KEY));
      const { body: sent, ...request } = again(call).request;
      // Comparing a body of a megabyte byte by byte takes long.
      expect(Buffer.from(sent ?? []).equals(Buffer.from(call.request.body ?? [])), body.label).toBe(true);
      expect({ ...request, body: undefined }, body.label).toEqual({ ...call.request, body: undefined });
    }
  });

  test('in chunks', () => {
    const call = createPet(validBody(PET), rightKey(KEY), { name: 'in chunks', chunked: true });
    expect(again(call)).toMatchObject({ request: call.request, form: call.form });
  });

  test('without a body', () => {
    for (const defect of DEFECTS.filter(({ requirement }) => requirement === 'CREATE-3')) {
      const body = withDefect(PET, defect);
      const { request } = createPet(body, rightKey(KEY));
      expect(again(createPet(body, rightKey(KEY))).request).toEqual(request);
    }
  });
});

test('an id that nothing in the record has given is asked for again as it stands', () => {
  for (const id of ['1', '%31', -9223372036854775808n]) {
    const call = getPet(id, rightKey(KEY));
    expect(again(call)).toEqual(call);
  }
});

test.each([
  ['12', '345'],
  ['0012', '00345'],
  ['+12', '+345'],
  ['12.0', '345.0'],
])('an id that an earlier answer has given is replaced in its spelling: %s', (petId, asked) => {
  const call = getPet(petId, rightKey(KEY));
  expect(names(call)).toBe('12');
  expect(again(call, { id: '345' }, '12').request.path).toBe(getPet(asked, rightKey(KEY)).request.path);
});

test('a request is sent a second time again', () => {
  const call = listPets({ limit: 2 }, rightKey(KEY), { name: '', times: 2 });
  expect(again(call).form).toEqual(call.form);
});

test('the connection and what else is under way are kept', () => {
  const form = { name: '', connection: 'on a new connection', concurrency: 'alone' } as const;
  const call = listPets({ limit: 2 }, rightKey(KEY), form);
  expect(again(call).form).toEqual(form);
});

test('what is named in another run keeps its length, and is told from what the recorded run has named', () => {
  const named = (salt: string): string => `${NAME_TAG} ${tagOf(SEED, salt)} CREATE-1 7`;
  const pet = { ...PET, name: named('one run') };
  const open = { kind: 'open', label: 'a body', bytes: bytesOf(textOf(pet)), contentType: JSON_TYPE, pet } as const;
  for (const body of [validBody(pet), open]) {
    const call = again(createPet(body, rightKey(KEY)), { salt: 'another' });
    const expected = { ...pet, name: named('another') };
    expect(Buffer.from(call.request.body ?? []).toString()).toBe(textOf(expected));
  }
  const wrongStatus = Object.entries(DEFECTIVE_KINDS).filter(([kind]) => kind.startsWith('status is '));
  for (const refused of wrongStatus.flatMap(([, { examples }]) => examples.map((one) => withDefect(pet, one)))) {
    const call = again(createPet(refused, rightKey(KEY)), { salt: 'another' });
    const traces = refused.traces.name?.replace(tagOf(SEED, 'one run'), tagOf(SEED, 'another'));
    expect(call).toMatchObject({ body: { traces: { name: traces } } });
  }
});

test('a valid body is known again as valid, with what it says to the last digit', () => {
  const call = again(createPet(validBody(PET), rightKey(KEY)));
  expect(call).toMatchObject({ body: { kind: 'valid', pet: PET, requirement: 'CREATE-1' } });
});

test('cookies are those that the step before has set, without their attributes', () => {
  const { request } = listPets({}, rightKey(KEY));
  const setting = (...cookies: readonly string[]): Exchange => {
    const headers = cookies.map((cookie) => ['Set-Cookie', cookie] as const);
    const said = { body: bytesOf('[]'), encodingFault: undefined, milliseconds: 1 };
    const answer: Exchange['answer'] = { kind: 'response', status: 200, headers, ...said };
    return { number: 1, request, answer, sentAt: 1, answeredAt: 2, resent: false };
  };
  const [first, now] = [setting('sid=abc; Path=/; HttpOnly', 'theme=dark'), setting('sid=xyz; Path=/')];
  const credential = cookiesSetBy(first);
  expect(credential).toMatchObject({ valid: false, headers: [['cookie', 'sid=abc; theme=dark']] });
  expect(JSON.stringify([credential?.shown, credential?.shell])).not.toContain('abc');
  const call = listPets({}, credential ?? rightKey(KEY));
  expect(again(call, { before: now }).request.credential.headers).toEqual([['cookie', 'sid=xyz']]);
  expect(() => again(call, { before: setting() })).toThrow(/replay with the key/);
  expect(cookiesSetBy(setting('no cookie'))).toBeUndefined();
});

test('the record holds no key', () => {
  for (const credential of CREDENTIALS) {
    expect(JSON.stringify(record(listPets({}, credential)))).not.toContain(KEY);
    expect(JSON.stringify(record(createPet({ ...validBody(PET), bytes: bytesOf('{}') }, credential)))).not.toContain(
      KEY,
    );
  }
});

test('a credential that cannot be built from this key is never mistaken for the right one', () => {
  const recorded = record(listPets({}, { ...rightKey(KEY), name: 'the key in Klingon', valid: false }));
  expect(() => restore(recorded, { token: KEY, salt: '', id: undefined })).toThrow(
    'replay with the key of the recorded run',
  );
});
