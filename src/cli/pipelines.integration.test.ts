/** The action, the workflows and the examples: what GitHub's own parser says, and what their shell steps do. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBasicExpression, isMapping } from '@actions/workflow-parser';
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../package.ts';
import { findFault, startReference } from '../reference/index.ts';
import { isObject } from '../reference/json.ts';
import { errorsOf, parsedAction, pipelineFolders } from './pipelines.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const textOf = (path: string): string => readFileSync(join(ROOT, '.github', path), 'utf8');
const ACTION = 'actions/conformance/action.yml';
const GITLAB = 'examples/gitlab-ci.yml';
const files = [
  ACTION,
  ...['workflows', 'examples'].flatMap((dir) =>
    readdirSync(join(ROOT, '.github', dir)).map((name) => `${dir}/${name}`),
  ),
];
const workflows = files.filter((file) => file !== ACTION && file !== GITLAB);

const { steps, inputs, errors } = parsedAction(textOf(ACTION));

const { suite, work, temp, runners, release, bash } = pipelineFolders();
const KEY = 'key-of-the-tests';
const faulty = [findFault('limit-7-gives-8') ?? []].flat();
const services = [
  { faults: [], code: 0 },
  { faults: faulty, code: 1 },
];

async function freePort(): Promise<number> {
  const { baseUrl, stop } = await startReference({ token: KEY });
  await stop();
  return Number(new URL(baseUrl).port);
}

type Texts = Readonly<Record<string, string>>;

/** Runs a shell step of the action with these inputs, and outputs of earlier steps; a runner may have other variables. */
async function step(id: string, values: Texts, runner: Texts = {}) {
  const found = steps.find((one) => one.id === id || one.name?.toString() === id);
  if (found === undefined) throw new Error(`no step ${id}`);
  const environment = [...(found.env !== undefined && isMapping(found.env) ? found.env : [])];
  const given = (value: TemplateToken) => (isBasicExpression(value) ? values[value.expression] : undefined) ?? '';
  const output = join(work, 'output.txt');
  writeFileSync(output, '');
  const ended = await bash(found.run.toString(), {
    ...Object.fromEntries(environment.map(({ key, value }) => [key.toString(), given(value)])),
    ...actionIn(suite),
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: join(work, 'summary.md'),
    RUNNER_TEMP: temp,
    ...runner,
  });
  const outputs = new Map(
    Array.from(readFileSync(output, 'utf8').matchAll(/^(.*?)=(.*)$/gm), ([, name = '', value = '']) => [name, value]),
  );
  return { code: ended.code, outputs };
}

/** Where a checkout has the action. */
const actionIn = (checkout: string): Texts => ({ GITHUB_ACTION_PATH: join(checkout, '.github/actions/conformance') });

/** Runs the steps that make the package of a checkout, as they are run without a cache. */
async function built(checkout: string, runner: Texts = {}) {
  const environment = { ...actionIn(checkout), ...runner };
  const { code, outputs } = await step('suite', {}, environment);
  const folder = outputs.get('package') ?? '';
  if (code !== 0) return { code, folder };
  return { ...(await step('Build the package', { 'steps.suite.outputs.package': folder }, environment)), folder };
}

/** What the program in a package says that it is. */
const versionIn = async (PACKAGE: string) =>
  (await bash('node "$PACKAGE/src/cli/petstore-conformance.cjs" --version', { PACKAGE })).output.trim();

/** Packing succeeds and builds nothing. */
const BUILDS_NOTHING = 'true';

test.each(workflows)('%s is a workflow', async (file) => {
  expect(await errorsOf(textOf(file))).toEqual([]);
  expect(await errorsOf(textOf(file).replace('runs-on:', 'run-on:'))).not.toEqual([]);
});

