import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { rowsIn, rowsOf, type SpaceRow } from '../engine/request-space.ts';
import { PARTS } from './description.ts';
import { SPACES } from './space/spaces.ts';

const { requirements } = loadCatalogue(PARTS);
const judged = new Set(CHECKS.map(({ requirement }) => requirement));

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

  test.each(SPACES)('every row of the space "$name" belongs to one check', (space) => {
    for (const profile of ['smoke', 'standard', 'thorough'] as const) {
      const times = new Map<SpaceRow, number>();
      const all = rowsOf(space, profile, 7);
      for (const { covers } of CHECKS) {
        const parts = covers.filter((part) => part.space === space);
        for (const row of rowsIn(parts, profile, 7)) times.set(row, (times.get(row) ?? 0) + 1);
      }
      expect(all.filter((row) => times.get(row) !== 1).map(({ levels }) => levels)).toEqual([]);
    }
  });

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
