import { expect, test } from 'vitest';
import { check, greenResult, requirement, resultOf, SERVICE, violation } from '../../sample.fixture.ts';
import { targetPage } from './target-page.ts';

const observing = (...readings: readonly string[]) => ({
  observations: readings.map((reading) => ({ requirement: 'LIST-10', reading })),
});
const sound = greenResult({ checks: [check('LIST-10', undefined, observing('lists by id', 'answers 400'))] });
const faulty = resultOf(
  [requirement('LIST-2', { status: 'violated' }), requirement('AUTH-2', { part: '5' })],
  [
    check('LIST-2', { kind: 'failed', violations: [violation()] }),
    check('LIST-10', undefined, observing('lists by id')),
  ],
  { verdict: 'violations', exitCode: 1, target: { baseUrl: 'https://<b>.example/v1', embedded: false } },
);
const page = targetPage(
  [
    { result: sound, report: 'a/report.html' },
    { result: faulty, report: 'b/report.html' },
  ],
  SERVICE,
);

/** The cells of each row that begins with this name. */
const rowsOf = (name: string): readonly (readonly string[])[] =>
  [...page.matchAll(new RegExp(`<tr[^>]*><th scope="row">${name}</th>(.*?)</tr>`, 'gs'))].map(([, cells = '']) =>
    cells.split('</td>').map((cell) => cell.replace(/<[^>]*>/g, '').trim()),
  );

test('has a row for each target, with a link to its report', () => {
  expect(page).toContain('1 of 2 targets conforms.');
  expect(page).toContain('<a href="b/report.html">https://&lt;b&gt;.example/v1</a>');
  expect(rowsOf('B')).toEqual([['https://&lt;b&gt;.example/v1', '✗ violations', '2', '1', '1', '812', '']]);
});

test('has every requirement by target, what differs first, linked to the reports', () => {
  expect(rowsOf('LIST-2')).toEqual([['✓holds', '✗ violated', 'What LIST-2 says.', '']]);
  expect(page).toContain('<a href="b/report.html#LIST-2">');
  expect(page.indexOf('data-outcome="different"')).toBeLessThan(page.indexOf('data-outcome="holds"'));
  expect(page.match(/data-outcome=/g)).toHaveLength(2);
});

test('tells where they differ at open points, and what all do only once', () => {
  expect(rowsOf('LIST-10')).toEqual([['All: lists by id', 'answers 400', 'nothing more', '']]);
});
