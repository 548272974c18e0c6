/** All options, each declared once; their types follow from the tables. Times are in milliseconds. */

import { FORMAT_NAMES } from '../../report/formats.ts';
import { headerVariable } from '../../result/evidence.ts';
import type { Profile } from '../../run/budget.ts';
import { pattern } from '../catalogue.ts';
import { flag, list, oneOf, preset, text, type Values, value } from './option.ts';
import {
  apiKey,
  baseUrl,
  date,
  host,
  int64,
  integer,
  path,
  perSecond,
  requestHeader,
  seconds,
  sentence,
} from './values.ts';

const profile = oneOf<Profile>(['smoke', 'standard', 'thorough']);

/** A time in milliseconds, typed in seconds. @param range in seconds, both ends included */
const time = (name: string, help: string, range: readonly [min: number, max: number], initial: number) =>
  preset(`${name} <seconds>`, help, seconds(...range), initial, { write: (ms) => String(ms / 1_000) });

/** The ways to give the API key. @param fallback what is used if there is none, for the help */
const keyOptions = (help: string, fallback = '') => ({
  token: value('--token <key>', help + fallback, apiKey, { variable: 'PETSTORE_API_KEY', conflicts: ['tokenFile'] }),
  tokenFile: value('--token-file <path>', `${help}, from a file`, text),
});

const TARGET = {
  baseUrl: value('-u, --base-url <url>', 'URL of the target, ending in /v1', baseUrl, {
    variable: 'PETSTORE_BASE_URL',
  }),
  embedded: flag('--embedded', 'test the reference service of this package', { conflicts: ['baseUrl'] }),
  waitForMs: time('--wait-for', 'how long to wait until the service responds, not only a gateway', [0, 3600], 0),
  caFile: value('--ca <file>', 'additional certificate authority to trust (PEM)', text),
  certFile: value('--cert <file>', 'client certificate (PEM)', text),
  keyFile: value('--key <file>', 'private key of --cert (PEM; default: in the same file)', text),
  insecure: flag('--insecure', 'accept any certificate', { conflicts: ['caFile'] }),
};

const CREDENTIALS = {
  ...keyOptions('the API key'),
  headers: list('-H, --header <name:value>', 'additional request header; repeatable', requestHeader, {
    key: ([name]) => name.toLowerCase(),
    write: ([name, content]) => `${name}: ${content}`,
    show: ([name]) => `-H "${name}: $${headerVariable(name)}"`,
  }),
};

const SCOPE = {
  profile: preset('--profile <name>', 'smoke for a deploy gate, thorough for a nightly run', profile, 'standard'),
  only: list('--only <id...>', 'test only these requirements: LIST-2, LIST-*', pattern, { isSplit: true }),
  skip: list('--skip <id...>', 'test all but these requirements', pattern, { isSplit: true }),
  failFast: flag('--fail-fast', 'end the run at the first violation, with full evidence'),
  readOnly: flag('--read-only', 'create nothing; skip tests that would'),
  maxCreates: value(
    '--max-creates <n>',
    'maximum number of animals to create (default: set by the profile)',
    integer(0, 100_000),
  ),
  yes: flag('-y, --yes', 'create without asking, even if the URL looks like production'),
  categoryIds: list('--category-id <n>', 'category that exists in the service; repeatable (default: any)', int64),
  seed: value(
    '--seed <n>',
    'seed of random values and order (default: random, always printed)',
    integer(0, 2 ** 31 - 1),
  ),
  today: value(
    '--today <date>',
    'the date to test for, YYYY-MM-DD (for the removal of getPet) (default: today, UTC)',
    date,
  ),
  dryRun: flag('--dry-run', 'print what a run would send and create; sends nothing'),
  replay: value('--replay <result>', 'run again, and say what became of the findings of a result', path('reports'), {
    conflicts: [
      ...['seed', 'profile', 'only', 'skip', 'concurrency', 'settleMs', 'categoryIds', 'today', 'failFast'],
      ...['baseline', 'history', 'remember'],
    ],
  }),
  baseline: value('--baseline <file>', 'known failures, which do not fail the run', text),
};

const PACE = {
  concurrency: preset('--concurrency <n>', 'number of connections, 1 to 64', integer(1, 64), 16),
  perSecond: value('--rate-limit <n/s>', 'maximum requests per second, such as 50/s (default: no limit)', perSecond, {
    write: (rate) => `${rate}/s`,
  }),
  requestTimeoutMs: time('--request-timeout', 'timeout of a request', [0.001, 600], 10_000),
  maxTimeMs: time('--max-time', 'timeout of the whole run', [0.001, 86_400], 900_000),
  settleMs: time('--settle', 'how long a new animal may be missing from lists', [0, 3600], 5_000),
};

