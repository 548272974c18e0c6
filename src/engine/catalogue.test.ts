import { describe, expect, it } from 'vitest';
import type { Part } from './catalogue.ts';
import { CatalogueError, loadCatalogue, parseCatalogue } from './read-catalogue.ts';

const PARTS: readonly Part[] = [
  { part: '1', title: 'Service', prefix: 'SERV' },
  { part: '4.1', title: 'Lists', prefix: 'LIST' },
];

it('a file that is not there is told', () => {
  expect(() => loadCatalogue(PARTS, new URL('none.yaml', import.meta.url))).toThrow(CatalogueError);
});

it('rows are found by id and by pattern, in any letter case', () => {
  const rows = ['SERV-1', 'LIST-1', 'LIST-12'].map((id) => ({ id, source: ['1'], kind: 'stated', says: 'So.' }));
  const catalogue = parseCatalogue(PARTS, JSON.stringify(rows));
  expect(catalogue.find('LIST-12')).toMatchObject({ part: '4.1', kind: 'stated' });
  expect(catalogue.find('list-12')).toBeUndefined();
  const matching = (pattern: string) => catalogue.matching(pattern).map(({ id }) => id);
  expect([matching('list-*'), matching('*-1'), matching('LIST-1'), matching('LIST')]).toEqual([
    ['LIST-1', 'LIST-12'],
    ['SERV-1', 'LIST-1'],
    ['LIST-1'],
    [],
  ]);
});

describe('a row that is wrong', () => {
  const row = (members: Readonly<Record<string, unknown>>): string =>
    JSON.stringify([{ id: 'LIST-1', source: ['4.1'], kind: 'stated', says: 'It lists.', ...members }]);

  it('the row that they are made from is right', () => {
    expect(parseCatalogue(PARTS, row({})).requirements).toHaveLength(1);
    const more = { untestable: 'No.', remedy: 'List it.' };
    expect(parseCatalogue(PARTS, row(more)).find('LIST-1')).toMatchObject(more);
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
    const expected = 'must be a part and a number, such as SERV-1 (parts: SERV, LIST)';
    expect(() => parseCatalogue(PARTS, row({ id }))).toThrow(`Row ${id} of the catalogue: \`id\` ${expected}`);
  });

  it('an id that is used twice, and text that is not YAML', () => {
    const twice = `${row({}).slice(0, -1)},${row({}).slice(1)}`;
    expect(() => parseCatalogue(PARTS, twice)).toThrow('Row LIST-1 is in the catalogue twice.');
    expect(() => parseCatalogue(PARTS, '- id: [')).toThrow(/^The catalogue is not valid YAML: .* \(1:8\)\.$/);
  });
});
