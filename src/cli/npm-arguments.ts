import { UsageError } from './errors.ts';

/** Options that are npm's own settings too: npm may have them in the environment for other reasons. */
const NPM_OWN: readonly string[] = 'ca color help json only quiet verbose version yes'.split(' ');

/** npm expands an abbreviation of its own options: `--token` to `--token-description`. */
const NPM_EXPANDED: Readonly<Record<string, string>> = { token: 'token_description' };

/**
 * `npm test --base-url URL`, without `--`, gives the option to npm, which passes on only the URL. npm puts its options
 * into the environment, so this can be noticed before the wrong target is tested.
 * @param names the long options of the subcommand, without hyphens in front
 * @param url what to suggest after `--base-url`
 * @throws UsageError with the line to write instead
 */
export function refuseSwallowedOptions(
  command: string,
  names: readonly string[],
  url: string,
  environment: NodeJS.ProcessEnv,
): void {
  const isKept = (name: string): boolean =>
    [name.replaceAll('-', '_'), NPM_EXPANDED[name]].some((kept) => environment[`npm_config_${kept}`] !== undefined);
  const swallowed = names.filter((name) => !NPM_OWN.includes(name) && isKept(name));
  const [first] = swallowed;
  if (first === undefined) return;
  const given = swallowed.map((name) => `--${name}`).join(', ');
  const option = first === 'base-url' ? `--base-url ${url}` : `--${first} …`;
  throw new UsageError(
    'option-swallowed-by-npm',
    `${given}: npm did not pass this on; write \`npm test -- ${command === 'run' ? '' : `${command} `}${option}\`, with -- before the first option`,
  );
}
