import { randomBytes, randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Catalogue } from '../engine/catalogue.ts';
import type { ProxySettings } from '../http/connect/proxy.ts';
import type { RememberedEntry } from '../report/model/remembered.ts';
import { conflict } from './errors.ts';
import { addOptions, fromEnvironment, type Values } from './option.ts';
import { type JUDGE_OPTIONS, keyNeeded, keyOf, type PROXY_OPTIONS, RUN_OPTIONS } from './options.ts';
import { shownValues } from './shown-options.ts';
import { isContinuousIntegration, type Surroundings, type Terminal, terminalOf } from './terminal.ts';
import { checkCertificates, checkFile, checkFolder } from './values/files.ts';
import { readPatterns, refuseEmptySelection } from './values/requirements.ts';
import { readProxies } from './values/urls.ts';

/** What the options of `run` give. */
export type GivenRunOptions = Values<typeof RUN_OPTIONS>;

/** The report folder of a run that writes nothing. */
export const NOWHERE = '';

/** Where a replay writes its reports, in the report folder. */
const REPLAY_FOLDER = 'replay';

/** Everything that a user can ask of a run against one target, checked and complete. */
export type RunOptions = Omit<
  GivenRunOptions,
  'baseUrl' | 'token' | 'tokenEnv' | 'tokenFile' | 'yes' | 'seed' | 'today' | 'quiet' | 'verbose' | 'color'
> &
  Terminal & {
    /** Undefined for the embedded reference service. */
    readonly baseUrl: string | undefined;
    readonly token: string;
    readonly seed: number;
    /** The UTC date, `YYYY-MM-DD`. */
    readonly today: string;
    /** Whether a person at the terminal can be asked for confirmation. */
    readonly mayAsk: boolean;
    readonly proxies: ProxySettings | undefined;
    readonly output: 'quiet' | 'normal' | 'verbose';
    /** What an earlier run has added, where `remember` names it. */
    readonly remembered?: readonly RememberedEntry[] | undefined;
  };

/**
 * Checks the options against each other and completes them.
 * @returns one set for each target; one without a URL for the embedded reference service
 * @throws UsageError
 */
export async function readRunOptions(
  given: GivenRunOptions,
  environment: NodeJS.ProcessEnv,
  surroundings: Surroundings,
): Promise<readonly RunOptions[]> {
  const { replay, reportDir } = given;
  // A replay must not replace the reports that its command was copied from.
  const dir = replay === undefined ? reportDir : join(reportDir, REPLAY_FOLDER);
  const targets = completedAndChecked({ ...given, reportDir: dir }, environment, surroundings);
  checkFolder('--report-dir', dir);
  if (!isSelective(given)) return targets;
  const chosen = readSelection(given, await surroundings.catalogue());
  return targets.map((options) => ({ ...options, ...chosen }));
}

/** Whether the options name requirements, for which the catalogue is needed. */
export const isSelective = ({ only, skip }: Pick<GivenRunOptions, 'only' | 'skip'>): boolean =>
  only.length > 0 || skip.length > 0;

/** The patterns of `--only` and `--skip`, checked. @throws UsageError */
export function readSelection(
  given: Pick<GivenRunOptions, 'only' | 'skip'>,
  catalogue: Catalogue,
): Pick<RunOptions, 'only' | 'skip'> {
  const only = readPatterns('--only', given.only, catalogue);
  const skip = readPatterns('--skip', given.skip, catalogue);
  refuseEmptySelection(only, skip, catalogue);
  return { only, skip };
}

/**
 * As {@link readRunOptions}, but for the requirements that are chosen and the report folder.
 * @throws UsageError
 */
export function completedAndChecked(
  given: GivenRunOptions,
  environment: NodeJS.ProcessEnv,
  surroundings: Pick<Surroundings, 'isTerminal' | 'isInputTerminal'>,
): readonly RunOptions[] {
  checkCertificates(given);
  if (given.history !== undefined) checkFile('--history', given.history);
  if (given.remember !== undefined) checkFile('--remember', given.remember);
  return completed(given, environment, surroundings);
}

