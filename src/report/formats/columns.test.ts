import { describe, expect, test } from 'vitest';
import { columnsOf, cut, fill, grid, hanging, padded, paragraph } from './columns.ts';

const RED = '\u001b[31mred\u001b[39m';

describe('columns', () => {
  test('wide characters take two, colours none', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('日本語')).toBe(6);
    expect(columnsOf('🐶')).toBe(2);
    expect(columnsOf('👩‍👩‍👧')).toBe(2);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf(RED)).toBe(3);
  });

  test('padding fills up to a column, and shortens nothing', () => {
    expect(padded('日本', 6)).toBe('日本  ');
    expect(padded(RED, 5)).toBe(`${RED}  `);
    expect(padded('too long', 3)).toBe('too long');
  });

  test('cutting leaves no half of a wide character', () => {
    expect(cut('short', 5)).toBe('short');
    expect(cut('longer', 5)).toBe('long…');
    expect(cut('日本語の名前', 6)).toBe('日本…');
    expect(cut('anything', 0)).toBe('');
  });

  test('a paragraph is wrapped at blanks, its further lines are indented, and a word is never broken', () => {
    expect(paragraph('one two three four five six', 24)).toBe('one two three four\n  five six');
    const url = `https://${'host.'.repeat(20)}example/v1`;
    expect(paragraph(`at ${url} there`, 40).split('\n')).toEqual(['at', `  ${url}`, '  there']);
    expect(paragraph('x '.repeat(100), Number.POSITIVE_INFINITY)).toBe('x '.repeat(100));
  });

  test('a text after its lead begins below itself, and every line fits, of wide characters too', () => {
    expect(hanging('  wrong      ', 'the page holds more animals than asked for', 40)).toBe(
      '  wrong      the page holds more animals\n             than asked for',
    );
    for (const text of ['名前'.repeat(40), '🐶'.repeat(40), 'n'.repeat(200), `${RED} `.repeat(40)]) {
      const lines = hanging('  sent       ', text, 40).split('\n');
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(40);
      expect(lines.slice(1).every((line) => line.startsWith(' '.repeat(13)))).toBe(true);
    }
  });

  test('pieces stand side by side as long as they fit', () => {
    expect(fill('All: ', ['one', 'two', 'three', 'four'], ' · ', 17)).toBe('All: one · two\n  three · four');
    expect(fill('', ['a piece that is too long by itself', 'b'], ' · ', 24)).toBe(
      'a piece that is too long\n  by itself\n  b',
    );
    expect(fill('None', [], ', ', 40)).toBe('None');
  });

  test('cells stand in columns of one width', () => {
    expect(grid(['日本  1', 'ab  22', 'c', 'd'], 24)).toBe('  日本  1     ab  22\n  c           d');
    expect(grid(['one', 'two'], 4)).toBe('  one\n  two');
  });
});
