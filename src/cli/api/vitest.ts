/**
 * The package's entry `petstore-conformance/vitest`: a test for each requirement in the user's vitest run. The engine
 * runs in a thread of its own, which fake timers, DOM environments and other setup of the project do not reach.
 */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { entryPoint } from '../../package.ts';
import { bodyText, findingLines } from '../../report/evidence-lines.ts';
import type { Finding, RunResult } from '../../run/result.ts';
import { count, excerpt, printable, shellWord } from '../../text.ts';
import { REQUIREMENT_TEXTS, selectedOf } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { readGiven } from '../options/read.ts';
import type { TestingOptions } from '../options/tables.ts';
import type { FromWorker, ToWorker } from './vitest-worker.ts';

/** What to test, and how. The seed is 1 by default, so that each run sends the same requests. */
export interface ConformanceOptions extends Omit<TestingOptions, 'baseUrl' | 'embedded' | 'token'> {
  /** The base URL of the service, or a function that returns it once `beforeAll` hooks have started the service. */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** The API key. */
  readonly token: string;
}

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
export function petStoreConformance({ baseUrl, ...given }: ConformanceOptions): void {
  const options = { seed: 1, ...given };
  const address = typeof baseUrl === 'function' ? undefined : baseUrl;
  const ids = selectedOf(readGiven({ ...options, baseUrl: address }));
  let run: Promise<RunResult> | undefined;
  let thread: Worker | undefined;
  const begin = async (): Promise<RunResult> => {
    const started = new Worker(entryPoint('vitest-worker'), { workerData: options, execArgv: [] });
    thread = started;
    const result = resultFrom(started);
    const where = async (): Promise<RunResult> => {
      const target = String(typeof baseUrl === 'function' ? await baseUrl() : baseUrl);
      post(started, { baseUrl: target });
      return result;
    };
    // The thread times out if no URL comes.
    return Promise.race([result, where()]);
  };
  try {
    describe('Pet Store conformance', () => {
      beforeAll(() => {
        run = begin();
        // Tests that are not selected do not await it.
        run.catch(() => undefined);
      }, NO_TIMEOUT);
      afterAll(async () => {
        if (thread !== undefined) post(thread, 'abort');
        await run?.catch(() => undefined);
        await thread?.terminate();
      }, NO_TIMEOUT);
      for (const id of ids) {
        const name = `${id} ${REQUIREMENT_TEXTS.get(id)}`;
        test(name, { timeout: NO_TIMEOUT, retry: 0 }, async ({ expect, skip: skipTest }) => {
          const result = await run;
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

const post = (thread: Worker, message: ToWorker): void => thread.postMessage(message);

/** The result from the thread. Rejects if there is none. */
function resultFrom(thread: Worker): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromWorker) => {
      if ('result' in message) resolve(message.result);
      else reject(Object.assign(new Error(message.error), { code: message.code }));
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('The thread of the conformance run ended without a result.')));
  });
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
    ...own.slice(0, MOST_FINDINGS).map((finding) => findingText(finding, result)),
    ...(more > 0 ? [`and ${count(more, 'more finding')}`] : []),
    `  run again  ${[...again, `--seed ${run.seed}`, ...options].join(' ')}`,
  ].join('\n\n');
  return Object.assign(new Error(message), { stack: `Error: ${message}` });
}

function findingText(finding: Finding, result: RunResult): string {
  const lines = findingLines({ ...finding, replay: undefined }, result, 'npx petstore-conformance', 'reports')
    .filter(({ isExtra }) => isExtra !== true)
    .map(({ label, text, body }) => {
      const whole = body === undefined ? text : `${text} ${bodyText(body, LONGEST_LINE)}`;
      return `  ${label}  ${printable(excerpt(whole.trim(), LONGEST_LINE))}`;
    });
  return [printable(finding.says), ...lines].join('\n');
}
