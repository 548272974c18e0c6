import { expect, test } from 'vitest';
import { readInt64, readJson, readNumber, writeJson } from './json.ts';

// biome-ignore format: one table
test.each([
  ['0', 0n], ['-0', 0n], ['1.0', 1n], ['1e2', 100n], ['12.50e1', 125n], ['100e-2', 1n], ['0e999999999999', 0n],
  ['-9223372036854775809', -9223372036854775809n], ['1.234567890123457e18', 1234567890123457000n], ['1.5', 1.5],
  ['1e-1', 0.1], ['1e400', Number.POSITIVE_INFINITY],
])('the number %s is %s', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test.each([
  ...['{"a":1,}', '[1 2]', '{"a":01}', '{"a":.5}', '"\n"', '\ufeff1', '1 1', 'NaN', "'a'", '{a:1}', '"\\x"', '', ' '],
  ...['{"a":1,"a":2}', '{"a":1,"a":[2]}', '{"b":{"a":1,"a":2}}'],
])('%j is not read', (text) => {
  expect(() => readJson(text)).toThrow();
});

test.each([
  ['{"a":1,"b":{"c":[-2,3.0,1.5,null,true]}}', { a: 1n, b: { c: [-2n, 3n, 1.5, null, true] } }],
  ['{"a":"x:y","b":12345678901234567890}', { a: 'x:y', b: 12345678901234567890n }],
  ['{"a":1,"a":1}', { a: 1n }],
  ['{"":1}', { '': 1n }],
  ['{"a":1e2,"\\u0061b":"\\n"}', { a: 100n, ab: '\n' }],
  ['null', null],
  ['-0', 0n],
])('%j is read', (text, value) => {
  expect(readJson(text)).toEqual(value);
});

test('integers are written digit by digit, and lone surrogates as escapes', () => {
  expect(writeJson({ id: 9223372036854775807n, names: ['a"\\', '\ud800', null, true], rest: {} })).toBe(
    '{"id":9223372036854775807,"names":["a\\"\\\\","\\ud800",null,true],"rest":{}}',
  );
});

test.each([
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', undefined],
  ['007', undefined],
  ['+1', undefined],
  ['', undefined],
])('the identifier %j is %s', (text, value) => {
  expect(readInt64(text)).toBe(value);
});
