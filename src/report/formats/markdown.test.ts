import { expect, test } from 'vitest';
import {
  answering,
  CONTEXT,
  coverageOf,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  violation,
} from '../sample.fixture.ts';
import { markdownReport } from './markdown.ts';

test('a green run is short', () => {
  const text = markdownReport(greenResult(), CONTEXT);
  expect(text.split('\n').length).toBeLessThan(10);
  expect(text).toContain('✅ Pet Store conformance');
  expect(text).not.toContain('```');
});

test('a red run has the evidence', () => {
  const text = markdownReport(redResult(), CONTEXT);
  for (const part of [
    '### ✗ LIST-2',
    'frequency  in 3 of 812 answers',
    'curl ',
    'Expected failures',
    'expected.txt:2: remove the line',
    'Internal error of the suite',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('### ✗ CREATE');
});

test('tells how far the request spaces were covered', () => {
  const coverage = [coverageOf('list', 411), coverageOf('create', 3, 3)];
  const text = markdownReport(greenResult({ coverage }), CONTEXT);
  expect(text).toContain('**Covered:** 411 of 412 pairs of list · 3 of 3 pairs of create');
});

test('of a target that cannot be judged, only the reason is told', () => {
  const reason = 'The service cannot be reached.';
  const rows = [requirement('LIST-2', { status: 'not judged', reason })];
  const text = markdownReport(resultOf(rows, [], { verdict: 'not judged', exitCode: 3, conclusion: reason }), CONTEXT);
  expect(text.split(reason)).toHaveLength(2);
  expect(text).not.toContain('LIST');
});

test('text outside fences is neither Markdown nor HTML', () => {
  const text = markdownReport(
    redResult(violation({ message: HOSTILE, exchanges: [answering(HOSTILE)] }), { conclusion: HOSTILE }),
    CONTEXT,
  );
  const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
  expect(outside).not.toMatch(/[^\\]<script|[^\\]<img|[\u0000-\u0009\u001b]|^# heading/m);
});

test('of an ordinary result, nothing is escaped', () => {
  for (const result of [greenResult(), redResult(), resultWithCauses()]) {
    const outside = markdownReport(result, CONTEXT).replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/\\|&/);
  }
});

test('what does not fit is left out, and the reader is told where it is', () => {
  const whole = markdownReport(redResult(), CONTEXT);
  expect(markdownReport(redResult(), CONTEXT, 100_000)).toBe(whole);
  for (const maxBytes of [200, 700, 1_500]) {
    const text = markdownReport(redResult(), CONTEXT, maxBytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(text).toContain('report.html');
    expect(text.split('```').length % 2).toBe(1);
  }
});

test('a hundred violations with large bodies stay below what a job page takes', () => {
  const shown = Array.from({ length: 100 }, () => violation({ exchanges: [answering('x'.repeat(100_000))] }));
  const result = redResult();
  const check = result.checks[0];
  if (check === undefined) throw new Error('the sample has no checks');
  const checks = shown.map((one, index) => ({
    ...check,
    id: `LIST-2.${index}`,
    outcome: { kind: 'failed', violations: [one] } as const,
  }));
  expect(Buffer.byteLength(markdownReport({ ...result, checks }, CONTEXT))).toBeLessThan(1_000_000);
});

test('causes come first, each with what it violates', () => {
  const text = markdownReport(resultWithCauses('all is refused'), CONTEXT);
  const item =
    '1. **all is refused**: CREATE-2, CREATE-5; 2 more requirements could not be judged because of it; seen only after all is refused was answered 201';
  expect(text).toContain(item);
  expect(text.indexOf(item)).toBeLessThan(text.indexOf('### ✗'));
});
