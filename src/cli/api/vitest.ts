/**
 * The package's entry `petstore-conformance/vitest`: a test for each requirement in the user's vitest run. The command runs
 * in a process of its own, which fake timers, DOM environments and other setup of the project do not reach.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { bodyText, findingLines } from '../../report/evidence-lines.ts';
import type { Finding, RunResult } from '../../result/result.ts';
import { count, excerpt, printable, shellWord } from '../../text.ts';
import { REQUIREMENT_TEXTS, selectedOf } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { argumentsOf, readGiven } from '../options/read.ts';
import type { TestingOptions } from '../options/tables.ts';

/** What to test, and how. The seed is 1 by default, so that each run sends the same requests. */
export interface VitestOptions extends Omit<TestingOptions, 'baseUrl' | 'embedded' | 'token' | 'reports'> {
  /** The base URL of the service, or a function that returns it once `beforeAll` hooks have started the service. */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** The API key. */
  readonly token: string;
}

const PROGRAM = fileURLToPath(new URL('src/cli/petstore-conformance.cjs', PACKAGE_ROOT));
/** How long the function `baseUrl` may take (ms). */
const LONGEST_START_MS = 120_000;
/** The run has its own time limit. */
const NO_TIMEOUT = 0;

/**
 * Registers the requirements of the Pet Store in a vitest file: a test for each.
 *
 * @throws UsageError if the options are wrong, or if vitest collects no tests here
 *
 * @example
 * import { petStoreConformance } from 'petstore-conformance/vitest';
 *
 * petStoreConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export function petStoreConformance({ baseUrl, token, ...given }: VitestOptions): void {
  const options = { seed: 1, ...given };
  const address = typeof baseUrl === 'function' ? undefined : baseUrl;
  const ids = selectedOf(readGiven({ ...options, token, baseUrl: address }));
  let run: Run | undefined;
  try {
    describe('Pet Store conformance', () => {
      beforeAll(async () => {
        run = runOf({ ...options, baseUrl: String(typeof baseUrl === 'function' ? await baseUrl() : baseUrl) }, token);
      }, LONGEST_START_MS);
      afterAll(() => run?.end(), NO_TIMEOUT);
      for (const id of ids) {
        const name = `${id} ${REQUIREMENT_TEXTS.get(id)}`;
        test(name, { timeout: NO_TIMEOUT, retry: 0 }, async ({ expect, skip: skipTest }) => {
          const result = await run?.result;
          const row = result?.requirements.find((requirement) => requirement.id === id);
          // A project may require an assertion in every test.
          expect(row?.id).toBe(id);
          if (result === undefined || row === undefined || row.outcome === 'passed') return;
          if (row.outcome === 'failed') throw failure(result, id);
          if (result.verdict === 'not tested') throw new Error(result.conclusion);
          skipTest(row.reason ?? row.outcome);
        });
      }
    });
  } catch (cause) {
    const next =
      'call it in a test file, in a project whose vitest is 3.2 or later (npm ls vitest shows every version)';
    throw new UsageError('vitest-unsuitable', `petStoreConformance: vitest collects no tests here; ${next}`, { cause });
  }
}

/** A run of the command. */
interface Run {
  /** Rejects if the command ends without a result. */
  readonly result: Promise<RunResult>;
  /** Ends the run if it is still in progress. */
  end(): Promise<void>;
}

function runOf(options: TestingOptions, token: string): Run {
  const started = start(options, token);
  const result = started.then(async ({ ended, reports }) => {
    const { code, errors } = await ended;
    if (code === 2) throw new Error(errors.trim());
    return JSON.parse(await readFile(join(reports, 'conformance.json'), 'utf8'));
  });
  // Tests that are not selected do not await it.
  result.catch(() => undefined);
  return {
    result,
    end: async () => {
      const { child, ended, reports } = await started;
      child.kill('SIGTERM');
      await ended;
      if (options.reportDir === undefined) await rm(reports, { recursive: true, force: true });
    },
  };
}

async function start({ reportDir, ...options }: TestingOptions, token: string) {
  const reports = reportDir ?? (await mkdtemp(join(tmpdir(), 'petstore-')));
  const formats = reportDir === undefined ? ['--report', 'json'] : [];
  const argv = [PROGRAM, ...argumentsOf({ ...options, reportDir: reports }), ...formats, '--quiet'];
  const env = { ...process.env, PETSTORE_API_KEY: token, GITHUB_ACTIONS: '' };
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, errors }));
  return { child, ended, reports };
}

/** The most findings in the message of a test, and the most characters of a line. */
const MOST_FINDINGS = 3;
const LONGEST_LINE = 600;

/** The error of a failed requirement. Its stack is the message, as the suite's own stack would not help. */
function failure(result: RunResult, id: string): Error {
  const { run, target, findings } = result;
  const own = findings.filter(({ requirements }) => requirements.includes(id));
  const more = own.length - MOST_FINDINGS;
  const options = run.options.filter((option) => !/^--(base-url|only|skip|seed)\b/.test(option));
  const again = ['npx petstore-conformance', `--base-url ${shellWord(target.baseUrl)}`, `--only ${id}`];
  const message = [
    ...own.slice(0, MOST_FINDINGS).map((finding) => findingText(finding, id)),
    ...(more > 0 ? [`and ${count(more, 'more finding')}`] : []),
    `  run again  ${[...again, `--seed ${run.seed}`, ...options].join(' ')}`,
  ].join('\n\n');
  return Object.assign(new Error(message), { stack: `Error: ${message}` });
}

function findingText(finding: Finding, id: string): string {
  const { [id]: request } = finding.requests;
  const lines = findingLines(finding)
    .filter(({ isExtra, label }) => isExtra !== true && !(label in finding.requests))
    .map(({ label, text, body }) => {
      const whole = body === undefined ? text : `${text} ${bodyText(body, LONGEST_LINE)}`;
      return `  ${label}  ${printable(excerpt(whole.trim(), LONGEST_LINE))}`;
    });
  const own = request === undefined ? [] : [`  a request that violates ${id}: ${printable(request)}`];
  return [printable(finding.says), ...own, ...lines].join('\n');
}
