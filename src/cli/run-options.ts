import { randomBytes, randomInt } from 'node:crypto';
import type { RunOptions } from '../engine/options.ts';
import type { RateLimit } from '../http/options.ts';
import type { Profile } from '../report/model/result.ts';
import { KEY_VARIABLE, keyFromEnvironment, keyFromOptions } from './api-key.ts';
import { readBaseUrl } from './base-url.ts';
import { oneOf } from './choices.ts';
import { certificateIn, readClientCertificate } from './client-certificate.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';
import { optional, readDate, readDuration, readInt64, readInteger, readSeconds } from './numbers.ts';
import type { RunFlags } from './program.ts';
import { readProxies } from './proxy-environment.ts';
import { quoted } from './quoted.ts';
import { readablePath } from './readable-file.ts';
import { readReportOptions } from './report-options.ts';
import { readHeaders } from './request-header.ts';
import { readPatterns, refuseEmptySelection } from './requirement-patterns.ts';
import type { Surroundings } from './surroundings.ts';
import { isContinuousIntegration, terminalOf } from './terminal.ts';

const PROFILES: readonly Profile[] = ['smoke', 'standard', 'thorough'];
/** What the shortest of the usual systems takes, in bytes. */
const LONGEST_SOCKET_PATH = 103;
const BASE_URL_VARIABLE = 'PETSTORE_BASE_URL';

/**
 * Checks and completes the options of `run`.
 * @returns one set for each target, or one without an address for the embedded reference service
 * @throws UsageError
 */
export async function readRunOptions(
  flags: RunFlags,
  environment: Environment,
  surroundings: Surroundings,
): Promise<readonly RunOptions[]> {
  if (flags.quiet === true && flags.verbose === true) {
    throw new UsageError(
      'option-conflict',
      '--quiet and --verbose: only one of them can be followed; leave out the other',
    );
  }
  if (flags.insecure === true && flags.ca !== undefined) {
    throw new UsageError(
      'option-conflict',
      '--insecure and --ca: with --insecure no authority is asked; leave out one of them',
    );
  }
  const soakMs = optional(flags.soak, (text) => readDuration('--soak', text));
  const maxTimeMs = optional(flags.maxTime, (text) => readSeconds('--max-time', text, { min: 0.001, max: 86_400 }));
  if (soakMs !== undefined && maxTimeMs !== undefined && soakMs >= maxTimeMs) {
    throw new UsageError(
      'option-conflict',
      '--soak and --max-time: the whole run must be longer than its soak; raise --max-time or leave it out',
    );
  }
  const baseUrls = readBaseUrls(flags.baseUrl, environment);
  const key = keyFromOptions(flags, environment);
  const { only, skip } = await readSelection(flags, surroundings);
  const options: Omit<RunOptions, 'baseUrl' | 'token'> = {
    headers: readHeaders('--header', flags.header ?? []),
    profile: flags.profile === undefined ? 'standard' : oneOf('--profile', flags.profile, PROFILES),
    soakMs,
    dryRun: flags.dryRun ?? false,
    mayAsk:
      flags.yes !== true &&
      surroundings.isTerminal &&
      surroundings.isInputTerminal === true &&
      !isContinuousIntegration(environment),
    readOnly: flags.readOnly ?? false,
    maxCreates: optional(flags.maxCreates, (text) => readInteger('--max-creates', text, { min: 0, max: 100_000 })),
    categoryIds: [...new Set((flags.categoryId ?? []).map((text) => readInt64('--category-id', text)))],
    only,
    skip,
    seed:
      flags.seed === undefined ? randomInt(2 ** 31) : readInteger('--seed', flags.seed, { min: 0, max: 2 ** 31 - 1 }),
    replay: optional(flags.replay, (path) => readablePath('--replay', path)),
    concurrency: readInteger('--concurrency', flags.concurrency ?? '32', {
      min: 1,
      max: 256,
    }),
    rateLimit: flags.rateLimit === undefined ? { kind: 'none' } : readRateLimit(flags.rateLimit),
    requestTimeoutMs: readSeconds('--request-timeout', flags.requestTimeout ?? '10', { min: 0.001, max: 600 }),
    maxTimeMs,
    settleMs: readSeconds('--settle', flags.settle ?? '5', {
      min: 0,
      max: 3600,
    }),
    waitForMs: readSeconds('--wait-for', flags.waitFor ?? '0', {
      min: 0,
      max: 3600,
    }),
    expectedFailures: optional(flags.expectedFailures, (path) => readablePath('--expected-failures', path)),
    strict: flags.strict ?? false,
    today: flags.today === undefined ? new Date().toISOString().slice(0, 10) : readDate('--today', flags.today),
    ...readReportOptions(flags),
    caFile: optional(flags.ca, (path) => {
      certificateIn('--ca', path);
      return path;
    }),
    ...readClientCertificate(flags.cert, flags.key),
    unixSocket: optional(flags.unixSocket, readSocketPath),
    proxies: readProxies(environment),
    insecure: flags.insecure ?? false,
    output: flags.quiet === true ? 'quiet' : flags.verbose === true ? 'verbose' : 'normal',
    ...terminalOf(surroundings.isTerminal, environment, flags.color),
  };
  if (baseUrls.length === 0) {
    // The key of the environment is meant for a real service: the embedded one never sees it.
    if (options.unixSocket !== undefined) {
      throw new UsageError(
        'option-conflict',
        '--unix-socket: the address that is asked for over it is missing; give it too, as --base-url http://localhost/v1',
      );
    }
    return [{ ...options, proxies: undefined, baseUrl: undefined, token: key ?? randomKey() }];
  }
  const token = key ?? keyFromEnvironment(environment);
  if (token === undefined) {
    throw new UsageError(
      'key-missing',
      `--token: the target needs an API key; set ${KEY_VARIABLE}, or give --token-env NAME, --token-file PATH or --token KEY`,
    );
  }
  return baseUrls.map((baseUrl) => ({ ...options, baseUrl, token }));
}

