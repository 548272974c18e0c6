import { Command } from 'commander';
import { overview, USAGE } from './help.ts';

/** What the parser found, before anything of it is checked; every value is still the text that was typed. */
export interface RunFlags {
  readonly baseUrl?: readonly string[];
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly unixSocket?: string;
  readonly waitFor?: string;
  readonly token?: string;
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
  readonly header?: readonly string[];
  readonly profile?: string;
  readonly soak?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly readOnly?: boolean;
  readonly maxCreates?: string;
  readonly categoryId?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly seed?: string;
  readonly replay?: string;
  readonly expectedFailures?: string;
  readonly strict?: boolean;
  readonly today?: string;
  readonly concurrency?: string;
  readonly rateLimit?: string;
  readonly requestTimeout?: string;
  readonly maxTime?: string;
  readonly settle?: string;
  readonly report?: readonly string[];
  readonly reportDir?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color: boolean;
}

export interface ListFlags {
  readonly only?: readonly string[];
  readonly json?: boolean;
}

export interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly token?: string;
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
  readonly fault?: readonly string[];
  readonly variant?: readonly string[];
  readonly latency?: string;
  readonly animals?: string;
}

export interface FaultsFlags {
  readonly json?: boolean;
  readonly run?: boolean;
  readonly only?: readonly string[];
  readonly jobs?: string;
  readonly seed?: string;
  readonly reportDir?: string;
  readonly color: boolean;
}

export interface MergeFlags {
  readonly report?: readonly string[];
  readonly reportDir?: string;
  readonly color: boolean;
}

/** The parser, with every subcommand by name. */
export interface Program {
  readonly root: Command;
  readonly commands: Readonly<Record<CommandName, Command>>;
}

export type CommandName = 'run' | 'list' | 'serve' | 'faults' | 'compare' | 'merge';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/**
 * The options and subcommands as the parser knows them. It never ends the process: help, version and mistakes are
 * thrown as a `CommanderError`.
 * @param version what `--version` says
 * @param write takes the text of help and version
 * @param choose told which subcommand was meant, once all of the line is parsed
 */
export function createProgram(
  version: string,
  write: (text: string) => void,
  choose: (name: CommandName) => void,
): Program {
  const root = new Command('petstore-conformance')
    .exitOverride()
    .showSuggestionAfterError(false)
    .allowExcessArguments(true)
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });

  const subcommand = (name: CommandName, summary: string, isDefault = false): Command =>
    root
      .command(name, { isDefault })
      .summary(summary)
      .description(summary)
      .allowExcessArguments(true)
      .action(() => choose(name));

  const run = subcommand('run', 'judges a target: the default', true);
  describeRun(run);

  const list = subcommand('list', 'lists the requirements that the suite judges')
    .option('--only <id...>', 'only these requirements, such as LIST-2 or LIST-*')
    .option('--json', 'as JSON')
    .helpOption('-h, --help', 'this text');

  const serve = subcommand('serve', 'starts the reference service, to try things on')
    .option('--port <n>', 'the port to listen on; 0 for any free one (default 8080)')
    .option('--host <address>', 'the address to listen on (default 127.0.0.1)')
    .option('--token <key>', 'the API key that it takes (default petstore-demo-key)')
    .option('--token-env <name>', 'the API key, from a variable of the environment')
    .option('--token-file <path>', 'the API key, from a file')
    .option('--fault <name>', 'break one thing; repeatable, `faults` lists them', collect)
    .option('--variant <name>', 'make another permitted choice; repeatable', collect)
    .option('--latency <ms>', 'milliseconds that every answer is held back (default 0)')
    .option('--animals <n>', 'how many animals to start with (default a handful)')
    .helpOption('-h, --help', 'this text');

  const faults = subcommand(
    'faults',
    'lists the faults and variants of the reference service, or tries the checks on them',
  )
    .option('--json', 'the list as JSON')
    .option('--run', 'judge a service with each of them in turn; writes faults.json and faults.html')
    .option('--only <name...>', 'with --run: only these faults and variants, such as limit-7-gives-8 or filter-*')
    .option('--jobs <n>', 'with --run: worker processes (default two a processor: each waits now and then)')
    .option('--seed <n>', 'with --run: the seed of every trial (default 1)')
    .option('--report-dir <dir>', 'with --run: where to write to (default reports)')
    .option('--no-color', 'with --run: no colour')
    .helpOption('-h, --help', 'this text');

  const compare = subcommand('compare', 'shows what changed between two results')
    .argument('<before>', 'a conformance.json, or the folder that holds it')
    .argument('<after>', 'the later one')
    .helpOption('-h, --help', 'this text');

  const merge = subcommand('merge', 'makes one result of several parts of a run')
    .argument('<results...>', 'conformance.json files, or the folders that hold them')
    .option('--report <formats>', 'which reports to write (default junit,json,html,md)', collect)
    .option('--report-dir <dir>', 'where to (default reports)')
    .option('--no-color', 'without colour')
    .helpOption('-h, --help', 'this text');

  root.version(version, '-V, --version', 'the version').helpOption('-h, --help', 'this text');
  const help = {
    formatHelp: overview(run, [list, serve, faults, compare, merge]),
    commandUsage: () => USAGE,
  };
  root.configureHelp(help);
  run.configureHelp(help);
  return { root, commands: { run, list, serve, faults, compare, merge } };
}

