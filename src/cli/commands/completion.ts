import type { Writable } from 'node:stream';
import { CATALOGUE } from '../../petstore/catalogue.ts';
import { completionOf, type Ids } from '../completion/completion-model.ts';
import { completionScript } from '../completion/completion-script.ts';
import { CHECK_LIST } from '../run/check-list.prebuilt.ts';
import type { Command } from './command.ts';

/** Prints what a shell reads to complete the program. @returns the exit code */
export function printCompletion(
  { shell, program }: Extract<Command, { kind: 'completion' }>,
  stdout: Writable,
): number {
  stdout.write(completionScript(shell, completionOf(program, 'run', ids())));
  return 0;
}

/** What `--only` and `--skip` take: requirements, whole parts of the specification, and checks. */
function ids(): Ids {
  const requirements = CATALOGUE.requirements.map(({ id }) => id);
  const families = requirements.map((id) => id.replace(/-\d+$/, '-*'));
  const requirement = [...new Set([...families, ...requirements])];
  const checks = CHECK_LIST.map(({ id }) => id);
  return { requirement, check: [...new Set([...requirement, ...checks])] };
}
