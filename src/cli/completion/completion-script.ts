import { bashScript } from './bash.ts';
import type { Completion } from './completion-model.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (completion: Completion) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** What a shell must read to complete the program. It starts no process when a user presses Tab. */
export const completionScript = (shell: Shell, completion: Completion): string => SCRIPTS[shell](completion);
