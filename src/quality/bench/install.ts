import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { PACKAGE_ROOT } from '../../package.ts';
import { runCommand } from './command.ts';
import { DOCUMENT, type Tool } from './tools.ts';

/** A tool that is ready to run, or why it is not. */
export type Installed =
  | { readonly tool: Tool; readonly home: string }
  | { readonly tool: Tool; readonly unavailable: string };

/** Installs a tool from the npm registry into a folder of its own, outside the project, and runs no install script. */
export async function install(tool: Tool, scratch: string): Promise<Installed> {
  const home = join(scratch, tool.name.replaceAll(' ', '-'));
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{ "private": true }\n');
  await writeFile(join(home, DOCUMENT), JSON.stringify(await plainDocument()));
  for (const [name, content] of Object.entries(tool.files)) await writeFile(join(home, name), content);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--fetch-retries', '1'];
  const command = { program: 'npm', args: ['install', ...options, ...tool.packages], cwd: home };
  const { exitCode, output } = await runCommand(command, scratch);
  if (exitCode === 0) return { tool, home };
  const reason = output.split('\n').find((line) => /npm error (?!code)/.test(line)) ?? 'npm took too long';
  return { tool, unavailable: `not installed: ${reason.replace(/^npm error /, '')}` };
}

/** The document of the service as tools of the version before read it, with an example for the id, which they need. */
async function plainDocument(): Promise<unknown> {
  const text = await readFile(new URL('spec/openapi.yaml', PACKAGE_ROOT), 'utf8');
  const plain = text
    .replace(/^openapi: 3\.1\.0$/m, 'openapi: 3.0.3')
    .replace(/^ {2}summary: .*\n/m, '')
    .replace(/^( +)- name: petId$/m, '$&\n$1  example: 1');
  return load(plain);
}
