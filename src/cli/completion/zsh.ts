import { shellQuote } from '../../report/model/text.ts';
import type { CompletedOption, Completion } from './completion-model.ts';
import { type Actions, argumentBranches, functionOf, valueBranches, words } from './shell-text.ts';

/** What zsh reads, after compinit: from a file named `_petstore-conformance` in `$fpath`, or by `source`. */
export function zshScript(completion: Completion): string {
  const { program, usual, commands } = completion;
  const name = functionOf(completion);
  const actions: Actions = {
    words: (all, separator) =>
      separator === undefined ? `compadd -- ${words(all)}` : `_sequence -s ${separator} compadd - ${words(all)}`,
    file: '_files',
    folder: '_files -/',
    none: ':',
  };
  return `#compdef ${program}
# zsh completion for ${program}: source <(${program} completion zsh)

${name}() {
  local command=${usual} option='' word
  local -i after=0 i
  local -a described
  if (( CURRENT > 2 )); then
    case "\${words[2]}" in
      ${commands.map((command) => command.name).join('|')}) command=\${words[2]} ;;
    esac
  fi
  # The last option before the cursor, and how many words stand after it.
  for (( i = CURRENT - 1; i > 1; i-- )); do
    word=\${words[i]}
    if [[ $word == -* ]]; then option=$word; break; fi
    (( after++ ))
  done
  if [[ \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    after=0
    compset -P '*='
  elif [[ \${words[CURRENT]} == -* ]]; then
    case "$command" in
${commands.map((command) => `      ${command.name}) described=(${described(command.options)}) ;;`).join('\n')}
    esac
    _describe -o option described
    return
  fi
  case "$command $option" in
${valueBranches(completion, actions).join('\n')}
  esac
  if (( CURRENT == 2 )); then
    described=(${commands.map(({ name: one, says }) => shellQuote(`${one}:${says}`)).join(' ')})
    _describe command described
    return
  fi
  case "$command" in
${argumentBranches(completion, actions).join('\n')}
  esac
}

# Read by compinit, the file is the function itself.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

const described = (options: readonly CompletedOption[]): string =>
  options.flatMap(({ names, says }) => names.map((name) => shellQuote(`${name}:${says}`))).join(' ');
