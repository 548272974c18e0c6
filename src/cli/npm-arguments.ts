import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';

/** Options whose names are npm's own settings too: their presence in the environment proves nothing. */
const NPM_OWN: ReadonlySet<string> = new Set([
  'ca',
  'color',
  'help',
  'json',
  'only',
  'quiet',
  'verbose',
  'version',
  'yes',
]);

/** npm takes a name that is the beginning of one of its own for that one: `--token` for `--token-description`. */
const NPM_EXPANDED: ReadonlyMap<string, string> = new Map([['token', 'token-description']]);

/**
 * `npm test --base-url URL`, without `--`, hands the option to npm, which keeps it as a setting and passes on only the
 * URL. npm tells its settings in the environment, so that the loss can be noticed before the wrong target is judged.
 * @param command the subcommand
 * @param longNames its long options, without their hyphens
 * @param address what to write behind `--base-url` in the mended line
 * @throws UsageError with the line to write instead
 */
export function refuseSwallowedOptions(
  command: string,
  longNames: readonly string[],
  address: string,
  environment: Environment,
): void {
  const kept = (name: string): boolean => environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined;
  const swallowed = longNames.filter(
    (name) => !NPM_OWN.has(name) && (kept(name) || kept(NPM_EXPANDED.get(name) ?? name)),
  );
  const [first] = swallowed;
  if (first === undefined) return;
  const options = swallowed.map((name) => `--${name}`).join(', ');
  const these = swallowed.length === 1 ? 'this option' : 'these options';
  const option = first === 'base-url' ? `--base-url ${address}` : `--${first} …`;
  const mended = command === 'run' ? option : `${command} ${option}`;
  throw new UsageError(
    'option-swallowed-by-npm',
    `${options}: npm kept ${these} for itself; write \`npm test -- ${mended}\`, with -- before the first option`,
  );
}
