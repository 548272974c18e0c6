import type { afterAll, beforeAll, describe, test } from 'vitest';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { evidenceBlock, evidenceLines, shellWord } from '../../report/formats/evidence.ts';
import type { CheckResult, Violation } from '../../report/model/result.ts';
import { count, printable } from '../../report/model/text.ts';
import { readConformanceOptions } from '../api/given-options.ts';
import { UsageError } from '../errors.ts';
import { NOWHERE, shownOptions } from '../run-options.ts';
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

/** Options of a run of all that was chosen, which one of a single check does without. */
const LEFT_OUT = ['baseUrl', 'only', 'skip', 'seed', 'reports', 'reportDir'] as const;

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
  let judged = address;
  const commandFor = (id: string): string => {
    const others = shownOptions(chosen, LEFT_OUT);
    const words = [`--base-url ${shellWord(judged)}`, `--only ${id}`, `--seed ${chosen.seed}`, ...others];
    return `npx petstore-conformance ${words.join(' ')}`;
  };

  const judge = async (): Promise<void> => {
    try {
      if (typeof baseUrl === 'function') judged = readBaseUrl(await baseUrl(), 'baseUrl', {});
      const options = { ...chosen, baseUrl: judged, reportDir: NOWHERE, reports: [] };
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
          if (outcome?.kind === 'failed') throw failure(outcome.violations, commandFor(id));
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

/** Violations in the message of a test, and characters of each body. */
const VIOLATIONS_SHOWN = 4;
const BODY_LIMIT = 500;

/** What a reader of the test needs; the stack would only say where the suite noticed it. */
function failure(violations: readonly Violation[], command: string): Error {
  const shown = violations.slice(0, VIOLATIONS_SHOWN).map(violationText);
  const more = violations.length - shown.length;
  if (more > 0) shown.push(`and ${count(more, 'more failure')} of other kinds`);
  const message = [...shown, `  run again  ${command}`].join('\n\n');
  return Object.assign(new Error(message), { stack: `Error: ${message}` });
}

/** A violation with its request, its answer and the curl line, as the terminal shows them. */
function violationText(violation: Violation): string {
  const { message, expected, actual } = violation;
  const lines = evidenceBlock(evidenceLines(violation, { bodyLimit: BODY_LIMIT }), '  ');
  return `${printable(`${message} (expected ${expected}, got ${actual})`)}\n${lines}`;
}
