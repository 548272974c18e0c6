import type { Completion } from './completion-model.ts';
import { type Actions, argumentBranches, functionOf, valueBranches, words } from './shell-text.ts';

/** What bash reads; it needs neither the package bash-completion nor more than bash 3.2, that of macOS. */
export function bashScript(completion: Completion): string {
  const { program, usual, commands } = completion;
  const name = functionOf(completion);
  const actions: Actions = {
    words: (all, separator) =>
      // A star would be read as a pattern of file names.
      `${separator === undefined ? `${name}_words` : `${name}_listed`} ${words(all.map((word) => word.replaceAll('*', '\\*')))}`,
    file: `${name}_files -f`,
    folder: `${name}_files -d`,
    none: ':',
  };
  return `# bash completion for ${program}: source <(${program} completion bash)

# The words that begin as the user did.
${name}_words() {
  local word
  for word in "$@"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
}

# The same for the last part of a list with commas.
${name}_listed() {
  local before='' word
  [[ $cur == *,* ]] && before="\${cur%,*},"
  for word in "$@"; do
    [[ $before$word == "$cur"* && ,$before != *",$word,"* ]] && COMPREPLY+=("$before$word")
  done
}

${name}_files() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
}

${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command=${usual} option='' after=0 i word
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=''
  if (( COMP_CWORD > 1 )); then
    case "\${COMP_WORDS[1]}" in
      ${commands.map((command) => command.name).join('|')}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  # The last option before the cursor, and how many words stand after it.
  for (( i = COMP_CWORD - 1; i > 0; i-- )); do
    word=\${COMP_WORDS[i]}
    case "$word" in
      =) ;;
      -*) option=$word; break ;;
      *) (( after++ )) ;;
    esac
  done
  if [[ $cur == -* ]]; then
    case "$command" in
${commands.map((command) => `      ${command.name}) ${name}_words ${words(command.options.flatMap(({ names }) => names))} ;;`).join('\n')}
    esac
    return
  fi
  case "$command $option" in
${valueBranches(completion, actions).join('\n')}
  esac
  if (( COMP_CWORD == 1 )); then
    ${name}_words ${words(commands.map((command) => command.name))}
    return
  fi
  case "$command" in
${argumentBranches(completion, actions).join('\n')}
  esac
}

complete -F ${name} ${program}
`;
}
