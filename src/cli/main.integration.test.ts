import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { PACKAGE_ROOT } from '../package.ts';
import { CATALOGUE } from '../petstore/outline.ts';
import { KEY } from '../petstore/rig.fixture.ts';
import { greenResult, redResult } from '../report/sample.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { ENVIRONMENT, endOf, PROGRAM, runIn, runProgram, startProgram } from './run/program.fixture.ts';
import { mainHere, mainWith, serviceWith } from './run/run-in-process.fixture.ts';

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
writeFileSync(file('good.json'), JSON.stringify(greenResult()));
writeFileSync(file('bad.json'), JSON.stringify(redResult()));
writeFileSync(file('broken.json'), '{"format":');

test('npm --prefix: paths are those of the folder that the user is in, and messages can be copied there', async () => {
  const root = fileURLToPath(PACKAGE_ROOT).replace(/\/$/, '');
  const npm = (...argv: readonly string[]) => runIn(folder, 'npm', '--prefix', root, 'test', '--silent', '--', ...argv);
  expect(await npm('baseline', 'bad.json', '--output', 'known.yaml')).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^Wrote known\.yaml: /),
  });
  expect(readFileSync(file('known.yaml'), 'utf8')).toContain('requirement: ');
  expect((await npm('list', '--only', 'NOPE-*')).printed).toContain(`npm --prefix ${root} test -- list`);
});

describe.concurrent('the program', () => {
  test('refuses an unknown option with 2, one line on stderr and nothing on stdout', async () => {
    const { code, stdout, stderr } = await runProgram('--limit-time', '3');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('--limit-time: unknown option; did you mean --max-time? (--help-all lists them all)\n');
  });

  test('in a job of GitHub Actions, a mistake is an annotation', async () => {
    const mistake = await endOf(startProgram(['--limit-time', '3'], { GITHUB_ACTIONS: 'true' }));
    expect(mistake).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit-time: unknown option') });
    expect(mistake.stdout).toMatch(/^::error title=petstore-conformance::--limit-time: unknown option;[^\n]*\n$/);
  });

  test('ends quietly when its reader has seen enough', async () => {
    const child = startProgram(['list']);
    child.stdout.destroy();
    expect(await endOf(child)).toMatchObject({ code: 0, stderr: '' });
  });

  test('judges to the end where its reader has seen enough, with every report and the true exit code', async () => {
    const { baseUrl } = await serviceWith(['limit-plus-one']);
    const target = ['--base-url', baseUrl, '--only', 'LIST-2', '--profile', 'smoke', '--report-dir', file('unread')];
    // In a job of GitHub Actions something is written before anything is judged.
    const child = startProgram(target, { ...ENVIRONMENT, GITHUB_ACTIONS: 'true' });
    child.stdout.destroy();
    child.stderr.destroy();
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    const reports = ['conformance.json', 'junit.xml', 'report.html'];
    expect(readdirSync(file('unread'))).toEqual(expect.arrayContaining(reports));
  });

  test('a full disk on standard output: 2, said on the other stream, and the reports are written', async () => {
    const full = openSync('/dev/full', 'w');
    const argv = [PROGRAM, '--only', 'LIST-1', '--report', 'json', '--report-dir', file('full')];
    const child = spawn(process.execPath, argv, { env: ENVIRONMENT, stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let text = '';
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(child, 'close');
    expect([child.exitCode, text]).toEqual([2, expect.stringContaining('The output could not be written: ENOSPC')]);
    expect(readdirSync(file('full'))).toContain('conformance.json');
  });
});

describe.concurrent('serve', () => {
  test.each([
    ['SIGTERM', {}, 'petstore-demo-key', 'petstore-demo-key'],
    ['SIGINT', ENVIRONMENT, KEY, 'as given, not shown'],
  ] as const)('answers until %s', async (signal, environment, key, shown) => {
    const child = startProgram(['serve', '--port', '0', '--animals', '3'], environment);
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(line).toMatch(/^Reference service at http:\/\/127\.0\.0\.1:\d+\/v1 \(API key: /);
    expect(line).toContain(`(API key: ${shown}; `);
    if (shown !== key) expect(line).not.toContain(key);
    const pets = `${/http\S+/.exec(line)?.[0]}/pets`;
    const answer = await fetch(pets, { headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { length: 3 }]);
    expect((await fetch(pets)).status).toBe(401);
    child.kill(signal);
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });

  test('refuses a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const message = `--port: ${port} is already in use on 127.0.0.1; choose another, or 0 for any free one\n`;
    expect(await mainHere('serve', '--port', String(port))).toMatchObject({ code: 2, stderr: message });
    other.close();
  });

  test.each(['--fault', '--variant'])('refuses a %s that does not exist', async (option) => {
    const { code, stderr } = await mainHere('serve', option, 'limit-ignord');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^--\w+: .*npm test -- faults[^\n]*\n$/)]);
  });
});

