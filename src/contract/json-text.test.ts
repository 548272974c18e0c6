import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { textAt } from './json-text.ts';

function textIn(body: string, pointer: string): string | undefined {
  const json = parseJson(Buffer.from(body));
  if (json.kind !== 'json') throw new Error(json.sentence);
  return textAt(json, pointer);
}

test('an element is written as JSON, its integers exact', () => {
  const page = '[{"id":1},{"id":9223372036854775807,"name":"Rex ","tags":["a\\n",null,true],"price":1.5}]';
  expect(textIn(page, '/1')).toBe('{"id":9223372036854775807,"name":"Rex ","tags":["a\\n",null,true],"price":1.5}');
  expect(textIn(page, '/1/id')).toBe('9223372036854775807');
  expect(textIn(page, '/1/name')).toBe('"Rex "');
  expect(textIn(page, '/2')).toBeUndefined();
  expect(textIn('null', '')).toBe('null');
});

test('what is long or deep is cut', () => {
  expect(textIn(`"${'x'.repeat(5_000)}"`, '')).toHaveLength(2_001);
  expect(textIn(`${'['.repeat(50)}${']'.repeat(50)}`, '')).toBe(`${'['.repeat(21)}…${']'.repeat(21)}`);
});
