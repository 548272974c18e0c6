import { bashScript } from './bash.ts';
import type { Completion } from './completion-model.ts';
import { fishScript } from './fish.ts';
import type { Shell } from './shells.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<Shell, (completion: Completion) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** What a shell must read to complete the program. It starts no process when a user presses Tab. */
export const completionScript = (shell: Shell, completion: Completion): string => SCRIPTS[shell](completion);
