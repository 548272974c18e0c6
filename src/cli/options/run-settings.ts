/** Checks and completes the options of a run, from the command line or the API. */
import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { proxyFor } from '../../http/proxy.ts';
import type { Baseline } from '../../result/baseline.ts';
import { parseBaseline } from '../../result/baseline-file.ts';
import type { ConformanceOptions } from '../../result/builders.ts';
import type { RunResult } from '../../result/result.ts';
import { readResult } from '../../result/stored.ts';
import { PROFILES } from '../../run/budget.ts';
import { selectedOf, TESTABLE } from '../catalogue.ts';
import type { Context } from '../commands/command.ts';
import type { RunSettings } from '../engine.ts';
import { invalid, UsageError, withFile } from '../errors.ts';
import { readTextOf, readTls } from './files.ts';
import type { Option, Values } from './option.ts';
import { readGiven, typedOptions } from './read.ts';
import { KEY_OPTIONS, RUN_OPTIONS, type RunValues } from './tables.ts';
import { apiKeyInFile } from './values.ts';

/** Where the values of options come from that are not given. */
type Surroundings = Pick<Context, 'environment' | 'testsEmbedded'> & Partial<Pick<Context, 'reportDir'>>;

/** The folder in the report folder for the reports of a replay, which must not replace those of the run. */
const REPLAY_FOLDER = 'replay';

/**
 * The value of an option from its environment variable.
 * @throws UsageError if the variable is set but empty, which is a mistake
 */
function fromEnvironment<T>({ initial, variable = '', read }: Option<T>, environment: NodeJS.ProcessEnv): T {
  const given = environment[variable];
  if (given === undefined) return initial;
  if (given.trim() === '') throw invalid(variable, 'the variable is set but empty; give it a value, or unset it');
  return read([given.trim()], variable);
}

/** The API key, by an option or from the environment. @throws UsageError */
export function keyOf(given: Values<typeof KEY_OPTIONS>, environment: NodeJS.ProcessEnv): string | undefined {
  const { token, tokenFile } = given;
  if (tokenFile !== undefined) return apiKeyInFile(tokenFile, '--token-file');
  return token ?? fromEnvironment(KEY_OPTIONS.token, environment);
}

/** As {@link keyOf}. @param who needs the key. @throws UsageError if there is none */
export function requiredKey(who: string, given: Values<typeof KEY_OPTIONS>, environment: NodeJS.ProcessEnv): string {
  const key = keyOf(given, environment);
  if (key !== undefined) return key;
  const ways = 'set PETSTORE_API_KEY, or give --token-file PATH or --token KEY';
  throw new UsageError('key-missing', `--token: ${who} needs an API key; ${ways}`);
}

/** @param recorded the target of the result that the run repeats, if it does */
function targetOf(
  values: RunValues,
  { environment, testsEmbedded }: Surroundings,
  recorded: RunResult['target'] | undefined,
) {
  const named = values.baseUrl ?? fromEnvironment(RUN_OPTIONS.baseUrl, environment);
  const again = recorded?.embedded === false ? recorded.baseUrl : undefined;
  const given = values.embedded ? undefined : (named ?? again);
  // Nothing is sent in a dry run.
  if (given !== undefined && values.dryRun) return { baseUrl: given, token: keyOf(values, environment) ?? '' };
  if (given !== undefined) return { baseUrl: given, token: requiredKey('the target', values, environment) };
  if (!values.embedded && !testsEmbedded && recorded === undefined) {
    const ways =
      'give --base-url URL or set PETSTORE_BASE_URL (--embedded tests the reference service of this package)';
    throw new UsageError('target-missing', `--base-url: no target is given; ${ways}`);
  }
  if (values.remember !== undefined) {
    throw invalid('--remember', 'the embedded service does not outlive the run; give a --base-url');
  }
  // Not the key in the environment, which belongs to a real service. Tests vary letters in both cases and digits.
  const token = keyOf(values, {}) ?? `Embedded-${randomBytes(18).toString('hex')}`;
  return { baseUrl: undefined, token };
}

/** The credentials of the proxy for a target. @throws UsageError if its URL cannot be used */
function proxySecrets(baseUrl: string | undefined, environment: NodeJS.ProcessEnv): readonly string[] {
  if (baseUrl === undefined) return [];
  const name = baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  try {
    const proxy = proxyFor(new URL(baseUrl), environment);
    if (proxy === undefined) return [];
    if (!/^https?:$/.test(proxy.protocol)) throw new Error('another scheme');
    const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)];
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    // A user name without a password is a token.
    return user === '' && password === '' ? [] : [password || user, basic];
  } catch {
    throw invalid(name, 'not the URL of a proxy; write it as http://proxy.example:3128, or unset it');
  }
}

async function baselineOf(file: string | undefined): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  const text = readTextOf('--baseline', file);
  const entries = await withFile('--baseline', 'baseline-invalid', () => parseBaseline(text, file, TESTABLE));
  return { file, entries };
}

type Required = 'baseUrl' | 'token' | 'seed' | 'today';

/** Options with a user's defaults for everything that is not given, for what tests the suite itself. */
export const plainOptions = (
  given: Partial<ConformanceOptions> & Pick<ConformanceOptions, Required>,
): ConformanceOptions => ({
  ...readGiven({}),
  ...{ tls: {}, baseline: undefined, replay: undefined, typed: [], remembered: [], isEmbedded: false },
  signal: new AbortController().signal,
  onEvent: () => {},
  ...given,
});

/** How many animals a run may create. */
export const creationBudget = ({ readOnly, maxCreates, profile }: RunSettings): number =>
  readOnly ? 0 : (maxCreates ?? PROFILES[profile].creations);

/** The options of a run that repeats a recorded one. What was forbidden then is, unless the user permits creations now. */
function repeating(values: RunValues, { run }: RunResult): RunValues {
  const { categories, readOnly, maxCreates, ...settings } = run.settings;
  return {
    ...values,
    ...settings,
    seed: run.seed,
    profile: run.profile,
    categoryIds: categories.map(BigInt),
    readOnly: values.readOnly || (readOnly && values.maxCreates === undefined),
    maxCreates: values.maxCreates ?? maxCreates,
  };
}

/** Checks the options against each other and completes them. @throws UsageError */
export async function runSettings(typed: RunValues, surroundings: Surroundings): Promise<RunSettings> {
  const { replay: path } = typed;
  const replay = path === undefined ? undefined : await withFile('--replay', 'replay-invalid', () => readResult(path));
  const values = replay === undefined ? typed : repeating(typed, replay);
  const { baseUrl, token } = targetOf(values, surroundings, replay?.target);
  selectedOf(values);
  const given = values.reportDir ?? surroundings.reportDir;
  const reportDir = given === undefined || replay === undefined ? given : join(given, REPLAY_FOLDER);
  const seed = values.seed ?? randomInt(2 ** 31);
  const headerValues = values.headers.map(([, value]) => value);
  return {
    ...values,
    baseUrl,
    token,
    seed,
    today: values.today ?? new Date().toISOString().slice(0, 10),
    tls: readTls(values),
    baseline: await baselineOf(values.baseline),
    replay,
    reportDir,
    reports: reportDir === undefined ? [] : values.reports,
    typed: typedOptions({
      ...typed,
      ...(replay === undefined && { seed }),
      baseUrl,
      embedded: baseUrl === undefined,
    }),
    secrets: [token, ...headerValues, ...proxySecrets(baseUrl, surroundings.environment)],
  };
}
