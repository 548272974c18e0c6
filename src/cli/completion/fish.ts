import type { Candidates, CompletedOption, Completion } from './completion-model.ts';
import { functionOf } from './shell-text.ts';

/** What fish reads: `~/.config/fish/completions/petstore-conformance.fish`, or by `source`. */
export function fishScript(completion: Completion): string {
  const { program, usual, commands } = completion;
  const name = functionOf(completion);
  const others = commands.filter((command) => command.name !== usual);
  const complete = `complete -c ${program}`;
  const first = commands.map(
    (command) => `${complete} -n __fish_is_first_token -f -a ${quote(command.name)} -d ${quote(command.says)}`,
  );
  const options = commands.flatMap((command) => {
    // Without the name of a command, the options are those of the usual one.
    const where =
      command.name === usual
        ? `not __fish_seen_subcommand_from ${others.map((other) => other.name).join(' ')}`
        : `__fish_seen_subcommand_from ${command.name}`;
    const lines = command.options.flatMap((option) => [
      `${complete} -n ${quote(where)} ${namesOf(option)} -d ${quote(option.says)}${takes(option.value)}`,
      ...more(option, `${complete} -n ${quote(`${where}; and ${name}_follows ${option.names.join(' ')}`)}`),
    ]);
    const argument = command.argument.kind === 'none' ? [] : `${complete} -n ${quote(where)}${given(command.argument)}`;
    return [...lines, ...[argument].flat()];
  });
  return `# fish completion for ${program}: ${program} completion fish | source

# Whether the last option before the cursor is one of these.
function ${name}_follows
    for word in (commandline -opc)[-1..1]
        if string match -q -- '-*' $word
            contains -- $word $argv
            return
        end
    end
    return 1
end

${complete} -f
${[...first, ...options].join('\n')}
`;
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const namesOf = ({ names }: CompletedOption): string =>
  names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ');

/** How an option takes its value. */
function takes(value: Candidates | undefined): string {
  if (value === undefined) return '';
  return value.kind === 'none' ? ' -x' : ` -r${given(value)}`;
}

/** What completes a value or an argument. */
function given(candidates: Candidates): string {
  switch (candidates.kind) {
    case 'file':
      return ' -F';
    case 'folder':
      return ` -f -a '(__fish_complete_directories)'`;
    case 'none':
      return ' -f';
    case 'words': {
      const words = candidates.words.map((word) => (word.includes('*') ? word.replaceAll('*', '\\*') : word)).join(' ');
      const { separator } = candidates;
      return ` -f -a ${quote(separator === undefined ? words : `(__fish_append ${separator} ${words})`)}`;
    }
  }
}

/** Of an option that takes several values, those after the first. */
const more = ({ isVariadic, value }: CompletedOption, complete: string): readonly string[] =>
  isVariadic && value?.kind === 'words' ? [`${complete}${given(value)}`] : [];
