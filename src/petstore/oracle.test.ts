import { beforeAll, expect, test } from 'vitest';
import { type Contract, loadContract } from '../contract/contract.ts';
import type { Exchange } from '../http/exchange.ts';
import { createPet, getPet, listPets, type PetCall } from './calls.ts';
import { CollectionModel } from './collection-model.ts';
import { bytesOf, JSON_TYPE, validBody } from './inputs/body.ts';
import { NO_KEY, rightKey } from './inputs/credential.ts';
import { oneInventedKey } from './inputs/credentials.ts';
import { missing } from './inputs/invalid-bodies.ts';
import { ownerOf, permitted } from './oracle.ts';
import { PetReply } from './reply.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

const KEY = rightKey('key');
const PET = { name: 'Rex', categoryId: 1n, status: 'sold' } as const;
const IN_CHUNKS = { name: 'in chunks', chunked: true };
const OWN = 7n;
const LATE = 5_000;

function reply(call: PetCall, status: number | undefined, sentAt = 100, body = '{}'): PetReply {
  const answer: Exchange['answer'] =
    status === undefined
      ? { kind: 'no response', code: 'timeout', sentence: 'no response came', milliseconds: 1 }
      : { kind: 'response', status, headers: [['content-type', JSON_TYPE]], body: bytesOf(body), encodingFault: undefined, milliseconds: 1 };
  return new PetReply(call, { number: 1, request: call.request, answer, sentAt, answeredAt: sentAt + 1, resent: false }, contract);
} // biome-ignore format: short

/** A run that has added one animal. */
function model(today = '2027-01-01'): CollectionModel {
  const known = new CollectionModel({ settleMs: 100, today, baseUrl: 'http://localhost/v1', userAgent: 'test', headers: [] });
  known.learn(reply(createPet(validBody(PET), KEY), 201, 1, `{"id":${OWN},"name":"Rex","categoryId":1,"status":"sold"}`));
  return known;
} // biome-ignore format: short

const LONG = { ...validBody(PET), bytes: new Uint8Array(70_000) };
const NAMELESS = missing(PET, 'name');

test.each<[string, PetCall, string, readonly number[]]>([
  ['every animal', listPets({}, KEY), 'LIST-1', [200]],
  ['a limit', listPets({ limit: 50 }, KEY), 'LIST-5', [200]],
  ['the smallest limit', listPets({ limit: 1 }, KEY), 'LIM-1', [200]],
  ['the largest limit', listPets({ limit: 100 }, KEY), 'LIM-2', [200]],
  ['a status', listPets({ status: 'sold' }, KEY), 'LIST-6', [200]],
  ['a limit and a status', listPets({ limit: 1, status: 'sold' }, KEY), 'LIST-9', [200]],
  ['a loose &', listPets({ limit: 5, looseMark: 'behind' }, KEY), 'LIST-5', [200, 400]],
  ['a limit out of range', listPets({ limit: 101, status: 'sold' }, KEY), 'LIST-10', [200, 400]],
  ['an unknown status', listPets({ limit: 101, status: 'lost' }, KEY), 'LIST-11', [200, 400]],
  ['a valid body', createPet(validBody(PET), KEY), 'CREATE-1', [201]],
  ['a valid body in chunks', createPet(validBody(PET), KEY, IN_CHUNKS), 'CREATE-16', [201, 411]],
  ['a name in chunks', createPet(validBody(PET, 'RES-6'), KEY, IN_CHUNKS), 'RES-6', [201, 411]],
  ['a long body', createPet(LONG, KEY), 'CREATE-1', [201, 413]],
  ['a body without a name', createPet(NAMELESS, KEY), 'CREATE-2', [400]],
  ['the same as a text', createPet({ ...NAMELESS, contentType: 'text/plain' }, KEY), 'CREATE-2', [400, 415]],
  ['an id that nobody has', getPet(99n, KEY), 'GET-2', [404]],
  ['an odd id', getPet('007', KEY), 'GET-5', [404, 400, 200]],
  ['no id', getPet('abc', KEY), 'GET-5', [404, 400]],
  ['no key', listPets({}, NO_KEY), 'AUTH-2', [401]],
  ['a wrong key', getPet(OWN, oneInventedKey('key')), 'AUTH-3', [401]],
  ['no key and another fault', createPet(NAMELESS, NO_KEY), 'AUTH-9', [401, 400]],
  ['no key and an unknown id', getPet(99n, NO_KEY), 'AUTH-9', [401, 404]],
])('%s', (_what, call, requirement, statuses) => {
  expect(permitted(reply(call, 418), model())).toMatchObject({ requirement, statuses });
}); // biome-ignore format: one table

test.each([
  ['new', 100, 404, 'GET-4'],
  ['new', 100, 200, 'GET-4'],
  ['new', 100, 400, 'GET-1'],
  ['older', LATE, 404, 'GET-1'],
  ['older', LATE, 410, 'VERS-3'],
  ['older', LATE, 301, 'VERS-3'],
])('an animal of the run that is %s and fetched at %i ms: %i is the concern of %s', (_age, sentAt, status, owner) => {
  const right = permitted(reply(getPet(OWN, KEY), status, sentAt), model());
  expect(right).toMatchObject({ requirement: owner, statuses: [200], shownBy: [{ number: 1 }] });
});

test('from the removal date on, getPet may be gone', () => {
  const gone = model('2030-12-05');
  expect(permitted(reply(getPet(OWN, KEY), 410), gone)).toMatchObject({ requirement: 'VERS-4', statuses: [200, 404, 410] });
  expect(permitted(reply(getPet(99n, KEY), 410), gone)).toMatchObject({ requirement: 'GET-2', statuses: [404, 404, 410] });
}); // biome-ignore format: short

test('so may an animal that the list has shown, where nothing may be added', () => {
  const gone = model('2030-12-05');
  gone.learn(reply(listPets({}, KEY), 200, 50, '[{"id":5,"name":"x","categoryId":1}]'));
  expect(permitted(reply(getPet(5n, KEY), 410), gone)).toMatchObject({
    requirement: 'VERS-4',
    statuses: [404, 200, 404, 410],
  });
});

test('of an animal that somebody may have added, nothing is said', () => {
  const found = reply(getPet(99n, KEY), 200, 100, '{"id":99,"name":"x","categoryId":1}');
  expect(permitted(found, model())).toBeUndefined();
  const another = reply(getPet(99n, KEY), 200, 100, '{"id":98,"name":"x","categoryId":1}');
  expect(permitted(another, model())).toMatchObject({ requirement: 'GET-2', statuses: [404] });
});

test('some answers have one owner whatever was asked', () => {
  const owner = (call: PetCall, status: number | undefined) => ownerOf(reply(call, status), model());
  expect([undefined, 503, 401, 200].map((status) => owner(listPets({}, KEY), status))).toEqual([
    'SERV-5',
    'SERV-4',
    'AUTH-1',
    'LIST-1',
  ]);
  expect(owner(listPets({}, NO_KEY), 401)).toBe('AUTH-2');
});