const REPORTS = {
  reports: list('--report <formats>', 'report formats, separated by commas', oneOf(FORMAT_NAMES), {
    isSplit: true,
    initial: FORMAT_NAMES,
  }),
  reportDir: value('--report-dir <dir>', 'folder for the reports (default: reports)', path('reports')),
  remember: value(
    '--remember <file>',
    'list what is created in this file; check what the last run listed there',
    path('created.jsonl'),
    { conflicts: ['embedded'] },
  ),
  history: value('--history <file>', 'compare with the last run in this file, and add this one', path('history.jsonl')),
};

const OUTPUT = {
  quiet: flag('-q, --quiet', 'print only findings and the verdict', { conflicts: ['verbose'] }),
  verbose: flag('-v, --verbose', 'also print headers, every requirement and latencies'),
  color: flag('--no-color', 'print without colour'),
};

/** Options with which every command prints a text instead. */
export const PROGRAM_OPTIONS = {
  version: flag('-V, --version', 'print the version'),
  helpAll: flag('--help-all', 'show every option, with examples'),
  help: flag('-h, --help', 'show the common options'),
};

/** The options of a run, by their heading in the help. */
export const RUN_GROUPS = {
  'Target:': TARGET,
  'Credentials (never logged):': CREDENTIALS,
  'What to test:': SCOPE,
  'Pace and timeouts:': PACE,
  'Reports:': REPORTS,
  'Output:': { ...OUTPUT, ...PROGRAM_OPTIONS },
};

export const RUN_OPTIONS = { ...TARGET, ...CREDENTIALS, ...SCOPE, ...PACE, ...REPORTS, ...OUTPUT };

export type RunValues = Values<typeof RUN_OPTIONS>;

/** Options that only the command has: another way to give the key, and what concerns the terminal. */
export const COMMAND_ONLY = ['tokenFile', 'dryRun', 'yes', 'quiet', 'verbose', 'color'] as const;

/** Options that reports do not repeat: the key, consent, and what concerns only the output. */
export const UNREPORTED: readonly string[] = ['token', 'yes', 'dryRun', ...Object.keys({ ...REPORTS, ...OUTPUT })];

/** The options of the command line with the same defaults, for programs; times are in milliseconds. */
export type TestingOptions = {
  readonly [Field in Exclude<keyof RunValues, (typeof COMMAND_ONLY)[number]>]?: RunValues[Field] | undefined;
};

export const KEY_OPTIONS = keyOptions('the API key');

export const LIST_OPTIONS = {
  only: list('--only <id...>', 'list only these requirements, such as LIST-2 or LIST-*', pattern, { isSplit: true }),
  json: flag('--json', 'print JSON'),
};

export const SERVE_OPTIONS = {
  port: preset('--port <n>', 'port to listen on; 0 for any free one', integer(0, 65_535), 8080),
  host: preset('--host <address>', 'address to listen on', host, '127.0.0.1'),
  ...keyOptions('the API key that it accepts', '; if there is none, petstore-demo-key'),
  faults: list('--fault <name>', 'add a fault; repeatable, `faults` lists them', text, { isSplit: true }),
  variants: list('--variant <name>', 'make another permitted choice; repeatable', text, { isSplit: true }),
  latencyMs: preset('--latency <ms>', 'delay of every response, in milliseconds', integer(0, 60_000), 0),
  animals: value('--animals <n>', 'number of animals to start with (default: a handful)', integer(0, 1_000_000)),
};

export const FAULTS_OPTIONS = {
  json: flag('--json', 'print the list as JSON'),
};

export const BASELINE_OPTIONS = {
  output: value(
    '-o, --output <file>',
    'file to write; existing entries are kept while they still fail (default: printed)',
    text,
  ),
  reason: value('--reason <text>', 'why new failures are accepted (default: what is wrong)', sentence),
  expires: value('--expires <date>', 'the last day on which new entries count, YYYY-MM-DD (default: no end)', date),
};

export const COMPARE_OPTIONS = {
  history: value('--history <file>', 'compare runs that a history holds, instead of two results', text),
  last: value(
    '--last <n>',
    'with --history: compare the first and the last of the last n runs with a verdict (default: 2)',
    integer(2, 10_000),
  ),
  format: preset('--format <format>', 'how to print it', oneOf(['text', 'md', 'json']), 'text'),
};
