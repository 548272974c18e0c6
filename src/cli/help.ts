import { Help, Option, type Command as Parser } from 'commander';
import { COMMAND } from '../package.ts';
import type { Options } from './options/option.ts';
import { RUN_OPTIONS } from './options/tables.ts';

/** The option that shows every option of `run`. */
export const HELP_ALL = '--help-all';

/** A terminal has at least 80 columns and 24 lines, unless somebody has changed that. */
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
  --replay reports                       says what became of its findings`;

const ENVIRONMENT = `Environment:
  PETSTORE_BASE_URL       the target, without --base-url
  PETSTORE_API_KEY        the API key, without --token…
  NO_COLOR FORCE_COLOR    colour off or on
  CI TERM=dumb            if set, progress is not redrawn
  GITHUB_ACTIONS          if true, the job page shows the results
  HTTPS_PROXY HTTP_PROXY  proxy for https and http targets
  NO_PROXY                hosts to reach without a proxy`;

const EXIT_CODES = `Exit codes:
  0         the service conforms
  1         the service violates the specification, or the baseline has
            entries to remove; \`compare\`: a regression
  2         error in the command line or configuration, or internal error
  3         no verdict: the target was unreachable, rejected the key, or too
            little could be tested
  129, 130, 143  ended by SIGHUP, Ctrl+C or SIGTERM; the reports
            contain the results so far`;

const SHORT_EXIT_CODES = `Exit codes: 0 conforms, 1 violations, 2 error, 3 no verdict (see ${HELP_ALL})`;

const DECLARED: Options = RUN_OPTIONS;

/** The help of the program and of `run`: one screen with the common options, or everything. */
export function helpOf(run: Parser, root: Parser, extent: 'short' | 'whole'): string {
  const help = Object.assign(new Help(), {
    helpWidth: HELP_WIDTH,
    commandUsage: () => USAGE,
    visibleCommands: () => root.commands.filter((command) => command !== run),
    subcommandTerm: (command: Parser) => command.name(),
  });
  if (extent === 'short') {
    help.visibleOptions = () => run.options.filter((option) => DECLARED[option.attributeName()]?.isUsual);
    help.optionDescription = (option) => DECLARED[option.attributeName()]?.help ?? '';
    help.groupItems = (_all, visible) => {
      const isOptions = visible.some((item) => item instanceof Option);
      return new Map([[isOptions ? `Common options (${HELP_ALL} shows every option):` : 'Commands:', visible]]);
    };
  }
  const text = help.formatHelp(run, help).trimEnd().replace('Usage: Usage:', 'Usage:');
  return `${[text, ...(extent === 'short' ? [SHORT_EXIT_CODES] : [EXAMPLES, ENVIRONMENT, EXIT_CODES])].join('\n\n')}\n`;
}
