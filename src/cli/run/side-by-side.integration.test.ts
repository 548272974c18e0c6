import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import { startReference } from '../../reference/server.ts';
import { runProgram } from './program.fixture.ts';

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
