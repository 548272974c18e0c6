/** The package's entry `petstore-conformance/vitest`: the checks in a vitest run of one's own. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { preflight } from '../../engine/preflight.ts';
import { petStore } from '../../petstore/definition.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import type { JudgingOptions } from '../api/conformance-options.ts';
import { readConformanceOptions } from '../api/given-options.ts';
import { UsageError } from '../errors.ts';
import { baseUrl as readBaseUrl } from '../values/urls.ts';
import { openSession } from './open-session.ts';
import { planOf, select, withTimeLeft } from './plan.ts';
import { redactorOf } from './redactor.ts';
import { type Registration, registerChecks } from './register-checks.ts';

/**
 * What to judge, and how; the options mean what those of the command line mean. The seed is 1 unless another is given,
 * so that each run sends the same requests.
 */
export interface ConformanceOptions extends JudgingOptions {
  /**
   * The address of the service, ending in `/v1`; or a function that gives it, called before the first test, when a
   * `beforeAll` hook may have started the service.
   */
  readonly baseUrl: string | (() => string | Promise<string>);
  /** The API key. */
  readonly token: string;
}

/** Stands for the address until that is known. */
const UNKNOWN_YET = 'http://localhost/v1';

/**
 * Registers the checks of the Pet Store in a vitest file: a test for each check, in a suite for each phase, and a test
 * for each rule about every answer.
 *
 * @throws UsageError where the options are wrong, with the codes of the command line
 *
 * @example
 * import { petStoreConformance } from 'petstore-conformance/vitest';
 *
 * petStoreConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export function petStoreConformance({ baseUrl, ...given }: ConformanceOptions): void {
  const address = typeof baseUrl === 'function' ? UNKNOWN_YET : baseUrl;
  const chosen = readConformanceOptions({ seed: 1, ...given, baseUrl: address }, PET_STORE_OUTLINE.loadCatalogue);
  const service = petStore(chosen);
  const selection = select(chosen, CHECKS);
  const { options, checks } = selection;
  register({
    title: `${service.description.title} conformance`,
    checks,
    hasSoak: options.soakMs !== undefined,
    redact: redactorOf(options),
    keepResults: false,
    open: async () => {
      const target = typeof baseUrl === 'function' ? readBaseUrl(await baseUrl(), 'baseUrl', {}) : options.baseUrl;
      const plan = planOf(selection, service, { baseUrl: target ?? UNKNOWN_YET, ledgerFile: undefined });
      const started = performance.now();
      const look = await preflight(service, plan, options.waitForMs, new AbortController().signal);
      if (look.kind === 'unjudgeable') throw new Error(look.sentence);
      return openSession(service, withTimeLeft(plan, performance.now() - started), {});
    },
  });
}

/** Registers the checks, where there is a test file that is being collected. @throws UsageError where there is none */
function register(registration: Registration): void {
  try {
    registerChecks(registration, { afterAll, beforeAll, describe, test });
  } catch (cause) {
    const next = 'call it in a test file, in a project whose vitest is 4.1 (npm ls vitest shows every version)';
    throw new UsageError('vitest-unsuitable', `petStoreConformance: vitest collects no tests here; ${next}`, { cause });
  }
}
