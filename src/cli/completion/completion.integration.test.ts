/** The completion of the command, in real shells; those that are not installed are skipped. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../run/program.fixture.ts';
import { SHELLS, type Shell } from './shells.ts';

const isMissing = (shell: string): boolean => spawnSync(shell, ['--version']).error !== undefined;

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-completion-'));
  for (const shell of SHELLS) {
    const { code, printed } = await runProgram('completion', shell);
    expect(code).toBe(0);
    writeFileSync(join(folder, shell), printed);
  }
  writeFileSync(join(folder, 'result.json'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Lets a shell run a program of its own. */
async function inShell(shell: Shell, plain: readonly string[], program: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb' };
  const { stdout } = await promisify(execFile)(shell, [...plain, '-c', program], { cwd: folder, env, timeout: 60_000 });
  return stdout;
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

describe.skipIf(isMissing('bash'))('bash', () => {
  /** What a line is completed with: its words are what bash makes of it. */
  async function completed(...typed: readonly string[]): Promise<readonly string[]> {
    const words = ['petstore-conformance', ...typed].map((word) => `'${word}'`).join(' ');
    const program = `source ./bash; COMP_WORDS=(${words}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
      $(complete -p petstore-conformance | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(await inShell('bash', ['--norc', '--noprofile'], program));
  }

  test.each<[readonly string[], readonly string[]]>([
    [['co'], ['compare', 'completion']],
    [['--prof'], ['--profile']],
    [
      ['--profile', ''],
      ['smoke', 'standard', 'thorough'],
    ],
    [['--profile', '=', 'sm'], ['smoke']],
    [
      ['--report', 'junit,h'],
      ['junit,html', 'junit,har'],
    ],
    [
      ['--only', 'LIST-2', 'AUTH-2'],
      ['AUTH-2', 'AUTH-2.listPets', 'AUTH-2.createPet', 'AUTH-2.getPet'],
    ],
    [['--skip', 'VERS-\\'], ['VERS-\\*']],
    [['--history', 'res'], ['result.json']],
    [['baseline', '--output', 'res'], ['result.json']],
    [['faults', '--profile', 'st'], ['standard']],
    [['--seed', ''], []],
    [['--profile', 'smoke', ''], []],
    [['-u', ''], []],
    [['serve', '--fa'], ['--fault']],
    [['list', '--only', 'GET-1'], ['GET-1']],
    [['completion', ''], [...SHELLS]],
    [['--replay', 'res'], ['result.json']],
  ])('%j', async (typed, expected) => {
    expect(await completed(...typed)).toEqual(expected);
  });
});

describe.skipIf(isMissing('zsh'))('zsh', () => {
  // Tab is pressed in a shell with a terminal; the end of the line, or of the list below it, then shows.
  test.each([
    ['--prof', '--profile'],
    ['--profile sm', '--profile smoke'],
    ['--profile=thor', '--profile=thorough'],
    ['--report junit,ht', '--report junit,html'],
    ['--only LIST-2 AUTH-2.cr', '--only LIST-2 AUTH-2.createPet'],
    ['serve --lat', 'serve --latency'],
    ['comp', 'show what changed between two results'],
    ['completion f', 'completion fish'],
  ])('%s', async (typed, expected) => {
    const program = `zmodload zsh/zpty
      zpty shell 'zsh -f -i'
      zpty -w shell 'autoload -Uz compinit; compinit -u -D; source ./zsh; print READ''Y'
      zpty -r -m shell seen '*READY*'
      zpty -w -n shell $'petstore-conformance ${typed}\\t'
      zpty -r -m shell seen '*${expected}*'
      zpty -d shell
      print done`;
    expect(await inShell('zsh', ['-f'], program)).toBe('done\n');
  });
});

describe.skipIf(isMissing('fish'))('fish', () => {
  test.each<[string, readonly string[]]>([
    ['co', ['compare', 'completion']],
    ['--prof', ['--profile']],
    ['--profile ', ['smoke', 'standard', 'thorough']],
    ['--profile=sm', ['--profile=smoke']],
    ['--report junit,h', ['junit,har', 'junit,html']],
    ['--only LIST-2 AUTH-2.c', ['AUTH-2.createPet']],
    ['list --only GET-1', ['GET-1']],
    ['--seed ', []],
    ['serve --fa', ['--fault']],
    ['completion ', ['bash', 'fish', 'zsh']],
  ])('%s', async (typed, expected) => {
    const program = `source ./fish; complete -C 'petstore-conformance ${typed}'`;
    const shown = lines(await inShell('fish', ['--no-config'], program)).map((line) => line.split('\t', 1)[0]);
    expect(shown).toEqual(expected);
  });
});