test('list prints a row for every requirement', async () => {
  const { code, stdout } = await mainHere('list');
  const ids = stdout.trim().replace(/ .*/g, '').split('\n');
  expect([code, ids]).toEqual([0, ['id', ...CATALOGUE.requirements.map(({ id }) => id)]]);
});

test('list prints JSON, and only what was asked for', async () => {
  const { stdout } = await mainHere('list', '--json', '--only', 'LIST-2,GET-*');
  const rows = CATALOGUE.requirements.filter(({ id }) => id === 'LIST-2' || id.startsWith('GET-'));
  expect(JSON.parse(stdout)).toEqual(rows);
});

test('faults names what can be broken and chosen', async () => {
  const one = { name: expect.any(String), breaks: expect.any(String), says: expect.any(String) };
  const listed: unknown = JSON.parse((await mainHere('faults', '--json')).stdout);
  expect(listed).toEqual({ faults: expect.arrayContaining([one]), variants: expect.any(Array) });
  const text = expect.stringMatching(/^fault +breaks +the service\n/);
  expect(await mainHere('faults')).toMatchObject({ code: 0, stdout: text });
});

test('compare answers 0 where nothing got worse and 1 where something did', async () => {
  const good = file('good.json');
  expect(await mainHere('compare', good, good)).toMatchObject({ code: 0, stderr: '' });
  expect(await mainHere('compare', good, file('bad.json'))).toMatchObject({ code: 1, stderr: '' });
});

test.each([
  ['compare @good.json @none', 'compare: There is no result at @none. Give the path of a conformance.json written by'],
  ['baseline @none', 'baseline: There is no result at @none. Give the path of a conformance.json written by a run.'],
  ['compare @good.json @broken.json', 'broken.json'],
  ['compare --history @none', 'a run with --history @none begins one (history-not-found)'],
  ['compare --history @', '--history: The history @ cannot be read: EISDIR; name a file that you may read'],
])('%s: one line on stderr says what to do', async (line, says) => {
  const named = (text: string): string => text.replaceAll('@', `${folder}/`);
  const { code, stdout, stderr } = await mainHere(...named(line).split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toContain(named(says));
});

test('a baseline that cannot be written is reported as one', async () => {
  mkdirSync(file('.yaml'));
  const output = join(folder, '.yaml', 'b'.repeat(250));
  const why = 'cannot be written: writing failed (ENAMETOOLONG). Choose another file.';
  expect(await mainHere('baseline', file('bad.json'), '--output', output)).toMatchObject({
    code: 2,
    stderr: `--output: The baseline ${output} ${why}\n`,
  });
});

test('an internal error is reported in one line, without secrets, and with the stack only on request', async () => {
  const encoded = Buffer.from('user:Sesame-1').toString('base64');
  vi.doMock('./commands/serve.ts', () => ({
    serve: async () => {
      throw new Error(`lost\nSesame-1 on the way, ${encoded}`);
    },
  }));
  const argv = ['serve', '--token', 'Sesame-1'];
  const plain = await mainHere(...argv);
  const full = await mainWith({ DEBUG: '1' }, ...argv);
  vi.doUnmock('./commands/serve.ts');
  expect(plain.stderr).toMatch(
    /^petstore-conformance: internal error \(not your service's fault\): lost \[redacted\] on the way, \S*\[redacted\]\S* \([^\n]*DEBUG=1[^\n]*\)\n$/,
  );
  expect(full.stderr).toMatch(/\n +at .*main\.integration\.test\.ts/);
  for (const { code, stdout, stderr } of [plain, full]) {
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('Sesame');
    expect(stderr).not.toContain(encoded.slice(8, -2));
  }
});
