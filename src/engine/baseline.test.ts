import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BaselineError, readBaseline } from './baseline.ts';
import { parseCatalogue } from './read-catalogue.ts';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'petstore-baseline-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const catalogue = parseCatalogue(
  [
    { part: '1', title: 'Lists', prefix: 'LIST' },
    { part: '2', title: 'Errors', prefix: 'ERR' },
  ],
  JSON.stringify(['LIST-2', 'ERR-1'].map((id) => ({ id, source: ['1'], kind: 'stated', says: 'So.' }))),
);

function read(content: string): readonly string[] {
  const file = join(dir, 'baseline');
  writeFileSync(file, content);
  return readBaseline(file, catalogue);
}

test.each([
  ['a list in YAML', '- LIST-2\n- ERR-1 # ticket 12\n'],
  ['a list in JSON', '["LIST-2", "ERR-1"]'],
  ['one id a line', 'LIST-2\nERR-1\n'],
  ['one id a line as Windows writes it', 'LIST-2\r\nERR-1\r\n'],
])('%s', (_what, content) => {
  expect(read(content)).toEqual(['LIST-2', 'ERR-1']);
});

test.each([
  ['an empty file', ''],
  ['a file of remarks', '# nothing is expected to fail\n'],
  ['an empty list', '[]'],
])('%s expects nothing', (_what, content) => {
  expect(read(content)).toEqual([]);
});

test.each([
  ['an id that is none', 'LIST-2\nLIST-99\n', 'lists "LIST-99", which is not a requirement'],
  ['the id of a check', '- LIST-2.one\n', 'lists "LIST-2.one", which is not a requirement'],
  ['a mapping', 'LIST-2: known\n', 'is not a list of requirement ids'],
  ['a list of numbers', '[1, 2]', 'is not a list of requirement ids'],
  ['what is no YAML', '[LIST-2', 'is not YAML'],
])('%s is refused in one line that names the file', (_what, content, says) => {
  expect(() => read(content)).toThrow(BaselineError);
  expect(() => read(content)).toThrow(says);
  expect(() => read(content)).toThrow(/^\S*baseline [^\n]*$/);
});
