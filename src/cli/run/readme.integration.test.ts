/** The samples of the README show what the program prints. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { runProgram } from './program.fixture.ts';
import { newFolder, serviceWith } from './run-in-process.fixture.ts';

/** The samples, in order. */
function samples(): readonly string[] {
  const readme = readFileSync(new URL('README.md', PACKAGE_ROOT), 'utf8');
  return [...readme.matchAll(/^```\n(Pet Store conformance[\s\S]*?)^```$/gm)].map(([, text = '']) => text);
}

/** A report without what differs from run to run, or with each new requirement: the time, counts, and what follows from them. */
function comparable(printed: string): readonly string[] {
  return printed
    .slice(printed.indexOf('Pet Store conformance'))
    .replace(/\d+\.\d s$/m, 'N s')
    .replace(/[\d,]+ requests, \d+ animals/, 'N requests, N animals')
    .replace(/([✓✗]) +\d+/g, '$1 N')
    .replace(/\d+ of \d+ requirements judged · \d+ hold/, 'N of N requirements judged · N hold')
    .replace(/\d+ of \d+ requirements judged/, 'N of N requirements judged')
    .replace(/in \d+ of the \d+ answers/g, 'in N of the N answers')
    .replace(/\b\d+ %/g, 'N %')
    .split('\n');
}

test('the first run, in full', async () => {
  const dir = newFolder();
  const { printed } = await runProgram('--seed', '1729', '--report-dir', dir);
  expect(comparable(printed.replaceAll(dir, 'reports'))).toEqual(comparable(samples()[0] ?? ''));
});

test('a faulty service, but for what is cut there', async () => {
  const { baseUrl } = await serviceWith(['limit-7-gives-8']);
  const dir = newFolder();
  const { printed } = await runProgram('--base-url', baseUrl, '--seed', '1729', '--report-dir', dir);
  const lines = comparable(printed.replaceAll(dir, 'reports').replaceAll(baseUrl, 'http://127.0.0.1:8080/v1'));
  const sample = comparable(samples()[1] ?? '').filter((line) => !line.includes('… ('));
  expect(sample.length).toBeGreaterThan(15);
  expect(lines).toEqual(expect.arrayContaining([...sample]));
});
