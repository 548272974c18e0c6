/** The help: of the program, on one screen or whole, and of each command. */
import { COMMAND } from '../package.ts';
import { hanging } from '../report/columns.ts';
import { type Command, usageOf } from './commands/command.ts';
import { COMMANDS } from './commands/index.ts';
import type { Options } from './options/option.ts';
import { RUN_GROUPS, RUN_OPTIONS } from './options/tables.ts';

/** A terminal has at least 80 columns and 24 lines, unless somebody has changed that. */
const WIDTH = 80;

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

const SHORT_EXIT_CODES = 'Exit codes: 0 conforms, 1 violations, 2 error, 3 no verdict (see --help-all)';

/** The common options, which the short help shows. */
const USUAL = ['baseUrl', 'embedded', 'token', 'profile', 'only', 'readOnly', 'replay', 'reportDir'] as const;

/** The help of a command. That of `run` is the help of the program: one screen with the common options, or everything. */
export function helpOf(command: Command, extent: 'short' | 'whole'): string {
  const { summary, args = [], options } = command;
  if (command.name !== 'run') {
    const described = args.map(([name, help]) => [name.replace(/\W/g, ''), help] as const);
    const all = [...rowsOf(options), ['-h, --help', 'show this help'] as const];
    return page(`Usage: ${usageOf(command)}`, summary, ...sections({ 'Arguments:': described, 'Options:': all }));
  }
  const others = COMMANDS.filter((other) => other !== command).map((other) => [other.name, other.summary] as const);
  if (extent === 'short') {
    const usual = USUAL.map((field) => [RUN_OPTIONS[field].flags, RUN_OPTIONS[field].help] as const);
    const rows = { 'Common options (--help-all shows every option):': usual, 'Commands:': others };
    return page(USAGE, summary, ...sections(rows), SHORT_EXIT_CODES);
  }
  const groups = Object.entries<Options>(RUN_GROUPS).map(([title, group]) => [title, rowsOf(group)] as const);
  const rows = sections({ ...Object.fromEntries(groups), 'Commands:': others });
  return page(USAGE, summary, ...rows, EXAMPLES, ENVIRONMENT, EXIT_CODES);
}

const page = (...parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

type Rows = readonly (readonly [term: string, text: string])[];

/** The rows below their headings; the texts of all begin in the same column. */
function sections(all: Readonly<Record<string, Rows>>): readonly string[] {
  const filled = Object.entries(all).filter(([, rows]) => rows.length > 0);
  const width = Math.max(...filled.flatMap(([, rows]) => rows.map(([term]) => term.length)));
  const line = ([term, text]: Rows[number]) => hanging(`  ${term.padEnd(width)}  `, text, WIDTH);
  return filled.map(([title, rows]) => [title, ...rows.map(line)].join('\n'));
}

/** Each option with its help, its choices and its default. */
const rowsOf = (options: Options): Rows =>
  Object.values(options).map(({ flags, help, choices, variable, initial, takes, write = String }) => {
    const initials: readonly unknown[] = initial === undefined || takes === 'nothing' ? [] : [initial].flat();
    const usual = variable === undefined ? initials.map(write).join(',') : `$${variable}`;
    const facts = [
      ...(choices === undefined ? [] : [`choices: ${choices.map((choice) => `"${choice}"`).join(', ')}`]),
      ...(usual === '' ? [] : [`default: ${usual}`]),
    ];
    return [flags, facts.length === 0 ? help : `${help} (${facts.join(', ')})`];
  });
