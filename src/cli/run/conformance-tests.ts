import type { afterAll, beforeAll, describe, test } from 'vitest';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import type { CheckResult, Violation } from '../../report/model/result.ts';
import { readConformanceOptions } from '../api/given-options.ts';
import { UsageError } from '../errors.ts';
import { NOWHERE } from '../run-options.ts';
import { baseUrl as readBaseUrl } from '../values/urls.ts';
import { CHECK_LIST } from './check-list.prebuilt.ts';
import { select } from './plan.ts';
import { runTarget } from './target-run.ts';
import type { ConformanceOptions } from './vitest-options.ts';

/** The functions of vitest that register tests: those of the vitest that is to run them. */
export interface TestFunctions {
  readonly afterAll: typeof afterAll;
  readonly beforeAll: typeof beforeAll;
  readonly describe: typeof describe;
  readonly test: typeof test;
}

/** Stands for the address until that is known. */
const UNKNOWN_YET = 'http://localhost/v1';
/** The run has a time budget of its own; until that is over, nothing times out. */
const NO_TIMEOUT = 0;

/**
 * Registers the checks of the Pet Store with somebody's own vitest: a test for each, which shows how the check ended. The
 * run itself goes its own way, in whatever order vitest awaits its outcomes.
 *
 * @throws UsageError where the options are wrong, or where no tests are collected
 */
export function registerConformanceTests({ baseUrl, ...given }: ConformanceOptions, vitest: TestFunctions): void {
  const address = typeof baseUrl === 'function' ? UNKNOWN_YET : baseUrl;
  const chosen = readConformanceOptions({ seed: 1, ...given, baseUrl: address }, PET_STORE_OUTLINE.loadCatalogue);
  const { checks } = select(chosen, CHECK_LIST);
  const ended = new Map(checks.map(({ id }) => [id, outcomeToCome()]));
  const end = new AbortController();
  let run: Promise<unknown> = Promise.resolve();

  const judge = async (): Promise<void> => {
    try {
      const target = typeof baseUrl === 'function' ? readBaseUrl(await baseUrl(), 'baseUrl', {}) : baseUrl;
      const options = { ...chosen, baseUrl: target, reportDir: NOWHERE, reports: [] };
      const { conclusion } = await runTarget({
        options,
        signal: end.signal,
        onEvent: (event) => {
          if (event.type === 'check-ended') ended.get(event.check.id)?.resolve(event.check);
        },
      });
      for (const { reject } of ended.values()) reject(new Error(conclusion));
    } catch (error) {
      for (const { reject } of ended.values()) reject(error);
    }
  };

  const register = (): void => {
    vitest.describe(`${PET_STORE_OUTLINE.description.title} conformance`, () => {
      vitest.beforeAll(() => {
        run = judge();
      }, NO_TIMEOUT);
      vitest.afterAll(async () => {
        end.abort();
        await run;
      }, NO_TIMEOUT);
      for (const { id, title } of checks) {
        vitest.test(`${id} ${title}`, { timeout: NO_TIMEOUT, retry: 0 }, async ({ skip }) => {
          const { outcome } = (await ended.get(id)?.promise) ?? {};
          if (outcome?.kind === 'failed') throw new Error(messageOf(outcome.violations));
          if (outcome?.kind === 'harness error') throw new Error(`internal error of the suite: ${outcome.message}`);
          if (outcome !== undefined && 'reason' in outcome) skip(outcome.reason);
        });
      }
    });
  };
  try {
    register();
  } catch (cause) {
    const next = 'call it in a test file, in a project whose vitest is 4.1 (npm ls vitest shows every version)';
    throw new UsageError('vitest-unsuitable', `petStoreConformance: vitest collects no tests here; ${next}`, { cause });
  }
}

/** The end of a check, which may come before or after somebody awaits it. */
function outcomeToCome() {
  let resolve: (check: CheckResult) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<CheckResult>((onEnd, onFailure) => {
    resolve = onEnd;
    reject = onFailure;
  });
  // A test that is not selected awaits none.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

const messageOf = (violations: readonly Violation[]): string =>
  violations.map(({ message, expected, actual }) => `${message} (expected ${expected}, got ${actual})`).join('; ');
