/** All options, each declared once; their types follow from the tables. Times are in milliseconds. */

import { FORMAT_NAMES, FORMATS } from '../../report/formats.ts';
import { headerVariable } from '../../result/evidence.ts';
import type { Profile } from '../../run/budget.ts';
import { shellWord } from '../../text.ts';
import { pattern } from '../catalogue.ts';
import { flag, hidden, list, oneOf, text, type Values, value } from './option.ts';
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

const PROFILES = ['smoke', 'standard', 'thorough'] as const satisfies readonly Profile[];
const COMPARISON_FORMATS = ['text', 'md', 'json'] as const;

/** A time in milliseconds, typed in seconds. @param range in seconds, both ends included */
const time = (flags: string, help: string, range: readonly [min: number, max: number], initial: number) =>
  value(flags, help, seconds(...range), { initial, write: (ms) => String(ms / 1_000) });

/** The ways to give the API key. */
const keyOptions = (help: string, defaultText = '') => ({
  token: value('--token <key>', help, apiKey, {
    isUsual: true,
    variable: 'PETSTORE_API_KEY',
    conflicts: ['tokenFile'],
    typed: hidden,
    defaultText,
  }),
  tokenFile: value('--token-file <path>', `${help}, from a file`, text),
});

const TARGET = {
  baseUrl: value('-u, --base-url <url>', 'URL of the target, ending in /v1', baseUrl, {
    variable: 'PETSTORE_BASE_URL',
    isUsual: true,
  }),
  embedded: flag('--embedded', 'test the reference service of this package', { conflicts: ['baseUrl'], isUsual: true }),
  waitForMs: time(
    '--wait-for <seconds>',
    'how long to wait until the service responds, not only a gateway',
    [0, 3600],
    0,
  ),
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
    typed: (headers) => headers.map(([name]) => `-H "${name}: $${headerVariable(name)}"`).join(' '),
  }),
};

const patterns = (all: readonly string[], name: string): string => `${name} ${all.map(shellWord).join(' ')}`;

const SCOPE = {
  profile: value('--profile <name>', 'smoke for a deploy gate, thorough for a nightly run', oneOf(PROFILES), {
    initial: 'standard',
    isUsual: true,
  }),
  only: list('--only <id...>', 'test only these requirements: LIST-2, LIST-*', pattern, {
    isSplit: true,
    isUsual: true,
    typed: patterns,
  }),
  skip: list('--skip <id...>', 'test all but these requirements', pattern, { isSplit: true, typed: patterns }),
  failFast: flag('--fail-fast', 'end the run at the first violation, with full evidence'),
  readOnly: flag('--read-only', 'create nothing; skip tests that would', { isUsual: true }),
  maxCreates: value('--max-creates <n>', 'maximum number of animals to create', integer(0, 100_000), {
    defaultText: 'set by the profile',
  }),
  yes: flag('-y, --yes', 'create without asking, even if the URL looks like production', { typed: hidden }),
  categoryIds: list('--category-id <n>', 'category that exists in the service; repeatable', int64, {
    defaultText: 'any',
  }),
  seed: value('--seed <n>', 'seed of random values and order', integer(0, 2 ** 31 - 1), {
    defaultText: 'random, always printed',
  }),
  today: value('--today <date>', 'the date to test for, YYYY-MM-DD (for the removal of getPet)', date, {
    defaultText: 'today, UTC',
  }),
  dryRun: flag('--dry-run', 'print what a run would send and create; sends nothing', { typed: hidden }),
  replay: value('--replay <result>', 'run again, and say what became of the findings of a result', path('reports'), {
    isUsual: true,
    conflicts: [
      ...['seed', 'profile', 'only', 'skip', 'concurrency', 'settleMs', 'categoryIds', 'today', 'failFast'],
      ...['baseline', 'history', 'remember'],
    ],
  }),
  baseline: value('--baseline <file>', 'known failures, which do not fail the run', text),
};

const PACE = {
  concurrency: value('--concurrency <n>', 'number of connections, 1 to 64', integer(1, 64), { initial: 16 }),
  perSecond: value('--rate-limit <n/s>', 'maximum requests per second, such as 50/s', perSecond, {
    defaultText: 'no limit',
    write: (rate) => `${rate}/s`,
  }),
  requestTimeoutMs: time('--request-timeout <seconds>', 'timeout of a request', [0.001, 600], 10_000),
  maxTimeMs: time('--max-time <seconds>', 'timeout of the whole run', [0.001, 86_400], 900_000),
  settleMs: time('--settle <seconds>', 'how long a new animal may be missing from lists', [0, 3600], 5_000),
};

const REPORTS = {
  reports: list('--report <formats>', 'report formats, separated by commas', oneOf(FORMAT_NAMES), {
    isSplit: true,
    initial: FORMAT_NAMES.filter((name) => FORMATS[name].isUsual),
    typed: hidden,
  }),
  reportDir: value('--report-dir <dir>', 'folder for the reports', path('reports'), {
    defaultText: 'reports',
    isUsual: true,
    typed: hidden,
  }),
  remember: value(
    '--remember <file>',
    'list what is created in this file; check what the last run listed there',
    path('created.jsonl'),
    {
      conflicts: ['embedded'],
      typed: hidden,
    },
  ),
  history: value(
    '--history <file>',
    'compare with the last run in this file, and add this one',
    path('history.jsonl'),
    {
      typed: hidden,
    },
  ),
};

const OUTPUT = {
  quiet: flag('-q, --quiet', 'print only findings and the verdict', { conflicts: ['verbose'], typed: hidden }),
  verbose: flag('-v, --verbose', 'also print headers, every requirement and latencies', { typed: hidden }),
  color: flag('--no-color', 'print without colour', { typed: hidden }),
};

/** The options of a run, by their heading in the help. */
export const RUN_GROUPS = {
  'Target:': TARGET,
  'Credentials (never logged):': CREDENTIALS,
  'What to test:': SCOPE,
  'Pace and timeouts:': PACE,
  'Reports:': REPORTS,
  'Output:': OUTPUT,
};

export const RUN_OPTIONS = { ...TARGET, ...CREDENTIALS, ...SCOPE, ...PACE, ...REPORTS, ...OUTPUT };

export type RunValues = Values<typeof RUN_OPTIONS>;

/** Options that only the command has: another way to give the key, and what concerns the terminal. */
export const COMMAND_ONLY = ['tokenFile', 'dryRun', 'yes', 'quiet', 'verbose', 'color'] as const;

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
  port: value('--port <n>', 'port to listen on; 0 for any free one', integer(0, 65_535), { initial: 8080 }),
  host: value('--host <address>', 'address to listen on', host, { initial: '127.0.0.1' }),
  ...keyOptions('the API key that it accepts', 'petstore-demo-key'),
  faults: list('--fault <name>', 'add a fault; repeatable, `faults` lists them', text, { isSplit: true }),
  variants: list('--variant <name>', 'make another permitted choice; repeatable', text, { isSplit: true }),
  latencyMs: value('--latency <ms>', 'delay of every response, in milliseconds', integer(0, 60_000), {
    initial: 0,
  }),
  animals: value('--animals <n>', 'number of animals to start with', integer(0, 1_000_000), {
    defaultText: 'a handful',
  }),
};

export const FAULTS_OPTIONS = {
  json: flag('--json', 'print the list as JSON'),
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
    'with --history: compare the first and the last of the last n runs with a verdict',
    integer(2, 10_000),
    { defaultText: '2' },
  ),
  format: value('--format <format>', 'how to print it', oneOf(COMPARISON_FORMATS), {
    initial: 'text',
  }),
};
