import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { convertActionTemplate, parseAction } from '@actions/workflow-parser/actions/index';
import { PACKAGE_ROOT } from '../package.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);

/** A repository of the suite with the tag v1.0.0, the folder of a job, and the shell of the job. */
export function pipelineFolders() {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  const suite = join(folder, 'suite');
  const work = join(folder, 'work');
  for (const path of [bin, work]) mkdirSync(path);
  // Only `npm ci` needs the registry: this one takes the packages of the checkout.
  const npm = spawnSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const install = `ln -sfn '${join(ROOT, 'node_modules')}' node_modules`;
  const script = `#!/bin/sh\nif [ "$1" = ci ]; then ${install}; else exec '${npm}' "$@"; fi\n`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });

  cpSync(ROOT, suite, { recursive: true, filter: (path) => !/\/(node_modules|dist|\.git)$/.test(path) });
  const commit = 'git -c user.name=suite -c user.email=suite@localhost commit --quiet --message suite';
  const { status } = spawnSync('bash', ['-ec', `git init --quiet; git add .; ${commit}; git tag v1.0.0`], {
    cwd: suite,
  });
  if (status !== 0) throw new Error('the repository of the suite cannot be made');

  /** Runs a script as GitHub and GitLab do, which end it at the first command that fails; then stops what it started. */
  async function bash(script: string, environment: Readonly<Record<string, string>>) {
    const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { PATH: path, HOME: folder, NO_COLOR: '1', ...environment };
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = spawn('bash', options, { cwd: work, env, detached: true });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    // Fails where the script has started nothing that still runs.
    spawnSync('kill', ['--', `-${child.pid}`]);
    return { code: Number(code), output: output + errors };
  }

  return { suite, work, bash };
}

/** The shell steps and the inputs of a composite action, as GitHub parses it. */
export function parsedAction(content: string) {
  const { context, value } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  const template = value === undefined ? undefined : convertActionTemplate(context, value);
  const runs = template?.runs.using === 'composite' ? template.runs.steps : [];
  const steps = runs.flatMap((step) => ('run' in step ? [step] : []));
  return { steps, inputs: template?.inputs ?? [], errors: context.errors.getErrors().map(({ message }) => message) };
}

/** What GitHub has against a workflow. */
export async function errorsOf(content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
  const found = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined || found.length > 0) return found;
  return ((await convertWorkflowTemplate(context, value)).errors ?? []).map(({ Message }) => Message);
}
