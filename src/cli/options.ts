/** Every option of the command line, each declared once; the types of the options follow from the tables. */
import type { RateLimit } from '../http/options.ts';
import { PET_STORE } from '../petstore/description.ts';
import type { Profile, ReportFormat } from '../report/model/result.ts';
import { COMPARISON_FORMATS } from '../report/model/run-record.ts';
import { MIN_JUDGED } from '../report/model/verdict.ts';
import { invalid, quoted, UsageError } from './errors.ts';
import {
  flag,
  fromEnvironment,
  hidden,
  inQuotes,
  list,
  oneOf,
  type Reader,
  text,
  type Values,
  value,
} from './option.ts';
import { apiKey, apiKeyInFile, apiKeyInVariable, requestHeader } from './values/credentials.ts';
import { readablePath, socketPath } from './values/files.ts';
import { date, int64, integer, percent, rateLimit, seconds } from './values/numbers.ts';
import { baseUrl } from './values/urls.ts';

const KEY_VARIABLE = PET_STORE.keyVariable;
const PROFILES = ['smoke', 'standard', 'thorough'] as const satisfies readonly Profile[];
const FORMATS = ['junit', 'json', 'html', 'md', 'har', 'badge'] as const satisfies readonly ReportFormat[];
const USUAL_FORMATS: readonly ReportFormat[] = ['junit', 'json', 'html', 'md'];

const secret = (key: string): string => key;

/** Writes a time in milliseconds as it is typed: in seconds. */
const inSeconds = (ms: number): string => String(ms / 1_000);

/** The three ways to give the API key; each is read as the key itself. */
const keyOptions = (help: string, others: { readonly defaultText?: string } = {}) => ({
  token: value('--token <key>', help, apiKey, {
    usual: true,
    variable: KEY_VARIABLE,
    conflicts: ['tokenEnv', 'tokenFile'],
    secret,
    ...others,
  }),
  tokenEnv: value('--token-env <name>', 'the API key, from an environment variable', apiKeyInVariable, {
    conflicts: ['tokenFile'],
    secret,
  }),
  tokenFile: value('--token-file <path>', 'the API key, from a file', apiKeyInFile, { secret }),
});

/** The options of `key`. */
export const KEY_OPTIONS = keyOptions('the API key');

/** The API key, by whichever option it was given. */
export const keyOf = ({ token, tokenEnv, tokenFile }: Values<typeof KEY_OPTIONS>): string | undefined =>
  token ?? tokenEnv ?? tokenFile;

/** The API key, by an option or from the environment. @throws UsageError */
export const keyInForce = (given: Values<typeof KEY_OPTIONS>, environment: NodeJS.ProcessEnv): string | undefined =>
  keyOf(given) ?? fromEnvironment(KEY_OPTIONS.token, environment);

/** As {@link keyInForce}. @param who needs the key. @throws UsageError where there is none */
export function keyNeeded(who: string, given: Values<typeof KEY_OPTIONS>, environment: NodeJS.ProcessEnv): string {
  const key = keyInForce(given, environment);
  if (key !== undefined) return key;
  const ways = `set ${KEY_VARIABLE}, or give --token-env NAME, --token-file PATH or --token KEY`;
  throw new UsageError('key-missing', `--token: ${who} needs an API key; ${ways}`);
}

const REPORT_OPTIONS = {
  reports: list('--report <formats>', 'report formats, separated by commas', oneOf(FORMATS), {
    separator: ',',
    initial: USUAL_FORMATS,
    choices: FORMATS,
    shown: hidden,
  }),
  reportDir: value('--report-dir <dir>', 'folder for the reports', text, {
    initial: 'reports',
    shown: hidden,
  }),
  remember: value(
    '--remember <file>',
    'keep 25 animals of the run, and look first at those that an earlier one kept',
    text,
    {
      shown: hidden,
      conflicts: ['replay'],
    },
  ),
  history: value('--history <file>', 'also add the run to this file, as a line; `compare` reads it', text, {
    shown: hidden,
    conflicts: ['replay'],
  }),
};

const REACHING_PATH = { shown: inQuotes, reaches: true } as const;

