/** What the action and the examples for users say is carried out here by a shell, as a runner would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../package.ts';
import { KEY } from '../petstore/rig.fixture.ts';
import { FAULTS, startReference } from '../reference/index.ts';
import { RUN_OPTIONS } from './options.ts';
import { endOf } from './run/program.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const GITHUB = join(ROOT, '.github');

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function at(document: unknown, ...path: readonly string[]): unknown {
  return path.reduce((value, key) => (isObject(value) ? value[key] : undefined), document);
}

const isStep = (value: unknown): value is Step => isObject(value);

/** The steps of a workflow or an action, by name. */
function stepsOf(file: string, ...path: readonly string[]): ReadonlyMap<string, Step> {
  const steps = at(load(readFileSync(join(GITHUB, file), 'utf8')), ...path);
  if (!Array.isArray(steps)) throw new Error(`${file} has no steps`);
  return new Map(steps.filter(isStep).map((step) => [step.name ?? '', step]));
}

let job = '';
beforeEach(() => {
  job = mkdtempSync(join(tmpdir(), 'petstore-job-'));
  mkdirSync(join(job, 'bin'));
});
afterEach(() => rmSync(job, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A command that the scripts find in place of the real one. */
function stub(name: string, script: string): void {
  writeFileSync(join(job, 'bin', name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(job, 'bin', name), 0o755);
}

/** A text with the values of its expressions. */
const evaluated = (text: string, values: Readonly<Record<string, string>>): string =>
  String(text).replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, expression: string) => values[expression] ?? '');

/** Runs a step in the folder of the job, with the values of the expressions in its environment. */
function runStep(
  step: Step | undefined,
  values: Readonly<Record<string, string>> = {},
  jobEnv: NodeJS.ProcessEnv = {},
) {
  const known = Object.entries(step?.env ?? {}).map(([name, text]) => [name, evaluated(text, values)]);
  const env = {
    PATH: `${join(job, 'bin')}:${process.env['PATH']}`,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(GITHUB, 'actions/conformance'),
    GITHUB_STEP_SUMMARY: join(job, 'summary.md'),
    GITHUB_OUTPUT: join(job, 'output'),
    RUNNER_TEMP: job,
    GITHUB_REPOSITORY: 'owner/service',
    ...jobEnv,
    ...Object.fromEntries(known),
  };
  // As GitHub does with `shell: bash`.
  const argv = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 99'];
  return endOf(spawn('bash', argv, { cwd: job, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

const written = (file: string): string => (existsSync(join(job, file)) ? readFileSync(join(job, file), 'utf8') : '');

describe('the action', () => {
  const steps = stepsOf('actions/conformance/action.yml', 'runs', 'steps');
  const inputs = (baseUrl: string, options = '', history = '') => ({
    'inputs.base-url': baseUrl,
    'inputs.api-key': KEY,
    'inputs.profile': 'smoke',
    'inputs.report-dir': 'out',
    'inputs.options': options,
    'inputs.history': history,
  });

  test('judges a service: reports, summary, annotations, exit code', async () => {
    const faults = FAULTS.filter(({ name }) => name === 'created-answered-200');
    const service = await startReference({ token: KEY, faults });
    const only = `--only 'CREATE-*' --seed 7`;
    const { code, printed } = await runStep(steps.get('Judge the service'), inputs(service.baseUrl, only));
    await service.stop();
    expect(code).toBe(1);
    expect(written('output')).toBe('exit-code=1\n');
    expect(written('summary.md')).toContain('❌ Pet Store conformance: violations');
    expect(printed).toMatch(/^::error title=CREATE-\d+ [^:]+::[^\n]+%0Acurl -i /m);
    expect(JSON.parse(written('out/badge.json'))).toMatchObject({ schemaVersion: 1, color: 'red' });
    expect(written('out/junit.xml')).toContain('<failure ');
    for (const text of [printed, written('summary.md'), written('out/badge.json')]) expect(text).not.toContain(KEY);
  });

  test('reads options as words, and carries nothing of them out', async () => {
    stub('node', 'printf "%s\\n" "$@" > argv');
    const options = `--only 'LIST-*' "AUTH-2 x" $(touch hacked) \`touch hacked\` ; touch hacked *`;
    expect((await runStep(steps.get('Judge the service'), inputs('http://a/v1', options))).code).toBe(0);
    const argv = written('argv').split('\n');
    expect(argv.slice(argv.indexOf('out') + 1, argv.indexOf('--only') + 3)).toEqual(['--only', 'LIST-*', 'AUTH-2 x']);
    expect(argv).toContain('*');
    expect(existsSync(join(job, 'hacked'))).toBe(false);
    expect((await runStep(steps.get('Judge the service'), inputs('http://a/v1', '--only "x'))).code).not.toBe(0);
  });

  test('installs the suite from where the action is', async () => {
    stub('npm', 'printf "%s\\n" "$@" > argv');
    expect((await runStep(steps.get('Install the suite'))).code).toBe(0);
    const [, folder = '', ...command] = written('argv').trim().split('\n');
    expect(existsSync(join(folder, 'package-lock.json'))).toBe(true);
    expect(command).toEqual(['ci', '--include=dev', '--no-audit', '--no-fund']);
  });

  test.skipIf(!('history' in RUN_OPTIONS))('with a history, finds that the service got worse', async () => {
    const port = await freePort();
    const compared: (number | null)[] = [];
    for (const name of ['', 'created-answered-200']) {
      const faults = FAULTS.filter((fault) => fault.name === name);
      const service = await startReference({ token: KEY, faults, port });
      const given = inputs(service.baseUrl, '--only CREATE-1 LIST-1 --seed 7', 'history.jsonl');
      await runStep(steps.get('Judge the service'), given);
      await service.stop();
      compared.push((await runStep(steps.get('Compare with the run before'), given)).code);
    }
    expect(compared).toEqual([0, 1]);
    expect(written('output')).toBe('exit-code=0\nexit-code=1\nregression=true\n');
    expect(written('summary.md')).toMatch(/Worse than before: 1 regression[\s\S]*CREATE-1/);
  });

  describe('with a history', () => {
    const compare = steps.get('Compare with the run before');
    const given = inputs('http://a/v1', '', 'history.jsonl');

    test('of one run, compares nothing', async () => {
      stub('node', 'exit 9');
      expect((await runStep(compare, given)).code).toBe(0);
      writeFileSync(join(job, 'history.jsonl'), '{}\n');
      expect((await runStep(compare, given)).code).toBe(0);
    });

    test.each([
      [0, '', false],
      [1, 'regression=true\n', true],
      [2, '', false],
    ])('ends as the comparison does: %d', async (exitCode, output, annotated) => {
      mkdirSync(join(job, 'out'));
      writeFileSync(join(job, 'history.jsonl'), '{}\n{}\n');
      stub('node', `printf '%s ' "\${@:2}" > argv; printf '## LIST-2 violated\\n'; exit ${exitCode}`);
      const { code, printed } = await runStep(compare, given);
      expect(code).toBe(exitCode);
      expect(written('argv')).toBe('compare --history history.jsonl --last 2 --format md ');
      expect(written('output')).toBe(output);
      expect(written('summary.md')).toBe('## LIST-2 violated\n');
      expect(printed.includes('::error title=Regression::')).toBe(annotated);
    });
  });
});

describe('the examples', () => {
  test('a pull request: the service is started beside the suite, which waits for it and judges it', async () => {
    const steps = stepsOf('examples/pull-request.yml', 'jobs', 'conformance', 'steps');
    const port = await freePort();
    const program = join(ROOT, 'src/cli/petstore-conformance.mjs');
    // Late, as services are.
    const start = `sleep 0.5; echo $$ > pid; exec node "${program}" serve --port "$PORT" --token "$API_KEY"`;
    stub('npm', `if [ "$1" = start ]; then ${start}; fi`);
    expect((await runStep(steps.get('Start the service'), {}, { PORT: String(port) })).code).toBe(0);
    const used = [...steps.values()].find((step) => step.with?.['base-url'] !== undefined)?.with ?? {};
    const given = Object.entries(used).map(([name, text]) => [
      `inputs.${name}`,
      evaluated(text, { 'env.PORT': String(port) }),
    ]);
    const judge = stepsOf('actions/conformance/action.yml', 'runs', 'steps').get('Judge the service');
    const values = { 'inputs.profile': 'smoke', 'inputs.report-dir': 'reports', ...Object.fromEntries(given) };
    const { code, printed } = await runStep(judge, values);
    process.kill(Number(written('pid')));
    expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining('Conforms: ') });
    expect(written('summary.md')).toContain('✅ Pet Store conformance: conforms');
    expect((await runStep(steps.get('Show what the service logged'))).printed).toContain('Reference service at');
  });

  test('a nightly run opens an issue', async () => {
    stub('gh', 'printf "%s\\n" "$@" > argv; echo "$GH_TOKEN" > token; cat > body');
    mkdirSync(join(job, 'reports'));
    writeFileSync(join(job, 'reports/comparison.md'), '## Worse than before\n');
    const steps = stepsOf('examples/nightly.yml', 'jobs', 'conformance', 'steps');
    const values = { 'github.token': 'the-token', 'github.repository': 'owner/service', 'github.run_id': '7' };
    expect((await runStep(steps.get('Open an issue'), values)).code).toBe(0);
    const argv = written('argv').split('\n');
    expect(argv.slice(0, 6)).toEqual([
      'issue',
      'create',
      '--repo',
      'owner/service',
      '--title',
      'Conformance of staging got worse',
    ]);
    expect(written('body')).toMatch(/^## Worse than before\n\nThe run: \S*\/owner\/service\/actions\/runs\/7\n$/);
    expect(written('token')).toBe('the-token\n');
  });

  test('a nightly run publishes the badge on a branch of its own', async () => {
    const remote = join(job, 'remote.git');
    await endOf(spawn('git', ['init', '--quiet', '--bare', remote], { stdio: ['ignore', 'pipe', 'pipe'] }));
    mkdirSync(join(job, 'reports'));
    const step = stepsOf('examples/nightly.yml', 'jobs', 'conformance', 'steps').get('Publish the badge');
    for (const color of ['red', 'brightgreen']) {
      writeFileSync(join(job, 'reports/badge.json'), JSON.stringify({ color }));
      rmSync(join(job, 'badges'), { recursive: true, force: true });
      expect(await runStep({ ...step, env: { REMOTE: remote } })).toMatchObject({ code: 0 });
    }
    const shown = ['--git-dir', remote, 'show', 'badges:badge.json'];
    const { printed } = await endOf(spawn('git', shown, { stdio: ['ignore', 'pipe', 'pipe'] }));
    expect(JSON.parse(printed)).toEqual({ color: 'brightgreen' });
  });

  test('GitLab: the suite is fetched and judges the service', async () => {
    const script = at(load(readFileSync(join(GITHUB, 'examples/gitlab-ci.yml'), 'utf8')), 'conformance', 'script');
    if (!Array.isArray(script)) throw new Error('the job has no script');
    stub('npm', 'echo "$@" >> argv');
    stub('git', `ln -s "${ROOT}" .conformance`);
    stub('node', 'echo "$@" >> argv; test -f "$1"');
    const { code } = await runStep({ run: script.join('\n') });
    expect(code).toBe(0);
    expect(written('argv')).toBe(
      [
        '--prefix .conformance ci --include=dev',
        '.conformance/src/cli/petstore-conformance.mjs --profile standard --wait-for 60 --history conformance-history.jsonl\n',
      ].join('\n'),
    );
  });
});
