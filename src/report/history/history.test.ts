import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileError } from '../files.ts';
import type { RunResult } from '../model/result.ts';
import { check, coverageOf, greenResult, redResult, requirement, resultOf, violation } from '../sample.fixture.ts';
import {
  appendToHistory,
  historyLine,
  LONGEST_LINE,
  parseHistory,
  readHistory,
  recordValidator,
} from './history-file.ts';
import { countOf, recordOf, statusesOf } from './record-of.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-history-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const same = (text: string): string => text;
const lineOf = (id: string): string => historyLine(greenResult({ run: { ...greenResult().run, id } }), same);

describe('what is kept of a run', () => {
  test('is what compare needs, under the schema', () => {
    const record = recordOf(redResult());
    expect(record).toMatchObject({
      format: 'conformance-history/1',
      target: 'https://staging.example/v1',
      suite: '1.0.0',
      seed: 1729,
      exitCode: 1,
      failing: ['LIST-2', 'CREATE-2'],
      expected: ['CREATE-2'],
      readings: [{ requirement: 'LIST-10', readings: ['answers 400 to a limit out of range'] }],
      reasons: [
        { reason: 'the collection holds too few animals', requirements: ['LIST-4', 'LIST-7'] },
        { reason: 'the suite failed', requirements: ['CREATE-9'] },
      ],
    });
    expect(countOf(record, 'violated')).toBe(2);
    expect(statusesOf(record).get('LIST-4')).toBe('not judged');
    expect(recordValidator()(JSON.parse(historyLine(redResult(), same)))).toBe(true);
  });

  test('tells apart what an option kept from being judged', () => {
    const outcome = { kind: 'inconclusive', code: 'read-only', reason: 'why', byOption: true } as const;
    const result = resultOf([requirement('A', { status: 'not judged', reason: 'why' })], [check('A', outcome)]);
    expect(recordOf(result).requirements).toEqual({ 'left out': ['A'] });
  });

  test('names the embedded service, whose port is another one each time', () => {
    const target = { baseUrl: 'http://127.0.0.1:39999/v1', embedded: true };
    expect(recordOf(greenResult({ target })).target).toBe('embedded');
  });
});

describe('a line', () => {
  const long = (length: number): RunResult => {
    const many = Array.from({ length: 80 }, (_, at) => `R-${at}`);
    return resultOf(
      many.map((id) => requirement(id, { status: 'not judged', reason: `${id} ${'r'.repeat(length)}` })),
      many.map((id) =>
        check(id, { kind: 'passed' }, { observations: [{ requirement: id, reading: `${id} ${'o'.repeat(length)}` }] }),
      ),
      { coverage: [coverageOf('list', 412)], conclusion: 'c'.repeat(length) },
    );
  };

  test('has no line feed but its own', () => {
    const line = historyLine(greenResult({ conclusion: 'a\nb\u2028' }), same);
    expect(line.indexOf('\n')).toBe(line.length - 1);
  });

  test.each([10, 300, 100_000])('is never too long, with texts of %i characters', (length) => {
    const line = historyLine(long(length), same);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LONGEST_LINE);
    const data: unknown = JSON.parse(line);
    expect(recordValidator()(data)).toBe(true);
    // What compare needs most stays.
    expect(data).toMatchObject({ requirements: { 'not judged': expect.arrayContaining(['R-79']) } });
    if (length > 10)
      expect(data).toMatchObject({ readings: [], cut: expect.arrayContaining(['coverage', 'readings']) });
  });

  test('is never too long, however large the catalogue is', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `REQUIREMENT-${at}`);
    const failed = { kind: 'failed', violations: [violation()] } as const;
    const rows = many.map((id) => requirement(id, { status: 'violated' }));
    const line = historyLine(
      resultOf(
        rows,
        many.slice(0, 900).map((id) => check(id, failed)),
      ),
      same,
    );
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LONGEST_LINE);
    expect(recordValidator()(JSON.parse(line))).toBe(true);
  });

  test('holds no secret, whatever the secret is', () => {
    for (const secret of ['Sesame-1', 'holds', '"', '1729']) {
      const result = greenResult({ conclusion: `The key is ${secret}.` });
      const line = historyLine(result, (text) => text.replaceAll(secret, '[redacted]'));
      const data: unknown = JSON.parse(line);
      expect(data).toMatchObject({ conclusion: 'The key is [redacted].' });
      expect(recordValidator()(data)).toBe(true);
    }
  });
});

describe('the file', () => {
  const ids = async (path: string) => (await readHistory(path)).runs.map(({ id }) => id);

  test('begins with the first line, and keeps each', async () => {
    const path = join(folder, 'new.jsonl');
    for (const id of ['a', 'b', 'c']) await appendToHistory(path, lineOf(id));
    expect(await ids(path)).toEqual(['a', 'b', 'c']);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4);
  });

  test('keeps whole what is added at the same time', async () => {
    const path = join(folder, 'busy.jsonl');
    const names = Array.from({ length: 40 }, (_, at) => `run-${at}`);
    await Promise.all(names.map((id) => appendToHistory(path, lineOf(id))));
    expect((await ids(path)).toSorted()).toEqual(names.toSorted());
  });

  test('loses only the line that was cut off, and names it', async () => {
    const path = join(folder, 'cut.jsonl');
    await appendToHistory(path, lineOf('a'));
    appendFileSync(path, lineOf('b').slice(0, 100));
    expect(await readHistory(path)).toMatchObject({
      runs: [{ id: 'a' }],
      damaged: [`${path}:2 is damaged (it is not JSON), and was left out`],
    });
    await appendToHistory(path, lineOf('c'));
    expect(await ids(path)).toEqual(['a', 'c']);
    expect((await readHistory(path)).damaged).toHaveLength(1);
  });

  test.each([
    [
      '{"format":"conformance-history/9"}',
      'of another format (conformance-history/9; this suite reads conformance-history/1)',
    ],
    ['{"format":"conformance-history/1"}', 'damaged (it is not the record of a run)'],
    ['null', 'damaged (it is not the record of a run)'],
    ['\u0000\u0000', 'damaged (it is not JSON)'],
  ])('tells what %j is', (line, what) => {
    const { runs, damaged } = parseHistory(`${lineOf('a')}\n${line}\n${lineOf('b')}`, 'h.jsonl');
    expect(runs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(damaged).toEqual([`h.jsonl:3 is ${what}, and was left out`]);
  });

  test('that is missing, or cannot be written, is told', async () => {
    await expect(readHistory(join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    await expect(readHistory(folder)).rejects.toMatchObject({ code: 'not-usable' });
    await expect(appendToHistory(folder, 'x\n')).rejects.toThrow(FileError);
    const inFile = join(folder, 'file');
    writeFileSync(inFile, '');
    await expect(appendToHistory(join(inFile, 'h'), 'x\n')).rejects.toMatchObject({ code: 'not-written' });
  });
});
