import { describe, expect, test } from 'vitest';
import type { RunResult } from '../result/result.ts';
import { documentOf } from './document.ts';
import { rateOf } from './evidence-lines.ts';
import { FORMAT_NAMES, FORMATS } from './formats.ts';
import { annotations } from './github.ts';
import { CONTEXT, CUT, GREEN, RED, redWith } from './golden.fixture.ts';
import { harmless } from './harmless.ts';
import { htmlPage } from './html/page.ts';
import { junitXml } from './junit.ts';
import { markdownOf } from './markdown.ts';
import { terminalText } from './terminal.ts';

const REPORTS = 'Reports in reports/: junit.xml, conformance.json, report.html, summary.md';
const RESULTS = { green: GREEN, red: RED, cut: CUT };
const before = redWith(RED.findings.slice(1));
const history = [{ ...before, run: { ...RED.run, id: 'r0', startedAt: '2025-12-31T09:00:00.000Z' } }];

const terminal = (result: RunResult, output: 'quiet' | 'normal' | 'verbose', columns?: number): string =>
  terminalText(documentOf(result, CONTEXT), { color: false, output, columns, reports: REPORTS });

const WRITERS: Readonly<Record<string, (result: RunResult) => string>> = {
  'terminal.txt': (result) => terminal(result, 'normal'),
  'terminal-verbose-100.txt': (result) => terminal(result, 'verbose', 100),
  'summary.md': (result) => markdownOf(documentOf(result, { ...CONTEXT, history })),
  'report.html': (result) => htmlPage(documentOf(result, { ...CONTEXT, history })),
  'junit.xml': (result) => junitXml(result, CONTEXT),
  'github.txt': (result) => annotations(documentOf(result, CONTEXT)),
};

/** Of pages, one is enough: they show what the others show. */
const CASES = Object.entries(RESULTS).flatMap(([name, result]) =>
  Object.entries(WRITERS)
    .filter(([file]) => name === 'red' || /^(terminal|summary|junit)[^-]*$/.test(file))
    .map(([file, write]) => ({ file: `${name}.${file}`, text: () => write(result) })),
);

test('every format is among them; conformance.json is that of the runs', () => {
  const files = FORMAT_NAMES.map((name) => FORMATS[name]).filter((file) => file !== FORMATS.json);
  expect(Object.keys(WRITERS)).toEqual(expect.arrayContaining(files));
});

/** Style and script of a page are tested in a browser. */
const bare = (page: string): string => page.replace(/^<(style|script)>[\s\S]*?<\/\1>$/gm, '<$1>…</$1>');

test.each(CASES)('$file', async ({ file, text }) => {
  await expect(file.endsWith('.html') ? bare(text()) : text()).toMatchFileSnapshot(`golden/${file}`);
});

test('only the embedded service is called by its name', () => {
  const name = 'the embedded reference service';
  for (const [file, write] of Object.entries(WRITERS)) {
    if (file === 'github.txt') continue;
    expect(write(GREEN), file).toContain(name);
    expect(write(RED), file).not.toContain(name);
  }
  expect(terminal(GREEN, 'quiet').split('\n')[0]).toContain(name);
});

test.each([
  [{}, 'seen in 3 of 40 getPet requests'],
  [{ operations: ['getPet', 'listPets'] }, 'seen in 3 of 40 requests'],
  [{ intermittent: true }, 'intermittent: seen in 3 of 40 getPet requests'],
  [{ passedAgain: true }, 'seen in 3 of 40 getPet requests, but not when sent again'],
  [{ seenOnce: true }, 'seen in 3 of 40 getPet requests; these requests alone may not reproduce it'],
])('how often a finding was seen: %j', (more, says) => {
  const given = { failed: 3, checked: 40, operations: ['getPet'], ...more };
  const rates = RED.findings.map((finding) => rateOf({ ...finding, ...given }));
  expect([...new Set(rates)]).toEqual([says]);
});

const lines = (text: string): number => text.trimEnd().split('\n').length;

describe('how long a report may be', () => {
  test('a green run: at most 8 lines, however much there is to say', () => {
    expect(lines(terminal(GREEN, 'normal'))).toBeLessThanOrEqual(8);
    const notes = Array.from({ length: 20 }, (_, at) => `Remark ${at}, ${'which is long '.repeat(9)}.`);
    for (const columns of [undefined, 80]) {
      expect(lines(terminal({ ...GREEN, notes }, 'normal', columns))).toBeLessThanOrEqual(8);
    }
    expect(lines(terminal(GREEN, 'quiet'))).toBe(2);
  });

  test('a red run of one fault: at most 25 lines, of five: at most 64', () => {
    for (const finding of RED.findings) {
      for (const columns of [undefined, 100, 80])
        expect(lines(terminal(redWith([finding]), 'normal', columns))).toBeLessThanOrEqual(25);
    }
    for (const columns of [undefined, 100]) expect(lines(terminal(RED, 'normal', columns))).toBeLessThanOrEqual(64);
  });

  test('a summary shows the request of each of up to 20 findings, and counts the others', () => {
    const many = redWith(Array.from({ length: 8 }, () => RED.findings.map((one) => ({ ...one }))).flat());
    const text = markdownOf(documentOf(many, CONTEXT));
    expect(text.match(/^```text\n✗ /gm)).toHaveLength(20);
    expect(text.match(/^ {4}curl /gm)?.length).toBeGreaterThanOrEqual(20);
    expect(text).toMatch(/^- \d+ more findings? in report\.html$/m);
  });
});

test('what a service says controls no CI, no terminal and no browser', () => {
  const page = RED.findings.flatMap(({ example: { answer } }) => ('body' in answer ? answer.body.text : []));
  for (const result of [RED, { ...CUT, notes: page }]) {
    expect(JSON.stringify(result)).toMatch(/<script>alert.*\\u001b.*\u202e.*::error::.*##vso/);
    for (const [file, write] of Object.entries(WRITERS)) {
      expect(write(result), file).not.toMatch(/\u001b|\u202e/);
      if (/html|xml/.test(file)) expect(write(result), file).not.toContain('<script>alert');
      if (file === 'report.html' || file === 'github.txt') continue;
      expect(write(result), file).not.toMatch(/::error::|##vso\[|##\[|##teamcity\[|section_start:/);
    }
    for (const line of annotations(documentOf(result, CONTEXT)).trimEnd().split('\n'))
      expect(line).toMatch(/^::(error|notice) title=/);
  }
});

test.each([
  '##vso[task.complete result=Succeeded;]',
  '##[error]boom',
  '##teamcity[buildStop]',
  '::set-output name=a::b',
  '::stop-commands::x',
  // As GitLab prints it: the letter before is the end of an escape sequence.
  '\u001b[0Ksection_start:1:x\r\u001b[0K',
])('%j is no command in a line of ours', (command) => {
  const said = `the name "x ${command} y"`;
  expect(harmless(said)).not.toMatch(/##vso\[|##\[|##teamcity\[|section_start:|::[a-z-]+.*::/);
});
