import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitHubJob } from '../../report/github-job.ts';
import { runCommand } from './run.ts';
import { Captured, mainHere, newFolder, quickOptions, serviceWith } from './run-in-process.fixture.ts';

const pageIn = (reports: string): Promise<string> => readFile(join(reports, 'matrix.html'), 'utf8');

test('several targets: each has a report of its own, and one page shows them side by side, also to GitHub', async () => {
  const services = await Promise.all([serviceWith(), serviceWith()]);
  const reportDir = newFolder();
  const targets = services.map(({ baseUrl }) =>
    quickOptions(baseUrl, { only: ['GET-1'], output: 'normal', reports: ['html'], reportDir }),
  );
  const stdout = new Captured();
  const code = await runCommand(targets, { stdout, stderr: new Captured(), github: new GitHubJob(undefined) });
  expect(code).toBe(0);
  const page = await pageIn(reportDir);
  expect(page).toContain('2 of 2 targets conform.');
  const linked = [...page.matchAll(/href="([^"#]+)#GET-1"/g)].map(([, address = '']) => address);
  expect(linked).toHaveLength(2);
  for (const address of linked) expect(await readFile(join(reportDir, address), 'utf8')).toContain('id="GET-1"');
  // Nothing of several targets counts as a command of the job, the matrix included.
  const [, token = ''] = /^::stop-commands::(\S+)\n/.exec(stdout.text) ?? [];
  const [guarded = '', after] = stdout.text.split(`\n::${token}::\n`);
  expect(guarded).toContain('Targets:');
  expect(guarded).toContain(`Side by side in ${join(reportDir, 'matrix.html')}`);
  expect(after).not.toContain('Side by side');
});

describe('one that conforms, and one that cannot be reached at an address whose folder would be the same', () => {
  /** The second target is no service at all: a plain one is asked for TLS. */
  const judged = async (...more: readonly string[]) => {
    const [{ baseUrl }, dir] = [await serviceWith(), newFolder()];
    const targets = ['--base-url', baseUrl, '--base-url', baseUrl.replace('http:', 'https:')];
    const options = ['--only', 'GET-2', '--profile', 'smoke', '--report-dir', dir];
    return { ...(await mainHere(...targets, ...options, ...more)), dir, port: new URL(baseUrl).port };
  };

  test('have a line and a folder each, and the page links to both', async () => {
    const { printed, dir, port } = await judged('--report', 'html,json');
    const matrix = printed.slice(printed.indexOf('Targets:')).split('\n');
    expect(matrix.slice(1, 5)).toEqual([
      expect.stringMatching(/^ {2}A .* conforms · /),
      `  B  https://127.0.0.1:${port}/v1 · not judged`,
      '',
      expect.stringContaining('1 requirement holds on every target that could be judged.'),
    ]);
    const addresses = [`127.0.0.1_${port}_v1`, `127.0.0.1_${port}_v1-2`];
    expect((await readdir(dir)).toSorted()).toEqual([...addresses, 'matrix.html']);
    const page = await pageIn(dir);
    for (const address of addresses) expect(page).toContain(`href="${address}/report.html`);
    const result = await readFile(join(dir, `${addresses[0]}`, 'conformance.json'), 'utf8');
    expect(result).toContain('"verdict": "conforms"');
  });

  test('are not shown side by side with --quiet', async () => {
    const { printed } = await judged('--report', 'html', '--quiet');
    expect(printed).toContain('Cannot reach');
    expect(printed).not.toMatch(/Targets:|Side by side/);
  });

  test('have no page where HTML is not among the reports', async () => {
    const { printed, dir } = await judged('--report', 'json');
    expect(printed).toContain('Targets:');
    expect(printed).not.toContain('Side by side');
    expect(await readdir(dir)).not.toContain('matrix.html');
  });
});
