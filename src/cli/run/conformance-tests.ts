import { CHECKS } from '../../../suites/index.ts';
import { preflight } from '../../engine/preflight.ts';
import { petStore } from '../../petstore/definition.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { readConformanceOptions } from '../api/given-options.ts';
import { UsageError } from '../errors.ts';
import { baseUrl as readBaseUrl } from '../values/urls.ts';
import { openSession } from './open-session.ts';
import { planOf, select, withTimeLeft } from './plan.ts';
import { redactorOf } from './redactor.ts';
import { type Registration, registerChecks, type TestFunctions } from './register-checks.ts';
import type { ConformanceOptions } from './vitest-options.ts';

/** Stands for the address until that is known. */
const UNKNOWN_YET = 'http://localhost/v1';

/**
 * Registers the checks of the Pet Store with somebody's own vitest.
 *
 * @throws UsageError where the options are wrong, or where no tests are collected
 */
export function registerConformanceTests({ baseUrl, ...given }: ConformanceOptions, vitest: TestFunctions): void {
  const address = typeof baseUrl === 'function' ? UNKNOWN_YET : baseUrl;
  const chosen = readConformanceOptions({ seed: 1, ...given, baseUrl: address }, PET_STORE_OUTLINE.loadCatalogue);
  const service = petStore(chosen);
  const selection = select(chosen, CHECKS);
  const { options, checks } = selection;
  const registration: Registration = {
    title: `${service.description.title} conformance`,
    checks,
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
  };
  try {
    registerChecks(registration, vitest);
  } catch (cause) {
    const next = 'call it in a test file, in a project whose vitest is 4.1 (npm ls vitest shows every version)';
    throw new UsageError('vitest-unsuitable', `petStoreConformance: vitest collects no tests here; ${next}`, { cause });
  }
}
