import { expect, test } from 'vitest';
import {
  answering,
  check,
  exchange,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  viewed,
  violation,
} from '../sample.fixture.ts';
import { markdownReport } from './markdown.ts';

test('a green run is short', () => {
  const text = markdownReport(viewed(greenResult()));
  expect(text.split('\n').length).toBeLessThan(10);
  expect(text).toContain('✅ Pet Store conformance');
  expect(text).not.toContain('```');
});

test('a red run has the causes, each with the exchange that shows it, and the open points', () => {
  const text = markdownReport(viewed(redResult()));
  for (const part of [
    '**1.** The page holds more animals than `limit`.: LIST-2',
    'sent       GET /v1/pets?limit=1 → 200',
    'expected   at most 1',
    'curl       curl ',
    '--replay reports/failures/LIST-2.json',
    'Expected failures',
    'expected.txt:2: remove the line',
    'Internal error of the suite',
    'Where the specification is silent',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('**2.**');
});

test('of a target that cannot be judged, only the reason is told', () => {
  const reason = 'The service cannot be reached.';
  const rows = [requirement('LIST-2', { status: 'not judged', reason })];
  const text = markdownReport(viewed(resultOf(rows, [], { verdict: 'not judged', exitCode: 3, conclusion: reason })));
  expect(text.split(reason)).toHaveLength(2);
  expect(text).not.toContain('LIST');
});

test('text outside fences is neither Markdown nor HTML', () => {
  const text = markdownReport(
    viewed(redResult(violation({ message: HOSTILE, exchanges: [answering(HOSTILE)] }), { conclusion: HOSTILE })),
  );
  const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
  expect(outside).not.toMatch(/[^\\]<script|[^\\]<img|[\u0000-\u0009\u001b]|^# heading/m);
});

test('of an ordinary result, nothing is escaped', () => {
  for (const result of [greenResult(), redResult(), resultWithCauses()]) {
    const outside = markdownReport(viewed(result)).replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/\\|&/);
  }
});

test('what does not fit is left out, and the reader is told where it is', () => {
  const whole = markdownReport(viewed(redResult()));
  expect(markdownReport(viewed(redResult()), 100_000)).toBe(whole);
  for (const maxBytes of [200, 700, 1_500]) {
    const text = markdownReport(viewed(redResult()), maxBytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(text).toContain('report.html');
    expect(text.split('```').length % 2).toBe(1);
  }
});

test('whatever a run has found, a summary is short', () => {
  const curl = `curl -i --data-binary '${'x'.repeat(1_900)}' 'https://staging.example/v1/pets'`;
  const shown = [answering('x'.repeat(100_000)), { ...answering(HOSTILE.repeat(40)), curl }];
  const checks = Array.from({ length: 100 }, (_, at) =>
    check(
      `LIST-${at}`,
      {
        kind: 'failed',
        violations: [violation({ message: 'ü'.repeat(900), exchanges: [shown[at % 2] ?? exchange()] })],
      },
      { observations: [{ requirement: `LIST-${at}`, reading: `answers ${at} to a limit out of range` }] },
    ),
  );
  const text = markdownReport(viewed(redResult(violation(), { checks, notes: ['ü'.repeat(9_000)] })));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  for (const part of ['**1.**', 'more causes', 'Where the specification is silent', 'more in report.html']) {
    expect(text).toContain(part);
  }
});

test('causes come first, each with what it violates', () => {
  const text = markdownReport(viewed(resultWithCauses('all is refused')));
  const item =
    '**1.** all is refused: CREATE-2, CREATE-5; 2 more requirements could not be judged because of it; seen only after all is refused was answered 201';
  expect(text).toContain(item);
});
