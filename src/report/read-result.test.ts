import { describe, expect, test } from 'vitest';
import { parseResult, readResult, resultValidator } from './read-result.ts';
import { answering, exchange, greenResult, HOSTILE, redResult, viewed, violation } from './sample.fixture.ts';
import { jsonReport } from './write.ts';

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

  test('the schema lets nothing further in', () => {
    const validate = resultValidator();
    expect(validate({ ...greenResult(), further: 1 })).toBe(false);
    expect(validate({ ...greenResult(), exitCode: 4 })).toBe(false);
  });
});

describe('readResult', () => {
  test.each([
    ['{"format":', 'is not JSON'],
    ['[]', 'names no format'],
    ['{"format":"petstore-conformance/9"}', 'petstore-conformance/9'],
    ['{"format":"petstore-conformance/1"}', 'conformance.schema.json'],
  ])('%s', (text, words) => {
    expect(() => parseResult(text, 'some.json')).toThrow(
      expect.objectContaining({ code: 'not-usable', message: expect.stringContaining(words) }),
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
