import { type Command, Help } from 'commander';

const EXAMPLES = `Examples:
  npm test                                                     the embedded reference service
  npm test -- --base-url https://staging.example/v1            a deployment, with $PETSTORE_API_KEY
  npm test -- -u https://staging.example/v1 --profile smoke --max-time 60
  npm test -- -u https://shop.example/v1 --read-only --token-file key.txt
  npm test -- -u https://shop.example/v1 --dry-run             how much would be sent
  npm test -- -u https://staging.example/v1 --profile thorough --soak 10m
  npm test -- -u https://a.example/v1 -u https://b.example/v1  two targets, one matrix
  npm test -- -u http://127.0.0.1:8080/v1 --only 'LIST-*' AUTH-2.createPet --seed 1729`;

const ENVIRONMENT = `Environment:
  PETSTORE_BASE_URL     the target, or several with spaces between, where --base-url is not given
  PETSTORE_API_KEY      the API key, where no --token… is given
  NO_COLOR FORCE_COLOR  colour off, colour on; CI and TERM=dumb: nothing is redrawn
  HTTPS_PROXY HTTP_PROXY NO_PROXY  the proxy for https and http targets; the hosts that need none`;

const EXIT_CODES = `Exit codes:
  0  the service conforms
  1  it violates the specification
  2  the command line, the configuration or the suite itself is at fault
  3  no verdict: the target could not be reached, refused the key, or too little could be judged
  130 and 143: ended by Ctrl-C or SIGTERM, with the reports so far`;

/** The help of the program and of `run`: the options by topic, the other commands, examples and exit codes. */
export function overview(run: Command, commands: readonly Command[]): (command: Command, helper: Help) => string {
  return (_command, helper) => {
    const width = Math.max(...commands.map((command) => helper.subcommandTerm(command).length));
    const items = commands.map((command) =>
      helper.formatItem(helper.subcommandTerm(command), width, command.summary(), helper),
    );
    const options = Help.prototype.formatHelp.call(helper, run, helper);
    const sections = [options.trimEnd(), ['Commands:', ...items].join('\n'), EXAMPLES, ENVIRONMENT, EXIT_CODES];
    return `${sections.join('\n\n')}\n`;
  };
}

export const USAGE = `npm test -- [options]
       petstore-conformance [run] [options]
       petstore-conformance <command> [options]`;
