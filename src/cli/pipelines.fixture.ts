import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { convertActionTemplate, parseAction } from '@actions/workflow-parser/actions/index';
import { PACKAGE_ROOT } from '../package.ts';
import { temporaryFolder } from '../report/temporary-folder.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);

/** The folder that a job works in, checkouts of the suite, and the shell that runs the steps. */
export function pipelineFolders() {
  const folder = temporaryFolder();
  const work = join(folder, 'work');
  mkdirSync(work);
  // Only `npm ci` needs the registry: this one takes the packages of the tests. Anything else is left to the real npm.
  const install = `ln -sfn '${join(ROOT, 'node_modules')}' node_modules`;
  const npm = `#!/bin/sh\nif [ "$1" = ci ]; then ${install}; else PATH="\${PATH#*:}"; exec npm "$@"; fi\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });

  /** A checkout of the suite: nothing is installed or built in it. */
  function checkout(name: string): string {
    cpSync(ROOT, join(folder, name), { recursive: true, filter: (file) => !/\/(node_modules|dist|\.git)$/.test(file) });
    return join(folder, name);
  }

  /** Runs a script as GitHub and GitLab do, which end it at the first command that fails; then stops what it started. */
  async function bash(script: string, environment: Readonly<Record<string, string>>, cwd = work) {
    const PATH = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { PATH, HOME: folder, NO_COLOR: '1', ...environment };
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = spawn('bash', options, { cwd, env, detached: true });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    // Fails where the script has started nothing that still runs.
    spawnSync('kill', ['--', `-${child.pid}`]);
    return { code: Number(code), output: output + errors };
  }

  return { work, checkout, bash };
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
