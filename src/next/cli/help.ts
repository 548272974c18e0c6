import { Help, type Command as Parser } from 'commander';
import { COMMAND } from '../../package.ts';
import { DeclaredOption } from './options/commander.ts';

/** The option that shows every option of `run`. */
export const HELP_ALL = '--help-all';

/** A terminal has 80 columns, unless somebody has made it wider, and 24 lines. */
export const HELP_WIDTH = 80;

const USAGE = `Usage: petstore-conformance [command] [options]      run as: ${COMMAND} …`;

const EXAMPLES = `Examples (${COMMAND} …):
  -u https://staging.example/v1          the key from $PETSTORE_API_KEY
  --embedded                             the embedded reference service
  -u URL --profile smoke --max-time 60   a deploy gate
  -u URL --read-only --token-file key    creates nothing
  -u URL --dry-run                       sends nothing
  -u URL --profile thorough              a nightly run
  -u URL --only 'LIST-*' --seed 1729
  -u URL --replay reports/failures       repeats all recorded failures`;

const ENVIRONMENT = `Environment:
  PETSTORE_BASE_URL       the target, without --base-url
  PETSTORE_API_KEY        the API key, without --token…
  NO_COLOR FORCE_COLOR    colour off or on; CI or TERM=dumb redraws nothing
  GITHUB_ACTIONS          if true, the page of the job shows the results
  HTTPS_PROXY HTTP_PROXY  proxy for https and http targets
  NO_PROXY                hosts that are reached without it`;

const EXIT_CODES = `Exit codes:
  0         the service conforms
  1         the service violates the specification, or the baseline has
            entries to remove; \`compare\`: a regression; \`faults --run\`:
            a fault was not found, or a variant failed
  2         error in the command line or configuration, or internal error
  3         no verdict: the target was unreachable, rejected the key, or too
            little could be tested
  129, 130, 143  ended by SIGHUP, Ctrl+C or SIGTERM; the reports
            contain the results so far`;

/** What fits beside an option in one line. */
const MEANING_WIDTH = 53;

/** The help of the program and of `run`: one screen with the usual options and the other commands. */
export function shortHelp(run: Parser, root: Parser, help: Help): string {
  const options = run.options.flatMap((option) => {
    if (!(option instanceof DeclaredOption) || option.declared.isUsual !== true) return [];
    const { flags, description, declared } = option;
    // Longer defaults are left to the whole help.
    return [[flags, description.length > MEANING_WIDTH ? declared.help : description] as const];
  });
  return [
    USAGE,
    '',
    run.description(),
    '',
    `Usual options (${HELP_ALL} shows every option, with examples):`,
    ...rows(options, help),
    '',
    'Commands (<command> --help shows their options):',
    ...rows(commandsOf(run, root), help),
    '',
    `Exit codes: 0 conforms, 1 violations, 2 error, 3 no verdict (see ${HELP_ALL})`,
    '',
  ].join('\n');
}

/** Everything: options by topic, the other commands, examples, environment, exit codes. */
export function wholeHelp(run: Parser, root: Parser): string {
  const help = Object.assign(run.createHelp(), { helpWidth: HELP_WIDTH, commandUsage: () => USAGE });
  const options = Help.prototype.formatHelp.call(help, run, help).trimEnd().replace('Usage: Usage:', 'Usage:');
  const commands = ['Commands:', ...rows(commandsOf(run, root), help)].join('\n');
  return `${[options, commands, EXAMPLES, ENVIRONMENT, EXIT_CODES].join('\n\n')}\n`;
}

const commandsOf = (run: Parser, root: Parser) =>
  root.commands.filter((command) => command !== run).map((command) => [command.name(), command.description()] as const);

/** Terms with what they mean beside them. */
function rows(items: readonly (readonly [term: string, meaning: string])[], help: Help): readonly string[] {
  const width = Math.max(...items.map(([term]) => term.length));
  return items.map(([term, meaning]) => help.formatItem(term, width, meaning, help));
}
