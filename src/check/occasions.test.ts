import { expect, test } from 'vitest';
import { PARTS } from '../../suites/index.ts';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { PET_STATUSES } from '../contract/contract-facts.ts';
import { create, get, list } from '../reading/call.ts';
import { added, animal, checkedOf, error, fetched, listed, others, rejected, type Step } from './history.fixture.ts';
import { CALLS, withKey } from './rows.ts';

/** Rules may only pass where something could have failed: what passes in histories in which little could. */

const NO_KEY = { headers: [] };
const REX = { id: 5, name: 'Rex', categoryId: 1, status: 'sold' };
const OPEN_NAME = create('{"name":"","categoryId":7}');

/** The requirements of which a rule holds in a history. */
function heldIn(history: readonly Step[]): readonly string[] {
  const checked = checkedOf(history);
  expect(checked.flatMap(({ violations }) => violations)).toEqual([]);
  const held = new Set(checked.flatMap(({ tested }) => tested.flatMap((one) => (one.holds ? one.requirement : []))));
  return REQUIREMENTS.map(({ id }) => id).filter((id) => held.has(id));
}

const EVERY_ANSWER = ['SERV-2', 'SERV-3', 'SERV-4', 'SERV-5', 'AUTH-1', 'VERS-1'];
const EVERY_ERROR = [...EVERY_ANSWER, 'ERR-1', 'ERR-2'];

// biome-ignore format: one table
const TABLE: readonly (readonly [about: string, history: readonly Step[], held: readonly string[]])[] = [
  ['nothing', [], []],
  ['an empty list', [listed('', []), listed('status=sold', []), listed('limit=1', []), listed('limit=0', [])],
    [...EVERY_ANSWER, 'LIST-1', 'LIST-6', 'LIST-10', 'LIM-1']],
  ['a few animals of other clients, all of one status', [listed('', others(3)), listed('limit=20', others(3)), listed('status=available', others(3)), listed('limit=7', others(3))],
    [...EVERY_ANSWER, 'RES-1', 'RES-2', 'RES-3', 'RES-4', 'LIST-1', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8']],
  ['full pages of animals of other clients', [added(900), listed('limit=100', others(100)), listed('', others(20))],
    [...EVERY_ANSWER, 'RES-1', 'RES-2', 'RES-3', 'RES-4', 'RES-6', 'RES-7', 'RES-8', 'LIST-1', 'LIST-2', 'LIST-3', 'LIST-7', 'LIST-8', 'CREATE-1', 'LIM-2']],
  ['rejected creations only', [rejected(create('{')), rejected(create('{"name":"$NAME"}'), 400, { row: 2 }), rejected(OPEN_NAME)],
    [...EVERY_ERROR, 'RES-10', 'CREATE-2', 'CREATE-4']],
  ['a service without a 401', [added(), fetched(), listed('', [animal()])],
    [...EVERY_ANSWER, 'SERV-1', 'RES-1', 'RES-2', 'RES-3', 'RES-4', 'RES-6', 'RES-7', 'RES-8', 'RES-9', 'LIST-1', 'LIST-7', 'CREATE-1', 'CREATE-11', 'GET-1', 'GET-3', 'GET-4', 'VERS-3']],
  ['a connection for each request', [listed('', [REX]), [withKey(list(), NO_KEY), 401, error(401)], listed('', [REX])],
    [...EVERY_ERROR, 'RES-1', 'RES-2', 'RES-3', 'RES-4', 'LIST-1', 'LIST-7', 'AUTH-2']],
  ['unknown ids only', [rejected(get('$FREE'), 404), rejected(CALLS.getFree, 404)],
    [...EVERY_ERROR, 'GET-2', 'GET-3']],
];

test.each(TABLE)('%s', (_about, history, held) => {
  expect(heldIn(history).toSorted()).toEqual([...new Set(held)].toSorted());
});

test('RES-1 names every status of the contract, in the catalogue and in its suite', () => {
  const texts = [...REQUIREMENTS, ...PARTS.flatMap(({ requirements }) => requirements)].filter(
    ({ id }) => id === 'RES-1',
  );
  const unnamed = texts.flatMap(({ says }) => PET_STATUSES.filter((status) => !says.includes(status)));
  expect([texts.length, unnamed]).toEqual([2, []]);
});

test('a body that the suite does not read shows what its head says, but not that it is JSON', () => {
  const sentences = (body: string) =>
    checkedOf([[get('$FREE'), 404, body]]).flatMap(({ tested }) =>
      tested.flatMap(({ requirement, rule }) => (/^(SERV-[23]|ERR-1)$/.test(requirement) ? (rule ?? []) : [])),
    );
  const small = sentences('{"code":"c","message":"m","status":404}');
  const large = sentences(`{"code":"c","message":"m","status":404,"x":[${'0,'.repeat(330_000)}0]}`);
  expect(small.filter((one) => !large.includes(one))).toEqual([
    'every body is complete, strict JSON in UTF-8, in an encoding that the request accepts',
    'every error has `code` and `message`, strings, and `status`, an integer',
  ]);
  expect(large).toContain('every response is sent as application/json');
});
