import { shellQuote } from '../../report/model/text.ts';
import type { Candidates, Completion } from './completion-model.ts';

/** The name of a shell function of the program. */
export const functionOf = ({ program }: Completion): string => `_${program.replaceAll('-', '_')}`;

/** Words as a shell reads them. */
export const words = (all: readonly string[]): string => all.map(shellQuote).join(' ');

/** What bash and zsh run for each kind of candidates. */
export interface Actions {
  readonly words: (all: readonly string[], separator: string | undefined) => string;
  readonly file: string;
  readonly folder: string;
  readonly none: string;
}

const actionFor = (candidates: Candidates, actions: Actions): string =>
  candidates.kind === 'words' ? actions.words(candidates.words, candidates.separator) : actions[candidates.kind];

/**
 * The branches of a `case` statement about `command option`, for bash and zsh: what completes the value of each option
 * that takes one. Of an option that takes one value, only the first word after it is one.
 */
export function valueBranches({ commands }: Completion, actions: Actions): readonly string[] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap(({ names, value, isVariadic }) => {
      if (value === undefined) return [];
      const patterns = names.map((written) => shellQuote(`${name} ${written}`)).join('|');
      const guard = isVariadic ? '' : '(( after == 0 )) && ';
      return `    ${patterns}) ${guard}{ ${actionFor(value, actions)}; return; } ;;`;
    }),
  );
}

/** The branches about the command alone: what completes its arguments. */
export const argumentBranches = ({ commands }: Completion, actions: Actions): readonly string[] =>
  commands.flatMap(({ name, argument }) =>
    argument.kind === 'none' ? [] : `    ${shellQuote(name)}) ${actionFor(argument, actions)} ;;`,
  );