const TARGET = {
  baseUrl: list('-u, --base-url <url>', 'URL of the target, ending in /v1; repeatable', baseUrl, {
    variable: 'PETSTORE_BASE_URL',
    defaultText: 'the embedded reference service',
    usual: true,
    key: (url) => url,
  }),
  caFile: value('--ca <file>', 'additional certificate authority to trust (PEM)', text, REACHING_PATH),
  insecure: flag('--insecure', 'accept any certificate', { conflicts: ['caFile'], reaches: true }),
  certFile: value('--cert <file>', 'client certificate (PEM)', text, REACHING_PATH),
  keyFile: value('--key <file>', 'private key of --cert (PEM; default: in the same file)', text, REACHING_PATH),
  unixSocket: value(
    '--unix-socket <path>',
    'connect to this socket; the URL then gives only host and path',
    socketPath,
    REACHING_PATH,
  ),
  waitForMs: value('--wait-for <seconds>', 'how long to wait for the target to come up', seconds(0, 3600), {
    initial: 0,
    write: inSeconds,
    shown: hidden,
  }),
};

const CREDENTIALS = {
  ...KEY_OPTIONS,
  headers: list(
    '-H, --header <name:value>',
    'additional request header; repeatable, the value is a secret',
    requestHeader,
    {
      reaches: true,
      key: ({ name }) => name.toLowerCase(),
      named: ({ name }) => `the header ${name}`,
      write: ({ name, value: given }) => `${name}: ${given}`,
      shown: ({ name }) => `-H '${name}: …'`,
      secret: (header) => header.value,
    },
  ),
};

const SCOPE = {
  profile: value('--profile <name>', 'smoke for a deploy gate, thorough for a nightly run', oneOf(PROFILES), {
    initial: 'standard',
    choices: PROFILES,
    usual: true,
  }),
  failFast: flag('--fail-fast', 'end the run at the first violation, with its full proof'),
  dryRun: flag('--dry-run', 'print how much each check would send; sends nothing to the target', { shown: hidden }),
  readOnly: flag('--read-only', 'create nothing; checks that need to are inconclusive', { usual: true }),
  maxCreates: value(
    '--max-creates <n>',
    'maximum number of animals to create; they cannot be deleted',
    integer(0, 100_000),
    { defaultText: 'set by the profile' },
  ),
  yes: flag('-y, --yes', 'create without asking, even if the URL looks like production', { shown: hidden }),
  categoryIds: list('--category-id <n>', 'category that exists in the service; repeatable', int64, {
    defaultText: 'any',
  }),
  only: list('--only <id...>', 'run only these: LIST-2, LIST-*, AUTH-2.createPet', text, {
    usual: true,
    shown: inQuotes,
  }),
  skip: list('--skip <id...>', 'run all but these', text, { shown: inQuotes }),
  seed: value('--seed <n>', 'seed of the random samples', integer(0, 2 ** 31 - 1), {
    defaultText: 'random, always printed',
  }),
  replay: value('--replay <file>', 'repeat a recorded failure, from reports/failures/', readablePath, {
    usual: true,
  }),
  baseline: value(
    '--baseline <file>',
    'known failures, which do not fail the run; stale and expired entries do',
    readablePath,
  ),
  strict: flag('--strict', 'fail on undocumented statuses where the specification leaves the answer open'),
  minJudged: value(
    '--min-judged <percent>',
    'minimum share of the requirements to be judged, otherwise exit code 3',
    percent,
    { initial: MIN_JUDGED, shown: (share, name) => (share === MIN_JUDGED ? undefined : `${name} ${share}`) },
  ),
  today: value('--today <date>', 'pretend that today is this date, YYYY-MM-DD (tests the removal of getPet)', date, {
    defaultText: 'today, UTC',
  }),
};

const writtenRate = (limit: RateLimit): string => (limit.kind === 'fixed' ? `${limit.perSecond}/s` : limit.kind);

