import { describe, expect, test } from 'vitest';
import type { Frequency, SpaceCoverage } from '../model/result.ts';
import {
  answering,
  check,
  coverageOf,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  resultWithCauses,
  SERVICE,
  violation,
} from '../sample.fixture.ts';
import { columnsOf } from './columns.ts';
import { terminalReport } from './terminal.ts';

const plain = { service: SERVICE, color: false, output: 'normal' } as const;

describe('terminalReport', () => {
  test('a green run is four short paragraphs at most', () => {
    const text = terminalReport(greenResult(), { ...plain, written: true });
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(4);
    expect(text).toContain('Pet Store conformance · https://staging.example/v1 · standard · seed 1729');
    expect(text).toContain('  listPets        ✓ 1     Authentication  ✓ 1\n');
    expect(text).toContain(
      '2 of 2 requirements judged · all of those hold · 812 requests, 104 animals created (reports/created.jsonl) · 3.1 s',
    );
    expect(text).toContain('Conforms: every requirement that was judged holds. Reports in reports/');
  });

  test('a red run says everything that is needed to fix the service', () => {
    const text = terminalReport(redResult(), { ...plain, reportDir: 'out' });
    for (const part of [
      '✗ LIST-2  the title of LIST-2   specification 4.1, 8',
      'rule       A page never holds more animals than `limit`.',
      'sent       GET /v1/pets?limit=1',
      'answered   200 with 2 animals',
      'expected   at most 1',
      'control    GET /v1/pets?limit=1 → 200 application/json',
      'shrunk     from limit=7 to limit=1 in 6 requests',
      'frequency  in 3 of the 812 answers that this rule judged',
      `curl       curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'https://staging.example/v1/pets?limit=1'`,
      'replay     npm test -- --base-url https://staging.example/v1 --replay out/failures/LIST-2.json',
      'Where the specification is silent, this service:\n  listPets  answers 400 to a limit out of range\n',
      'LIST-4, LIST-7 (the collection holds too few animals)',
      'Not applicable: VERS-4 (the removal date has not come)',
      'Not selected: 1 requirement',
      'Expected failures (expected.txt): CREATE-2',
      'expected.txt:2: remove the line',
      'Internal errors of the suite',
      'cannot read x of undefined',
      'Note: The service asked for a pause 3 times.',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('✗ CREATE-2');
    expect(text).not.toContain('\u001b');
    expect(text.indexOf('✗ LIST-2')).toBeLessThan(text.indexOf('Where the specification is silent'));
  });

  test('request spaces that were covered take one line, and a line each where something is missing', () => {
    const covering = (...coverage: readonly SpaceCoverage[]) => terminalReport(greenResult({ coverage }), plain);
    expect(covering(coverageOf('list', 412), coverageOf('create', 1300, 1300))).toContain(
      '\nCovered: 412 of 412 pairs of list · 1,300 of 1,300 pairs of create\n',
    );
    expect(covering(coverageOf('list', 411), coverageOf('create', 3, 3))).toContain(
      '\nCovered:\n  411 of 412 pairs of list\n  3 of 3 pairs of create\n',
    );
    expect(covering()).not.toContain('Covered');
    const complete = greenResult({ coverage: [coverageOf('list', 412)] });
    expect(terminalReport(complete, { ...plain, output: 'verbose' })).toContain(
      'Covered:\n  412 of 412 pairs of list\n',
    );
    expect(terminalReport(complete, { ...plain, output: 'quiet' })).not.toContain('Covered');
  });

  test('how likely a rare fault was to be seen is told of successes, and with --verbose of every status', () => {
    const answers = [
      { operation: 'list', status: 200, count: 299 },
      { operation: 'list', status: 400, count: 69 },
      { operation: 'create', status: 201, count: 0 },
    ];
    const result = greenResult({ answers });
    const lead = '\nChance of seeing 1 fault in 100';
    expect(terminalReport(result, plain)).toContain(`${lead} successes: list 95 % · create 0 %\n`);
    const verbose = terminalReport(result, { ...plain, output: 'verbose' });
    expect(verbose).toContain(`${lead} answers: list 200 95 % · list 400 50 % · create 201 0 %\n`);
    expect(terminalReport(greenResult({}), plain)).not.toContain('Chance');
  });

  test('of a target that cannot be judged, only the reason is told', () => {
    const reason = 'https://staging.example/v1 cannot be reached (ECONNREFUSED). Is the service running?';
    const rows = ['LIST-2', 'LIST-4'].map((id) => requirement(id, { status: 'not judged', reason }));
    const result = resultOf(rows, [], { verdict: 'not judged', exitCode: 3, conclusion: reason });
    expect(terminalReport(result, plain)).toBe(
      `Pet Store conformance · https://staging.example/v1 · standard · seed 1729\n\n${reason}\n`,
    );
    expect(terminalReport(result, { ...plain, output: 'quiet' })).toBe(`${reason}\n`);
  });

  test('the names of the service come from its description', () => {
    const service = { ...SERVICE, title: 'Book Shop', created: { one: 'book', many: 'books' }, parts: [] };
    const text = terminalReport(greenResult(), { ...plain, service });
    expect(text).toContain('Book Shop conformance · ');
    expect(text).toContain('104 books created');
    expect(text).toContain('Part 4.1  ✓ 1');
  });

  test('verbose shows headers, expected failures, requirements and latencies', () => {
    const text = terminalReport(redResult(), { service: SERVICE, color: false, output: 'verbose' });
    for (const part of [
      'Content-Type: application/json',
      '✗ expected CREATE-2',
      'EVENT-1',
      'p95 7 ms',
      'Options: --base-url',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('quiet on green is the figures and the conclusion', () => {
    expect(
      terminalReport(greenResult(), { service: SERVICE, color: false, output: 'quiet' }).trim().split('\n'),
    ).toHaveLength(2);
  });

  test('colour is on only where asked for', () => {
    expect(terminalReport(redResult(), { service: SERVICE, color: true, output: 'normal' })).toContain('\u001b[31m');
  });

  test('nothing that a service sends reaches the terminal raw', () => {
    const hostile = violation({ exchanges: [answering(HOSTILE)], actual: HOSTILE, message: HOSTILE });
    const result = redResult(hostile, { notes: [HOSTILE], conclusion: HOSTILE });
    for (const output of ['quiet', 'normal', 'verbose'] as const) {
      const text = terminalReport(result, { service: SERVICE, color: false, output });
      expect(text).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\ud800-\udbff](?![\udc00-\udfff])/,
      );
      expect(text).toContain('\\u001b[31mred');
    }
  });

  test('of an open point, the rule is what is permitted', () => {
    const open = requirement('GET-5', {
      kind: 'open',
      says: 'What becomes of it is not said.',
      readings: ['404 with Error', '400 with Error'],
      status: 'violated',
    });
    const result = resultOf([open], [check('GET-5', { kind: 'failed', violations: [violation()] })], { exitCode: 1 });
    expect(terminalReport(result, plain)).toContain(
      'rule       The specification leaves this open; permitted: 404 with Error; or 400 with Error.\n',
    );
  });

  test('a body of a megabyte is cut and says how large it is', () => {
    const text = terminalReport(redResult(violation({ exchanges: [answering('x'.repeat(1_048_576))] })), plain);
    expect(text.length).toBeLessThan(8000);
    expect(text).toContain('… (1,048,576 bytes)');
  });

  test('a shrunk sample that reads as before is not told', () => {
    const shrunkFrom = (from: string, to: string) =>
      terminalReport(redResult(violation({ shrunk: { from, to, requests: 6 } })), plain);
    expect(shrunkFrom('limit=7', 'limit=1')).toContain('from limit=7 to limit=1');
    expect(shrunkFrom(`${'x'.repeat(5000)}é${'x'.repeat(5000)}`, 'x'.repeat(10_001))).not.toContain(
      'shrunk     from x',
    );
  });

  test('a target is reached by a replay as it was by the run; secrets are left to be filled in', () => {
    const red = redResult();
    const reachedWith = ["--ca 'my ca.pem'", "--unix-socket '/run/a.sock'", "-H 'X-Tenant: …'"];
    const result = { ...red, run: { ...red.run, reachedWith } };
    expect(terminalReport(result, plain)).toContain(
      "failures/LIST-2.json --ca 'my ca.pem' --unix-socket '/run/a.sock' -H 'X-Tenant: …'\n",
    );
  });

  test('an embedded target needs no address to be replayed', () => {
    const target = { baseUrl: 'http://127.0.0.1:40123/v1', embedded: true };
    const text = terminalReport(redResult(violation(), { target }), plain);
    expect(text).toContain('npm test -- --replay reports/failures/LIST-2.json');
    expect(text).toContain('the embedded reference service');
  });

  test('several violations of one check, and no response at all', () => {
    const silent = answering('');
    const answer = {
      kind: 'no response',
      code: 'timeout',
      sentence: 'Nothing came within 5 s.',
      milliseconds: 5000,
    } as const;
    const failed = {
      kind: 'failed',
      violations: [violation(), violation({ exchanges: [{ ...silent, answer }] })],
    } as const;
    const text = terminalReport(
      resultOf([requirement('LIST-2', { status: 'violated' })], [check('LIST-2', failed)]),
      plain,
    );
    expect(text).toContain('no response (timeout): Nothing came within 5 s.');
    expect(text.match(/✗ LIST-2/g)).toHaveLength(1);
  });

  test('causes come first, and each failed check under the first that explains it', () => {
    const text = terminalReport(resultWithCauses(), plain);
    const lines = [
      '2 causes, the most far-reaching first:',
      '  1. createPet answers 422 (40 of 90 answers of createPet): 2 requirements',
      '     CREATE-2, CREATE-5',
      '     2 more requirements could not be judged because of it',
      '     seen only after createPet answers 422 (40 of 90 answers of createPet) was answered 201',
      '  2. The page holds more animals than `limit`.: LIST-2',
      'Cause 1: createPet answers 422',
      '✗ CREATE-2 ',
      '✗ CREATE-5 ',
      'Cause 2: The page holds',
      '✗ LIST-2 ',
    ];
    const places = lines.map((line) => text.indexOf(line));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('a check shows its first three further inputs, and how many more there are', () => {
    const text = terminalReport(resultWithCauses('refused'), plain);
    expect(text).toContain('also       POST /v1/pets {} → 422 application/json · refused\n');
    expect(text).toContain('{"name":1} refused → 422 application/json · refused (3 times)');
    expect(text).toContain('and 9 more inputs, listed in the reports');
    expect(text).not.toContain('POST /v1/pets null');
  });

  test('a cause of which all is expected is not told', () => {
    const result = resultWithCauses();
    const requirements = result.requirements.map((row) => ({ ...row, expectedFailure: row.id !== 'LIST-2' }));
    const text = terminalReport({ ...result, requirements }, plain);
    expect(text).not.toContain('seen only after');
    expect(text).not.toContain('✗ CREATE-2');
    expect(text).toContain('✗ LIST-2');
  });

  test('a rate tells what was counted', () => {
    const rateOf = (frequency: Frequency) =>
      /frequency +(.*)/.exec(terminalReport(redResult(violation({ frequency })), plain))?.[1];
    expect(rateOf({ violated: 1, judged: 5, of: 'samples' })).toBe('in 1 of the 5 inputs that this check sent');
    expect(rateOf({ violated: 1, judged: 1 })).toBe('in the only answer that this rule judged');
    expect(rateOf({ violated: 1, judged: 5, operation: 'listPets' })).toBe('in 1 of the 5 answers of listPets');
    expect(rateOf({ violated: 1, judged: 5, intermittent: true })).toBe(
      'intermittent: in 1 of the 5 answers that this rule judged',
    );
  });

  describe('in the width of a terminal', () => {
    const LONG = `https://${'shop.'.repeat(30)}example/v1`;
    const widest = (text: string): number =>
      Math.max(
        ...text
          .split('\n')
          .filter((line) => !/^ {2}(curl|replay|control curl) /.test(line))
          .map(columnsOf),
      );

    test('of 60 columns, a green run', () => {
      const result = greenResult({ coverage: [coverageOf('list', 412), coverageOf('create', 1300, 1300)] });
      const checks = result.checks.map((one, at) => ({
        ...one,
        observations: [
          { requirement: one.requirement, reading: `answers ${at} to a limit that is given twice, in one query` },
          { requirement: one.requirement, reading: `lists ${at}` },
          { requirement: one.requirement, reading: '名前が長い動物を受け入れる'.repeat(4) },
        ],
      }));
      expect(terminalReport({ ...result, checks }, { ...plain, columns: 60, written: true })).toBe(
        `Pet Store conformance · https://staging.example/v1
  standard · seed 1729

  listPets        ✓ 1     Authentication  ✓ 1

Where the specification is silent, this service (8 in all,
  see --verbose):
  listPets        lists 0 · 2 more
  Authentication  lists 1 · lists 2 · 3 more
Covered: 412 of 412 pairs of list
  1,300 of 1,300 pairs of create

2 of 2 requirements judged · all of those hold
  812 requests, 104 animals created (reports/created.jsonl)
  3.1 s
Conforms: every requirement that was judged holds. Reports
  in reports/
`,
      );
    });

    test('of 80 columns, a red run', () => {
      const message = '動物の名前が違う '.repeat(8).trim();
      const result = redResult(violation({ message, actual: `${'🐶'.repeat(50)} is not a name` }), {
        target: { baseUrl: LONG, embedded: false },
      });
      expect(terminalReport(result, { ...plain, columns: 80 })).toBe(
        `Pet Store conformance
  ${LONG}
  standard · seed 1729

  listPets        ✓ 1  ✗ 1  ? 2         createPet       ✗ expected 1  ? 1
  Authentication  ✓ 1

✗ LIST-2  the title of LIST-2   specification 4.1, 8
  rule       A page never holds more animals than \`limit\`.
  wrong      動物の名前が違う 動物の名前が違う 動物の名前が違う 動物の名前が違う
             動物の名前が違う 動物の名前が違う 動物の名前が違う 動物の名前が違う
             (page-too-long)
  sent       GET /v1/pets?limit=1
  answered   ${'🐶'.repeat(33)}
             ${'🐶'.repeat(17)} is not a name
             200 application/json · [{"id":1,"name":"Rex","categoryId":1},{"id":
             2,"name":"Tom","categoryId":1}]
  expected   at most 1
  control    GET /v1/pets?limit=1 → 200 application/json · [{"id":1,"name":"Rex"
             ,"categoryId":1},{"id":2,"name":"Tom","categoryId":1}]
  shrunk     from limit=7 to limit=1 in 6 requests
  frequency  in 3 of the 812 answers that this rule judged
  curl       curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'https://staging.example/v1/pets?limit=1'
  replay     npm test -- --base-url ${LONG} --replay reports/failures/LIST-2.json

Internal errors of the suite (they say nothing about the service):
  CREATE-9  cannot read x of undefined
    Error: cannot
        at a.ts:1
  Please report them to the maintainers of petstore-conformance 1.0.0, with seed
  1729 and conformance.json.

Where the specification is silent, this service:
  listPets  answers 400 to a limit out of range
Not judged:
  LIST-4, LIST-7 (the collection holds too few animals)
  CREATE-9 (the suite failed)
Not applicable: VERS-4 (the removal date has not come)
Not selected: 1 requirement
Expected failures (expected.txt): CREATE-2
expected.txt:2: remove the line "- AUTH-2": AUTH-2 no longer fails
Note: The service asked for a pause 3 times.

4 of 9 requirements judged · 2 hold, 2 violated
  812 requests, 104 animals created (reports/created.jsonl) · 3.1 s
Does not conform: 1 requirement is violated.
`,
      );
    });

    test.each([40, 60, 80, 120, 200])('of %i columns, no line is wider, but for what is copied', (columns) => {
      for (const result of [greenResult(), redResult(), resultWithCauses(), resultWithCauses('名前 '.repeat(60))]) {
        for (const output of ['quiet', 'normal', 'verbose'] as const) {
          expect(widest(terminalReport(result, { ...plain, output, columns }))).toBeLessThanOrEqual(
            Math.min(120, columns),
          );
        }
      }
    });

    test('a secret is removed before a line break could hide it', () => {
      const secret = 'Key-0123456789-abcdefghijklmnopqrstuvwxyz';
      const leaking = violation({
        message: `says ${'so '.repeat(9)}${secret}`,
        exchanges: [answering(`{"key":"${'x'.repeat(15)}${secret}"}`)],
      });
      const redact = (text: string) => text.replaceAll(secret, '[redacted]');
      const text = terminalReport(redResult(leaking), { ...plain, columns: 40, redact });
      expect(text.replaceAll(/\s+/g, '')).not.toContain('0123456789');
      expect(text).toContain('[redacted]');
    });

    test('elsewhere evidence and conclusion stay on one line each', () => {
      const message = 'so much is wrong here '.repeat(20).trim();
      expect(terminalReport(redResult(violation({ message })), plain)).toContain(
        `wrong      ${message} (page-too-long)\n`,
      );
    });
  });

  test('a long list at the end of a note is cut, but not with --verbose', () => {
    const note = `Narrowed to fit: without 90 checks (${'LIST-2, '.repeat(90)}LIST-3).`;
    expect(terminalReport(greenResult({ notes: [note] }), plain)).toMatch(
      /Note: Narrowed [\s\S]*… \(whole with --verbose\)/,
    );
    const verbose = terminalReport(greenResult({ notes: [note] }), { ...plain, output: 'verbose' });
    expect(verbose.replaceAll(/\s+/g, ' ')).toContain(note);
  });

  test('open points take a line a part, with as many readings as fit, and stand in full with --verbose', () => {
    const readings = Array.from({ length: 12 }, (_, at) => `answers ${at} to a limit that is given in another way`);
    const observed = readings.map((reading) => ({ requirement: 'LIST-2', reading }));
    const result = resultOf(
      [requirement('LIST-2'), requirement('AUTH-2', { part: '5' })],
      [
        check('LIST-2', { kind: 'passed' }, { observations: observed }),
        check('AUTH-2', { kind: 'passed' }, { observations: [{ requirement: 'AUTH-2', reading: 'x'.repeat(200) }] }),
      ],
    );
    expect(terminalReport(result, { ...plain, columns: 80 })).toContain(
      `Where the specification is silent, this service (13 in all, see --verbose):
  listPets        answers 0 to a limit that is given in another way · 11 more
  Authentication  ${'x'.repeat(61)}…
`,
    );
    const verbose = terminalReport(result, { ...plain, output: 'verbose' });
    for (const reading of readings) expect(verbose).toContain(`  LIST-2     ${reading}\n`);
    expect(verbose).toContain('x'.repeat(200));
  });
});
