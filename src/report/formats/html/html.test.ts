import { describe, expect, test } from 'vitest';
import {
  check,
  coverageOf,
  greenResult,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  viewed,
  violation,
} from '../../sample.fixture.ts';
import { htmlReport } from './report.ts';
import { PAGES } from './reports.fixture.ts';

/** What a part of a page says, without its tags. */
const textOf = (markup: string): string =>
  markup.replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '').replace(/<[^>]*>/g, '');

/** The entry of a requirement, from its beginning to its end. */
const entryOf = (page: string, id: string): string =>
  new RegExp(`<details class="requirement [a-z]+" id="${id}".*?(?=<details class="requirement|</section>)`, 's').exec(
    page,
  )?.[0] ?? '';

describe('htmlReport', () => {
  test('has verdict, figures, evidence, requirements, open points, latencies and notes', () => {
    const page = htmlReport(viewed(redResult()));
    for (const part of [
      'Does not conform: 1 requirement is violated.',
      'in 3 of the 812 answers',
      'The default is 20.',
      'answers 400 to a limit out of range',
      'The specification describes no events.',
      '<td class="number">14.3</td>',
      'The service asked for a pause 3 times.',
      'expected.txt:2: remove the line',
      'npm test -- --base-url https://staging.example/v1 --replay reports/failures/LIST-2.json',
    ]) {
      expect(page).toContain(part);
    }
  });

  test('every requirement is an entry of its own that holds its checks and their evidence', () => {
    const violated = entryOf(PAGES.red, 'LIST-2');
    expect(violated).toMatch(
      /data-outcome="violated"[\s\S]*<summary>[\s\S]*A page never holds more animals than <code>limit<\/code>\./,
    );
    expect(violated).toContain('id="check-LIST-2"');
    expect(violated).toContain('https://staging.example/v1/pets?limit=1');
    expect(violated).toContain('Headers: judged, listPets, 4 ms');
    expect(violated).toContain('href="#LIST-2"');
    expect(entryOf(PAGES.red, 'LIST-10')).toContain('answers 400 to a limit out of range');
    expect(entryOf(PAGES.red, 'LIST-10')).toContain('<li>400 with Error</li>');
    expect(entryOf(PAGES.red, 'CREATE-2')).toContain('as expected');
    expect(PAGES.red.match(/data-outcome=/g)).toHaveLength(redResult().requirements.length);
  });

  test('back-ticks of the catalogue are code, not text', () => {
    expect(textOf(PAGES.red)).not.toContain('`');
    expect(textOf(PAGES.red)).toContain('The page holds more animals than limit.');
  });

  test('lists the causes with what they explain, and links the checks with every failing input', () => {
    const page = htmlReport(viewed(resultWithCauses('all is <refused>')));
    for (const part of [
      '<a href="#cause-1">all is &lt;refused&gt;</a> <span class="soft">2 requirements</span>',
      'Violates <a class="id" href="#CREATE-2">CREATE-2</a>, <a class="id" href="#CREATE-5">CREATE-5</a>.',
      '2 more requirements could not be judged because of it: <a class="id" href="#RES-1">',
      'All 5 failing inputs; 7 more are left out',
      '<td><pre>POST /v1/pets null</pre></td>',
      'seen only after all is &lt;refused&gt; was answered 201.',
    ]) {
      expect(page).toContain(part);
    }
    for (const id of ['CREATE-2', 'CREATE-5', 'LIST-2']) {
      expect(page).toContain(`<li><a href="#check-${id}">${id}</a>`);
      expect(entryOf(page, id)).toContain(`id="check-${id}"`);
    }
    expect(page.indexOf('id="cause-1"')).toBeLessThan(page.indexOf('id="cause-2"'));
  });

  test('says first what to do', () => {
    const adviceOf = (page: string): string => textOf(/<section class="advice".*?<\/section>/s.exec(page)?.[0] ?? '');
    expect(adviceOf(PAGES.green)).toContain('Nothing needs fixing.');
    expect(adviceOf(PAGES.causes)).toContain('2 causes to fix. The first explains 2 of 3 violated requirements');
    expect(adviceOf(PAGES.causes)).toContain('--replay reports/failures/LIST-2.json');
    expect(adviceOf(PAGES.red)).toContain('1 cause to fix, 1 more is expected.');
    expect(adviceOf(PAGES.red)).toContain('1 internal error of the suite');
    expect(adviceOf(PAGES.red)).toContain(
      '2 requirements not judged: the collection holds too few animals (LIST-4, LIST-7)',
    );
    expect(adviceOf(PAGES.inconclusive)).toContain('2 requirements not judged: the service answers 503');
    expect(adviceOf(PAGES.unreachable)).toBe('');
  });

  test('a check whose requirement is not in the catalogue is shown', () => {
    const failed = { kind: 'failed', violations: [violation()] } as const;
    const page = htmlReport(viewed(resultOf([requirement('LIST-2')], [check('LIST-2'), check('ODD-1', failed)])));
    expect(page).toContain('Not in the catalogue');
    expect(page).toContain('id="check-ODD-1"');
  });

  test('says in how many answers each rule was judged', () => {
    const judged = (number: number) => ({ judged: number });
    const page = htmlReport(
      viewed(
        resultOf(
          [requirement('LIST-2'), requirement('AUTH-2', { part: '5' }), requirement('LIST-4')],
          [
            check('LIST-2', { kind: 'passed' }, judged(1)),
            check('LIST-4'),
            check('AUTH-2.listPets', { kind: 'passed' }, judged(800)),
            check('AUTH-2.getPet', { kind: 'passed' }, judged(700)),
          ],
        ),
      ),
    );
    expect(page.match(/(?<=>)in [\d,]+ answers?(?=<)/g)).toEqual(['in 1 answer', 'in 1,500 answers']);
  });

  test('shows how far each request space was covered; what is incomplete is never 100 %', () => {
    const page = htmlReport(
      viewed(greenResult({ coverage: [coverageOf('list', 9_999, 10_000), coverageOf('create', 3, 3)] })),
    );
    const rows = [...page.matchAll(/<tr><th scope="row">(list|create)<.*?<\/tr>/gs)].map(([row]) => textOf(row));
    expect(rows).toEqual(['listpairs? 9,999 of 10,00099 %', 'createpairs✓ 3 of 3100 %']);
    expect(htmlReport(viewed(greenResult()))).not.toContain('id="coverage"');
  });

  test('tells open points by part of the specification', () => {
    const reading = (id: string) => ({ observations: [{ requirement: id, reading: `reads ${id}` }] });
    const page = htmlReport(
      viewed(
        resultOf(
          [requirement('AUTH-8', { part: '5', kind: 'open' }), requirement('LIST-10', { kind: 'open' })],
          [check('AUTH-8', undefined, reading('AUTH-8')), check('LIST-10', undefined, reading('LIST-10'))],
        ),
      ),
    );
    const section = textOf(/<h2 id="observations">.*?<\/section>/s.exec(page)?.[0] ?? '');
    expect(section.match(/4\.1 listPets|5 Authentication|reads [A-Z]+-\d+/g)).toEqual([
      '4.1 listPets',
      'reads LIST-10',
      '5 Authentication',
      'reads AUTH-8',
    ]);
  });

  test('a green page has no section of violations', () => {
    expect(PAGES.green).not.toContain('id="violations"');
  });

  test('nothing is loaded, only its own script is run, and the service cannot add to it', () => {
    const page = PAGES.hostile;
    expect(page).not.toMatch(/<script[^>]|<img|<link|<iframe|<[^>]*\s(?:src|style|on\w+)=|url\(|@import/);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'/);
    expect(textOf(page)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
