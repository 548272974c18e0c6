// @ts-check
/**
 * Makes `.github/report.png`, the picture in the README: the report of a run against the reference service with faults, as
 * Debian's Chromium shows it. Run it with `node .config/picture.mjs` after a change of the report.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'src/cli/petstore-conformance.cjs');
const FAULTS = ['trailing-comma-accepted', 'bare-key-accepted', 'limit-plus-one'];

const folder = await mkdtemp(join(tmpdir(), 'petstore-'));
const args = [
  PROGRAM,
  'serve',
  '--port',
  '0',
  '--token',
  'a-key-for-the-picture',
  ...FAULTS.flatMap((name) => ['--fault', name]),
];
const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(service.stdout, 'data');
  const [baseUrl = ''] = /http:\S+\/v1/.exec(String(line)) ?? [];
  const env = { ...process.env, PETSTORE_API_KEY: 'a-key-for-the-picture' };
  const run = [PROGRAM, '--base-url', baseUrl, '--seed', '7', '--report-dir', folder, '--quiet'];
  await once(spawn(process.execPath, run, { env, stdio: 'ignore' }), 'close');
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
  const page = await browser.newPage({ viewport: { width: 1200, height: 780 } });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  await page.screenshot({ path: join(ROOT, '.github/report.png') });
  await browser.close();
} finally {
  service.kill();
  await rm(folder, { recursive: true });
}