test('the action is one, knows the inputs that are used, and puts none into a script', () => {
  expect(errors).toEqual([]);
  const ids = inputs.map(({ id }) => id);
  expect(new Set([...textOf(ACTION).matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name))).toEqual(new Set(ids));
  const given = workflows.flatMap((file) => [...textOf(file).matchAll(/conformance@.*\n +with:\n((?: {10}.*\n)+)/g)]);
  expect(given).toHaveLength(2);
  const names = given.flatMap(([, list = '']) => [...list.matchAll(/^ {10}([\w-]+):/gm)].map(([, name]) => name));
  expect(names.filter((name) => !ids.some((id) => id === name))).toEqual([]);
  expect(steps.filter(({ run }) => run.toString().includes('${{'))).toEqual([]);
});

test('actions are pinned, only the job that opens an issue may write, and a re-run has a history of its own', () => {
  const all = files.map(textOf).join('\n');
  const uses = [...all.matchAll(/uses: (.*)/g)].map(([, name = '']) => name);
  expect(
    uses.filter((name) => !/^(actions\/.*@[0-9a-f]{40} # v\d+\.\d+\.\d+|your-org\/.*@v\d+\.\d+\.\d+)$/.test(name)),
  ).toEqual([]);
  expect(all.match(/\S+: write/g)).toEqual(['issues: write']);
  expect(parse(textOf('examples/nightly.yml'))).toMatchObject({
    jobs: { issue: { permissions: { issues: 'write' } } },
  });
  expect(textOf('examples/nightly.yml').match(/key: .*run_attempt \}\}/g)).toHaveLength(2);
});

test('the steps of the action build the package, test a service, and fail on a regression', async () => {
  const { outputs } = await step('suite', {});
  const built = { 'steps.suite.outputs.package': outputs.get('package') ?? '' };
  expect(outputs.get('key')).toMatch(/^petstore-conformance-[0-9a-f]{32}$/);
  expect(await step('Build the package', built)).toMatchObject({ code: 0 });
  const port = await freePort();
  const inputsOf = (options: string) => ({
    ...built,
    'inputs.base-url': `http://127.0.0.1:${port}/v1`,
    'inputs.api-key': KEY,
    'inputs.profile': 'smoke',
    'inputs.report-dir': 'the reports',
    'inputs.history': 'history.jsonl',
    'inputs.options': options,
  });
  for (const { faults, code } of services) {
    const service = await startReference({ token: KEY, port, faults });
    const tested = await step('test', inputsOf(`--only LIST-2\n-H 'X-Tenant: a $(touch "carried out")'`));
    expect([tested.code, tested.outputs.get('exit-code')]).toEqual([code, `${code}`]);
    const compared = await step('compare', inputsOf(''));
    expect([compared.code, compared.outputs.get('regression')]).toEqual([code, code === 1 ? 'true' : undefined]);
    await service.stop();
  }
  expect(readdirSync(work)).not.toContain('carried out');
  const unbalanced = await step('test', inputsOf("-H 'X-Tenant: a"));
  expect([unbalanced.code, unbalanced.outputs.get('exit-code')]).toEqual([2, '2']);
  expect(await step('test', inputsOf('-u http://127.0.0.1:9/v1 -u http://127.0.0.1:8/v1'))).toMatchObject({ code: 2 });
});

test.each(Object.entries(runners))('the action builds a package that runs: %s', async (_, runner) => {
  const { checkout, version } = release();
  const { code, folder } = await built(checkout, runner);
  expect([code, await versionIn(folder)]).toEqual([0, version]);
});

test('two versions of the suite in one job have a package each', async () => {
  const [one, other] = [release(), release()];
  // The first once more, as if the cache had not kept it.
  for (const { checkout } of [one, other, one]) expect(await built(checkout)).toMatchObject({ code: 0 });
  for (const { checkout, version } of [one, other]) {
    const { outputs } = await step('suite', {}, actionIn(checkout));
    expect(await versionIn(outputs.get('package') ?? '')).toBe(version);
  }
});

