import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../engine/read-catalogue.ts';
import { PARTS } from './description.ts';

const catalogue = loadCatalogue(PARTS);

describe('the catalogue', () => {
  it('has rows for every part, in the order of the specification', () => {
    const parts = [...new Set(catalogue.requirements.map((requirement) => requirement.part))];
    expect(parts).toEqual(PARTS.map(({ part }) => part));
  });

  it('cites every part and every numbered rule of the specification', () => {
    const cited = new Set(catalogue.requirements.flatMap((requirement) => requirement.source));
    const parts = ['1', '2', '3', '4', '4.1', '4.2', '4.3', '4.4', '5', '6', '7', '8', '9'];
    for (const part of parts) {
      expect(
        [...cited].some((place) => place === part || place.startsWith(`${part} rule `)),
        part,
      ).toBe(true);
    }
    const rules = { '4.1': 3, '4.2': 3, '4.3': 2, '5': 2, '9': 4 };
    for (const [part, count] of Object.entries(rules)) {
      for (let rule = 1; rule <= count; rule += 1) expect(cited).toContain(`${part} rule ${rule}`);
    }
  });

  it('finds rows by id and by pattern', () => {
    expect(catalogue.find('LIST-2')).toMatchObject({ part: '4.1', kind: 'stated' });
    expect(catalogue.find('LIST-99')).toBeUndefined();
    expect(catalogue.matching('list-2').map(({ id }) => id)).toEqual(['LIST-2']);
    expect(catalogue.matching('ERR-*').map(({ id }) => id)).toEqual(['ERR-1', 'ERR-2', 'ERR-3']);
    expect(catalogue.matching('*-1')).toHaveLength(PARTS.length);
    expect(catalogue.matching('*')).toEqual(catalogue.requirements);
    for (const pattern of ['', 'LIST', 'LIST.2', '(', 'LIST-2|LIST-3']) expect(catalogue.matching(pattern)).toEqual([]);
  });

  it('keeps a reading that looks like a number as text', () => {
    expect(catalogue.find('AUTH-8')?.readings).toEqual(['200', '201 of createPet', '401 with Error']);
  });
});
