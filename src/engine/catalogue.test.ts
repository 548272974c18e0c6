import { describe, expect, it } from 'vitest';
import { PARTS } from '../petstore/parts.ts';
import { CatalogueError, loadCatalogue, parseCatalogue } from './catalogue.ts';

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
    expect(catalogue.find('AUTH-8')?.readings).toEqual(['200', '401 with Error']);
  });

  it('names a broken file', () => {
    expect(() => loadCatalogue(PARTS, new URL('none.yaml', import.meta.url))).toThrow(CatalogueError);
  });
});

describe('a row that is wrong', () => {
  const row = (members: Readonly<Record<string, unknown>>): string =>
    JSON.stringify([{ id: 'LIST-1', source: ['4.1'], kind: 'stated', says: 'It lists.', ...members }]);

  it('the row that they are made from is right', () => {
    expect(parseCatalogue(PARTS, row({})).requirements).toHaveLength(1);
    expect(parseCatalogue(PARTS, row({ untestable: 'No.' })).find('LIST-1')?.untestable).toBe('No.');
  });

  it.each([
    [row({ kind: 'derived' }), 'Row LIST-1 of the catalogue is derived and has no `because`.'],
    [row({ kind: 'open' }), 'Row LIST-1 of the catalogue is open and has no `readings`.'],
    [row({ kind: 'open', readings: [] }), 'Row LIST-1 of the catalogue: `readings` must be a list of texts and is [].'],
    [row({ readings: ['any'] }), 'Row LIST-1 of the catalogue is stated and must not have `readings`.'],
    [row({ because: 'So.' }), 'Row LIST-1 of the catalogue is stated and must not have `because`.'],
    [
      row({ kind: 'assumed' }),
      "Row LIST-1 of the catalogue: `kind` must be one of stated, derived, open and is 'assumed'.",
    ],
    [row({ kind: undefined }), 'Row LIST-1 of the catalogue has no `kind`.'],
    [row({ says: ' ' }), "Row LIST-1 of the catalogue: `says` must be text and is ' '."],
    [row({ says: undefined }), 'Row LIST-1 of the catalogue has no `says`.'],
    [row({ source: undefined }), 'Row LIST-1 of the catalogue has no `source`.'],
    [row({ source: '4.1' }), "Row LIST-1 of the catalogue: `source` must be a list of texts and is '4.1'."],
    ...['10', '4.', '4.5', '41', '4.1 rule 0', ' '].map((place) => [
      row({ source: ['4.1', place] }),
      `Row LIST-1 of the catalogue: \`source/1\` must be a part of the specification, or a rule in one and is '${place}'.`,
    ]),
    [row({ note: 'x' }), 'Row LIST-1 of the catalogue has an unknown member `note`.'],
    [row({ id: undefined }), 'Row number 1 of the catalogue has no `id`.'],
    ['[7]', "Row number 1 of the catalogue must be a mapping with id, source, kind and says and is '7'."],
    ['[]', 'The catalogue must be a list of rows.'],
    ['{}', 'The catalogue must be a list of rows.'],
  ])('%s', (text, message) => {
    expect(() => parseCatalogue(PARTS, text)).toThrow(new CatalogueError(message));
  });

  it.each(['list-1', 'PAGE-1', 'LIST-', 'LIST1', 'XLIST-1'])('an id such as %s, which belongs to no part', (id) => {
    const expected = 'must be a part and a number, such as SERV-1 (parts: SERV, RES, STATE, ';
    expect(() => parseCatalogue(PARTS, row({ id }))).toThrow(`Row ${id} of the catalogue: \`id\` ${expected}`);
  });

  it('an id that is used twice, and text that is not YAML', () => {
    const twice = `${row({}).slice(0, -1)},${row({}).slice(1)}`;
    expect(() => parseCatalogue(PARTS, twice)).toThrow('Row LIST-1 is in the catalogue twice.');
    expect(() => parseCatalogue(PARTS, '- id: [')).toThrow(
      /^The catalogue is not valid YAML: .* at line 1, column 8\.$/,
    );
  });
});
