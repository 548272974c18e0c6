import { describe, expect, test } from 'vitest';
import type { RunResult } from '../run/result.ts';
import { harmless } from '../text.ts';
import { documentOf } from './document.ts';
import { annotations } from './github.ts';
import { htmlPage } from './html/page.ts';
import { junitXml } from './junit.ts';
import { markdownOf } from './markdown.ts';
import { CONTEXT, FINDINGS, green, littleTested, red } from './sample.fixture.ts';
import { terminalText } from './terminal.ts';
import { jsonText } from './write.ts';

const REPORTS = 'Reports in reports/: junit.xml, conformance.json, report.html, summary.md';
const RESULTS = { green: green(), red: red(), little: littleTested() };
const history = [{ ...green(), run: { ...green().run, id: 'r0', startedAt: '2026-03-03T09:00:00.000Z' } }];

const terminal = (result: RunResult, output: 'quiet' | 'normal' | 'verbose', columns?: number): string =>
  terminalText(documentOf(result, CONTEXT), { color: false, output, columns, reports: REPORTS });

const WRITERS: Readonly<Record<string, (result: RunResult) => string>> = {
  'terminal.txt': (result) => terminal(result, 'normal'),
  'terminal-verbose-100.txt': (result) => terminal(result, 'verbose', 100),
  'summary.md': (result) => markdownOf(documentOf(result, CONTEXT)),
  'report.html': (result) => htmlPage(documentOf(result, { ...CONTEXT, history })),
  'junit.xml': (result) => junitXml(result, CONTEXT),
  'conformance.json.txt': jsonText,
  'github.txt': (result) => annotations(documentOf(result, CONTEXT)),
};

const CASES = Object.entries(RESULTS).flatMap(([name, result]) =>
  Object.entries(WRITERS).map(([file, write]) => ({ file: `${name}.${file}`, text: () => write(result) })),
);

/** Style and script of a page are tested in a browser. */
const bare = (page: string): string => page.replace(/^<(style|script)>[\s\S]*?<\/\1>$/gm, '<$1>…</$1>');

test.each(CASES)('$file', async ({ file, text }) => {
  await expect(file.endsWith('.html') ? bare(text()) : text()).toMatchFileSnapshot(`golden/${file}`);
});

test('only the embedded service is called by its name', () => {
  const name = 'the embedded reference service';
  for (const [file, write] of Object.entries(WRITERS)) {
    if (/json|github/.test(file)) continue;
    expect(write(RESULTS.green), file).toContain(name);
    expect(write(RESULTS.red), file).not.toContain(name);
  }
  expect(terminal(RESULTS.green, 'quiet').split('\n')[0]).toContain(name);
  const [own, other] = [RESULTS.green, RESULTS.red].map((result) => junitXml(result, CONTEXT));
  expect(own?.match(/<property name="target" value="([^"]*)"/)?.[1]).toBe(name);
  expect(other?.match(/<property name="target" value="([^"]*)"/)?.[1]).toBe(RESULTS.red.target.baseUrl);
  const targets = [RESULTS.green, RESULTS.red].map((result) => JSON.parse(jsonText(result)).target.embedded);
  expect(targets).toEqual([true, false]);
});

const lines = (text: string): number => text.trimEnd().split('\n').length;

describe('how long a report may be', () => {
  test('a green run: at most 8 lines, however much there is to say', () => {
    expect(lines(terminal(RESULTS.green, 'normal'))).toBeLessThanOrEqual(8);
    const notes = Array.from({ length: 20 }, (_, at) => `Remark ${at}, ${'which is long '.repeat(9)}.`);
    for (const columns of [undefined, 80]) {
      expect(lines(terminal({ ...RESULTS.green, notes }, 'normal', columns))).toBeLessThanOrEqual(8);
    }
    expect(lines(terminal(RESULTS.green, 'quiet'))).toBe(2);
  });

  test('a red run of one fault: at most 25 lines, of five: at most 60', () => {
    for (const columns of [undefined, 100, 80]) {
      for (const finding of FINDINGS)
        expect(lines(terminal(red([finding]), 'normal', columns))).toBeLessThanOrEqual(25);
      expect(lines(terminal(RESULTS.red, 'normal', columns))).toBeLessThanOrEqual(60);
    }
  });

  test('a summary: under 60 lines, of 40 findings too', () => {
    const many = red(Array.from({ length: 40 }, () => FINDINGS).flat());
    expect(lines(markdownOf(documentOf(RESULTS.red, CONTEXT)))).toBeLessThan(60);
    const text = markdownOf(documentOf(many, CONTEXT));
    expect(lines(text)).toBeLessThan(60);
    expect(text).toMatch(/^- \d+ more findings in report\.html$/m);
  });
});

test('what a service says controls no CI, no terminal and no browser', () => {
  for (const result of [RESULTS.red, RESULTS.little]) {
    for (const [file, write] of Object.entries(WRITERS)) {
      if (file === 'conformance.json.txt') continue;
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
