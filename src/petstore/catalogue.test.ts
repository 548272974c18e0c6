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
    const [first] = catalogue.requirements;
    const id = first?.id ?? '';
    const [prefix] = id.split('-');
    expect(catalogue.find(id)).toBe(first);
    expect(catalogue.find(`${id}0000`)).toBeUndefined();
    expect(catalogue.matching(id.toLowerCase())).toEqual([first]);
    const sharing = catalogue.requirements.filter((row) => row.id.startsWith(`${prefix}-`));
    expect(catalogue.matching(`${prefix}-*`)).toEqual(sharing);
    expect(catalogue.matching('*')).toEqual(catalogue.requirements);
    for (const pattern of ['', '(', prefix ?? '', `${id}|${id}`, id.replace('-', '.')])
      expect(catalogue.matching(pattern)).toEqual([]);
  });
});
