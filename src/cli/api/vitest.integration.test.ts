/** The package's entry `petstore-conformance/vitest` in a project that changes all that a run could rely on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { raw } from '../../http/rig.fixture.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import { findFault, startReference } from '../../reference/index.ts';
import { temporaryFolder } from '../../report/temporary-folder.fixture.ts';
import type { TestingOptions } from '../options/tables.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const KEY = 'Key-of-the-tests-3fA9';
const project = temporaryFolder();
mkdirSync(join(project, 'node_modules'));
symlinkSync(ROOT, join(project, 'node_modules/petstore-conformance'), 'dir');
symlinkSync(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'), 'dir');
const write = (name: string, lines: readonly string[]) => writeFileSync(join(project, name), lines.join('\n'));
write('package.json', ['{ "name": "somebody", "private": true, "type": "module" }']);
write('vitest.config.js', [
  "export default { test: { setupFiles: ['./setup.js'], expect: { requireAssertions: true }, reporters: ['json'] } };",
]);
// Fake timers, and what a DOM puts into the place of what Node.js has.
write('setup.js', [
  "import { beforeEach, expect, vi } from 'vitest';",
  'vi.useFakeTimers();',
  'beforeEach(() => expect.hasAssertions());',
  'class Foreign { signal = Object.assign(new EventTarget(), { aborted: false }); abort() {} }',
  'Object.assign(globalThis, { AbortController: Foreign, AbortSignal: Foreign, fetch: undefined });',
]);
write('service.test.js', [
  "import { beforeAll } from 'vitest';",
  "import { petStoreConformance } from 'petstore-conformance/vitest';",
  "let baseUrl = '';",
  'beforeAll(() => { baseUrl = process.env.TARGET; });',
  "const options = { token: process.env.KEY, profile: 'smoke', only: ['LIST-2', 'GET-2', 'VERS-4'] };",
  'petStoreConformance({ ...options, ...JSON.parse(process.env.MORE), baseUrl: () => baseUrl });',
]);

const right = await startReference({ token: KEY });
const faulty = await startReference({ token: KEY, faults: [findFault('limit-plus-one') ?? []].flat() });
afterAll(() => Promise.all([right.stop(), faulty.stop()]));

async function outcomes(baseUrl: string, pool: string, key = KEY, more: TestingOptions = {}) {
  const output = join(project, 'results.json');
  const argv = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', `--pool=${pool}`, `--outputFile=${output}`];
  const env = { PATH: process.env['PATH'], TARGET: baseUrl, KEY: key, MORE: JSON.stringify(more) };
  await once(spawn(process.execPath, argv, { cwd: project, env, stdio: 'ignore' }), 'close');
  const { testResults }: JsonTestResults = JSON.parse(readFileSync(output, 'utf8'));
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status, failureMessages }) => ({ title, status, says: failureMessages?.join() })),
  );
}

const isBuilt = existsSync(join(ROOT, 'dist/vitest.js'));
const NAMES = ['LIST-2 A page never holds more animals than `limit`.', /^GET-2 /, /^VERS-4 /];

test.skipIf(!isBuilt).each(['threads', 'forks', 'vmThreads'])('a test for each requirement: %s', async (pool) => {
  const [list, get, later] = NAMES.map((name) => ({ title: expect.stringMatching(name) }));
  const passed = { status: 'passed' };
  expect(await outcomes(right.baseUrl, pool)).toMatchObject([
    { ...list, ...passed },
    { ...get, ...passed },
    { ...later, status: 'skipped' },
  ]);
});

test.skipIf(!isBuilt)('a failure shows what to do, and a target that cannot be tested fails every test', async () => {
  const [list, get] = await outcomes(faulty.baseUrl, 'threads');
  const again = `npx petstore-conformance --base-url ${faulty.baseUrl} --only LIST-2 --seed 1 --profile smoke`;
  expect([list, get]).toMatchObject([{ status: 'failed', says: expect.stringContaining(again) }, { status: 'passed' }]);
  expect(list?.says).toContain('response  200 application/json [{"id":');
  expect(list?.says).not.toContain('[object');
  const rejected = await outcomes(right.baseUrl, 'threads', 'Another-key-1');
  expect(rejected.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  expect(JSON.stringify(rejected)).not.toContain('Another-key-1');
});

test.skipIf(!isBuilt)(
  'a service that never answers ends with a sentence, although the timers stand still',
  async () => {
    const { port } = await raw(() => {});
    const seen = await outcomes(`http://127.0.0.1:${port}/v1`, 'vmThreads', KEY, { requestTimeoutMs: 200 });
    const says = expect.stringContaining('no response came within the time limit; check that');
    for (const one of seen) expect(one).toMatchObject({ status: 'failed', says });
    expect(seen).toHaveLength(3);
  },
);