const PACE = {
  concurrency: value('--concurrency <n>', 'concurrent requests, 1 to 256', integer(1, 256), { initial: 64 }),
  rateLimit: value(
    '--rate-limit <n/s>',
    'maximum requests per second, such as 50/s, or `auto` to find out',
    rateLimit,
    {
      initial: { kind: 'none' },
      defaultText: 'no limit',
      write: writtenRate,
      shown: (limit, name) => (limit.kind === 'none' ? undefined : `${name} ${writtenRate(limit)}`),
    },
  ),
  requestTimeoutMs: value('--request-timeout <seconds>', 'timeout of a request', seconds(0.001, 600), {
    initial: 10_000,
    defaultText: '10',
    write: inSeconds,
  }),
  maxTimeMs: value('--max-time <seconds>', 'timeout of the whole run', seconds(0.001, 86_400), {
    defaultText: 'set by the profile',
    write: inSeconds,
    shown: hidden,
  }),
  settleMs: value('--settle <seconds>', 'how soon a new animal must be in the list', seconds(0, 3600), {
    initial: 5_000,
    defaultText: '5',
    write: inSeconds,
  }),
  lingerMs: value('--linger <seconds>', 'how old its first animals are when the run looks again', seconds(0, 3600), {
    defaultText: 'set by the profile, 40 for thorough',
    write: inSeconds,
  }),
};

const OUTPUT = {
  quiet: flag('-q, --quiet', 'print only violations and the verdict', { conflicts: ['verbose'], shown: hidden }),
  verbose: flag(
    '-v, --verbose',
    'also print headers, every requirement and latencies, and the stack of an internal error',
    { shown: hidden },
  ),
  color: flag('--no-color', 'print without colour', { shown: hidden }),
};

/** The options of `run`, by their heading in the help. Each is declared once, here. Times are in milliseconds. */
export const RUN_GROUPS = {
  'Target:': TARGET,
  'Credentials (never shown anywhere):': CREDENTIALS,
  'What to run:': SCOPE,
  'Pace and timeouts:': PACE,
  'Reports:': REPORT_OPTIONS,
  'Output:': OUTPUT,
};

export const RUN_OPTIONS = {
  ...TARGET,
  ...CREDENTIALS,
  ...SCOPE,
  ...PACE,
  ...REPORT_OPTIONS,
  ...OUTPUT,
};

export const LIST_OPTIONS = {
  only: list('--only <id...>', 'list only these requirements, such as LIST-2 or LIST-*', text),
  json: flag('--json', 'print JSON'),
};

const sentence: Reader<string> = (given, source) => {
  if (given.trim() !== '') return given.trim();
  throw invalid(source, 'the text is empty; say why, or leave it out');
};

const host: Reader<string> = (name, source) => {
  if (/^[\w.:-]+$/.test(name)) return name;
  throw invalid(source, `${quoted(name)} is not a host; write one such as 127.0.0.1`);
};

export const SERVE_OPTIONS = {
  port: value('--port <n>', 'port to listen on; 0 for any free one', integer(0, 65_535), { initial: 8080 }),
  host: value('--host <address>', 'address to listen on', host, { initial: '127.0.0.1' }),
  ...keyOptions('the API key that it accepts', { defaultText: 'petstore-demo-key' }),
  faults: list('--fault <name>', 'break one thing; repeatable, `faults` lists them', text, { separator: ',' }),
  variants: list('--variant <name>', 'make another permitted choice; repeatable', text, { separator: ',' }),
  latencyMs: value('--latency <ms>', 'delay of every response, in milliseconds', integer(0, 60_000), { initial: 0 }),
  animals: value('--animals <n>', 'number of animals to start with', integer(0, 1_000_000), {
    defaultText: 'a handful',
  }),
};

