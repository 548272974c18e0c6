import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { isOneAtATime } from '../engine/check.ts';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { type RequestSpace, rowsOf } from '../engine/request-space.ts';
import type { Profile } from '../report/model/result.ts';
import { PARTS } from './description.ts';
import { CONCURRENCY_FACTOR } from './space/circumstances.ts';
import { GET_REQUESTS } from './space/get-requests.ts';
import { KEY_REQUESTS } from './space/keys.ts';
import { LIST_QUERIES } from './space/list-queries.ts';

const { requirements } = loadCatalogue(PARTS);
const judged = new Set(CHECKS.map(({ requirement }) => requirement));

/** The rows of a space, and the check that sends each. */
function owned<T>(space: RequestSpace<T>) {
  const rows = (profile: Profile) => rowsOf(space, profile, 7).map((row) => ({ row, owner: space.owner(row) }));
  return { name: space.name, rows };
}

describe('the catalogue and the checks', () => {
  test('every requirement that can be tested has a check', () => {
    const without = requirements.filter(({ id, untestable }) => untestable === undefined && !judged.has(id));
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('no requirement that cannot be tested has one', () => {
    const contradicting = requirements.filter(({ id, untestable }) => untestable !== undefined && judged.has(id));
    expect(contradicting.map(({ id }) => id)).toEqual([]);
  });

  test('every check judges a requirement of the catalogue', () => {
    const known = new Set(requirements.map(({ id }) => id));
    expect(CHECKS.filter(({ requirement }) => !known.has(requirement)).map(({ id }) => id)).toEqual([]);
  });

  test('ids and titles are unique, and each check can judge something', () => {
    const ids = CHECKS.map(({ id }) => id);
    const titles = CHECKS.map(({ title }) => title);
    expect(ids).toEqual([...new Set(ids)]);
    expect(titles).toEqual([...new Set(titles)]);
    for (const { id, title, everyAnswer, exercise } of CHECKS) {
      expect([id, title.length > 10, everyAnswer !== undefined || exercise !== undefined]).toEqual([id, true, true]);
    }
  });

  test.each([owned(LIST_QUERIES), owned(GET_REQUESTS), owned(KEY_REQUESTS)])(
    'every row of the space $name belongs to a check, and what is to be alone to one that runs alone',
    ({ rows }) => {
      const inTurn = CHECKS.filter(({ phase }) => isOneAtATime(phase)).map(({ id }) => id);
      for (const profile of ['smoke', 'standard', 'thorough'] as const) {
        const alone = rows(profile).filter(({ row }) => row.level(CONCURRENCY_FACTOR) === 'alone');
        expect(alone.length).toBeGreaterThan(1);
        for (const owner of new Set(alone.map((one) => one.owner))) expect(inTurn).toContain(owner);
        for (const owner of new Set(rows(profile).map((one) => one.owner))) {
          expect(CHECKS.map(({ id }) => id)).toContain(owner);
        }
      }
    },
  );

  test('the checks stand in the order of the specification', () => {
    const order = requirements.map(({ part }) => part);
    // What is sent to be counted comes last.
    const inOrder = CHECKS.filter(({ id }) => id !== 'SERV-4.often');
    const parts = inOrder.map(({ requirement }) => requirements.find(({ id }) => id === requirement)?.part ?? '');
    expect(parts.map((part) => order.indexOf(part))).toEqual(
      parts.map((part) => order.indexOf(part)).toSorted((a, b) => a - b),
    );
  });
});
