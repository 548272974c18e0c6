import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { parseResult, readResult, resultValidator } from '../read-result.ts';
import { answering, exchange, greenResult, HOSTILE, redResult, viewed, violation } from '../sample.fixture.ts';
import { jsonReport, KEYS } from './json.ts';

describe('jsonReport', () => {
  test('every kind of result fits the schema, and reads back the same', () => {
    const answer = {
      kind: 'no response',
      code: 'reset',
      sentence: 'The connection was reset.',
      milliseconds: 3,
    } as const;
    const binary = { encoding: 'base64', base64: '/w==', size: 1, cut: false } as const;
    const odd = violation({
      exchanges: [exchange({ answer, request: { method: 'POST', url: 'u', headers: [], body: binary } })],
    });
    for (const result of [
      greenResult(),
      redResult(),
      redResult(odd),
      redResult(violation({ exchanges: [answering(HOSTILE)] })),
    ]) {
      const text = jsonReport(viewed(result));
      const validate = resultValidator();
      expect(validate(JSON.parse(text)), JSON.stringify(validate.errors)).toBe(true);
      expect(parseResult(text, 'conformance.json')).toEqual(result);
    }
  });

  test('the order of keys is fixed, whatever the order in memory', () => {
    const result = redResult();
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, reversed(inner)]),
      );
    };
    const shuffled = parseResult(JSON.stringify(reversed(result)), 'x');
    expect(jsonReport(viewed(shuffled))).toBe(jsonReport(viewed(result)));
    expect(jsonReport(viewed(result)).startsWith('{\n  "format": "petstore-conformance/1",\n  "suite"')).toBe(true);
  });

  test('every key of the schema has its place in that order, once', () => {
    const schema: unknown = JSON.parse(readFileSync(new URL('spec/conformance.schema.json', PACKAGE_ROOT), 'utf8'));
    const keysIn = (value: unknown): readonly string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const properties: unknown = Reflect.get(value, 'properties');
      const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
      return [...own, ...Object.values(value).flatMap(keysIn)];
    };
    expect(KEYS.toSorted()).toEqual([...new Set(keysIn(schema))].toSorted());
  });

  test('the schema lets nothing further in', () => {
    const validate = resultValidator();
    expect(validate({ ...greenResult(), further: 1 })).toBe(false);
    expect(validate({ ...greenResult(), exitCode: 4 })).toBe(false);
  });
});

describe('readResult', () => {
  test.each([
    ['{"format":', 'not-usable', 'is not JSON'],
    ['[]', 'not-usable', 'names no format'],
    ['{"format":"petstore-conformance/9"}', 'not-usable', 'petstore-conformance/9'],
    ['{"format":"petstore-conformance/1"}', 'not-usable', 'conformance.schema.json'],
  ])('%s', (text, code, words) => {
    expect(() => parseResult(text, 'some.json')).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) }),
    );
  });

  test('a missing file and a folder', async () => {
    await expect(readResult('no/such/conformance.json')).rejects.toMatchObject({ code: 'not-found' });
    await expect(readResult('.')).rejects.toMatchObject({
      code: 'not-usable',
      message: expect.stringContaining('folder'),
    });
  });
});
