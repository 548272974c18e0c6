import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { convertActionTemplate, parseAction } from '@actions/workflow-parser/actions/index';
import { PACKAGE_ROOT } from '../package.ts';
import { isObject } from '../reference/json.ts';
import { temporaryFolder } from '../report/temporary-folder.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);

/** A repository of the suite with the tag v1.0.0, the folders of a job, its shell, and what differs on other runners. */
export function pipelineFolders() {
  const folder = temporaryFolder();
  const bin = join(folder, 'bin');
  const suite = join(folder, 'suite');
  const work = join(folder, 'work');
  const temp = join(folder, 'temp');
  const macos = join(folder, 'macos');
  for (const path of [bin, work, temp, macos]) mkdirSync(path);
  // Only `npm ci` needs the registry: this one takes the packages of the checkout.
  const npm = spawnSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  const install = `ln -sfn '${join(ROOT, 'node_modules')}' node_modules`;
  const script = `#!/bin/sh\nif [ "$1" = ci ]; then ${install}; else exec '${npm}' "$@"; fi\n`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });

  cpSync(ROOT, suite, { recursive: true, filter: (path) => !/\/(node_modules|dist|\.git)$/.test(path) });
  const commit = 'git -c user.name=suite -c user.email=suite@localhost commit --quiet --message suite';
  const git = (cwd: string, script: string): void => {
    const { status, stderr } = spawnSync('bash', ['-ec', script], { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the repository of the suite cannot be made: ${stderr}`);
  };
  git(suite, `git init --quiet; git add .; ${commit}; git tag v1.0.0`);

  const path = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
  // On Linux this is a relative path, so the folders that steps run in have it. GNU tar takes D for a host here, too.
  const drive = 'D:\\a\\_temp';
  symlinkSync(temp, join(work, drive));
  writeFileSync(join(macos, 'sha256sum'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  writeFileSync(join(folder, 'npmrc'), 'ignore-scripts=true\n');
  /** The variables in which other runners differ. */
  const runners = {
    'Windows, where the temporary folder has a drive': { RUNNER_TEMP: drive },
    'macOS, which has no sha256sum': { PATH: [macos, path].join(delimiter) },
    'npm is configured to run no scripts': { NPM_CONFIG_USERCONFIG: join(folder, 'npmrc') },
  };

  let releases = 1;
  /** A checkout of another version of the suite. Packing takes what is built here, which is quick. */
  function release(prepack = `cp -R '${join(ROOT, 'dist')}' .`) {
    releases += 1;
    const version = `${releases}.0.0`;
    const checkout = join(folder, version);
    git(suite, `git worktree add --quiet --detach '${checkout}'`);
    const manifest = join(checkout, 'package.json');
    const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, JSON.stringify({ ...(isObject(content) ? content : {}), version, scripts: { prepack } }));
    git(checkout, `${commit} --all; git tag v${version}`);
    symlinkSync(temp, join(checkout, drive));
    return { checkout, version };
  }

  /** Runs a script as GitHub and GitLab do, which end it at the first command that fails; then stops what it started. */
  async function bash(script: string, environment: Readonly<Record<string, string>>) {
    const env = { PATH: path, HOME: folder, NO_COLOR: '1', ...environment };
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = spawn('bash', options, { cwd: work, env, detached: true });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    // Fails where the script has started nothing that still runs.
    spawnSync('kill', ['--', `-${child.pid}`]);
    return { code: Number(code), output: output + errors };
  }

  return { suite, work, temp, runners, release, bash };
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
