/** The action, the workflows and the examples: what GitHub's own parser says, and what their shell steps do. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBasicExpression, isMapping } from '@actions/workflow-parser';
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../contract/json-pointer.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { findFault, startReference } from '../reference/index.ts';
import { errorsOf, parsedAction, pipelineFolders } from './pipelines.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const textOf = (path: string): string => readFileSync(join(ROOT, '.github', path), 'utf8');
const ACTION = 'actions/conformance/action.yml';
const GITLAB = 'examples/gitlab-ci.yml';
const filesIn = (dir: string) => readdirSync(join(ROOT, '.github', dir)).map((name) => `${dir}/${name}`);
const files = [ACTION, ...filesIn('workflows'), ...filesIn('examples')];
const workflows = files.filter((file) => file !== ACTION && file !== GITLAB);

const { steps, inputs, errors } = parsedAction(textOf(ACTION));

const { work, checkout, bash } = pipelineFolders();
const KEY = 'key-of-the-tests';
type Texts = Readonly<Record<string, string>>;

async function freePort(): Promise<number> {
  const { baseUrl, stop } = await startReference({ token: KEY });
  await stop();
  return Number(new URL(baseUrl).port);
}

/** Takes a run on a service and one on the same service when it got worse, with the exit code that each must have. */
async function onTwoNights(run: (baseUrl: string, code: number) => Promise<void>): Promise<void> {
  const port = await freePort();
  const faulty = [findFault('limit-7-gives-8') ?? []].flat();
  for (const [code, faults] of [[], faulty].entries()) {
    const { baseUrl, stop } = await startReference({ token: KEY, port, faults });
    await run(baseUrl, code);
    await stop();
  }
}

/** Runs a shell step of the action, in this checkout of it, with these inputs; a runner may have other variables. */
async function step(name: string, suite: string, given: Texts, runner: Texts) {
  const found = steps.find((one) => one.name?.toString() === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  const environment = [...(found.env !== undefined && isMapping(found.env) ? found.env : [])];
  const textFor = (value: TemplateToken) => (isBasicExpression(value) ? given[value.expression] : undefined) ?? '';
  const output = join(work, 'output.txt');
  writeFileSync(output, '');
  const { code } = await bash(found.run.toString(), {
    ...Object.fromEntries(environment.map(({ key, value }) => [key.toString(), textFor(value)])),
    GITHUB_ACTION_PATH: join(suite, '.github/actions/conformance'),
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: join(work, 'summary.md'),
    ...runner,
  });
  return [code, readFileSync(output, 'utf8').trim()];
}

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

test.each<[string, Texts]>([
  ['suite', {}],
  ['suite-without-scripts', { NPM_CONFIG_IGNORE_SCRIPTS: 'true' }],
  ['suite with spaces', {}],
])('the steps of the action install the %s, test a service, and fail on a regression', async (name, runner) => {
  const suite = checkout(name);
  expect(await step('Install the suite', suite, {}, runner)).toEqual([0, '']);
  const given = {
    'inputs.api-key': KEY,
    'inputs.profile': 'smoke',
    'inputs.report-dir': `reports of ${name}`,
    'inputs.history': `history of ${name}.jsonl`,
    'inputs.options': `--only LIST-2\n-H 'X-Tenant: a $(touch "carried out")'`,
  };
  await onTwoNights(async (baseUrl, code) => {
    const tested = await step('Test the service', suite, { ...given, 'inputs.base-url': baseUrl }, runner);
    expect(tested).toEqual([code, `exit-code=${code}`]);
    const compared = await step('Compare with the previous run', suite, given, runner);
    expect(compared).toEqual([code, code === 1 ? 'regression=true' : '']);
  });
  expect(readdirSync(work)).toEqual(expect.arrayContaining([`reports of ${name}`, `history of ${name}.jsonl`]));
  expect(readdirSync(work)).not.toContain('carried out');
  const unbalanced = { ...given, 'inputs.options': "-H 'X-Tenant: a" };
  expect(await step('Test the service', suite, unbalanced, runner)).toEqual([2, 'exit-code=2']);
});

const thorough = 'https://staging.example/v1 --profile thorough --wait-for 60 --rate-limit 50/s';
const quick = '$STAGING --profile smoke --only LIST-2';
const example: unknown = parse(textOf(GITLAB).replace(thorough, quick).replace('$CI_PROJECT_DIR', work));
const at = (...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), example);

/** Runs a job of the GitLab example, which may have other variables. */
function job(name: string, more: Texts) {
  const variables = ['.conformance', name].flatMap((one) => Object.entries(at(one, 'variables') ?? {}));
  const given = Object.fromEntries(variables.map(([variable, value]) => [variable, String(value)]));
  const script = [at('.conformance', 'before_script'), at(name, 'script')].flat().join('\n');
  return bash(script, { ...given, PETSTORE_API_KEY: KEY, ...more });
}

test('the GitLab example starts the service of a merge request, and fails a schedule on a regression', async () => {
  const SUITE = checkout('repository');
  const commit = 'git -c user.name=suite -c user.email=suite@localhost commit --quiet --message suite';
  expect(await bash(`git init --quiet; git add .; ${commit}; git tag v1.0.0`, {}, SUITE)).toMatchObject({ code: 0 });

  const runsAt = (source: string) => ({ rules: [{ if: `$CI_PIPELINE_SOURCE == "${source}"` }] });
  expect(at('conformance')).toMatchObject(runsAt('merge_request_event'));
  expect(at('conformance nightly')).toMatchObject(runsAt('schedule'));

  const start = '$CONFORMANCE serve --port $PORT --token $API_KEY';
  writeFileSync(join(work, 'package.json'), JSON.stringify({ scripts: { start } }));
  expect(await job('conformance', { SUITE, PORT: `${await freePort()}` })).toMatchObject({ code: 0 });

  await onTwoNights(async (STAGING, code) => {
    const { code: ended, output } = await job('conformance nightly', { SUITE, STAGING });
    expect([ended, /^Regressions$/m.test(output)]).toEqual([code, code === 1]);
  });
});