test('the action does not keep a package that does not run', async () => {
  const { code, folder } = await built(release(BUILDS_NOTHING).checkout);
  expect([code, existsSync(folder)]).toEqual([2, false]);
});

const thorough = 'https://staging.example/v1 --profile thorough --wait-for 60 --rate-limit 50/s';
const quick = '$STAGING --profile smoke --only LIST-2';
const example: unknown = parse(textOf(GITLAB).replace(thorough, quick));
const at = (...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), example);

/** Runs a job of the GitLab example, which may have other variables and another script. */
function job(name: string, more: Texts, script: unknown = at(name, 'script')) {
  const variables = ['.conformance', name].flatMap((one) => Object.entries(at(one, 'variables') ?? {}));
  const given: Texts = {
    ...Object.fromEntries(variables.map(([variable, value]) => [variable, String(value)])),
    SUITE: suite,
    PETSTORE_API_KEY: KEY,
    ...more,
  };
  // GitLab expands the variables that the value of another one names.
  const expanded = Object.entries(given).map(([variable, value]) => [
    variable,
    value.replace(/\$(\w+)/g, (text, named: string) => given[named] ?? text),
  ]);
  return bash([at('.conformance', 'before_script'), script].flat().join('\n'), Object.fromEntries(expanded));
}

test('the GitLab example starts the service of a merge request, and fails a schedule on a regression', async () => {
  const runsAt = (source: string) => ({ rules: [{ if: `$CI_PIPELINE_SOURCE == "${source}"` }] });
  expect(at('conformance')).toMatchObject(runsAt('merge_request_event'));
  expect(at('conformance nightly')).toMatchObject(runsAt('schedule'));

  const start = '$CONFORMANCE serve --port $PORT --token $API_KEY';
  writeFileSync(join(work, 'package.json'), JSON.stringify({ scripts: { start } }));
  expect(await job('conformance', { PORT: `${await freePort()}` })).toMatchObject({ code: 0 });

  const port = await freePort();
  for (const { faults, code } of services) {
    const service = await startReference({ token: KEY, port, faults });
    const { code: ended, output } = await job('conformance nightly', { STAGING: `http://127.0.0.1:${port}/v1` });
    expect([ended, /^Regressions$/m.test(output)]).toEqual([code, code === 1]);
    await service.stop();
  }
});

/** What the caches of the jobs keep for a version. */
const cachedFolders = (version: string): readonly string[] => {
  const names = [...textOf(GITLAB).matchAll(/paths: \[(\.conformance.*)\/\]/g)].map(([, name = '']) => name);
  return [...new Set(names)].map((name) => join(work, name.replace('$SUITE_VERSION', `v${version}`)));
};

/** Runs the part of the GitLab example that makes the package, and asks the program which version it is. */
async function gitlabVersion(version: string, runner: Texts = {}) {
  const { code, output } = await job(
    '.conformance',
    { SUITE_VERSION: `v${version}`, ...runner },
    '$CONFORMANCE --version',
  );
  return [code, output.trim().split('\n').at(-1)];
}

test('the GitLab example builds a package that runs where npm is configured to run no scripts', async () => {
  const { version } = release();
  expect(await gitlabVersion(version, runners['npm is configured to run no scripts'])).toEqual([0, version]);
});

test('the GitLab example has a package of its own for each version, and builds again one that does not run', async () => {
  const [one, other] = [release(), release()];
  for (const { version } of [one, other, one]) expect(await gitlabVersion(version)).toEqual([0, version]);
  for (const folder of cachedFolders(one.version)) rmSync(join(folder, 'dist'), { recursive: true });
  expect(await gitlabVersion(one.version)).toEqual([0, one.version]);
});

test('the GitLab example does not keep a package that does not run', async () => {
  const { version } = release(BUILDS_NOTHING);
  const [code] = await gitlabVersion(version);
  expect([code, cachedFolders(version).map((folder) => existsSync(folder))]).toEqual([2, [false]]);
});