function completed(
  given: GivenRunOptions,
  environment: NodeJS.ProcessEnv,
  surroundings: Pick<Surroundings, 'isTerminal' | 'isInputTerminal' | 'isErrorTerminal'>,
): readonly RunOptions[] {
  const { isTerminal, isInputTerminal = false } = surroundings;
  const { baseUrl: urls, token, tokenEnv, tokenFile, yes, quiet, verbose, color, seed, today, ...rest } = given;
  const options = {
    ...rest,
    ...terminalOf(surroundings, environment, color),
    seed: seed ?? randomInt(2 ** 31),
    today: today ?? new Date().toISOString().slice(0, 10),
    mayAsk: !yes && isTerminal && isInputTerminal && !isContinuousIntegration(environment),
    output: quiet ? 'quiet' : verbose ? 'verbose' : 'normal',
  } as const;
  const baseUrls = urls.length > 0 ? urls : fromEnvironment(RUN_OPTIONS.baseUrl, environment);
  if (options.remember !== undefined && baseUrls.length !== 1) {
    throw conflict('--remember: the file is about one target that outlives the run; give one --base-url');
  }
  const proxies = readProxies(environment);
  const key = keyOf(given);
  if (baseUrls.length === 0) {
    if (options.unixSocket !== undefined) {
      const hint = 'add one, such as --base-url http://localhost/v1';
      throw conflict(`--unix-socket: missing URL to request over the socket; ${hint}`);
    }
    // The key in the environment belongs to a real service: the embedded one does not get it.
    // Letters in both cases and digits: the checks of part 5 vary the key.
    const randomKey = `Embedded-${randomBytes(18).toString('hex')}`;
    return [{ ...options, proxies: undefined, baseUrl: undefined, token: key ?? randomKey }];
  }
  const tokenInForce = keyNeeded('the target', given, environment);
  return baseUrls.map((url) => ({ ...options, proxies, baseUrl: url, token: tokenInForce }));
}

/** A run without options, against the embedded service, with seed 1 and without a key; `changes` replace defaults. */
export function runDefaults(changes: Partial<RunOptions> = {}): RunOptions {
  const given = addOptions(new Command(), RUN_OPTIONS, {}).opts<GivenRunOptions>();
  const [options] = completed({ ...given, seed: 1 }, {}, { isTerminal: false });
  if (options === undefined) throw new Error('a run always has a target');
  return { ...options, token: '', ...changes };
}

type GivenTrafficOptions = Values<typeof JUDGE_OPTIONS> & Partial<Values<typeof PROXY_OPTIONS>>;

/** What the user asks of a judgement of traffic: of the options of a run, the others have their defaults. */
export function trafficOptions(
  { redactNames, quiet, color, ...given }: GivenTrafficOptions,
  environment: NodeJS.ProcessEnv,
  surroundings: Pick<Surroundings, 'isTerminal' | 'isErrorTerminal'>,
): { readonly run: RunOptions; readonly redactNames: boolean } {
  checkFolder('--report-dir', given.reportDir);
  const changes = {
    ...given,
    ...terminalOf(surroundings, environment, color),
    output: quiet ? 'quiet' : 'normal',
  } as const;
  return { redactNames, run: runDefaults(changes) };
}

/** The options in force as a user would type them; without secrets. */
export const shownOptions = (options: RunOptions, without: readonly (keyof RunOptions)[] = []): readonly string[] =>
  shownValues(RUN_OPTIONS, options, (field) => !without.some((other) => other === field));

/** Those of them without which the target may be out of reach. */
export const reachingOptions = (options: RunOptions): readonly string[] =>
  shownValues(RUN_OPTIONS, options, (_field, { reaches }) => reaches === true);