function readBaseUrls(given: readonly string[] | undefined, environment: Environment): readonly string[] {
  const [source, texts] =
    given === undefined
      ? ([
          BASE_URL_VARIABLE,
          (environment[BASE_URL_VARIABLE] ?? '').split(/\s+/).filter((text) => text !== ''),
        ] as const)
      : (['--base-url', given] as const);
  const baseUrls = texts.map((text) => readBaseUrl(source, text));
  const twice = baseUrls.find((url, index) => baseUrls.indexOf(url) !== index);
  if (twice !== undefined)
    throw new UsageError('option-conflict', `${source}: ${quoted(twice)} is given twice; give it once`);
  return baseUrls;
}

async function readSelection(
  flags: Pick<RunFlags, 'only' | 'skip'>,
  surroundings: Surroundings,
): Promise<Pick<RunOptions, 'only' | 'skip'>> {
  if (flags.only === undefined && flags.skip === undefined) return { only: [], skip: [] };
  const catalogue = await surroundings.catalogue();
  const only = readPatterns('--only', flags.only ?? [], catalogue);
  const skip = readPatterns('--skip', flags.skip ?? [], catalogue);
  refuseEmptySelection(only, skip, catalogue);
  return { only, skip };
}

function readRateLimit(text: string): RateLimit {
  if (text === 'auto') return { kind: 'auto' };
  const [, digits] = /^(\d{1,6}(?:\.\d{1,6})?)\/s$/.exec(text) ?? [];
  const perSecond = Number(digits);
  if (perSecond >= 0.01 && perSecond <= 100_000) return { kind: 'fixed', perSecond };
  const bare = /^\d+(\.\d+)?$/.test(text)
    ? `; did you mean ${text}/s?`
    : '; write it as 50/s (from 0.01/s to 100000/s), or auto';
  throw new UsageError('value-invalid', `--rate-limit: ${quoted(text)} is not a number of requests a second${bare}`);
}

/** Whether it is there is seen when it is used: a service may yet come up. */
function readSocketPath(path: string): string {
  if (path === '') throw new UsageError('value-invalid', '--unix-socket: the path is empty; name a socket');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path;
  throw new UsageError(
    'value-invalid',
    `--unix-socket: the path has ${Buffer.byteLength(path)} bytes, and the system takes ${LONGEST_SOCKET_PATH} at most; name a shorter one, or a link`,
  );
}

/** A key of letters in both cases and digits, as the checks of part 5 need one to vary. */
function randomKey(): string {
  return `Embedded-${randomBytes(18).toString('hex')}`;
}