function describeRun(run: Command): void {
  run
    .description('Judges any implementation of the Pet Store service against its whole specification.')
    .optionsGroup('Target:')
    .option(
      '-u, --base-url <url>',
      'the target, ending in /v1; repeatable (default $PETSTORE_BASE_URL, or else the embedded reference service)',
      collect,
    )
    .option('--ca <file>', 'a certificate authority to trust too, in PEM')
    .option('--insecure', 'accept any certificate')
    .option('--cert <file>', 'a client certificate to show, in PEM')
    .option('--key <file>', 'the private key of --cert, in PEM (default: in the same file)')
    .option('--unix-socket <path>', 'connect to this socket; the address then only names host and path')
    .option('--wait-for <seconds>', 'how long to wait for the target to come up (default 0)')

    .optionsGroup('Credentials (never shown anywhere):')
    .option('--token <key>', 'the API key (default $PETSTORE_API_KEY)')
    .option('--token-env <name>', 'the API key, from a variable of the environment')
    .option('--token-file <path>', 'the API key, from a file')
    .option('-H, --header <name:value>', 'a further request header; repeatable, its value is a secret', collect)

    .optionsGroup('How much:')
    .option('--profile <name>', 'smoke for a deploy gate, standard (the default), thorough for a nightly run')
    .option('--soak <duration>', 'then keep the service under load for so long: 30s, 5m, 1h (default not at all)')
    .option('--dry-run', 'only say how much would be sent, by check; nothing is sent to the target')
    .option('--read-only', 'send nothing that could create; what cannot be judged so is inconclusive')
    .option('--max-creates <n>', 'the budget of animals, which stay: there is no delete (default by profile)')
    .option('-y, --yes', 'create without asking, at an address that looks like production too')
    .option('--category-id <n>', 'a category that the service knows; repeatable (default: any)', collect)
    .option('--only <id...>', 'only these requirements or checks: LIST-2, LIST-*, AUTH-2.createPet')
    .option('--skip <id...>', 'all but these')
    .option('--seed <n>', 'what random samples are drawn from (default random, printed always)')
    .option('--replay <file>', 'one recorded failure again, from reports/failures/')
    .option('--expected-failures <file>', 'a baseline: failures in it do not fail the run, stale entries do')
    .option('--strict', 'open points answered outside the documented statuses fail too')
    .option('--today <date>', 'the clock for the removal date, YYYY-MM-DD (default today, UTC)')

    .optionsGroup('Pace and patience:')
    .option('--concurrency <n>', 'requests under way at once, 1 to 256 (default 32)')
    .option('--rate-limit <n/s>', 'at most so many requests a second, or `auto` to find out (default none)')
    .option('--request-timeout <seconds>', 'for one whole answer (default 10)')
    .option('--max-time <seconds>', 'for the whole run (default by profile)')
    .option('--settle <seconds>', 'how soon the list must show a new animal (default 5)')

    .optionsGroup('Reports:')
    .option('--report <formats>', 'any of junit,json,html,md,har (default junit,json,html,md)', collect)
    .option('--report-dir <dir>', 'where to (default reports)')

    .optionsGroup('Output:')
    .option('-q, --quiet', 'only the verdict')
    .option('-v, --verbose', 'every check, and the stack of a fault of the suite')
    .option('--no-color', 'without colour')
    .option('-V, --version', 'the version')
    .helpOption('-h, --help', 'this text');
}

/** The long options of a command, without their hyphens. */
export function longNames(command: Command): readonly string[] {
  const flags = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long.slice(2)]));
  return [...flags, 'help'];
}
