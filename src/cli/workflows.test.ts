/** The workflows, the action and the examples for users are such as GitHub and GitLab take. */
import { readdirSync, readFileSync } from 'node:fs';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { convertActionTemplate, parseAction } from '@actions/workflow-parser/actions/index';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../package.ts';

const GITHUB = new URL('.github/', PACKAGE_ROOT);
const textOf = (path: string): string => readFileSync(new URL(path, GITHUB), 'utf8');
const trace = new NoOperationTraceWriter();

async function workflowFaults(content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, trace);
  const parsed = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined || parsed.length > 0) return parsed;
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return errors.map(({ Message }) => Message);
}

function actionFaults(content: string): readonly string[] {
  const { context, value } = parseAction({ name: 'action.yml', content }, trace);
  if (value !== undefined) convertActionTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

const workflows = ['workflows/', 'examples/']
  .flatMap((folder) => readdirSync(new URL(folder, GITHUB)).map((file) => `${folder}${file}`))
  .filter((path) => !path.includes('gitlab'));

describe('workflows', () => {
  test.each(workflows)('%s', async (path) => {
    expect(await workflowFaults(textOf(path))).toEqual([]);
  });

  test.each([
    ['an unknown key', 'timeout-minutes:', 'timeout-minuets:'],
    ['an unknown function', 'if: failure()', 'if: fails()'],
    ['a context that is not there', 'env.PORT', 'ports.PORT'],
  ])('%s is found', async (_what, right, wrong) => {
    const text = textOf('examples/pull-request.yml');
    expect(text).toContain(right);
    expect(await workflowFaults(text.replace(right, wrong))).not.toEqual([]);
  });
});

describe('the action', () => {
  const text = textOf('actions/conformance/action.yml');

  test('is one', () => {
    expect(actionFaults(text)).toEqual([]);
    expect(actionFaults(text.replace('shell: bash', 'shel: bash'))).not.toEqual([]);
  });

  test('knows every input that is used, in itself and in the examples', () => {
    const { context, value } = parseAction({ name: 'action.yml', content: text }, trace);
    if (value === undefined) throw new Error('the action cannot be parsed');
    const inputs = convertActionTemplate(context, value).inputs?.map(({ id }) => id) ?? [];
    const used = [...text.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(inputs));
    for (const path of ['examples/pull-request.yml', 'examples/nightly.yml']) {
      const [, given = ''] = /actions\/conformance@main\n +with:\n((?: {10}.*\n)+)/.exec(textOf(path)) ?? [];
      const names = [...given.matchAll(/^ {10}([\w-]+):/gm)].map(([, name]) => name ?? '');
      expect(names).toContain('base-url');
      expect(names.filter((name) => !inputs.includes(name))).toEqual([]);
    }
  });

  test('puts no input into a script, where it could be carried out', () => {
    const scripts = [...text.matchAll(/run: (?:\|\n((?: {8}.*\n)+)|(.*))/g)].map(([, block, line]) => block ?? line);
    expect(scripts).toHaveLength(3);
    expect(scripts.filter((script) => script?.includes('${{'))).toEqual([]);
  });
});

test('the example for GitLab is YAML with a job that keeps its reports', () => {
  expect(load(textOf('examples/gitlab-ci.yml'))).toMatchObject({
    conformance: { artifacts: { when: 'always', reports: { junit: 'reports/junit.xml' } } },
  });
});