export const FAULTS_OPTIONS = {
  json: flag('--json', 'print the list as JSON', { conflicts: ['run'] }),
  run: flag('--run', 'test a service with each of them; writes faults.json and faults.html'),
  only: list(
    '--only <name...>',
    'with --run: only these faults and variants, such as limit-7-gives-8 or filter-*',
    text,
    { separator: ',', needs: 'run' },
  ),
  jobs: value('--jobs <n>', 'with --run: number of worker processes', integer(1, 64), {
    defaultText: 'two per processor',
    needs: 'run',
  }),
  maxTimeMs: value('--max-time <seconds>', 'with --run: as many as this time allows, by --seed', seconds(1, 86_400), {
    needs: 'run',
  }),
  pairs: value('--pairs <n>', 'with --run: <n> services with two faults instead', integer(1, 400), {
    needs: 'run',
    conflicts: ['only', 'maxTimeMs', 'replays', 'whole'],
  }),
  replays: flag('--replays', 'with --run: also replay a failure of each fault', {
    needs: 'run',
  }),
  profile: value('--profile <name>', 'with --run: the profile of the runs', oneOf(PROFILES), {
    defaultText: 'standard',
    choices: PROFILES,
    needs: 'run',
  }),
  whole: flag('--whole', 'with --run: all checks to their end on every fault, not only on every fourth', {
    needs: 'run',
  }),
  seed: value('--seed <n>', 'with --run: the seed', integer(0, 2 ** 31 - 1), { defaultText: '1', needs: 'run' }),
  reportDir: value('--report-dir <dir>', 'with --run: folder for the reports', text, {
    initial: 'reports',
    needs: 'run',
  }),
  color: flag('--no-color', 'with --run: print without colour', { needs: 'run' }),
};

/** What a judgement of traffic takes, which sends nothing of its own: each in one line of its help. */
const TRAFFIC = {
  strict: flag('--strict', 'count suspicions as violations'),
  baseline: { ...SCOPE.baseline, help: 'known failures, which do not fail it' },
  minJudged: value('--min-judged <percent>', 'minimum share of requirements', percent, {
    initial: 0,
    defaultText: 'none',
  }),
  redactNames: flag('--redact-names', 'show no names, not even wrong ones'),
  reports: list('--report <formats>', 'formats', oneOf(FORMATS), { separator: ',', initial: USUAL_FORMATS }),
  reportDir: REPORT_OPTIONS.reportDir,
  history: value('--history <file>', 'also add the result to this file', text),
  quiet: flag('-q, --quiet', 'print only violations and the verdict'),
  color: OUTPUT.color,
};

export const JUDGE_OPTIONS = {
  baseUrl: value('-u, --base-url <url>', 'address that is meant', baseUrl, { defaultText: 'the only one' }),
  ...TRAFFIC,
};

export const PROXY_OPTIONS = {
  baseUrl: value('-u, --base-url <url>', 'URL of the service, ending in /v1', baseUrl),
  port: value('--port <n>', 'port to listen on', integer(0, 65_535), { initial: 8081 }),
  host: value('--host <address>', 'address to listen on', host, { initial: '127.0.0.1' }),
  maxTimeMs: value('--max-time <seconds>', 'end after this time', seconds(0.001, 31_536_000)),
  failFast: flag('--fail-fast', 'end at the first violation'),
  caFile: { ...TARGET.caFile, help: 'additional authority to trust (PEM)' },
  insecure: TARGET.insecure,
  ...TRAFFIC,
};

export const BASELINE_OPTIONS = {
  output: value('-o, --output <file>', 'file to write; existing entries are kept while they still fail', text, {
    defaultText: 'printed',
  }),
  reason: value('--reason <text>', 'why new failures are accepted', sentence, { defaultText: 'what is wrong' }),
  expires: value('--expires <date>', 'the last day on which new entries count, YYYY-MM-DD', date, {
    defaultText: 'no end',
  }),
};

export const COMPARE_OPTIONS = {
  history: value('--history <file>', 'compare runs that a history holds, instead of two results', text),
  last: value(
    '--last <n>',
    'with --history: compare the first and the last of the last n runs of one target',
    integer(2, 10_000),
    { defaultText: '2', needs: 'history' },
  ),
  baseUrl: value('-u, --base-url <url>', 'with --history: the target', baseUrl, {
    defaultText: 'that of the last run',
    needs: 'history',
  }),
  format: value('--format <format>', 'how to print it', oneOf(COMPARISON_FORMATS), {
    initial: 'text',
    choices: COMPARISON_FORMATS,
  }),
};
