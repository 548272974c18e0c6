import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import { startReference } from '../../reference/server.ts';
import { GitHubJob } from '../../report/github-job.ts';
import { runProgram } from './program.fixture.ts';
import { runCommand } from './run.ts';
import { Captured, quickOptions } from './run-in-process.fixture.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'side-by-side-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('several targets: each has a report of its own, and one page shows them side by side', async () => {
  const services = await Promise.all([startReference({ token: KEY }), startReference({ token: KEY })]);
  try {
    const targets = services.flatMap(({ baseUrl }) => ['--base-url', baseUrl]);
    const reports = join(folder, 'reports');
    const { code, printed } = await runProgram(
      ...targets,
      '--only',
      'GET-1',
      '--report',
      'html',
      '--report-dir',
      reports,
    );
    expect(printed).toContain(`Side by side in ${join(reports, 'matrix.html')}\n`);
    expect(code).toBe(0);
    const page = await readFile(join(reports, 'matrix.html'), 'utf8');
    expect(page).toContain('2 of 2 targets conform.');
    const linked = [...page.matchAll(/href="([^"#]+)#GET-1"/g)].map(([, address = '']) => address);
    expect(linked).toHaveLength(2);
    for (const address of linked) expect(await readFile(join(reports, address), 'utf8')).toContain('id="GET-1"');
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
});

test('one that cannot be reached takes a line, and --quiet prints no matrix', async () => {
  const service = await startReference({ token: KEY });
  try {
    const { port } = new URL(service.baseUrl);
    const targets = ['--base-url', service.baseUrl, '--base-url', `https://127.0.0.1:${port}/v1`];
    const usual = [...targets, '--only', 'GET-2', '--report', 'html', '--report-dir', join(folder, 'unreachable')];
    const { printed } = await runProgram(...usual);
    const matrix = printed.slice(printed.indexOf('Targets:')).split('\n');
    expect(matrix.slice(1, 5)).toEqual([
      expect.stringMatching(/^ {2}A .* conforms · /),
      `  B  https://127.0.0.1:${port}/v1 · not judged`,
      '',
      expect.stringContaining('1 requirement holds on every target that could be judged.'),
    ]);
    const quiet = await runProgram(...usual, '--quiet');
    expect(quiet.printed).toContain('Cannot reach');
    expect(quiet.printed).not.toMatch(/Targets:|Side by side/);
  } finally {
    await service.stop();
  }
});

test('without HTML among the reports there is no such page', async () => {
  const service = await startReference({ token: KEY });
  try {
    const reports = join(folder, 'json');
    const twice = ['--base-url', service.baseUrl, '--base-url', service.baseUrl.replace('127.0.0.1', 'localhost')];
    const { printed } = await runProgram(...twice, '--only', 'GET-1', '--report', 'json', '--report-dir', reports);
    expect(printed).toContain('Targets:');
    expect(printed).not.toContain('Side by side');
    expect(await readdir(reports)).not.toContain('matrix.html');
  } finally {
    await service.stop();
  }
});

test('two addresses that would have one folder have two, and the page links to both', async () => {
  const service = await startReference({ token: KEY });
  try {
    const { port } = new URL(service.baseUrl);
    const reports = join(folder, 'alike');
    // The second one is no service at all: a plain one is asked for TLS.
    const targets = ['--base-url', `http://127.0.0.1:${port}/v1`, '--base-url', `https://127.0.0.1:${port}/v1`];
    const usual = ['--only', 'GET-2', '--report', 'html,json', '--report-dir', reports];
    await runProgram(...targets, ...usual);
    const addresses = [`127.0.0.1_${port}_v1`, `127.0.0.1_${port}_v1-2`];
    expect((await readdir(reports)).toSorted()).toEqual([...addresses, 'matrix.html']);
    const page = await readFile(join(reports, 'matrix.html'), 'utf8');
    for (const address of addresses) expect(page).toContain(`href="${address}/report.html`);
    const [http] = addresses;
    expect(await readFile(join(reports, `${http}`, 'conformance.json'), 'utf8')).toContain('"verdict": "conforms"');
  } finally {
    await service.stop();
  }
});

test('in a job of GitHub Actions nothing of several targets counts as a command, the matrix included', async () => {
  const services = await Promise.all([startReference({ token: KEY }), startReference({ token: KEY })]);
  const stdout = new Captured();
  const [first, second] = services.map(({ baseUrl }) =>
    quickOptions(baseUrl, { only: ['GET-2'], output: 'normal', reports: ['html'], reportDir: join(folder, 'job') }),
  );
  if (first === undefined || second === undefined) throw new Error('there are two services');
  const streams = { stdout, stderr: new Captured(), github: new GitHubJob(undefined) };
  await runCommand([first, second], streams);
  await Promise.all(services.map((service) => service.stop()));
  const [, token = ''] = /^::stop-commands::(\S+)\n/.exec(stdout.text) ?? [];
  const [guarded = '', after] = stdout.text.split(`\n::${token}::\n`);
  expect(guarded).toContain('Targets:');
  expect(guarded).toContain('Side by side in');
  expect(after).not.toContain('Side by side');
});
